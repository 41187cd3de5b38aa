"""Analysis of text: tokens, identifiers, time expressions, encoders, token counts."""

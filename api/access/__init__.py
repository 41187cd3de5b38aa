"""Who asks: tokens, sign-in, and what each may do."""

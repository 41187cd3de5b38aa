"""One module per export format; each yields source records for the log."""

"""`acres mail`: turns by e-mail."""

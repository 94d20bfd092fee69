"""`acres serve-robot`: a practice player as an opponent, who answers what arrives."""

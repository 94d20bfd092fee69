"""`acres serve-robot`: a robot as an opponent, which answers what arrives."""

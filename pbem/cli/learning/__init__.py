"""Learning the game: what every action, card and location is, and what it means in a position."""

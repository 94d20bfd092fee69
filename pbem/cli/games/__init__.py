"""`acres games`: the games that the player's library lists, and finding them in files."""

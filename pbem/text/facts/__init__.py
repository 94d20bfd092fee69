"""Facts that a player may see of a game: positions, moves, possible orders and why others are not.

Called by other modules of `text`, `rules` and all above, which print or draw them; calls
tables of `text`, `play` and below.
Knows no language, only messages.
"""

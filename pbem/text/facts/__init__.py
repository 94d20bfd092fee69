"""Facts of a game that a player may see: positions, moves, and reasons against orders.

They contain messages in no particular language. Called by other modules of `text`, `rules` and
above, which print or draw them; calls tables of `text`, `play` and below.
"""

"""All that a player may see of a game, as facts: positions, what was done, what can be ordered.

Called by other modules of `text`, `rules` and all above, which say it or draw it; calls
tables of `text`, `play` and below.
Knows no language, only messages.
"""

"""A player's games and opponents, as facts and in sentences: how a game stands, who is who.

Called by `history` and above; calls `rules`, phrases of `text` and below.
Some of them contain the name of the program: the caller gives it, as `command`.
"""

"""A player's games and opponents in sentences: how a game stands, who is who, what was agreed.

Called by `history` and above; calls `rules`, phrases of `text`, `text.facts` and below.
Some of them contain the name of the program: the caller gives it, as `command`.
"""

"""A player's games and opponents in sentences: how a game stands, who is who, what was agreed.

Called by `history`, `proof`, mail and front ends; calls `rules`, phrases, `view` and all below.
How a program is called stands in some of them: whoever asks says it, as `command`.
"""

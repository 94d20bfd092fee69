"""A player's games and opponents in sentences: how a game stands, who is who, what was agreed.

Called by mail and every front end; calls the rest of `words`, `view` and all below.
How a program is called stands in some of them: whoever asks says it, as `command`.
"""

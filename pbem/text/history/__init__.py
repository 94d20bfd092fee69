"""The history of a game in sentences: moves, turns, records, and the player to move.

Called by `proof`, `mail` and above; calls `ordering`, phrases of `text`, and below.
"""

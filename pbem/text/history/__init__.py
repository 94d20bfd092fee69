"""The course of a game in sentences: moves, turns, records, and the player that it waits for.

Called by `proof`, `mail` and above; calls `ordering`, phrases of `text`, and below.
"""

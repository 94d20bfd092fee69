"""The course of a game in sentences: deeds, turns, records, and the player that it waits for.

Called by `proof`, `mail` and above; calls `ordering`, phrases of `text`, and below.
"""

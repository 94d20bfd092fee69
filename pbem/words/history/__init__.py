"""What happened in a game, in sentences: deeds, turns, records, and what a game waits for.

Called by the front ends and by mail; calls the rest of words, `view` and what lies below.
"""

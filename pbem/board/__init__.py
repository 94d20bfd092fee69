"""Drawings of games: a whole game as one page, a position as a picture.

Called by `club`, `web` and `cli`; calls `text` and below.
It renders templates, and neither prints nor prompts.
"""

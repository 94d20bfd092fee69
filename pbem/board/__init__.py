"""The board to be looked at: a game as one page, a position as a picture.

Called by `web` and `cli`; calls `text` and below.
Draws with templates, prints and asks nothing.
"""

"""The board to be looked at: a game as one page, a position as a picture.

Called by the command line and by what draws up letters.
Calls `words`, `view`, `play` and below; draws with templates, prints and asks nothing.
"""

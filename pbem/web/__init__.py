"""The board to play on: pages in the browser of the user at this computer, and of nobody else.

Called by the command line alone; calls `board`, `mail`, `words`, `view`, `play` and below. Prints
and asks nothing; nothing of play is found out here. docs/threat-model.md, Pages.
"""

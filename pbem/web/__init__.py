"""The board to be played on: pages in the browser of whoever sits here, and of nobody else.

Called by the command line alone; calls `board`, `mail`, `words`, `view`, `play` and below. Prints
and asks nothing; nothing of play is found out here. docs/threat-model.md, Pages.
"""

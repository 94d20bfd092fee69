"""The board to play on: pages in the browser of the user at this computer, and of nobody else.

Called by `cli` alone; calls `board`, `mail` and below.
Prints and asks nothing; nothing of play is found out here. docs/threat-model.md, Pages.
"""

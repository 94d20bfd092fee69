"""Web pages for playing, served only to browsers of the user of this computer.

Called by `cli` alone; calls `board`, `mail` and below. It prints nothing, and leaves every decision
about a game to `play`. The security rules are in docs/threat-model.md, Pages.
"""

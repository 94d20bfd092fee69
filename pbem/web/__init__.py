"""Web pages for playing, served to the browser of the user at this computer and to nobody else.

Called by `cli` alone; calls `board`, `mail` and below. It prints nothing, and leaves every decision
about a game to `play`. The security rules are in docs/threat-model.md, Pages.
"""

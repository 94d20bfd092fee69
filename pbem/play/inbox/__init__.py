"""The inbox: files that come in, alone or in messages, and where each of them goes.

Called by `play.robot`, `words`, `mail`, `web` and `cli`; calls other modules of `play`, `library`,
`savefile` and below.
"""

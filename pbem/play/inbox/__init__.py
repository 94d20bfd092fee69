"""The inbox: files that come in, alone or in messages, and where each of them goes.

Called by `play.robot`, `text`, `mail`, `web` and `cli`; calls other modules of `play`, `store`,
`savefile` and below.
"""

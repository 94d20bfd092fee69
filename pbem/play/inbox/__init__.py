"""The inbox: files that come in, alone or in messages, and where each of them goes.

Called by other modules of `play`, `text`, `mail`, `web` and `cli`; calls other modules of
`play`, `store`, `savefile` and below.
"""

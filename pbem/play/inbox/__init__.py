"""The inbox: files that come in, alone or in messages, and where each of them goes.

Called by `words` and above; calls modules of `play`, `library` and below.
"""

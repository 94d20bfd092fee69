"""The one way to play: here a file is read, answered and signed, for every front end.

Called by `text` and all above; calls `savefile` and below.
"""

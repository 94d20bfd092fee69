"""The one way to play: here a file is read, answered and signed, for every front end.

Called by `view` and all above; calls `library`, `keys` and below.
"""

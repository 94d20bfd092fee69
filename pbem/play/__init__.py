"""The one way to play: here a file is read, answered and signed, for every front end.

Called by mail and every front end; calls `library`, `keys`, `savefile`, `protocol`, `engine`.
"""

"""The one door to play: a file is read, answered and signed here, by whatever front end.

Called by mail and every front end; calls `library`, `keys`, `savefile`, `protocol`, `engine`.
"""

"""All that a file proves, as facts and in sentences; what is wrong with it, or before a signature.

Called by `board`, `web` and `cli`; calls `history`, phrases of `text`, and below.
Some of them contain the name of the program: the caller gives it, as `command`.
"""

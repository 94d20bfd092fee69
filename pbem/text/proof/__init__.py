"""What a file proves, what is wrong with it, and what stands before a signature, in sentences.

Called by `board`, `web` and `cli`; calls `history`, phrases of `text`, and below.
Some of them contain the name of the program: the caller gives it, as `command`.
"""

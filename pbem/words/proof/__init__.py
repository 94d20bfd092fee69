"""What a file proves, what is wrong with it, and what stands before a signature, in sentences.

Called by mail and every front end; calls `words`, `view`, `play` and all below. Some of them
contain the name of the program: the caller gives it, as `command`.
"""

"""What a file proves, what is wrong with it, and what stands before a signature, in sentences.

Called by mail and every front end; calls `words`, `view`, `play` and all below.
How a program is called stands in some of them: whoever asks says it, as `command`.
"""

"""The rules in words: topics, what they mean in a position, editions side by side, texts in tables.

Called by the rest of `pbem.words` and every front end, which prints them as pages.
Calls the other rooms of `pbem.words` and all below. How a program is called stands in some of the
pages: whoever asks says it, as `command`.
"""

"""The rules in words: topics to be read about, editions side by side, cards and places, as pages.

Called by the other rooms of `words` and every front end; calls names and phrases, `view` and below.
How a program is called stands in some of the pages: whoever asks says it, as `command`.
"""

"""The rules in words: topics to be read about, editions side by side, cards and places, as pages.

Called by the other rooms of `words` and every front end; calls names and phrases, `view` and below.
Some of the pages contain the name of the program: the caller gives it, as `command`.
"""

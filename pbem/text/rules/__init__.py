"""The rules in words: topics to be read about, editions side by side, cards and places, as pages.

Called by `ordering`, other modules of `text`, and above; calls names and phrases of
`text`, `text.facts` and below.
Some of the pages contain the name of the program: the caller gives it, as `command`.
"""

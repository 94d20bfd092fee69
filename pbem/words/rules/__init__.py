"""The rules in words: topics to be read about, editions side by side, cards and places, as pages.

Called by `ordering`, `games`, other modules of `words`, and above; calls names and phrases of
`words`, `view` and below.
Some of the pages contain the name of the program: the caller gives it, as `command`.
"""

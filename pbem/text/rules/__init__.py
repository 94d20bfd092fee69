"""The rules in words: topics, editions side by side, cards and places, as pages.

Called by `ordering`, other modules of `text`, `club` and above; calls names and phrases of `text`,
`text.facts` and below. Pages that contain the name of the program get it from the caller, as
`command`.
"""

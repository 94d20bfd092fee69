"""What a player may order, in words: orders as they are typed, lists, reasons, effects.

Called by `history` and above; calls `rules`, names and phrases of `text`, `text.facts` and below.
"""

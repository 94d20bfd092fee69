"""Orders in words: reading typed orders, lists of legal orders, objections, effects.

Called by `history` and above; calls `rules`, names and phrases of `text`, `text.facts` and below.
"""

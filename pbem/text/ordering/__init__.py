"""Orders in words: reading typed ones, lists of legal ones, reasons, effects.

Called by `history` and above; calls `rules`, names and phrases of `text`, `text.facts` and below.
"""

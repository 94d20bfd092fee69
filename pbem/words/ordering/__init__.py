"""What a player may order, in words: orders as they are typed, lists, reasons, effects.

Called by the reports on games, and by every front end. Calls `rules`, names and phrases of
`pbem.words`; `view`, `play` and the engine.
"""

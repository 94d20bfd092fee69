"""What a player may order, in words: names and orders as they are typed, lists, reasons, effects.

Called by every front end, and for names by what else is looked up in `pbem.words`.
Calls the other rooms of `pbem.words`, `view`, `play` and the engine.
"""

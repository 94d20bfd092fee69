"""The rules in words: topics to be read about, editions side by side, texts that stand in tables.

Called by the rest of `pbem.words` and every front end, which prints them as pages.
Calls `pbem.words.orders` for names as they are typed, and the engine for what is played.
"""

"""What is proved: records, decks sealed blind, the chain that a match replays.

Called by `savefile`, `library`, `play` and all above them; calls `engine` and cryptography.
Knows no file, no disk and no language.
"""

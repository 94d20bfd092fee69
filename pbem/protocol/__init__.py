"""What is proved: records, decks sealed blind, the chain that a match replays.

Called by `savefile` and all above; calls `engine`, `errors`, `foreign`, `sources` and
cryptography.
Knows no file, no disk and no language.
"""

"""The protocol of docs/protocol.md: signed records, blind decks, and the match that checks both.

Called by `savefile` and all above; calls `engine`, `errors`, `foreign`, `sources` and
cryptography.
Knows no file, no disk and no language.
"""

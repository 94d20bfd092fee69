"""Proofs of a file, as facts and in sentences; its faults; and questions before a signature.

Called by `board`, `web` and `cli`; calls `history`, phrases of `text`, and below. Sentences that
contain the name of the program get it from the caller, as `command`.
"""

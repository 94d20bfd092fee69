"""Identities on disk and on paper: key files, the passphrase around them, the recovery text.

Called by `play` and the front ends; calls `savefile` and `protocol`.
"""

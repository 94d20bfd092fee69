"""Identities on disk and on paper: key files, the passphrase around them, the recovery text.

Called by `play` and above; calls `savefile` and below.
"""

"""Identities on disk and on paper: key files, the passphrase around them, the recovery text.

Called by other modules of `play`, `web` and `cli`; calls `savefile` and below.
"""

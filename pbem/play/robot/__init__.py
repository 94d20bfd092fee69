"""A robot as an opponent: whom it plays with, and what it does with a file that came.

It signs through the door like anybody else.
Called by `play` itself and by `mail`, `web` and `cli`, which read what arrives and tell; calls
other modules of `play`, `library`, `keys` and below.
"""

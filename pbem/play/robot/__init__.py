"""A robot as an opponent: what it answers to a file, in which folder, and where it lives.

It signs through the door like anybody else.
Called by `play` itself and by `web` and `cli`, which read what arrives and tell; calls other
modules of `play`, `play.inbox`, `store`, `identity` and below.
"""

"""A game as a file: reading and writing TOML and armour, and writing files atomically.

Called by `play` and above; calls `protocol` and below.
"""

"""A game as a file: TOML in and out, and files on disk that are there whole or not at all.

Called by `play` and above; calls `protocol` and below.
"""

"""The rules of the game, pure: no files, no clock, no randomness of its own, no cryptography."""

"""A robot as an opponent: whom it plays with, and what it does with a file that came.

Called by front ends, which read what arrives and tell; signs through the door like anybody else.
"""

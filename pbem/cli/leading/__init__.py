"""A turn at the terminal, led through: the orders are chosen by number or typed, one by one.

What can be chosen and what it does, `pbem.view` knows and `pbem.words` says; here it is asked.
Called by commands of `cli`; calls `position`, modules of `cli`, `words`
and below.
"""

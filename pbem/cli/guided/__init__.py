"""A turn at the terminal, led through: the orders are chosen by number or typed, one by one.

What can be chosen and what it does, `pbem.text.facts` knows and `pbem.text` says; here it is asked.
Called by commands of `cli`; calls `position`, modules of `cli`, `text`
and below.
"""

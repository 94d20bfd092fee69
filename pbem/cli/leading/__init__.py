"""A turn at the terminal, led through: the orders are chosen by number or typed, one by one.

`menu` says what can be chosen, `preview` what an order costs and does, `suggest` how a line goes
on, all of it as data; `words` and `effects` put it into words, `typed` knows the words that a
player types, `prompt` asks, `lead` holds the course and prints.
"""

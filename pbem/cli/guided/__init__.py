"""A guided turn at the terminal: the player types or picks orders, one by one.

The choices and their effects come from `pbem.text`; this package has the prompts and the output.
Called by commands of `cli`; calls `position`, modules of `cli`, `text` and below.
"""

"""A guided turn at the terminal: orders are chosen by number or typed, one by one.

The choices and their effects come from `pbem.text`; this package asks and prints. Called by
commands of `cli`; calls `position`, modules of `cli`, `text` and below.
"""

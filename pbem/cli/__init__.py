"""The command line: commands, what they print and ask, the drawn map, completion.

The only place that prints and asks at a terminal. It plays through `pbem.play`; what it says is
made by `text.facts`, `text` and `mail`, beside its own help.
Called by nobody but the shell; calls `web` and all below.
"""

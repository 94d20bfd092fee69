"""The command line: commands, what they print and ask, the drawn map, completion.

Called by nobody but the shell, and the only place that prints and asks at a terminal.
Plays through `pbem.play`; what it says is made by `view`, `words` and `mail`, beside its own help.
"""

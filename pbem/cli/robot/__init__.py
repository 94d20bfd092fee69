"""`acres serve-robot`: a robot as an opponent, which answers what arrives.

What it does with a file, `pbem.play.robot` knows; here its key is asked for, and what it does
is told.
Called by nobody but the shell; calls `cli.mail`, `completion`, modules of `cli`, `pbem.mail` and
below.
"""

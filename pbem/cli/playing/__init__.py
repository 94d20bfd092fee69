"""`acres play`: the game that waits, led through a turn and sent; with the robot, turn after turn.

Which game, and where its newest file lies, `pbem.cli.newest_file` knows; what is asked, `leading`.
Called by nobody but the shell; calls `leading`, `completion`, modules of `cli`, `words` and below.
"""

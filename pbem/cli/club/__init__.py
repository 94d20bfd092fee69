"""The commands `acres club`, for the organiser of a club and for everybody who checks it.

Called by nobody but the shell; calls modules of `cli`, `pbem.club` and below.
"""

"""`acres mail`: turns sent, drafted and fetched by e-mail, and what that needs set up.

What a message is and how servers are spoken to, `pbem.mail` knows; here it is asked and told.
Called by other commands of `cli`; calls modules of `cli`, `pbem.mail`, `pbem.board` and below.
"""

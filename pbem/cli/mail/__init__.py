"""`acres mail`: turns drafted, sent and fetched by e-mail, and the setup of an account.

Messages and mail protocols are in `pbem.mail`; this package asks and prints. Called by other
commands of `cli`; calls modules of `cli`, `pbem.mail`, `pbem.board` and below.
"""

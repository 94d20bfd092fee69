"""The commands `acres mail`: writing, sending and fetching messages, and the mail account.

Messages and mail protocols are in `pbem.mail`; this package has the prompts and the output. Called
by other commands of `cli`; calls modules of `cli`, `pbem.mail`, `pbem.board` and below.
"""

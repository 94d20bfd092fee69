"""Mail programs, tried for real: what each makes of a draft, of a letter, and of the file in it.

`python -m tests.mail.tried` prints the table of docs/mail.md; with `anew` it tries all that are
installed before, and notes what came of it.
"""

"""Mail: letters that carry save files, read and written; servers and mailboxes.

For the front ends alone. It plays through `pbem.play`, and asks `pbem.library` what went and came;
it prints nothing and asks nobody.
"""

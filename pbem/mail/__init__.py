"""Mail: letters that carry save files, read and written; servers and mailboxes.

Only for the front ends, which send, fetch and serve a robot with it. It plays through `pbem.play`,
asks `pbem.library` what went and came, says it by `pbem.words`, and prints nothing.
"""

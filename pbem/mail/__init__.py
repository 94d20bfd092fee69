"""Mail: letters that carry save files, read and written; servers and mailboxes.

It plays through `pbem.play`, asks `pbem.library` what went and came, and prints nothing.
Called by `web` and `cli`, which send, fetch and serve a robot with it; calls `words`, `play` and
below.
"""

"""Mail: letters that carry save files, read and written; servers and mailboxes.

It plays through `pbem.play`, asks `pbem.library` what went and came, and prints nothing.
Called by `web` and `cli`, which send and fetch with it; calls `words`, `play` and
below.
"""

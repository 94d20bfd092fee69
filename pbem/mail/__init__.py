"""Mail: letters and drafts that carry save files; sending by SMTP and fetching by IMAP.

It plays through `pbem.play`, asks `pbem.play.store` what went and came, and prints nothing.
Called by `web` and `cli`, which send and fetch with it; calls `text`, `play` and below.
"""

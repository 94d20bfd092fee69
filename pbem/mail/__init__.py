"""Mail: messages and drafts that carry save files, sent by SMTP and fetched by IMAP.

Games are read through `pbem.play`, and `pbem.play.store` records sent and fetched files. Nothing is
printed.
Called by `web` and `cli`, which send and fetch with it; calls `text`, `play` and below.
"""

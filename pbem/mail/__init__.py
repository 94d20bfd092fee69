"""Mail: messages and drafts that carry save files, sent by SMTP and fetched by IMAP.

Games are read through `pbem.play`; `pbem.play.store` notes sent and fetched files. Prints nothing.
Called by `web` and `cli`, which send and fetch with it; calls `text`, `play` and below.
"""

"""A club: many games of many players, audited from the files that its members send.

Called by `cli` alone; calls `board`, `text` and below. It needs no key and reads no secret. See
docs/club.md.
"""

"""The library stores the position in a mailbox up to which messages were read."""

from __future__ import annotations

from pbem.play.store import MailboxPosition, Store


def test_mailbox_position_never_goes_back(library: Store) -> None:
    for validity, uid, stands in ((1, 50, 50), (1, 100, 100), (1, 60, 100), (2, 7, 7)):
        library.note_mailbox_position("here", MailboxPosition(validity, uid))
        assert library.mailbox_position("here") == MailboxPosition(validity, stands)

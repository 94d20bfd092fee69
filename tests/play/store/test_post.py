"""The library keeps how far a mailbox was looked through."""

from __future__ import annotations

from pbem.play.store import Looked, Store


def test_who_is_behind_does_not_take_back_how_far_another_has_come(library: Store) -> None:
    for validity, uid, stands in ((1, 50, 50), (1, 100, 100), (1, 60, 100), (2, 7, 7)):
        library.note_looked("here", Looked(validity, uid))
        assert library.looked("here") == Looked(validity, stands)

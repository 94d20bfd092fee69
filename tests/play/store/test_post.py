"""The library keeps how far a mailbox was looked through."""

from __future__ import annotations

from pathlib import Path

from pbem.play.store import Looked, Post


def test_who_is_behind_does_not_take_back_how_far_another_has_come(tmp_path: Path) -> None:
    post = Post(tmp_path / "library.sqlite3", b"key")
    for validity, uid, stands in ((1, 50, 50), (1, 100, 100), (1, 60, 100), (2, 7, 7)):
        post.look("here", Looked(validity, uid))
        assert post.looked("here") == Looked(validity, stands)

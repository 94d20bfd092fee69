"""A library that cannot be used for a while: whoever plays is told, and then it goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play.store import LibraryFailed, Store
from tests.web.inline import Table


def busy(*_: object, **__: object) -> None:
    raise LibraryFailed("it is busy")


def test_a_game_that_was_opened_meanwhile_is_begun_as_soon_as_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path / "table")
    with monkeypatch.context() as patch:
        patch.setattr(Store, "signed_hashes", busy)
        table.look()
        assert "it is busy" in table.shown["signing"]
    table.look()
    assert "it is busy" not in table.shown["signing"]
    table.give_all()
    assert table.do("sign")["signed"]


def test_whoever_signs_meanwhile_is_told_why_nothing_is_signed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.give_all()
    with monkeypatch.context() as patch:
        patch.setattr(Store, "remember", busy)
        answer = table.visitor.post(f"{table.path}/sign")
    assert answer.status == 409
    assert "it is busy" in answer.data["said"]
    # Nothing of the turn is lost.
    assert table.do("sign")["signed"]

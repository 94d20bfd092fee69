"""A busy library, which is reported to the player, who can continue later."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play.store import Store, StoreError
from tests.web.inline import Table


def raise_busy(*_: object, **__: object) -> None:
    raise StoreError("it is busy")


def test_turn_begins_as_soon_as_the_library_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path / "table")
    with monkeypatch.context() as patch:
        patch.setattr(Store, "signed_hashes", raise_busy)
        table.look()
        assert "it is busy" in table.parts["signing"]
    table.look()
    assert "it is busy" not in table.parts["signing"]
    table.give_all()
    assert table.do("sign")["signed"]


def test_signing_with_a_busy_library_loses_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.give_all()
    with monkeypatch.context() as patch:
        patch.setattr(Store, "remember", raise_busy)
        response = table.visitor.post(f"{table.path}/sign")
    assert response.status == 409
    assert "it is busy" in response.data["said"]
    assert table.do("sign")["signed"]

"""A library that cannot be used for a while: whoever plays is told, and then it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.play.store import LibraryFailed, Store
from tests.present import present
from tests.web.serving import Visitor, serving
from tests.web.tables import Pair


class Player:
    """The browser of whoever is to answer, and the orders of a whole answer."""

    def __init__(self, pair: Pair, browser: Visitor) -> None:
        self._browser = browser
        self._game = f"/games/{pair.game}"
        turn = pair.next_turn(pair.sessions[present(pair.next_side)])
        while not turn.is_complete:
            turn.order(pair.choose(turn.view()))
        self._orders = [order.notation() for order in turn.given]

    def look(self) -> dict[str, str]:
        """How it stands: the parts of the page."""
        answer = self._browser.ask(f"{self._game}/parts", accept="application/json").data
        self._stand = answer["stand"]
        parts: dict[str, str] = answer["parts"]
        return parts

    def order(self) -> None:
        for order in self._orders:
            status, _ = self._post("order", order=order)
            assert status == 200

    def sign(self) -> tuple[int, str]:
        return self._post("sign")

    def _post(self, what: str, **data: str) -> tuple[int, str]:
        answer = self._browser.post(f"{self._game}/{what}", {"stand": self._stand} | data)
        self._stand = answer.data["stand"]
        return answer.status, answer.data["said"]


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    pair = Pair(tmp_path / "table").begin()
    side = present(pair.next_side)
    pair.note(side)
    with serving(pair.homes[side]) as served:
        yield Player(pair, served.browser())


def busy(*_: object, **__: object) -> None:
    raise LibraryFailed("it is busy")


def test_a_game_that_was_opened_meanwhile_is_begun_as_soon_as_it_can_be(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Store, "signed_hashes", busy)
        assert "it is busy" in player.look()["signing"]
    assert "it is busy" not in player.look()["signing"]
    player.order()
    assert player.sign()[0] == 200


def test_whoever_signs_meanwhile_is_told_why_nothing_is_signed(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.look()
    player.order()
    with monkeypatch.context() as patch:
        patch.setattr(Store, "remember", busy)
        status, said = player.sign()
    assert status == 409
    assert "it is busy" in said
    # Nothing of the turn is lost.
    assert player.sign()[0] == 200

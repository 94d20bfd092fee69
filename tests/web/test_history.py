"""Earlier turns are drawn while orders are given."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any
from unittest.mock import patch

import pytest

from engine.sides import Side
from pbem.play.look import Look
from pbem.web.position import PositionView
from tests.web.serving import Visitor, serving
from tests.web.tables import Pair

MOST = 10


def is_long(pair: Pair) -> bool:
    """Return True if the British write a record after a snapshot, so that replay is partial."""
    assert pair.written is not None
    return len(pair.written.match.records) > 26 and pair.next_side is Side.BRITISH


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Return a longer game, listed at the home of the British."""
    pair = Pair(tmp_path_factory.mktemp("pair"), seed=3).begin().play(is_long)
    for _ in range(2):
        # A snapshot is made the first time.
        pair.note(Side.BRITISH)
    return pair


def act(visitor: Visitor, game: str, stand: str, action: str, **data: str) -> str:
    """Carry out an action on the page; return the new `stand`."""
    answer = visitor.post(f"/games/{game}/{action}", {"stand": stand, **data})
    assert answer.status == 200, answer.text
    return str(answer.data["stand"])


@pytest.mark.slow
def test_orders_are_given_while_the_turns_before_are_drawn(pair: Pair) -> None:
    """Each drawing uses a match of its own, and is not changed by the orders."""
    order = next(
        o for o in pair.next_turn(pair.sessions[Side.BRITISH]).legal_orders() if o.verb == "take"
    ).notation()
    draws, is_begun, goes_on, looks = PositionView.turns, Event(), Event(), list[Look]()

    def past(self: PositionView, look: Look) -> Any:
        looks.append(look)
        is_begun.set()
        assert goes_on.wait(MOST)
        return draws(self, look)

    with serving(pair.homes[Side.BRITISH]) as served, ThreadPoolExecutor() as threads:
        visitor = served.browser()
        stand = visitor.ask(f"/games/{pair.game}/parts").data["stand"]
        history = f"/games/{pair.game}/history"
        alone = visitor.ask(history).data
        with patch.object(PositionView, "turns", past):
            drawing = [threads.submit(visitor.ask, history) for _ in range(2)]
            assert is_begun.wait(MOST)
            stand = act(visitor, pair.game, stand, "order", order=order)
            goes_on.set()
            for _ in range(3):
                stand = act(visitor, pair.game, stand, "undo")
                stand = act(visitor, pair.game, stand, "redo")
            results = [future.result().data for future in drawing]
        assert results == [alone, alone]
        in_service = list[object]()
        served.pages.put(lambda: in_service.append(served.pages.service.open(pair.game).game.match))
        visitor.ask(f"/games/{pair.game}/parts")
        refused = visitor.ask(f"/games/{pair.game}/analysis")
    assert refused.status == 404
    assert "only against the robot" in refused.text, "while it is played"
    matches = [look.match for look in looks]
    assert len({id(match) for match in [*matches, *in_service]}) == 3

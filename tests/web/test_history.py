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

MAX_SECONDS = 10


def has_snapshot(pair: Pair) -> bool:
    """Return True if the British write a record after a snapshot, with a partial replay."""
    assert pair.written is not None
    return len(pair.written.match.records) > 26 and pair.next_side is Side.BRITISH


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Return a longer game, listed at the home of the British."""
    pair = Pair(tmp_path_factory.mktemp("pair"), seed=3).begin().play(has_snapshot)
    for _ in range(2):
        # The first call creates a snapshot.
        pair.note(Side.BRITISH)
    return pair


def send_action(visitor: Visitor, game: str, stand: str, action: str, **data: str) -> str:
    """Carry out an action on the page. Return the new `stand`."""
    response = visitor.post(f"/games/{game}/{action}", {"stand": stand, **data})
    assert response.status == 200, response.text
    return str(response.data["stand"])


@pytest.mark.slow
def test_drawing_earlier_turns_does_not_block_orders(pair: Pair) -> None:
    """Each drawing uses a separate match, which orders do not change."""
    order = next(
        o for o in pair.next_turn(pair.sessions[Side.BRITISH]).legal_orders() if o.verb == "take"
    ).notation()
    turns, begins, may_continue, looks = PositionView.turns, Event(), Event(), list[Look]()

    def slow_turns(self: PositionView, look: Look, *analysis: Any) -> Any:
        looks.append(look)
        begins.set()
        assert may_continue.wait(MAX_SECONDS)
        return turns(self, look, *analysis)

    with serving(pair.homes[Side.BRITISH]) as served, ThreadPoolExecutor() as threads:
        visitor = served.browser()
        stand = visitor.ask(f"/games/{pair.game}/parts").data["stand"]
        history = f"/games/{pair.game}/history"
        expected = visitor.ask(history).data
        with patch.object(PositionView, "turns", slow_turns):
            responses = [threads.submit(visitor.ask, history) for _ in range(2)]
            assert begins.wait(MAX_SECONDS)
            stand = send_action(visitor, pair.game, stand, "order", order=order)
            may_continue.set()
            for _ in range(3):
                stand = send_action(visitor, pair.game, stand, "undo")
                stand = send_action(visitor, pair.game, stand, "redo")
            results = [future.result().data for future in responses]
        assert results == [expected, expected]
        service_matches = list[object]()
        served.pages.put(
            lambda: service_matches.append(served.pages.service.open(pair.game).game.match)
        )
        visitor.ask(f"/games/{pair.game}/parts")
        analysis = visitor.ask(f"/games/{pair.game}/analysis")
    assert analysis.status == 404
    assert "only against the robot" in analysis.text, "while it is played"
    matches = [look.match for look in looks]
    assert len({id(match) for match in [*matches, *service_matches]}) == 3

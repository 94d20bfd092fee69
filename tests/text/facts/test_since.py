"""The changes since a player's last order, as scenes."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from engine.game import legal_orders
from engine.order import Order
from engine.orders import Raid
from engine.sides import Side
from engine.state import State
from pbem.play.look import Look
from pbem.protocol.hand import match_at
from pbem.protocol.match import Match
from pbem.protocol.steps import OrderStep
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import PositionFacts, scene_now, step_scenes
from pbem.text.history.log import Log
from tests.play.matches import answer, any_order, begin, identities


def last_own_record(match: Match, side: Side) -> int:
    """Return the number of the last record in which a side gave an order, or of the acceptance."""
    own = [record for record in match.records if record.side == side.value]
    return next(
        (r.index for r in reversed(own) if any(isinstance(s, OrderStep) for s in r.steps)), 1
    )


def public(facts: PositionFacts) -> object:
    """Return facts that are the same for both players, except how full the hands are."""
    money = [facts.sides[side].money for side in Side]
    points = [facts.sides[side].points for side in Side]
    return facts.locations, facts.sieges, money, points


@pytest.mark.parametrize("seed", [0, 2])
def test_scene_marks_all_changes_since_the_last_own_order(seed: int) -> None:
    match, any_of, raids, steps = begin(seed, lists=1), any_order(Random(seed)), 0, 0

    def choose(state: State) -> Order:
        return next((o for o in legal_orders(state) if isinstance(o, Raid)), any_of(state))

    players = dict(zip((Side.BRITISH, Side.FRENCH), identities(seed), strict=True))
    while len(match.records) < 50 and not match.is_over:
        match = answer(match, choose, seed)
        side = match.next_side
        if match.state.setup or side is None:
            continue
        number = last_own_record(match, side)
        earlier = match_at(match, number)
        if earlier.state.setup:
            continue
        look = Look.of(match, players[side])
        past = Chronicle(look)
        scene = scene_now(look, past)
        assert scene.before is not None
        assert public(scene.before) == public(
            scene_now(Look(earlier), Chronicle(Look(earlier))).facts
        )
        since = match.moves_since(number + 1)
        targets = [move.order.target for move in since if isinstance(move.order, Raid)]
        assert [raid.path[-1] for raid in scene.raids] == targets
        raids += len(targets)
        spans = [span for section in Log(past).latest().values() for span in section.spans]
        shown = step_scenes(
            past, [s for s in sorted(spans, key=min) if s.start >= past.seen_moves and s]
        )
        for one, following in pairwise(shown):
            assert following.before == one.facts
        if shown:
            assert public(shown[-1].facts) == public(scene.facts)
        steps += len(shown)
    assert raids and steps > 20

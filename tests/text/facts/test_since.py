"""The changes since a player's last order, as scenes."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from engine.game import legal_orders
from engine.order import Order
from engine.orders import Allow, Block, Raid
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


def raids_since(match: Match, count: int) -> list[tuple[str, bool]]:
    """Return the raids after `count` moves, or answered by the last of these or a later one.

    Each is its target, with True if it was blocked.
    """
    numbered = list(enumerate(match.moves, 1))
    raids = [(n, m.order.target) for n, m in numbered if isinstance(m.order, Raid)]
    answers = [(n, m.order) for n, m in numbered if isinstance(m.order, Allow | Block)]
    found = []
    for number, target in raids:
        at, reply = next((a for a in answers if a[0] > number), (len(numbered) + 1, None))
        if number > count or at >= count:
            found.append((target, isinstance(reply, Block)))
    return found


@pytest.mark.parametrize("seed", [9, 10])
def test_scene_marks_all_changes_since_the_last_own_order(seed: int) -> None:
    match, any_of, found, steps = begin(seed, lists=1), any_order(Random(seed)), set[bool](), 0

    def choose(state: State) -> Order:
        return next((o for o in legal_orders(state) if isinstance(o, Raid | Block)), any_of(state))

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
        expected = raids_since(match, len(earlier.moves))
        assert [(raid.path[-1], raid.blocked) for raid in scene.raids] == expected
        found |= {blocked for _, blocked in expected}
        spans = [span for section in Log(past).latest().values() for span in section.spans]
        shown = step_scenes(
            past, [s for s in sorted(spans, key=min) if s.start >= past.seen_moves and s]
        )
        for one, following in pairwise(shown):
            assert following.before == one.facts
        if shown:
            assert public(shown[-1].facts) == public(scene.facts)
        steps += len(shown)
    assert found == {True, False} and steps > 20

"""What can be clicked, reckoned from all legal orders: slow, and plain to see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from engine.actions import ACTIONS
from engine.order import Order, Source
from engine.state import State
from engine.ways import Ways
from pbem.text.facts.selection import Clickable, Selection
from pbem.text.language import Language

ENGLISH = Language("en")


def cards_besides(state: State, order: Order) -> list[str]:
    """The cards that an order takes from hand, and need not be named: a Trader, one's own card."""
    taken = Counter(ACTIONS[type(order)].plays(state, state.awaiting.side, order))
    if order.source is Source.HAND:
        taken -= Counter(order.cards)
    return list(taken.elements())


def parts_of(state: State, order: Order) -> list[str]:
    """The keys of all that may be clicked for an order, those that need not be too."""
    location = [f"location:{order.location}"] if order.location else []
    cards = (*order.cards, *cards_besides(state, order))
    return [f"kind:{order.verb}", *location, *(f"card:{card}" for card in cards)]


def clicked(random: Random, state: State, order: Order) -> list[str]:
    """The parts of an order in any sequence, with some of those that need not be."""
    named = list(Selection.all_of(order).keys)
    besides = [f"card:{card}" for card in cards_besides(state, order)]
    keys = named + [key for key in besides if random.random() < 0.5]
    if random.random() < 0.3:
        keys.remove(f"kind:{order.verb}")
    random.shuffle(keys)
    return keys


def lit(legal: Iterable[tuple[Order, list[str]]], chosen: Selection) -> set[str]:
    """What else those of the legal orders have that have what is chosen."""
    wanted = Counter(chosen.keys)
    return {
        key
        for _, parts in legal
        if wanted <= (has := Counter(parts))
        for key in has - wanted
        if not (key.startswith("kind:") and chosen.kind)
    }


def needing_nothing(legal: Iterable[tuple[Order, list[str]]], chosen: Selection) -> set[Order]:
    """Those of the legal orders that have what is chosen, and whose own parts it all has."""
    wanted = Counter(chosen.keys)
    return {
        order
        for order, parts in legal
        if wanted <= Counter(parts)
        and Counter(Selection.all_of(order).keys) - wanted <= Counter((f"kind:{order.verb}",))
    }


def check_clicks(random: Random, worlds: Sequence[State], legal: Sequence[Order]) -> None:
    """One of the legal orders is clicked; at each step what is lit is what leads to one."""
    clickable = Clickable(Ways(worlds))
    parts = [(order, parts_of(worlds[0], order)) for order in legal]
    kind = random.choice(sorted({order.verb for order in legal}))
    order = random.choice([order for order in legal if order.verb == kind])
    chosen = Selection()
    for key in [*clicked(random, worlds[0], order), None]:
        found = clickable.following(chosen)
        assert {*found.keys} == lit(parts, chosen), chosen
        assert all(found.cards.values())
        assert {*found.whole} == needing_nothing(parts, chosen), chosen
        having = {o for o, has in parts if Counter(chosen.keys) <= Counter(has)}
        assert {*found.whole} <= {*found.orders} <= having
        assert len(found.orders) == len({*found.orders})
        assert not found.is_all or {*found.orders} == having
        if key is not None:
            assert key in found.keys
            chosen = chosen.adding(key)
    assert order in found.whole

"""Clicks that are possible, reckoned from all legal orders: slow, and plain to see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from engine.actions import ACTIONS
from engine.choices import Choices, Parts, piles_of
from engine.order import Order, Source
from engine.state import State


def cards_besides(state: State, order: Order) -> list[str]:
    """The cards that an order takes from hand, and need not be named: a Trader, one's own card."""
    taken = Counter(ACTIONS[type(order)].plays(state, state.awaiting.side, order))
    named = order.cards if order.source is Source.HAND else ()
    return list((taken - Counter(named)).elements())


def pile_of(state: State, order: Order) -> str:
    """Where the cards lie that an order names."""
    side = state.awaiting.side.value
    for besieger, siege in state.sieges.items():
        if order.source is Source.SIEGE and siege.location == order.location:
            return f"{besieger.value}-siege"
    if order.source is Source.STOCK and order.cards[0] in state.neutral:
        return "neutral"
    piles = {Source.RESERVE: "reserve", Source.DISCARD_PILE: "discard", Source.HAND: "hand"}
    return f"{side}-{piles.get(order.source, 'draft')}"


def parts_of(state: State, order: Order, *, by_piles: bool) -> tuple[list[str], list[str]]:
    """The keys of all that is clicked for an order, the kind first, and of what need not be."""
    piles = ("@" + pile_of(state, order), f"@{state.awaiting.side.value}-hand")
    of_order, of_hand = piles if by_piles else ("", "")
    kind_and_place = Parts(type(order), order.location).keys
    needed = [*kind_and_place, *(f"card:{card}{of_order}" for card in order.cards)]
    return needed, [f"card:{card}{of_hand}" for card in cards_besides(state, order)]


def clicked(random: Random, state: State, order: Order, *, by_piles: bool = False) -> list[str]:
    """The parts of an order in any sequence, with some of those that need not be."""
    keys, besides = parts_of(state, order, by_piles=by_piles)
    keys = [*keys[random.random() < 0.3 :], *(key for key in besides if random.random() < 0.5)]
    random.shuffle(keys)
    return keys


def check_clicks(random: Random, worlds: Sequence[State], legal: Sequence[Order]) -> None:
    """One of the legal orders is clicked; at each step what is lit is what leads to one.

    Cards are clicked where they lie, or named without saying where.
    """
    choices, by_piles = Choices(worlds), random.random() < 0.5
    parts = {order: parts_of(worlds[0], order, by_piles=by_piles) for order in legal}
    has = {order: Counter([*needed, *besides]) for order, (needed, besides) in parts.items()}
    side = worlds[0].awaiting.side
    assert all(not o.cards or pile_of(worlds[0], o) in piles_of(type(o), side) for o in legal)
    kind = random.choice(sorted({order.verb for order in legal}))
    order = random.choice([order for order in legal if order.verb == kind])
    chosen = Parts()
    for key in [*clicked(random, worlds[0], order, by_piles=by_piles), None]:
        found, wanted = choices.next_parts(chosen), Counter(chosen.keys)
        shown = {key if by_piles else key.partition("@")[0] for key in found.keys}
        having = {order for order in legal if wanted <= has[order]}
        assert choices.has(chosen) is bool(having)
        lit = {key for order in having for key in has[order] - wanted}
        assert shown == {key for key in lit if not (key.startswith("kind:") and chosen.kind)}
        # An order goes without its kind being said.
        assert {*found.complete} == {o for o in having if not Counter(parts[o][0][1:]) - wanted}
        assert {*found.complete} <= {*found.orders} <= having
        assert len(found.orders) == len({*found.orders})
        assert not found.is_all or {*found.orders} == having
        chosen = Parts.of((*chosen.keys, key)) if key else chosen
    assert order in found.complete

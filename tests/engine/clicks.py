"""Possible clicks, computed from all legal orders: slow and simple."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from engine.actions import ACTIONS
from engine.choices import Choices, Parts, piles_of
from engine.order import Order, Source
from engine.state import State


def cards_besides(state: State, order: Order) -> list[str]:
    """Return the cards from hand that an order plays without naming them, such as a Trader."""
    played = Counter(ACTIONS[type(order)].cards_played(state, state.awaiting.side, order))
    cards = order.cards if order.source is Source.HAND else ()
    return list((played - Counter(cards)).elements())


def pile_of(state: State, order: Order) -> str:
    """Return the pile of the cards that an order names."""
    side = state.awaiting.side.value
    for besieger, siege in state.sieges.items():
        if order.source is Source.SIEGE and siege.location == order.location:
            return f"{besieger.value}-siege"
    if order.source is Source.STOCK and order.cards[0] in state.neutral:
        return "neutral"
    piles = {Source.RESERVE: "reserve", Source.DISCARD_PILE: "discard", Source.HAND: "hand"}
    return f"{side}-{piles.get(order.source, 'draft')}"


def parts_of(state: State, order: Order, *, by_piles: bool) -> tuple[list[str], list[str]]:
    """Return the required keys of an order, its kind first, and its optional keys."""
    piles = ("@" + pile_of(state, order), f"@{state.awaiting.side.value}-hand")
    of_order, of_hand = piles if by_piles else ("", "")
    kind_and_place = Parts(type(order), order.location).keys
    needed = [*kind_and_place, *(f"card:{card}{of_order}" for card in order.cards)]
    return needed, [f"card:{card}{of_hand}" for card in cards_besides(state, order)]


def random_keys(random: Random, state: State, order: Order, *, by_piles: bool = False) -> list[str]:
    """Return the keys of an order in any sequence, with some of the optional ones."""
    keys, besides = parts_of(state, order, by_piles=by_piles)
    keys = [*keys[random.random() < 0.3 :], *(key for key in besides if random.random() < 0.5)]
    random.shuffle(keys)
    return keys


def check_clicks(random: Random, worlds: Sequence[State], legal: Sequence[Order]) -> None:
    """Click a legal order; raise AssertionError unless exactly the keys of legal orders are lit.

    Cards are clicked in their piles, or named without a pile.
    """
    choices, by_piles = Choices(worlds), random.random() < 0.5
    parts = {order: parts_of(worlds[0], order, by_piles=by_piles) for order in legal}
    has = {order: Counter([*needed, *besides]) for order, (needed, besides) in parts.items()}
    side = worlds[0].awaiting.side
    assert all(not o.cards or pile_of(worlds[0], o) in piles_of(type(o), side) for o in legal)
    kind = random.choice(sorted({order.verb for order in legal}))
    order = random.choice([order for order in legal if order.verb == kind])
    selection = Parts()
    for key in [*random_keys(random, worlds[0], order, by_piles=by_piles), None]:
        following, expected = choices.next_parts(selection), Counter(selection.keys)
        lit = {key if by_piles else key.partition("@")[0] for key in following.keys}
        having = {order for order in legal if expected <= has[order]}
        assert choices.has_order(selection) is bool(having)
        leading = {key for order in having for key in has[order] - expected}
        assert lit == {key for key in leading if not (key.startswith("kind:") and selection.kind)}
        # An order may be given without its kind.
        complete = {order for order in having if not Counter(parts[order][0][1:]) - expected}
        assert {*following.complete} == complete
        assert complete <= {*following.orders} <= having
        assert len(following.orders) == len({*following.orders})
        assert not following.is_all or {*following.orders} == having
        selection = Parts.of((*selection.keys, key)) if key else selection
    assert order in following.complete

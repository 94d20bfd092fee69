"""Among orders with the same effect, those that keep the more valuable cards are listed first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from engine.choices import FREE_CHOICE_KINDS, Choices, Prefix
from engine.game import cards_played, legal_orders
from engine.order import Order
from engine.orders import Besiege, Merchant, Settle
from engine.state import State
from pbem.text.language import SOURCE, Language
from pbem.text.ordering.menu import Menus, effect_of
from pbem.text.phrases import names
from tests.engine.arbitrary import random_game
from tests.engine.positions import FRENCH, Seat, position

ENGLISH = Language(SOURCE)
HAND = "boston new-york st-marys norfolk pemaquid bateaux settlers militia"


def notations(state: State, kind: type[Order], place: str | None = None) -> list[str]:
    choices = Choices([state])
    orders = choices.orders(Prefix(kind, place), 200)
    assert orders
    return [order.notation() for order in Menus(ENGLISH, choices).sorted(orders)]


def positions() -> Iterator[State]:
    for seed in range(4):
        for state in random_game(Random(seed), 40):
            if not state.awaiting.decision.is_chance and legal_orders(state):
                yield state.copy()


def card_uses(state: State) -> dict[str, set[tuple[type[Order], str | None]]]:
    """Return the uses of each card in hand."""
    matches: dict[str, set[tuple[type[Order], str | None]]] = {}
    for order in legal_orders(state, ignoring=FREE_CHOICE_KINDS):
        for card in cards_played(state, order):
            matches.setdefault(card, set()).add((type(order), order.location))
    return matches


def test_orders_with_less_useful_cards_are_listed_first() -> None:
    """If two orders differ in one card, the one whose card has fewer other uses comes first."""
    compared = 0
    for state in positions():
        uses, choices = card_uses(state), Choices([state])
        for kind in (Settle, Besiege, Merchant):
            orders = Menus(ENGLISH, choices).sorted(choices.orders(Prefix(kind), 500) or [])
            for earlier, later in combinations(orders, 2):
                differ = [
                    pair
                    for pair in zip(earlier.cards, later.cards, strict=False)
                    if len({*pair}) > 1
                ]
                if (
                    effect_of(earlier) == effect_of(later)
                    and len(differ) == 1
                    and len(earlier.cards) == len(later.cards)
                ):
                    ((used, spared),) = differ
                    compared += 1
                    assert not uses[used] > uses[spared], (earlier, later)
    assert compared > 50


def test_least_useful_transport_is_listed_first() -> None:
    orders = notations(position(Seat(hand=HAND)), Settle, "albany")
    assert orders[0] == "settle albany: new-york, bateaux, st-marys"
    by_settlers, by_boston = (
        orders.index(f"settle albany: new-york, bateaux, {card}") for card in ("settlers", "boston")
    )
    assert by_settlers < by_boston


def test_sieges_are_listed_by_siege_card_then_by_card_value() -> None:
    state = position(
        Seat(hand="pemaquid new-haven boston regular-infantry militia", money=9), Seat()
    )
    by_card = [notation.rsplit(", ", 1)[1] for notation in notations(state, Besiege, "port-royal")]
    assert len({*by_card}) > 1
    assert by_card == sorted(by_card, key=by_card.index), (
        "each card that stays has its ways together"
    )


@pytest.mark.slow
def test_sorted_lists_contain_every_order() -> None:
    for state in positions():
        choices = Choices([state])
        for kind in choices.kinds():
            orders = choices.orders(Prefix(kind), 60)
            if orders is None:
                continue
            sequence = Menus(ENGLISH, choices).sorted(orders)
            assert {*sequence} == {*orders}
            if all(effect_of(order) == Prefix.of(order) for order in orders):
                texts = [str(order.text(names(state))) for order in sequence]
                assert [len(order.cards) for order in sequence] == sorted(
                    len(o.cards) for o in orders
                )
                assert len({*texts}) == len(texts)


def test_next_cards_are_listed_by_value() -> None:
    """The next card is chosen first, because there are many such orders."""
    hand = "boston new-york new-haven philadelphia norfolk settlers ships bateaux st-marys"
    state = position(Seat(hand=hand, villages="halifax"))
    menu = Menus(ENGLISH, Choices([state])).orders_after(Prefix(Settle, "baltimore"))
    cards = [
        line.prefix.cards[-1] for line in menu.items if line.prefix.cards and line.order is None
    ]
    uses = card_uses(state)
    counts = [len(uses[card]) for card in cards]
    assert len(counts) > 1
    assert counts == sorted(counts)


def test_lists_name_the_purpose_of_each_card() -> None:
    state = position(Seat(hand="pemaquid new-haven boston militia"), Seat())
    choices, name = Choices([state]), names(state)
    for order in choices.orders(Prefix(Besiege), 50) or []:
        output = str(Menus(ENGLISH, choices).item(Prefix.of(order), order).label)
        route, transport, earlier = (str(name(card)) for card in order.cards)
        assert f"{route} as connection, {transport} as transport, {earlier} to stay there" in output


def test_raid_with_the_less_valuable_card_is_listed_first() -> None:
    """Coureurs de Bois cost more to draft than Native Americans, and have the same uses."""
    state = position(
        Seat(villages="deerfield"),
        Seat(hand="coureurs-de-bois native-americans", villages="kennebec"),
        active=FRENCH,
    )
    choices = Choices([state])
    raids = [o for o in legal_orders(state) if o.notation().startswith("raid deerfield")]
    alone = [o for o in Menus(ENGLISH, choices).sorted(raids) if len(o.cards) == 1]
    prices = [state.ruleset.card(FRENCH, order.cards[0]).cost for order in alone]
    assert prices == sorted(prices)
    assert len(prices) == 2

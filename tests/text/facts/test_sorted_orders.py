"""Of several ways to do one thing, the one that keeps the better cards is listed first."""

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
    ways = Choices([state])
    listed = ways.orders(Prefix(kind, place), 200)
    assert listed
    return [order.notation() for order in Menus(ENGLISH, ways).sorted(listed)]


def positions() -> Iterator[State]:
    for seed in range(4):
        for state in random_game(Random(seed), 40):
            if not state.awaiting.decision.is_chance and legal_orders(state):
                yield state.copy()


def things(state: State) -> dict[str, set[tuple[type[Order], str | None]]]:
    """Return the uses of each card in hand."""
    matches: dict[str, set[tuple[type[Order], str | None]]] = {}
    for order in legal_orders(state, ignoring=FREE_CHOICE_KINDS):
        for card in cards_played(state, order):
            matches.setdefault(card, set()).add((type(order), order.location))
    return matches


def test_card_that_serves_for_more_is_kept() -> None:
    """Two ways that differ in one card: the one comes first whose card can do less besides."""
    compared = 0
    for state in positions():
        able, ways = things(state), Choices([state])
        for kind in (Settle, Besiege, Merchant):
            listed = Menus(ENGLISH, ways).sorted(ways.orders(Prefix(kind), 500) or [])
            for first, then in combinations(listed, 2):
                differ = [
                    pair for pair in zip(first.cards, then.cards, strict=False) if len({*pair}) > 1
                ]
                if (
                    effect_of(first) == effect_of(then)
                    and len(differ) == 1
                    and len(first.cards) == len(then.cards)
                ):
                    ((used, spared),) = differ
                    compared += 1
                    assert not able[used] > able[spared], (first, then)
    assert compared > 50


def test_bateaux_that_do_nothing_else_are_played_before_a_settler() -> None:
    listed = notations(position(Seat(hand=HAND)), Settle, "albany")
    assert listed[0] == "settle albany: new-york, bateaux, st-marys"
    by_settlers, by_boston = (
        listed.index(f"settle albany: new-york, bateaux, {card}") for card in ("settlers", "boston")
    )
    assert by_settlers < by_boston


def test_siege_is_listed_by_the_card_that_stays_and_the_way_there_by_thrift() -> None:
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
        ways = Choices([state])
        for kind in ways.kinds():
            listed = ways.orders(Prefix(kind), 60)
            if listed is None:
                continue
            sequence = Menus(ENGLISH, ways).sorted(listed)
            assert {*sequence} == {*listed}
            if all(effect_of(order) == Prefix.of(order) for order in listed):
                texts = [str(order.text(names(state))) for order in sequence]
                assert [len(order.cards) for order in sequence] == sorted(
                    len(o.cards) for o in listed
                )
                assert len({*texts}) == len(texts)


def test_cards_that_are_chosen_one_by_one_come_by_thrift_too() -> None:
    """So many orders are possible that the next card is chosen first."""
    hand = "boston new-york new-haven philadelphia norfolk settlers ships bateaux st-marys"
    state = position(Seat(hand=hand, villages="halifax"))
    menu = Menus(ENGLISH, Choices([state])).orders_after(Prefix(Settle, "baltimore"))
    cards = [
        line.prefix.cards[-1] for line in menu.items if line.prefix.cards and line.order is None
    ]
    able = things(state)
    counts = [len(able[card]) for card in cards]
    assert len(counts) > 1
    assert counts == sorted(counts)


def test_lists_name_each_card_s_part() -> None:
    state = position(Seat(hand="pemaquid new-haven boston militia"), Seat())
    ways, name = Choices([state]), names(state)
    for order in ways.orders(Prefix(Besiege), 50) or []:
        output = str(Menus(ENGLISH, ways).item(Prefix.of(order), order).label)
        route, transport, first = (str(name(card)) for card in order.cards)
        assert f"{route} as connection, {transport} as transport, {first} to stay there" in output


def test_raid_is_made_with_the_cards_that_are_needed_least() -> None:
    """Coureurs de Bois cost more to draft than Native Americans, and serve for as much."""
    state = position(
        Seat(villages="deerfield"),
        Seat(hand="coureurs-de-bois native-americans", villages="kennebec"),
        active=FRENCH,
    )
    ways = Choices([state])
    raids = [o for o in legal_orders(state) if o.notation().startswith("raid deerfield")]
    alone = [o for o in Menus(ENGLISH, ways).sorted(raids) if len(o.cards) == 1]
    prices = [state.ruleset.card(FRENCH, order.cards[0]).cost for order in alone]
    assert prices == sorted(prices)
    assert len(prices) == 2

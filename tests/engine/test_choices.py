"""Every legal order can be given part by part, and nothing else."""

from __future__ import annotations

import time
from random import Random

import pytest
from hypothesis import given

from engine.choices import FREE_CHOICE_KINDS, Choices, Prefix
from engine.game import legal_orders
from engine.order import Cards, Order
from engine.orders import ORDERS, Discard, Govern, Raid, Settle
from engine.state import State, new_game
from tests.engine.arbitrary import random_game
from tests.engine.house_rule_positions import random_rules
from tests.engine.positions import FRENCH, Seat, deal, position
from tests.engine.starts import EACH_START, EIGHTEEN, SEEDS, START_NAMES, STARTS, modest, thorough

LEGAL_AT_MOST = 400
"""Positions with more legal orders are left out: their tree of parts is large."""


def orders_by_parts(ways: Choices) -> set[Order]:
    """Return every order that parts lead to; raises AssertionError if parts lead to none."""
    orders, stack, prefixes = set[Order](), [Prefix(kind) for kind in ways.kinds()], set[Prefix]()
    while stack:
        prefix = stack.pop()
        if prefix in prefixes:
            continue
        prefixes.add(prefix)
        order, parts = ways.order(prefix), ways.parts(prefix)
        assert order or parts, f"{prefix} leads nowhere"
        if order:
            orders.add(order)
        stack += [prefix.with_part(part) for part in parts]
    return orders


def check_parts(state: State) -> None:
    legal = legal_orders(state)
    if len(legal) > LEGAL_AT_MOST:
        return
    ways = Choices([state])
    assert (orders_by_parts(ways), set(ways.kinds())) == (
        set(legal),
        {type(order) for order in legal},
    )
    assert {type(order) for order in ways.some_orders() if order in legal} == {*ways.kinds()}
    for kind in ways.kinds():
        assert all(type(o) is kind and o in legal for o in ways.some_orders(Prefix(kind)))
        of_kind = [order for order in legal if type(order) is kind]
        listed = ways.orders(Prefix(kind), LEGAL_AT_MOST)
        assert listed is None or (set(listed) == set(of_kind) and len(listed) == len(of_kind))
        assert ways.orders(Prefix(kind), len(of_kind) - 1) is None
        assert listed is None or ways.orders(Prefix(kind), len(of_kind)) == listed
        if not kind.has_choice:
            assert listed is not None


def test_kinds_with_a_choice_of_cards() -> None:
    """These are the kinds that declare any number of cards, or up to a limit."""
    declared = [k for k in ORDERS.values() if any(isinstance(v, Cards) for v in vars(k).values())]
    assert declared == [*FREE_CHOICE_KINDS] != [*ORDERS.values()]


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_parts_lead_to_the_legal_orders_only(seed: int, start: str) -> None:
    for state in random_game(Random(seed), 25, STARTS[start]()):
        check_parts(state)


@pytest.mark.long
@thorough
@given(seed=SEEDS)
def test_parts_lead_to_the_legal_orders_by_any_rules(seed: int) -> None:
    random = Random(seed)
    for state in random_game(random, 100, new_game(random_rules(random))):
        check_parts(state)


@pytest.mark.parametrize("start", EACH_START)
def test_parts_lead_to_every_legal_order_of_fixed_positions(start: str) -> None:
    state = STARTS[start]()
    deal(state)
    check_parts(state)


def test_parts_lead_to_the_orders_that_are_legal_in_any_world() -> None:
    poor, rich = (
        position(Seat("rangers militia boston philadelphia", money=money)) for money in (1, 20)
    )
    both = Choices([poor, rich])
    together, of_the_poor = orders_by_parts(both), orders_by_parts(Choices([poor]))
    assert together == of_the_poor | orders_by_parts(Choices([rich]))
    assert of_the_poor < together
    for order in together:
        is_certain = order in of_the_poor
        assert both.is_certain(order) == is_certain
        assert both.is_legal(order)
        assert both.world_of(order) is (poor if is_certain else rich)
    assert not both.is_legal(Raid("boston", ("rangers",)))


def test_prefix_is_written_as_an_unfinished_order() -> None:
    prefix = Prefix(Settle, "halifax", ("boston", "ships"))
    assert str(prefix.text(str.upper)) == "settle HALIFAX: BOSTON, SHIPS"
    assert str(Prefix(Settle).text(str.upper)) == "settle"


def test_raid_with_several_cards_offers_its_locations_first() -> None:
    """A card that cannot raid alone may be chosen while a card that can is left."""
    hand = "priest priest native-americans neutral-native-americans"
    state = position(Seat(villages="deerfield pemaquid"), Seat(hand, money=1), active=FRENCH)
    raids = {o for o in legal_orders(state) if isinstance(o, Raid)}
    ways = Choices([state])
    places = ways.parts(Prefix(Raid))
    assert set(places) == {raid.target for raid in raids}
    for place in places:
        firsts = {card for raid in raids if raid.target == place for card in raid.cards}
        assert set(ways.parts(Prefix(Raid, place))) == firsts


def test_large_hand_takes_little_time() -> None:
    state = position(
        Seat(villages="halifax deerfield", siege="louisbourg: militia"),
        Seat(EIGHTEEN, reserve="ships", money=30),
        active=FRENCH,
    )
    began = time.process_time()
    ways = Choices([state])
    prefix = Prefix(Discard)
    order = None
    while ways.parts(prefix):
        prefix = prefix.with_part(ways.parts(prefix)[0])
        order = ways.order(prefix)
        assert order
    assert order is not None
    assert sorted(order.cards) == sorted(EIGHTEEN.split())
    for kind in ways.kinds():
        ways.parts(Prefix(kind))
        listed = ways.orders(Prefix(kind), 99)
        assert (listed is None) == (kind is Discard or kind is Govern)
    # Some hundredths of a second; legal_orders takes seconds here.
    assert time.process_time() - began < 1


@modest
@given(seed=SEEDS, start=START_NAMES)
def test_list_of_orders_is_whole_or_marked_as_partial(seed: int, start: str) -> None:
    random = Random(seed)
    for state in random_game(random, 20, STARTS[start]()):
        legal = set(legal_orders(state))
        if len(legal) > LEGAL_AT_MOST:
            continue
        ways = Choices([state])
        for max_orders in (4, 5000):
            for kind in ways.kinds():
                of_kind = {order for order in legal if type(order) is kind}
                listed, is_whole = ways.list_orders(kind, max_orders)
                assert len(listed) == len({*listed})
                assert {*listed} == of_kind if is_whole else {*listed} <= of_kind
                assert is_whole or max_orders == 4

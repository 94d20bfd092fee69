"""The numbered choices of a guided turn lead to every legal order, and to no other."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.choices import Choices, Prefix
from engine.game import legal_orders
from engine.order import Order
from engine.orders import ORDERS, Discard
from engine.state import State
from pbem.text.language import SOURCE, Language
from pbem.text.ordering.lists import extend_prefix, parse_prefix, part_suggestions, suggestions
from pbem.text.ordering.menu import GROUPS, MAX_LISTED, Menu, Menus
from tests.cli.positions import random_answers
from tests.engine.positions import BRITISH, FRENCH, Seat, deal, position
from tests.engine.starts import EACH_START, EIGHTEEN, STARTS
from tests.requirements import require

ENGLISH = Language(SOURCE)
MOST_WALKED = 250
SEEDS = st.integers(min_value=0, max_value=2**32)
modest = settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
many = settings(modest, max_examples=120, derandomize=False)


def menus(ways: Choices) -> Menus:
    return Menus(ENGLISH, ways)


def walk(ways: Choices, menu: Menu) -> set[Order]:
    """Return every order that the numbers of a list lead to."""
    orders: set[Order] = set()
    for number in (line.number for line in menu.items):
        line = require(menu.numbered(number))
        if line.order:
            orders.add(line.order)
        else:
            deeper = menus(ways).orders_after(line.prefix)
            assert deeper.items
            orders |= walk(ways, deeper)
    return orders


def legal_in(worlds: tuple[State, ...]) -> set[Order]:
    return {order for world in worlds for order in legal_orders(world)}


def test_kind_of_order_has_one_number_in_every_turn() -> None:
    numbers: dict[type[Order], set[int]] = {}
    for start in STARTS:
        state = STARTS[start]()
        deal(state)
        menu = menus(Choices([state])).main()
        for line in menu.items if menu.is_of_turn else ():
            numbers.setdefault(line.prefix.kind, set()).add(line.number)
    assert len(numbers) > 10
    assert all(len(of_kind) == 1 for of_kind in numbers.values())
    assert len(set.union(*numbers.values())) == len(numbers)


def check_menus(ways: Choices) -> None:
    legal = legal_in(ways.worlds)
    if len(legal) > MOST_WALKED:
        return
    menu = menus(ways).main()
    assert walk(ways, menu) == legal
    assert menu.numbered(0) is None
    assert menu.numbered(max(line.number for line in menu.items) + 1) is None
    assert len({line.number for line in menu.items}) == len(menu.items)
    for line in menu.items:
        behind = {line.order} if line.order else walk(ways, menus(ways).orders_after(line.prefix))
        counted = re.search(r"\((\d+) orders", str(line.label))
        assert counted is None or int(counted[1]) == len(behind)
        assert str(line.label).startswith(str(line.prefix.kind.verb_label()))


def check_lengths(ways: Choices, menu: Menu, random: Random) -> None:
    """Check that no list is long, at any depth."""
    cards = {card for world in ways.worlds for card in world.players[world.awaiting.side].hand}
    while True:
        places = len(ways.worlds[0].ruleset.catalogue.locations)
        assert len(menu.items) <= max(MAX_LISTED, len(cards) + 1, places)
        onward = [line for line in menu.items if not line.order]
        if not onward:
            return
        menu = menus(ways).orders_after(random.choice(onward).prefix)


def test_every_kind_of_order_has_one_place_in_the_list_of_actions() -> None:
    kinds_in_groups = [kind for kinds in GROUPS.values() for kind in kinds]
    assert sorted(kind.verb for kind in kinds_in_groups) == sorted(ORDERS)


@pytest.mark.slow
@pytest.mark.parametrize("start", EACH_START)
def test_every_order_of_fixed_positions_is_reached_by_numbers(start: str) -> None:
    state = STARTS[start]()
    deal(state)
    ways = Choices([state])
    check_menus(ways)
    check_lengths(ways, menus(ways).main(), Random(start))


def check_random_game(seed: int, records: int) -> None:
    random = Random(seed)
    for _, ways in random_answers(seed, records):
        if random.random() < 0.4:
            check_menus(ways)
            check_lengths(ways, menus(ways).main(), random)
            check_suggestions(ways, random)


def check_suggestions(ways: Choices, random: Random) -> None:
    """Check that repeated suggestions end at a legal order, and can reach every order."""
    name = ways.worlds[0].ruleset.catalogue.name_of
    line = ""
    for _ in range(25):
        orders = suggestions(menus(ways), line)
        if not orders or (is_order(ways, line) and random.random() < 0.5):
            break
        line = random.choice(orders).line
    prefix = parse_prefix(menus(ways), line)
    assert prefix is not None, line
    assert ways.order(prefix) is not None
    text = str(random.choice(list(ways.some_orders())).text(name))
    for end in range(len(text)):
        offered = [s.line for s in suggestions(menus(ways), text[:end])]
        if text[:end].rstrip(":, ") == text[:end]:
            assert any(text.startswith(line.rstrip(" :,")) for line in offered), text[:end]


def is_order(ways: Choices, line: str) -> bool:
    prefix = parse_prefix(menus(ways), line)
    return prefix is not None and ways.order(prefix) is not None


@modest
@given(seed=SEEDS)
def test_every_order_of_a_game_by_file_is_reached_by_numbers(seed: int) -> None:
    check_random_game(seed, 6)


@pytest.mark.long
@many
@given(seed=SEEDS)
def test_every_order_of_many_games_is_reached_by_numbers(seed: int) -> None:
    check_random_game(seed, 60)


def large() -> State:
    return position(
        Seat(villages="halifax deerfield pemaquid", siege="militia"),
        Seat(hand=EIGHTEEN, reserve="ships", money=30),
        active=FRENCH,
        besieging={BRITISH: "louisbourg"},
    )


@pytest.mark.slow
def test_large_hand_is_discarded_card_by_card() -> None:
    ways = Choices([large()])
    assert all(line.label for line in menus(ways).main().items)
    expected = sorted(EIGHTEEN.split())[4:13]
    prefix = Prefix(Discard)
    for card in expected:
        menu = menus(ways).orders_after(prefix)
        line = next(line for line in menu.items if line.prefix.cards == (*prefix.cards, card))
        prefix = line.prefix
    assert menus(ways).orders_after(prefix).items[0].order == Discard(cards=tuple(expected))


def lines(ways: Choices, text: str) -> list[str]:
    """Return the suggested lines for a text."""
    return [s.line for s in suggestions(menus(ways), text)]


HAND = Seat(hand="boston pemaquid bateaux settlers", villages="pemaquid", money=3)
BECOMES = {
    "se": ["settle "],
    "SETT": ["settle "],
    "sh": [],
    "settle fort h": ["settle Fort Halifax: "],
    "sett fort h": ["settle Fort Halifax: "],
    "settle Fort Halifax: ": ["settle Fort Halifax: Pemaquid, "],
    "settle fort halifax: pem, ": ["settle Fort Halifax: Pemaquid, Bateaux"],
    "settle nowhere: ": [],
    "fly ": [],
}


def test_suggestions_match_any_word_of_a_line() -> None:
    ways = Choices([position(HAND)])
    assert {text: lines(ways, text) for text in BECOMES} == BECOMES
    assert "discard Boston" in lines(ways, "discard ")
    assert "discard Boston, Pemaquid" in lines(ways, "discard boston,")


def test_suggestions_that_begin_with_the_line_come_first() -> None:
    state = position(
        french=Seat(hand="native-americans neutral-native-americans", money=9), active=FRENCH
    )
    ways = Choices([state])
    assert lines(ways, "reserve native am") == ["reserve Native Americans"]
    assert lines(ways, "reserve neut") == ["reserve Neutral Native Americans"]
    assert len(lines(ways, "reserve americans")) == 2
    prefix = parse_prefix(menus(ways), "reserve native am")
    assert prefix == Prefix(ORDERS["reserve"], None, ("native-americans",))


def test_unambiguous_beginning_selects_an_order() -> None:
    ways = Choices([position(HAND)])
    settle = ORDERS["settle"]
    assert parse_prefix(menus(ways), "settle fort hal") == Prefix(settle, "fort-halifax")
    assert parse_prefix(menus(ways), "settle fort") is None
    assert parse_prefix(menus(ways), "settle Québec") is None
    prefix = Prefix(settle, "fort-halifax", ("pemaquid",))
    assert parse_prefix(menus(ways), "settle Fort Halifax: pem") == prefix
    assert extend_prefix(menus(ways), Prefix(settle), "FORT HALIFAX") == Prefix(
        settle, "fort-halifax"
    )
    assert extend_prefix(menus(ways), Prefix(settle), "québec") is None
    assert [s.line for s in part_suggestions(menus(ways), Prefix(settle), "fort h")] == [
        "Fort Halifax"
    ]

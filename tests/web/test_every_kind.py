"""Every kind of order is given in the browser, by mouse and by keys, and no other is offered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count
from random import Random
from unittest.mock import patch

import pytest
from playwright.sync_api import Browser, Page

from engine.game import legal_orders
from engine.order import Order, Source
from engine.orders import ORDERS
from engine.state import State
from pbem.play.autosave import Autosave
from tests.engine.positions import BRITISH, FRENCH, Seat, do, position
from tests.engine.selected import cards_besides
from tests.engine.starts import FIXED
from tests.signing import sign_agreed
from tests.web.hands import READY, at_table, choose, lit, press, say_yes
from tests.web.serving import Serving, serving
from tests.web.tables import Pair

STARTS_A_GAME = "pbem.protocol.table.new_game"


def nothing_to_give() -> State:
    """An ambush on a hand without a card that it can cost."""
    state = position(Seat(hand="boston rangers"), Seat(hand="coureurs-de-bois"), active=FRENCH)
    do(state, "ambush Coureurs de Bois")
    return state


POSITIONS = {**FIXED, "nothing to give": nothing_to_give}


def kinds_by_position() -> dict[str, list[str]]:
    """Few positions in which every kind of order is legal; each kind in one of them."""
    legal = {
        name: {order.verb for order in legal_orders(start())} for name, start in POSITIONS.items()
    }
    left, found = set(ORDERS), dict[str, list[str]]()
    while left:
        most = max(legal, key=lambda name: len(legal[name] & left))
        assert legal[most] & left, f"in no position here is a {left} legal: add one"
        found[most] = sorted(legal[most] & left)
        left -= legal[most]
    return found


KINDS = kinds_by_position()


class Beginning:
    """Games that begin in some position, in which it is for Anna to decide."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.anna, self.bela = pair.sessions.values()
        self.state: State | None = None
        self._numbers = count()

    def new_game(self, *_: object) -> State:
        """What the table lays out in place of the deal."""
        assert self.state is not None
        return self.state.copy()

    def begin(self, state: State) -> None:
        """A game from that position on, listed at Anna's home."""
        for player in state.players.values():
            # What is drawn has to come from a shuffle that both know of.
            player.discard += [card for unseen in player.unseen for card in unseen]
            player.draw_pile, player.unseen = [], []
        self.state, rules = state, state.ruleset
        folder = self.pair.folder / str(next(self._numbers))
        folder.mkdir()
        invitation = self.anna.invite(
            None, edition=rules.edition, house_rules=rules.house_rules, lists=1
        )
        first = sign_agreed(self.anna, invitation, folder / "game-000.toml")
        acceptance = self.bela.join(self.bela.read(first.path))
        acceptance.choose(state.awaiting.side.opponent)
        self.pair.written = sign_agreed(self.bela, acceptance)
        self.pair.note(BRITISH)

    def kept(self) -> tuple[str, ...]:
        """The orders that Anna's home knows of the turn, in notation."""
        found = Autosave(self.anna.store, self.pair.next_turn(self.anna)).saved
        return found.orders if found else ()


@pytest.fixture(scope="module")
def beginning(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Beginning]:
    beginning = Beginning(Pair(tmp_path_factory.mktemp("kinds")))
    with patch(STARTS_A_GAME, beginning.new_game):
        yield beginning


@pytest.fixture(scope="module")
def table(beginning: Beginning) -> Iterator[Serving]:
    """Anna's games, served."""
    with serving(beginning.pair.homes[BRITISH]) as started:
        yield started


@pytest.fixture(scope="module")
def page(browser: Browser, beginning: Beginning, table: Serving) -> Iterator[Page]:
    """The one window for all of them."""
    beginning.begin(POSITIONS["frontier"]())
    with at_table(browser, table, beginning.pair.game) as opened:
        yield opened


# --- what may be clicked, by all legal orders


def pile_of(state: State, order: Order, card: str) -> str:
    """Where a card lies that an order names."""
    side = state.awaiting.side
    match order.source:
        case Source.RESERVE:
            return f"{side.value}-reserve"
        case Source.DISCARD_PILE:
            return f"{side.value}-discard"
        case Source.SIEGE:
            besieger = state.besieger(order.place)
            assert besieger is not None
            return f"{besieger.value}-siege"
        case Source.OWN_STOCK | Source.STOCK:
            return "neutral" if state.neutral.get(card) else f"{side.value}-draft"
        case _:
            return f"{side.value}-hand"


def named(state: State, order: Order) -> list[str]:
    """The keys of all that an order names, each card where it lies."""
    location = [f"location:{order.location}"] if order.location else []
    cards = [f"card:{card}@{pile_of(state, order, card)}" for card in order.cards]
    return [f"kind:{order.verb}", *location, *cards]


def parts(state: State, order: Order) -> Counter[str]:
    """The same with the cards that need not be named, which lie in hand."""
    hand = f"{state.awaiting.side.value}-hand"
    besides = (f"card:{card}@{hand}" for card in cards_besides(state, order))
    return Counter([*named(state, order), *besides])


def can_follow(all_parts: list[Counter[str]], chosen: list[str]) -> set[str]:
    """What else those of the legal orders have that have what is chosen."""
    wanted = Counter(chosen)
    has_kind = any(key.startswith("kind:") for key in chosen)
    return {
        key
        for has in all_parts
        if wanted <= has
        for key in has - wanted
        if not (has_kind and key.startswith("kind:"))
    }


# --- giving them


def give_and_take_back(
    page: Page, beginning: Beginning, order: Order, legal: list[Counter[str]], *, by_keys: bool
) -> None:
    """Give an order part by part in any sequence, and take it back."""
    state = beginning.state
    assert state is not None
    keys, chosen = named(state, order), list[str]()
    Random(order.notation()).shuffle(keys)
    for key in keys:
        assert lit(page) == can_follow(legal, chosen), (order.notation(), chosen)
        choose(page, key, by_keys=by_keys)
        chosen.append(key)
    assert lit(page) == can_follow(legal, chosen), (order.notation(), chosen)
    say_yes(page, order, by_keys=by_keys)
    assert beginning.kept() == (order.notation(),)
    with page.expect_response(lambda got: got.url.endswith("/undo")):
        if by_keys:
            page.keyboard.press("Control+z")
        else:
            press(page, "#undo")
    page.wait_for_function("() => !document.querySelector('.given li')")
    assert beginning.kept() == ()


def give_each(page: Page, table: Serving, beginning: Beginning, name: str, *ways: bool) -> None:
    """Give an order of each kind that a position has: in these ways, or in one of both by turns."""
    state = POSITIONS[name]()
    beginning.begin(state)
    page.goto(f"http://127.0.0.1:{table.port}/games/{beginning.pair.game}")
    page.wait_for_selector(READY)
    legal = sorted(legal_orders(state), key=lambda order: order.notation())
    all_parts = [parts(state, order) for order in legal]
    for kind in KINDS[name]:
        order = Random(kind).choice([order for order in legal if order.verb == kind])
        for by_keys in ways or (list(ORDERS).index(kind) % 2 == 1,):
            give_and_take_back(page, beginning, order, all_parts, by_keys=by_keys)


DEAR = (
    "ambush at sieges",
    "before a refill",
    "british deal",
    "exchange in the first edition",
    "french deal",
    "french officers",
    "furs and lost cards",
    "loser's card",
    "start card",
    "two sieges won",
)
"""Positions that take a browser long: many orders are legal there, or of many cards."""
assert set(DEAR) <= set(KINDS)
IN_SHORT = [pytest.param(n, marks=pytest.mark.long if n in DEAR else ()) for n in KINDS]


def test_no_kind_of_order_is_left_out() -> None:
    assert sorted(kind for kinds in KINDS.values() for kind in kinds) == sorted(ORDERS)


@pytest.mark.parametrize("name", IN_SHORT)
def test_each_kind_is_given_by_mouse_or_by_keys(
    page: Page, table: Serving, beginning: Beginning, name: str
) -> None:
    give_each(page, table, beginning, name)


@pytest.mark.long
@pytest.mark.parametrize("name", KINDS)
def test_each_kind_is_given_by_mouse_and_by_keys(
    page: Page, table: Serving, beginning: Beginning, name: str
) -> None:
    give_each(page, table, beginning, name, False, True)

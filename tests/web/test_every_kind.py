"""Every kind of order, given in the browser by mouse and by keys; only legal orders are offered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import count
from random import Random
from unittest.mock import patch

import pytest
from playwright.sync_api import Browser, Page

from engine.game import legal_orders
from engine.order import Order
from engine.orders import ORDERS
from engine.state import State
from pbem.errors import UsageError
from pbem.play.autosave import Autosave
from tests.engine.cases import position_for
from tests.engine.clicks import cards_besides
from tests.engine.positions import BRITISH
from tests.engine.starts import FIXED
from tests.signing import sign_agreed
from tests.web.hands import (
    READY,
    choice_keys,
    choose,
    confirm,
    lit_keys,
    offered,
    open_game_page,
    press,
)
from tests.web.serving import Serving, serving
from tests.web.tables import Pair

NEW_GAME = "pbem.protocol.table.new_game"


POSITIONS = FIXED.copy()


def kinds_by_position() -> dict[str, list[str]]:
    """Return few positions in which every kind of order is legal, with the kinds of each.

    Adds a position of the cases of the rules for each kind that is legal in no fixed position.
    """
    legal = {name: {order.verb for order in legal_orders(start())} for name, start in FIXED.items()}
    missing, kinds = set(ORDERS), dict[str, list[str]]()
    for verb in sorted(missing.difference(*legal.values())):
        POSITIONS[verb], legal[verb] = partial(position_for, ORDERS[verb]), {verb}
    while missing:
        most = max(legal, key=lambda name: len(legal[name] & missing))
        kinds[most] = sorted(legal[most] & missing)
        missing -= legal[most]
    return kinds


KINDS = kinds_by_position()


class Beginning:
    """Games that begin in a position with a decision of Anna."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.anna, self.bela = pair.sessions.values()
        self.state: State | None = None
        self._numbers = count()

    def new_game(self, *_: object) -> State:
        """Return the position in place of the deal."""
        assert self.state is not None
        return self.state.copy()

    def begin(self, state: State) -> None:
        """Begin a game in that position, and list it at Anna's home."""
        for player in state.players.values():
            # Drawn cards must come from a shuffle that both players know.
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

    def saved_orders(self) -> tuple[str, ...]:
        """Return the notation of the orders in Anna's saved turn."""
        saved = Autosave(self.anna.store, self.pair.next_turn(self.anna)).saved
        return saved.orders if saved else ()


@pytest.fixture(scope="module")
def beginning(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Beginning]:
    beginning = Beginning(Pair(tmp_path_factory.mktemp("kinds")))
    with patch(NEW_GAME, beginning.new_game):
        yield beginning


@pytest.fixture(scope="module")
def table(beginning: Beginning) -> Iterator[Serving]:
    """Serve Anna's games."""
    with serving(beginning.pair.homes[BRITISH]) as started:
        yield started


@pytest.fixture(scope="module")
def page(browser: Browser, beginning: Beginning, table: Serving) -> Iterator[Page]:
    """Open the window that all tests share."""
    beginning.begin(POSITIONS["frontier"]())
    conflict = ("409 (Conflict)",)
    # The button of a reply signs it too, but here each order is undone.
    with (
        patch("pbem.web.active_game.ActiveGame.sign", side_effect=UsageError("Not here.")),
        open_game_page(browser, table, beginning.pair.game, conflict) as opened,
    ):
        yield opened


# --- expected choices


def parts(state: State, order: Order) -> Counter[str]:
    """Return the keys of an order, and of cards in hand that it need not name."""
    hand = f"{state.awaiting.side.value}-hand"
    other_cards = (f"card:{card}@{hand}" for card in cards_besides(state, order))
    return Counter([*choice_keys(state, order), *other_cards])


def can_follow(all_parts: list[Counter[str]], chosen: list[str]) -> set[str]:
    """Return the further keys of legal orders that have the chosen keys."""
    chosen_counts = Counter(chosen)
    has_kind = any(key.startswith("kind:") for key in chosen)
    return {
        key
        for part_counts in all_parts
        if chosen_counts <= part_counts
        for key in part_counts - chosen_counts
        if not (has_kind and key.startswith("kind:"))
    }


# --- giving orders


def give_and_undo(
    page: Page, beginning: Beginning, order: Order, legal: list[Counter[str]], *, by_keys: bool
) -> None:
    """Give an order part by part in a random sequence, and undo it."""
    state = beginning.state
    assert state is not None
    keys, chosen = choice_keys(state, order), list[str]()
    Random(order.notation()).shuffle(keys)
    for key in keys:
        assert lit_keys(page) == can_follow(legal, chosen), (order.notation(), chosen)
        choose(page, key, by_keys=by_keys)
        chosen.append(key)
    assert lit_keys(page) == can_follow(legal, chosen), (order.notation(), chosen)
    confirm(page, order, by_keys=by_keys)
    assert beginning.saved_orders() == (order.notation(),)
    with page.expect_response(lambda response: response.url.endswith("/undo")):
        if by_keys:
            page.keyboard.press("Control+z")
        else:
            press(page, "#undo")
    page.wait_for_function("() => !document.querySelector('.given li')")
    assert beginning.saved_orders() == ()


SLOW_POSITIONS = (
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
"""Slow positions, with many legal orders, or orders of many cards."""
assert set(SLOW_POSITIONS) <= set(KINDS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ways"),
    [
        *(
            pytest.param(n, (), marks=pytest.mark.long if n in SLOW_POSITIONS else ())
            for n in KINDS
        ),
        *(pytest.param(n, (False, True), marks=pytest.mark.long) for n in KINDS),
    ],
)
def test_each_kind_is_given_by_mouse_and_by_keys(
    page: Page, table: Serving, beginning: Beginning, name: str, ways: tuple[bool, ...]
) -> None:
    """By default each kind of order is given either by mouse or by keys."""
    state = POSITIONS[name]()
    beginning.begin(state)
    page.goto(f"http://127.0.0.1:{table.port}/games/{beginning.pair.game}")
    page.wait_for_selector(READY)
    legal = sorted(legal_orders(state), key=lambda order: order.notation())
    all_parts = [parts(state, order) for order in legal]
    for kind in KINDS[name]:
        order = Random(kind).choice([order for order in legal if order.verb == kind])
        order = offered(state, order)
        for by_keys in ways or (list(ORDERS).index(kind) % 2 == 1,):
            give_and_undo(page, beginning, order, all_parts, by_keys=by_keys)

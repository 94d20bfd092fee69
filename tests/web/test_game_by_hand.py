"""A game between two players with a browser each, and nothing but files between them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page

from engine.sides import Side
from pbem.play.game_file import GameFile
from pbem.protocol.steps import OrderStep
from tests.play.playing import any_order
from tests.signing import sign_agreed
from tests.web.hands import at_table, give, press
from tests.web.serving import Serving, serving
from tests.web.tables import Pair

ALWAYS_SEEN = {"develop", "discard", "draft", "end", "settle", "take"}
"""Kinds of order that no long game goes without; `test_every_kind` gives every one."""


@contextmanager
def both(browser: Browser, pair: Pair) -> Iterator[dict[Side, tuple[Serving, Page]]]:
    """A server and a page for each player of a game."""
    with ExitStack() as stack:
        found = {}
        for side in Side:
            pair.note(side)
            served = stack.enter_context(serving(pair.homes[side]))
            page = stack.enter_context(at_table(browser, served, pair.game))
            found[side] = served, page
        yield found


def answer_by_hand(pair: Pair, served: Serving, page: Page, *, by_keys: bool) -> list[str]:
    """Answer the newest file in the browser; the verbs of the orders that were given there."""
    side = pair.next_side
    assert side is not None and pair.written is not None
    pair.note(side)
    served.pages.events.tell("game", game=pair.game)
    records = len(pair.written.match.records)
    page.wait_for_selector(f"#play-page[data-records='{records}']")
    turn, verbs = pair.next_turn(pair.sessions[side]), list[str]()
    while not turn.is_complete:
        order = pair.choose(turn.view())
        turn.order(order)
        give(page, order, side.value, by_keys=by_keys)
        verbs.append(order.verb)
    page.wait_for_selector("#sign")
    with page.expect_response(lambda got: got.url.endswith("/sign")):
        press(page, "#sign", by_keys=by_keys)
    page.wait_for_selector("#posting section")
    file = turn.game.next_path
    game = GameFile.read(file.read_bytes())
    given = [step.order for step in game.match.last.steps if isinstance(step, OrderStep)]
    assert given == [order.notation() for order in turn.orders]
    pair.written = pair.written._replace(path=file, match=game.match)
    return verbs


def play_by_hand(browser: Browser, pair: Pair, files: int, *, by_keys: bool = False) -> set[str]:
    """Play that many files on, or every other one by keys alone; the verbs that were given."""
    verbs: set[str] = set()
    with both(browser, pair) as tables:
        for number in range(files):
            side = pair.next_side
            if side is None:
                break
            verbs.update(answer_by_hand(pair, *tables[side], by_keys=by_keys and number % 2 == 1))
    return verbs


def test_a_page_behind_a_command_signs_nothing(browser: Browser, tmp_path: Path) -> None:
    pair = Pair(tmp_path, seed=3).begin().play(lambda pair: pair.next_side is Side.BRITISH)
    pair.note(Side.BRITISH)
    session = pair.sessions[Side.BRITISH]
    here, there = (pair.next_turn(session) for _ in range(2))
    with (
        serving(pair.homes[Side.BRITISH]) as served,
        at_table(browser, served, pair.game, ["409 (Conflict)"]) as page,
    ):
        while not here.is_complete:
            order = pair.choose(here.view())
            here.order(order)
            give(page, order, "british")
        page.wait_for_selector("#sign")
        while not there.is_complete:
            there.order(there.legal_orders()[0])
        written = sign_agreed(session, there)
        if page.locator("#sign").count():
            page.evaluate("document.getElementById('sign')?.click()")
        page.wait_for_selector("#sign", state="detached")
        page.wait_for_selector("#posting section")
    assert written.path.read_bytes() == written.data
    assert [each.name for each in sorted(tmp_path.glob("*.toml"))][-1] == written.path.name


@pytest.mark.long
def test_whole_games_of_reckless_players(browser: Browser, tmp_path: Path) -> None:
    verbs: set[str] = set()
    for seed in (1, 2):
        pair = Pair(tmp_path / str(seed), seed=seed)
        pair.begin(*(("natives-fight-in-sieges", "drop-lost-locations") if seed % 2 else ()))
        pair.choose = any_order(Random(seed))
        verbs |= play_by_hand(browser, pair, 80, by_keys=True)
    assert verbs >= ALWAYS_SEEN

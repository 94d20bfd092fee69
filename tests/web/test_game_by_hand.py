"""Whole games between two players with a browser each, who exchange only files."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page

from engine.sides import Side
from pbem.play.game_file import GameFile
from pbem.protocol.steps import OrderStep
from tests.play.matches import any_order
from tests.web.hands import give, offered, open_game_page, press
from tests.web.serving import Serving, serving
from tests.web.tables import Pair

ALWAYS_SEEN = {"develop", "discard", "draft", "end", "settle", "take"}
"""Kinds of order in every long game; `test_every_kind` gives all kinds."""


def answer_by_hand(pair: Pair, served: Serving, page: Page, *, by_keys: bool) -> set[str]:
    """Answer the newest file in the browser. Return the verbs of its orders."""
    side = pair.next_side
    assert side is not None and pair.written is not None
    pair.note(side)
    served.pages.events.send("game", game=pair.game)
    records = len(pair.written.match.records)
    page.wait_for_selector(f"#play-page[data-records='{records}']")
    turn, is_signed = pair.next_turn(pair.sessions[side]), False
    while not turn.is_complete:
        state = turn.view()
        order = offered(state, pair.choose(state))
        is_signed = give(page, order, state, by_keys=by_keys)
        turn.order(order)
    if not is_signed:
        page.wait_for_selector("#sign")
        with page.expect_response(lambda response: response.url.endswith("/sign")):
            press(page, "#sign", by_keys=by_keys)
    page.wait_for_selector("#posting section")
    file = turn.game.next_path
    match = GameFile.read(file.read_bytes()).match
    signed = [step.order for step in match.last.steps if isinstance(step, OrderStep)]
    assert signed == [order.notation() for order in turn.orders]
    pair.written = pair.written._replace(path=file, match=match)
    return {order.verb for order in turn.orders}


@pytest.mark.long
def test_reckless_players_finish_whole_games_by_hand(browser: Browser, tmp_path: Path) -> None:
    """Every fourth file is written by keys alone."""
    verbs: set[str] = set()
    for seed in (1, 2):
        pair = Pair(tmp_path / str(seed), seed=seed)
        pair.begin(*(("natives-fight-in-sieges", "drop-lost-locations") if seed % 2 else ()))
        pair.choose = any_order(Random(seed))
        with ExitStack() as stack:
            pages = {}
            for side in Side:
                pair.note(side)
                served = stack.enter_context(serving(pair.homes[side]))
                pages[side] = (
                    served,
                    stack.enter_context(open_game_page(browser, served, pair.game)),
                )
            for number in range(80):
                if (writer := pair.next_side) is None:
                    break
                verbs |= answer_by_hand(pair, *pages[writer], by_keys=number % 4 == 1)
    assert verbs >= ALWAYS_SEEN

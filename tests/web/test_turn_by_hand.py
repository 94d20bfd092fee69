"""Turns that are taken in the browser: what was clicked is what is signed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from engine.sides import Side
from tests.web.hands import at_table, give
from tests.web.serving import Serving, serving
from tests.web.tables import Pair


def is_turn_of_british(pair: Pair) -> bool:
    """Whether the British are to take a turn, some turns into the game."""
    assert pair.written is not None
    state = pair.written.match.state
    return state.turn >= 6 and pair.next_side is Side.BRITISH


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A game in which the British are to take a turn, listed at their home."""
    pair = Pair(tmp_path_factory.mktemp("pair"), seed=3).begin().play(is_turn_of_british)
    pair.note(Side.BRITISH)
    return pair


@pytest.fixture(scope="module")
def table(pair: Pair) -> Iterator[Serving]:
    """The games of the British, served."""
    with serving(pair.homes[Side.BRITISH]) as started:
        yield started


@pytest.mark.parametrize("by_keys", [False, True], ids=["mouse", "keys"])
def test_a_turn_by_hand_is_the_turn_that_is_signed(
    browser: Browser, pair: Pair, table: Serving, by_keys: bool
) -> None:
    turn = pair.next_turn(pair.sessions[Side.BRITISH])
    with at_table(browser, table, pair.game) as page:
        while not turn.is_complete:
            order = pair.choose(turn.view())
            turn.order(order)
            give(page, order, "british", by_keys=by_keys)
        shown = page.inner_text("#signing")
        assert page.locator("#sign").count() == 1
        assert "This file finishes your turn." in shown
        for _ in turn.orders:
            page.keyboard.press("Control+z")
            page.wait_for_timeout(50)
        page.wait_for_selector("#sign", state="detached")

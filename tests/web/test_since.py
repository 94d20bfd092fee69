"""The events since the player's last turn: marks, steps, the log, and answers that arrive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from engine.choices import Choices
from engine.sides import Side
from engine.state import State
from pbem.play.analysis import Analysis
from pbem.protocol.hand import match_at
from pbem.protocol.steps import OrderStep
from pbem.text.facts.chronicle import Chronicle
from pbem.text.history.log import Log
from pbem.text.language import Language
from tests.board.test_appearance import SCREENS
from tests.web.hands import choice_keys, choose, give, open_game_page, press
from tests.web.serving import serving
from tests.web.tables import Pair

SIZES = [(1440, 900), (1024, 768), (390, 844)]
MAX_SECONDS = 20
LOOK_AGAIN = """import("/web/assets/play/state.js").then(({ state, lookAgain }) => {
  state.stand = "of old";
  return lookAgain();
})"""
"""Puts all parts of the page in place again, as after a file that arrives."""


def own_last_state(pair: Pair, side: Side) -> State:
    """Return the position after the last record in which a side gave an order."""
    assert pair.written is not None
    match = pair.written.match
    own = [r for r in match.records if r.side == side.value]
    last = next(r for r in reversed(own) if any(isinstance(s, OrderStep) for s in r.steps))
    return match_at(match, last.index).state


def changed_places(old: State, new: State) -> set[str]:
    """Return the locations whose pieces or sieges differ."""
    besieged = [{siege.location for siege in state.sieges.values()} for state in (old, new)]
    pieces = {
        place for place in {*old.board, *new.board} if old.board.get(place) != new.board.get(place)
    }
    return pieces | (besieged[0] ^ besieged[1])


def changes(pair: Pair) -> set[str]:
    assert pair.written is not None and pair.next_side is not None
    return changed_places(own_last_state(pair, pair.next_side), pair.written.match.state)


def has_changes(pair: Pair) -> bool:
    """Return True if the French have changed the board since the last turn of the British."""
    assert pair.written is not None
    is_turn = pair.next_side is Side.BRITISH and pair.written.match.state.turn > 8
    return is_turn and bool(changes(pair))


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    pair = Pair(tmp_path_factory.mktemp("pair"), seed=3).begin().play(has_changes)
    pair.note(Side.BRITISH)
    return pair


@pytest.fixture
def page(browser: Browser, pair: Pair) -> Iterator[Page]:
    with (
        serving(pair.homes[Side.BRITISH]) as served,
        open_game_page(browser, served, pair.game) as page,
    ):
        yield page


def marked(page: Page) -> set[str]:
    """Return the locations that are marked as changed."""
    ids = page.eval_on_selector_all(
        ".board [id^=at-]:has(.halo, .ghost, .lifted)", "all => all.map((each) => each.id)"
    )
    return {str(id).removeprefix("at-") for id in ids}


def test_marks_of_the_opponent_stay_until_an_order(page: Page, pair: Pair) -> None:
    expected = changes(pair)
    assert marked(page) == expected
    turn = pair.next_turn(pair.sessions[Side.BRITISH])
    order = next(o for o in Choices(turn.worlds).some_orders() if o.verb == "take")
    for key in choice_keys(turn.view(), order):
        choose(page, key, by_keys=False)
    page.keyboard.press("Escape")
    page.reload()
    page.wait_for_selector("#time:not([inert])")
    assert marked(page) == expected
    give(page, order, turn.view())
    assert marked(page) == set() and page.locator("#british-money ins").count()
    press(page, "#undo")
    page.wait_for_function("() => !document.querySelector('.given li')")
    assert marked(page) == expected


def test_steps_since_the_last_turn_are_shown_one_by_one(page: Page, pair: Pair) -> None:
    total, lines, seen = marked(page), list[str](), set[str]()
    page.locator("#step-through").focus()
    page.keyboard.press("Enter")
    while page.locator(".log .shown").count():
        lines.append(page.inner_text(".log .shown"))
        assert page.locator("#now").is_visible()
        seen |= marked(page)
        assert page.evaluate(
            """() => {
              const line = document.querySelector(".log .shown").getBoundingClientRect();
              const log = document.querySelector(".log").getBoundingClientRect();
              return [line.top >= log.top, line.top < log.bottom, scrollY];
            }"""
        ) == [True, True, 0]
        page.keyboard.press("ArrowRight" if len(lines) % 2 else "Enter")
    assert len(lines) > 1 and "ended their turn" in lines[-1]
    assert total <= seen
    assert not page.locator("#now").is_visible() and marked(page) == total
    told = page.locator("#turn-lines [data-step]").all_inner_texts()
    assert lines == told


def test_steps_fit_on_a_phone(browser: Browser, pair: Pair) -> None:
    phone = SCREENS["phone, dark"]
    with (
        serving(pair.homes[Side.BRITISH]) as served,
        open_game_page(browser, served, pair.game, **phone) as page,
    ):
        page.click("#log-open")
        page.click("#step-through")
        page.click("#on")
        height = page.evaluate("innerHeight")
        for part in (".drawing", ".log .shown", "#on", "#now"):
            box = page.locator(part).first.bounding_box()
            assert box and box["y"] >= 0 and box["y"] + min(box["height"], 40) <= height, part


def test_nothing_to_step_through_after_the_own_turn(browser: Browser, pair: Pair) -> None:
    pair.note(Side.FRENCH)
    with (
        serving(pair.homes[Side.FRENCH]) as served,
        open_game_page(browser, served, pair.game) as page,
    ):
        assert not page.locator("#step-through").is_visible() and marked(page) == set()


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_log_has_the_opponents_turn_first_and_its_headline(
    browser: Browser, pair: Pair, size: tuple[int, int]
) -> None:
    assert pair.written is not None
    look = pair.sessions[Side.BRITISH].look(pair.sessions[Side.BRITISH].read(pair.file))
    log = Log(Chronicle(look))
    number, section = next(iter(log.latest().items()))
    viewport = {"width": size[0], "height": size[1]}
    with (
        serving(pair.homes[Side.BRITISH]) as served,
        open_game_page(browser, served, pair.game, viewport=viewport) as page,
    ):
        heading, headline = page.locator(".log h3").first, page.locator(".log .headline").first
        for line in (heading, headline):
            box = line.bounding_box()
            assert box and box["y"] >= 0 and box["y"] + min(box["height"], 20) <= size[1]
        told = [section.heading, *([section.more] if size[0] < 1000 and section.more else [])]
        assert heading.inner_text() == " ".join(map(Language("en").say, told))
        assert "Béla" in heading.inner_text()
        lead = section.headline or section.lines[section.lead or 0]
        assert headline.inner_text() == Language("en").say(lead)
        if size[0] < 1000:
            page.click("#log-open")
        older = page.locator("#turns > li:visible a").evaluate_all(
            "all => all.map((each) => Number(each.hash.slice(6)))"
        )
        assert older == sorted(older, reverse=True) and max(older) < number and min(older) == 0
        if size[0] > 1000:
            heading.locator("a").click()
            assert page.inner_text("#at") == str(number)
            assert page.locator("#now").is_visible()


def test_looking_back_offers_no_choice(page: Page) -> None:
    assert page.locator(".lit").count() and page.locator("#more").is_visible()
    page.click("#back")
    assert page.locator(".lit, .dim, .chosen").count() == 0
    assert not page.locator("#more").is_visible() and not page.locator("#choice").is_visible()
    page.click("#now")
    assert page.locator(".lit").count() and page.locator("#more").is_visible()


@pytest.mark.parametrize("looks_back", [False, True], ids=["now", "looking back"])
def test_answer_is_announced_and_marked(browser: Browser, tmp_path: Path, looks_back: bool) -> None:
    def waits(pair: Pair) -> bool:
        assert pair.written is not None
        return pair.written.match.state.turn > 8 and pair.next_side is Side.FRENCH

    pair = Pair(tmp_path / "pair", seed=3).begin().play(waits)
    pair.note(Side.BRITISH)
    with (
        serving(pair.homes[Side.BRITISH], pair.folder) as served,
        open_game_page(browser, served, pair.game) as page,
    ):
        if looks_back:
            page.click("#first")
            page.click("#on")
        pair.answer()
        pair.play(lambda pair: pair.next_side is Side.BRITISH)
        page.wait_for_function("() => /Turn.*Béla/.test(document.getElementById('said').innerText)")
        said = page.inner_text("#said")
        assert re.match(r"Turn \d+: Béla \(French\), [^:]+: \S", said)
        if looks_back:
            page.wait_for_selector("#step-through:not([hidden])", state="attached")
            assert page.inner_text("#at") == "1" and page.inner_text("#arrived") == said
            page.click("#now")
            assert page.inner_text("#arrived") == ""
        assert said.endswith(page.locator(".log .headline").first.inner_text())
        assert marked(page) == changes(pair)
        page.wait_for_selector("#step-through", state="visible")


def test_analysis_shows_its_progress_and_goes_on_without_its_page(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair, may_end = Pair(tmp_path / "pair", seed=3).begin().play(lambda _: False), Event()
    analysed: list[object] = []

    def analyse(match: Any, known: Any, *, progress: Any, **_: object) -> Analysis:
        items: Iterable[int] = progress(range(8))
        analysed.append(match)
        for number in items:
            if number == 6:
                assert may_end.wait(MAX_SECONDS)
        return Analysis(3, tuple(Side), (0.5,) * (match.turn + 1), (), ())

    monkeypatch.setattr("pbem.play.analysis.analyse", analyse)
    side = Side.BRITISH
    pair.note(side)
    with serving(pair.homes[side]) as served, open_game_page(browser, served, pair.game) as page:
        press(page, "#look-back")
        page.wait_for_function("() => document.getElementById('look-back-bar').value === 6")
        bar = page.locator("#look-back-bar")
        assert bar.is_visible() and bar.get_attribute("max") == "8"
        assert page.inner_text("#look-back-told") == "Analysis: 6 of 8 turns."
        page.evaluate(LOOK_AGAIN)
        assert bar.is_visible() and page.locator("#look-back[aria-disabled]").count() == 1
        page.goto(f"http://127.0.0.1:{served.port}/")
        page.go_back()
        page.wait_for_selector("#look-back[aria-disabled]")
        may_end.set()
        page.wait_for_selector("#deciding-heading")
        assert not bar.is_visible()
        page.reload()
        page.wait_for_selector("#deciding-heading")
        assert page.evaluate("document.activeElement === document.body")
    assert len(analysed) == 1

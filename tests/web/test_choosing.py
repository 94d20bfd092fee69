"""The panel in the browser: choices and reasons against them; previews, signatures, keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from engine.choices import Choices, Parts
from engine.orders import End, Pass
from engine.sides import Side
from engine.state import Decision
from pbem.play.autosave import Autosave
from pbem.protocol.match import Match
from pbem.protocol.steps import OrderStep
from tests.web.hands import choose, give, open_game_page, press
from tests.web.serving import serving
from tests.web.tables import Pair

pytestmark = pytest.mark.slow
SIZES = {"wide": (1440, 900), "middle": (1024, 768), "phone": (390, 844)}
TOPS = """[...document.querySelectorAll("main *:not(#why, #why *)")]
  .map((each) => each.getBoundingClientRect().top)"""
KEY_OF = """async (card) => (await import("/web/assets/play/marks.js")).keyOf(card)"""
SLOW = 400
"""The time of a slow answer, in milliseconds."""


def has_replies(count: int) -> Callable[[Pair], bool]:
    """Return a test for a game in which a raid has that many possible answers."""

    def test(pair: Pair) -> bool:
        side = pair.next_side
        turn = pair.next_turn(pair.sessions[side]) if side else None
        if turn is None or turn.takes_no_order:
            return False
        is_raid = turn.view().awaiting.decision is Decision.RAID_REPLY
        return is_raid and len(turn.legal_orders()) == count

    return test


def needs_no_decision(pair: Pair) -> bool:
    return pair.next_side is not None and (
        pair.next_turn(pair.sessions[pair.next_side]).needs_no_decision
    )


def can_act(pair: Pair) -> bool:
    assert pair.written is not None
    return pair.written.match.state.turn >= 6 and pair.next_side is Side.BRITISH


@contextmanager
def page_of(browser: Browser, pair: Pair, size: str = "wide") -> Iterator[Page]:
    """Open the page of the player who writes next."""
    assert pair.next_side is not None
    pair.note(pair.next_side)
    width, height = SIZES[size]
    with (
        serving(pair.homes[pair.next_side]) as served,
        open_game_page(
            browser, served, pair.game, viewport={"width": width, "height": height}
        ) as page,
    ):
        yield page


def record_count(pair: Pair) -> int:
    assert pair.written is not None
    return len(pair.written.match.records)


def signed_match(pair: Pair) -> Match:
    """Return the match with the record that was signed on the page."""
    assert pair.next_side is not None
    return (
        pair.sessions[pair.next_side]
        .read(pair.next_turn(pair.sessions[pair.next_side]).game.next_path)
        .match
    )


def is_in_window(page: Page, selector: str) -> bool:
    """Return True if an element is wholly in the window."""
    box, size = page.locator(selector).bounding_box(), page.viewport_size
    assert box and size
    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
    return min(box["x"], box["y"]) >= 0 and right <= size["width"] and bottom <= size["height"]


@pytest.mark.parametrize("size", SIZES)
def test_reasons_are_listed_beside_the_choice_and_move_nothing(
    browser: Browser, tmp_path: Path, size: str
) -> None:
    pair = Pair(tmp_path, seed=3).begin().play(can_act)
    with page_of(browser, pair, size) as page:
        for key in (".kind[aria-disabled=true]", "[data-location=quebec]"):
            target = page.locator(key).first
            target.scroll_into_view_if_needed()
            before = page.evaluate(TOPS)
            (target.locator(".pick") if "location" in key else target).click(force=True)
            page.locator("#why[role=alert] li").first.wait_for()
            assert page.evaluate(TOPS) == before
            assert is_in_window(page, "#why")
            why, at = page.locator("#why").bounding_box(), target.bounding_box()
            assert why and at
            gaps = (why["y"] - at["y"] - at["height"], at["y"] - why["y"] - why["height"])
            assert max(gaps) >= 0
            assert min(map(abs, gaps)) < 12
            page.keyboard.press("Escape")
            page.wait_for_selector("#why", state="hidden")


def test_escape_closes_the_reasons_and_keeps_the_choice(browser: Browser, tmp_path: Path) -> None:
    pair = Pair(tmp_path, seed=3).begin().play(can_act)
    with page_of(browser, pair) as page:
        choose(page, "kind:take", by_keys=False)
        page.locator("[data-location=quebec] .pick").click(force=True)
        page.wait_for_selector("#why")
        page.keyboard.press("Escape")
        page.wait_for_selector("#why", state="hidden")
        assert page.locator("[data-out]").count() == 1


@pytest.mark.parametrize("by_keys", [False, True])
def test_another_action_takes_the_place_of_the_chosen_one(
    browser: Browser, tmp_path: Path, *, by_keys: bool
) -> None:
    pair = Pair(tmp_path, seed=3).begin().play(can_act)
    with page_of(browser, pair) as page:
        choose(page, "kind:draft", by_keys=False)
        choose(page, page.locator(".cards .card.lit").first.evaluate(KEY_OF), by_keys=False)
        # What cannot be chosen now is folded away; so the preview has room.
        assert page.locator(".kind:visible[aria-disabled]").count() == 0
        assert is_in_window(page, ".preview")
        assert is_in_window(page, "#yes")
        other = page.locator("[data-choice='kind:pass']")
        if by_keys:
            other.focus()
            page.keyboard.press("Enter")
        else:
            other.click()
        page.wait_for_selector("#choice [data-out='kind:pass']")
        assert page.locator("#choice [data-out]").count() == 1
        assert not page.locator("#why").is_visible()
        page.keyboard.press("Escape")
        page.locator(".kind[aria-disabled]").first.wait_for()


def test_nothing_that_gives_something_up_is_chosen_in_advance(
    browser: Browser, tmp_path: Path
) -> None:
    pair = Pair(tmp_path, seed=2).begin().play(has_replies(2))
    with page_of(browser, pair) as page:
        labels = page.locator(".orders button").all_inner_texts()
        assert labels[0].startswith("Block with ")
        assert labels[1].startswith("Let the raid happen")
        assert page.locator("#yes").count() == 0
        assert page.locator(".kind").all_inner_texts() == ["Block", "Allow"]


@pytest.mark.parametrize("size", SIZES)
def test_forced_reply_is_one_click_and_one_record(
    browser: Browser, tmp_path: Path, size: str
) -> None:
    """Two taps on a slow computer give one order, and sign one record."""
    pair = Pair(tmp_path, seed=2).begin().play(has_replies(1))
    records = record_count(pair)
    with page_of(browser, pair, size) as page:
        sent: list[str] = []

        def slow(route: Route) -> None:
            sent.append(route.request.url.rpartition("/")[2])
            page.wait_for_timeout(SLOW)
            route.continue_()

        page.route("**/order", slow)
        page.route("**/sign", slow)
        assert page.inner_text("#yes") == "Yes: Let the raid happen, and sign"
        assert is_in_window(page, "#yes")
        busy = page.evaluate(
            """() => {
              const yes = document.getElementById("yes");
              yes.click();
              yes.click();
              const panel = document.getElementById("panel");
              return [panel.ariaBusy, yes.ariaDisabled, getComputedStyle(yes).opacity];
            }"""
        )
        assert busy == ["true", "true", "0.6"]
        page.wait_for_selector("#posting h2")
        assert sent == ["order", "sign"]
        match = signed_match(pair)
        assert len(match.records) == records + 1
        assert [step.order for step in match.last.steps if isinstance(step, OrderStep)] == ["allow"]
        assert page.locator("#panel[aria-busy]").count() == 0


def test_forced_reply_to_a_stale_page_signs_nothing(browser: Browser, tmp_path: Path) -> None:
    pair = Pair(tmp_path, seed=2).begin().play(has_replies(1))
    conflict = ("409 (Conflict)",)
    assert pair.next_side is not None
    pair.note(pair.next_side)
    with (
        serving(pair.homes[pair.next_side]) as served,
        open_game_page(browser, served, pair.game, conflict) as page,
    ):
        page.route("**/events?*", lambda route: route.abort())
        page.evaluate(
            """import("/web/assets/play/state.js")
              .then(({ state }) => { state.stand = "of old"; })"""
        )
        with page.expect_response("**/order"):
            page.click("#yes")
        page.wait_for_selector("#panel:not([aria-busy])")
        assert page.locator("#posting h2").count() == 0
        assert page.locator("#yes[aria-disabled]").count() == 0


@pytest.mark.parametrize("size", SIZES)
def test_file_without_a_decision_is_one_click(browser: Browser, tmp_path: Path, size: str) -> None:
    pair = Pair(tmp_path, seed=2).begin().play(needs_no_decision)
    records = record_count(pair)
    with page_of(browser, pair, size) as page:
        assert "There is nothing to decide" in page.inner_text("#panel-heading")
        assert page.inner_text("#sign") == "Nothing to decide: sign and go on"
        assert page.locator("#panel button:visible").count() == 2
        assert is_in_window(page, "#sign")
        page.click("#sign")
        page.wait_for_selector("#posting h2")
        assert len(signed_match(pair).records) == records + 1


def test_buttons_say_what_happens_and_the_keyboard_stays_at_the_decision(
    browser: Browser, tmp_path: Path
) -> None:
    pair = Pair(tmp_path, seed=3).begin().play(can_act)
    assert pair.next_side is not None
    turn = pair.next_turn(pair.sessions[pair.next_side])
    orders = Choices(turn.worlds).some_orders()
    take = next(order for order in orders if order.verb == "take")
    card = str(turn.view().ruleset.catalogue.name_of(take.cards[0]))
    with page_of(browser, pair) as page:
        for key in ("kind:take", f"card:{take.cards[0]}@british-hand"):
            choose(page, key, by_keys=True)
        label = page.inner_text("#yes")
        assert label.startswith("Yes: Take ")
        assert label.endswith(f" money with {card}")
        press(page, "#yes", by_keys=True)
        page.wait_for_selector("#undo[aria-disabled=false]")
        page.wait_for_function("() => document.activeElement.matches('.kind.lit')")
        choose(page, "kind:pass", by_keys=False)
        press(page, "#yes", by_keys=True)
        page.wait_for_function("() => document.activeElement.id === 'end'")
        assert page.inner_text("#end") == "End the turn and sign"


def test_giving_up_is_apart_and_its_button_says_so(browser: Browser, tmp_path: Path) -> None:
    pair = Pair(tmp_path, seed=3).begin().play(can_act)
    with page_of(browser, pair) as page:
        assert page.get_by_text("More", exact=True).count() == 0
        buttons = page.locator("#panel button:visible").all_inner_texts()
        assert buttons[-1] == "Give up the game …"
        page.click("#resign")
        page.wait_for_selector("#not-resign")
        assert page.inner_text("#sign") == "Give up and sign"
        page.click("#not-resign")
        page.wait_for_selector("#resign")


def test_waiting_player_reads_who_has_to_do_what(browser: Browser, tmp_path: Path) -> None:
    pair = Pair(tmp_path, seed=2).begin().play(has_replies(2))
    assert pair.next_side is not None
    raider = pair.next_side.opponent
    pair.note(raider)
    with serving(pair.homes[raider]) as served, open_game_page(browser, served, pair.game) as page:
        heading = page.inner_text("#panel-heading")
        assert heading == "Anna has to block your raid on Pemaquid, or let it happen."


def is_used_up(pair: Pair) -> bool:
    """Return True in a turn whose last action can be to take money, with sieges to give up."""
    return can_act(pair) and bool(pair.written and pair.written.match.state.sieges)


@pytest.mark.parametrize("size", SIZES)
def test_turn_is_ended_and_signed_with_one_button_in_view_of_its_summary(
    browser: Browser, tmp_path: Path, size: str
) -> None:
    pair = Pair(tmp_path, seed=3).begin().play(is_used_up)
    assert pair.next_side is not None
    turn = pair.next_turn(pair.sessions[pair.next_side])
    while not turn.is_turn_used_up:
        turn.order(Pass())
    assert {kind.verb for kind in turn.choices.kinds()} == {"withdraw", "end"}
    with page_of(browser, pair, size) as page:
        for _ in turn.orders:
            give(page, Pass(), turn.view())
        assert page.inner_text("#choice h3") == "Free actions that you can still take:"
        assert page.locator(".kind").all_inner_texts() == ["Withdraw"]
        assert page.locator("#sign").count() == 0
        assert page.inner_text("#end") == "End the turn and sign"
        assert "You ended your turn." in page.inner_text(".whole")
        assert is_in_window(page, "#end")
        assert is_in_window(page, ".whole > h3:first-child")
        page.click("#end")
        page.wait_for_selector("#posting h2")
        match = signed_match(pair)
        orders = [step.order for step in match.last.steps if isinstance(step, OrderStep)]
        assert orders == [*(order.notation() for order in turn.orders), "end"]


def test_block_is_signed_with_its_second_click(browser: Browser, tmp_path: Path) -> None:
    pair = Pair(tmp_path, seed=2).begin().play(has_replies(2))
    with page_of(browser, pair) as page:
        page.locator(".orders button").first.click()
        page.locator("#yes[data-sign]").click()
        page.wait_for_selector("#posting h2")
        (step,) = (step for step in signed_match(pair).last.steps if isinstance(step, OrderStep))
        assert step.order.startswith("block ")


def test_finished_turn_is_not_signed_yet(browser: Browser, tmp_path: Path) -> None:
    pair = Pair(tmp_path, seed=3).begin().play(can_act)
    assert pair.next_side is not None
    turn = pair.next_turn(pair.sessions[pair.next_side])
    with page_of(browser, pair) as page:
        assert page.inner_text(".tally.moves .mover") == "to move"
        while not turn.is_turn_used_up:
            give(page, Pass(), turn.view())
            turn.order(Pass())
        # Ended at the terminal, and not signed there.
        autosave = Autosave(pair.sessions[pair.next_side].store, turn)
        turn.order(End())
        autosave.save()
        page.reload()
        page.wait_for_selector("#sign")
        assert page.inner_text("#panel-heading") == "Your answer is ready, but not signed yet."
        assert page.inner_text(".tally.british.moves .mover") == "not signed yet"
        page.click("#sign")
        page.wait_for_selector("#posting h2")
        assert page.locator(".tally.british.moves").count() == 0


@pytest.mark.parametrize("size", ["wide", "middle"])
def test_list_stays_in_place_when_an_option_is_previewed(
    browser: Browser, tmp_path: Path, size: str
) -> None:
    pair = Pair(tmp_path, seed=3).begin().play(can_act)
    with page_of(browser, pair, size) as page:
        choose(page, "kind:draft", by_keys=False)
        assert page.inner_text("#more") == "Chosen: draft. Add a card."
        options = page.locator(".orders button")
        options.last.scroll_into_view_if_needed()
        middle = options.nth(options.count() // 2)
        before = middle.bounding_box()
        middle.click()
        page.wait_for_selector("#yes")
        after, preview = middle.bounding_box(), page.locator(".preview").bounding_box()
        assert before and after and preview
        assert abs(after["y"] - before["y"]) < 2 * after["height"]
        assert after["y"] + after["height"] <= preview["y"] + 1


def test_only_order_with_the_chosen_parts_needs_nothing_more(
    browser: Browser, tmp_path: Path
) -> None:
    pair = Pair(tmp_path, seed=3).begin().play(can_act)
    assert pair.next_side is not None
    choices = Choices(pair.next_turn(pair.sessions[pair.next_side]).worlds)
    places = (place for place in choices.next_parts(Parts()).locations)
    parts = (Parts.of([f"location:{place}"]) for place in places)
    only = next(one for one in parts if len(choices.next_parts(one).orders) == 1)
    with page_of(browser, pair) as page:
        choose(page, only.keys[0], by_keys=False)
        assert page.locator("#yes").is_visible()
        assert page.inner_text("#more").endswith(". Nothing more is needed.")

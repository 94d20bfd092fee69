"""Games joined, resigned and closed in the browser, and a raid answered there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from engine.game import legal_orders
from engine.order import Order
from engine.orders import Allow, Draft, Raid
from engine.sides import Side
from engine.state import Decision, State, new_game
from pbem.play.analysis import Analysis, Swing
from pbem.play.game_file import GameFile
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.protocol.steps import OrderStep, Resign
from tests.board.browser import PHONE, window
from tests.signing import sign_agreed
from tests.web.hands import give, open_game_page, press, tab_to
from tests.web.serving import serving
from tests.web.tables import Pair

MARKUP = {Side.BRITISH: "<img src=x onerror=alert(1)>", Side.FRENCH: "</title><h1>{{7*7}}"}


def write_invitation(pair: Pair, side: Side | None, *rules: str) -> tuple[str, Path]:
    """Write an invitation of the British player into the other player's folder for games.

    Return the id of the game, and the path of the answer.
    """
    folder = pair.homes[Side.FRENCH] / "games"
    folder.mkdir()
    british = pair.sessions[Side.BRITISH]
    invitation = british.invite(side, lists=1, house_rules=rules)
    written = sign_agreed(british, invitation, folder / "game-000.toml")
    return written.match.id.hex(), folder / "game-001.toml"


@pytest.mark.parametrize("side", [Side.BRITISH, None])
def test_invitation_is_accepted(browser: Browser, tmp_path: Path, side: Side | None) -> None:
    """A guest who chooses the British sends no start card, even if the form offers some."""
    pair = Pair(tmp_path, names=MARKUP)
    game, file = write_invitation(pair, side, *([] if side else ["french-start-choice"]))
    home = pair.homes[Side.FRENCH]
    with serving(home) as served, window(browser) as page:
        page.goto(served.access.new_link(f"/games/{game}"))
        if side is None:
            page.check("#join [value=british]")
        press(page, "#join .yes")
        page.wait_for_selector("#posting section")
        assert page.locator(".board").count() == 1
    match, guest = last_match(file), pair.sessions[Side.FRENCH].identity.public_key
    assert match.entrants[side.opponent if side else Side.BRITISH].key == guest
    assert signed_orders(match) == []


def test_guest_chooses_the_start_card_by_keys(browser: Browser, tmp_path: Path) -> None:
    pair = Pair(tmp_path)
    game, file = write_invitation(pair, Side.BRITISH, "french-start-choice")
    with serving(pair.homes[Side.FRENCH]) as served, window(browser) as page:
        page.goto(served.access.new_link(f"/games/{game}"))
        cards = page.locator("#start-card option")
        offered = [str(option.get_attribute("value")) for option in cards.all()]
        tab_to(page, page.locator("#start-card"))
        for _ in range(2):
            page.keyboard.press("ArrowDown")
        press(page, "#join .yes", by_keys=True)
        page.wait_for_selector("#posting section")
    joined = last_match(file)
    assert sorted(offered) == sorted(
        order.cards[0] for order in legal_orders(new_game(joined.state.ruleset))
    )
    assert signed_orders(joined) == [f"start {offered[2]}"]


def last_match(file: Path) -> Match:
    return GameFile.read(file.read_bytes()).match


def signed_orders(match: Match) -> list[str]:
    return [step.order for step in match.last.steps if isinstance(step, OrderStep)]


def sign_by_hand(page: Page, pair: Pair, file: Path) -> None:
    """Press the button that signs, and note the file as the pair's newest one."""
    assert pair.written is not None
    press(page, "#sign")
    page.wait_for_selector("#posting section")
    pair.written = pair.written._replace(path=file, match=last_match(file))


def test_game_is_given_up_and_closed(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Pair(tmp_path, seed=4, names=MARKUP).begin()
    pair.play(lambda pair: pair.next_side is Side.BRITISH)
    file = pair.next_turn(pair.sessions[Side.BRITISH]).game.next_path
    pair.note(Side.BRITISH)
    with (
        serving(pair.homes[Side.BRITISH]) as served,
        open_game_page(browser, served, pair.game, viewport=PHONE) as page,
    ):
        assert page.locator("h1").count() == 1 and page.locator("img").count() == 0
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        resign_by_hand(page)
        press(page, "#not-resign")
        page.wait_for_selector("#actions .kinds")
        assert not file.exists()
        resign_by_hand(page)
        assert page.locator("#notes-of").is_visible()
        sign_by_hand(page, pair, file)
        assert not page.locator("#notes-of, .keys").first.is_visible()
    assert any(isinstance(step, Resign) for step in last_match(file).last.steps)
    pair.note(Side.FRENCH)
    closing = pair.next_turn(pair.sessions[Side.FRENCH]).game.next_path
    with (
        serving(pair.homes[Side.FRENCH]) as served,
        open_game_page(browser, served, pair.game) as page,
    ):
        assert "The game ended" in page.inner_text("#result")
        sign_by_hand(page, pair, closing)
        analyse_by_hand(page, monkeypatch)
    closed = last_match(closing)
    assert closed.next_side is None and len(closed.secrets) == 2


def analyse_by_hand(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyse a closed game on its page, and open a deciding turn."""
    turn = list[list[Side]]()

    def analyse(match: Match, known: Sequence[HiddenCards], **_: object) -> Analysis:
        turn.append([cards.side for cards in known])
        swing = Swing(1, 0.5, 0.2, None, Side.BRITISH, ())
        return Analysis(3, tuple(Side), (0.5,) + (0.2,) * match.turn, (swing,), ())

    monkeypatch.setattr("pbem.play.analysis.analyse", analyse)
    press(page, "#look-back")
    page.wait_for_selector("#deciding a")
    assert turn == [[*Side]]
    assert page.evaluate("document.activeElement.id") == "deciding-heading"
    assert "from 50% to 80%" in page.inner_text("#deciding")
    assert not page.locator("#look-back").is_visible()
    page.click("#deciding a")
    page.wait_for_function("() => document.getElementById('at').textContent === '1'")
    assert page.inner_text("#chance-british") == "20"


def resign_by_hand(page: Page) -> None:
    assert page.get_by_role("button", name="Give up the game").is_visible()
    press(page, "#resign")
    page.wait_for_selector("#not-resign")
    assert page.inner_text("#sign") == "Give up and sign"
    assert "Give up the game?" in page.inner_text("#said")


def choose_raid(state: State) -> Order:
    """Return a raid if one is legal; else a draft of a card that raids, or any legal order."""
    legal = legal_orders(state)
    raids = [order for order in legal if isinstance(order, Raid)]
    card = state.ruleset.card
    side = state.awaiting.side
    drafts = [e for e in legal if isinstance(e, Draft) and card(side, e.card).raid]
    return next(iter([*raids, *drafts, *(e for e in legal if isinstance(e, Allow)), *legal]))


def test_raid_is_made_followed_up_and_answered(browser: Browser, tmp_path: Path) -> None:
    """The raider continues in the same file, and the other side answers on its page."""
    pair = Pair(tmp_path, seed=5)
    pair.begin()
    pair.choose = choose_raid

    def may_raid(pair: Pair) -> bool:
        side = pair.next_side
        if side is None:
            return True
        state = pair.next_turn(pair.sessions[side]).view()
        return state.awaiting.decision is Decision.TURN and isinstance(choose_raid(state), Raid)

    pair.play(may_raid)
    side = pair.next_side
    assert side is not None
    turn = pair.next_turn(pair.sessions[side])
    pair.note(side)
    with serving(pair.homes[side]) as served, open_game_page(browser, served, pair.game) as page:
        state = turn.view()
        raid = choose_raid(state)
        give(page, raid, state)
        turn.order(raid)
        page.wait_for_selector("#sign")
        assert "has to answer first" in page.inner_text("#decision")
        follow = next(iter(turn.legal_orders()))
        give(page, follow, turn.view(), by_keys=True)
        assert "after the answer" in page.locator(".given li").last.inner_text()
        sign_by_hand(page, pair, turn.game.next_path)
    responder = side.opponent
    pair.note(responder)
    answer = pair.next_turn(pair.sessions[responder])
    with (
        serving(pair.homes[responder]) as served,
        open_game_page(browser, served, pair.game) as page,
    ):
        assert page.locator("#raids [data-raid]").count() == 1
        state = answer.view()
        reply = choose_raid(state)
        is_signed = give(page, reply, state)
        answer.order(reply)
        assert is_signed == answer.is_complete
        if is_signed:
            page.wait_for_selector("#posting section")
            assert signed_orders(last_match(answer.game.next_path))[0] == reply.notation()

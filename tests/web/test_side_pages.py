"""Waiting for a file, invitations, the list of games, a new game and the rules, in Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from engine.sides import Side
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from pbem.savefile.armour import armour
from pbem.text.language import NAMES, Language
from pbem.text.rules.topic import topics
from tests.board.browser import window
from tests.requirements import require
from tests.signing import sign_agreed
from tests.web.hands import open_game_page
from tests.web.serving import Serving, serving
from tests.web.tables import Pair
from tests.web.test_active_game import open_game

pytestmark = pytest.mark.slow

SCREENS: list[ViewportSize] = [
    {"width": 1440, "height": 900},
    {"width": 1024, "height": 768},
    {"width": 390, "height": 844},
]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    home = tmp_path_factory.mktemp("alone")
    Session.create(Home(home), Identity.generate("Anna", ""))
    with serving(home) as served:
        yield served


def waiting_pair(folder: Path) -> Pair:
    """Return a game in which the British player waits for Béla."""
    pair = Pair(folder, seed=4).begin()
    pair.play(lambda pair: len(require(pair.written).match.records) >= 8)
    pair.play(lambda pair: pair.next_side is Side.FRENCH)
    pair.note(Side.BRITISH)
    return pair


@pytest.mark.parametrize("screen", SCREENS)
def test_waiting_panel_takes_the_answer(
    browser: Browser, tmp_path: Path, screen: ViewportSize
) -> None:
    pair = waiting_pair(tmp_path / "pair")
    with (
        serving(pair.homes[Side.BRITISH]) as served,
        open_game_page(browser, served, pair.game, viewport=screen) as page,
    ):
        panel = page.locator("#panel")
        assert "Choose Béla's file. You can also drop it on this page." in panel.inner_text()
        button, fold = page.locator("label.button"), page.locator("#pasted summary")
        button.scroll_into_view_if_needed()
        fonts = [each.evaluate("(e) => getComputedStyle(e).fontFamily") for each in (button, panel)]
        assert fonts[0] == fonts[1]
        assert require(button.bounding_box())["height"] >= 40
        fold.click()
        box = page.locator("#pasted textarea")
        assert require(box.bounding_box())["height"] > 60
        pair.answer()
        box.fill(f"Hello,\n\n{armour(pair.file.read_bytes())}")
        page.get_by_role("button", name="Use the text").click()
        records = len(require(pair.written).match.records)
        page.wait_for_selector(f"#play-page[data-records='{records}']")
        # On the player's own move a file has its place in the list of games.
        assert page.locator("#file").count() == 0


def test_invitation_speaks_to_its_guest(browser: Browser, tmp_path: Path) -> None:
    pair = Pair(tmp_path / "pair")
    guest, inviter = Side.BRITISH, pair.sessions[Side.FRENCH]
    games = pair.homes[guest] / "games"
    games.mkdir()
    invitation = inviter.invite(Side.FRENCH, lists=1, house_rules=("short-raids",))
    file = sign_agreed(inviter, invitation, games / "bela-000.toml")
    path = f"/games/{file.match.id.hex()}"
    with serving(pair.homes[guest]) as served, window(browser) as page:
        page.goto(served.access.new_link(path))
        assert page.inner_text("h1") == "An invitation from Béla"
        panel = page.inner_text("#panel")
        assert "Béla invites you to a game." in panel
        assert "Béla plays the French, and you the British." in panel
        assert "Short raids: A raid reaches" in panel
        assert "unnoticed every time" in panel
        assert "list" not in panel and "nobody has joined" not in panel
    with serving(pair.homes[Side.FRENCH]) as served, window(browser) as page:
        page.goto(served.access.new_link(path))
        panel = page.inner_text("#panel")
        assert panel.startswith("Your invitation is written.")
        assert "You play the French." in panel and "A word to your opponent" in panel
        assert "wrong cards" not in panel and "?" not in panel


@pytest.mark.parametrize("screen", SCREENS)
def test_list_says_whose_score_it_is_and_that_an_answer_is_begun(
    browser: Browser, tmp_path: Path, screen: ViewportSize
) -> None:
    pair = waiting_pair(tmp_path / "pair")
    pair.answer()
    pair.play(lambda pair: pair.next_side is Side.BRITISH)
    pair.note(Side.BRITISH)
    with serving(pair.homes[Side.BRITISH]) as served, window(browser, viewport=screen) as page:
        page.goto(served.access.new_link())
        card = page.locator(".games.you > li")
        card.locator(".score").wait_for()
        assert re.sub(r"\s+", " ", card.locator(".score > .british").inner_text()).endswith(" you")
        assert "you" not in card.locator(".score > .french").inner_text()
        assert "begun" not in card.inner_text()
        active = open_game(served.pages.service, pair.game)
        active.order(pair.choose(require(active.turn).view()).notation())
        page.reload()
        assert "You have begun your answer." in card.inner_text()
        files, games = (page.locator(id).bounding_box() for id in ("#files", "#games"))
        is_beside = require(files)["x"] > require(games)["x"] + require(games)["width"] - 1
        assert is_beside == (screen["width"] > 1000)


def test_new_game_says_the_differences_and_groups_the_house_rules(
    browser: Browser, alone: Serving
) -> None:
    with window(browser, viewport=SCREENS[0]) as page:
        page.goto(alone.access.new_link("/new/robot"))
        texts = page.locator("[name=edition] + span small").all_inner_texts()
        assert len(set(texts)) == 3 and all(text.endswith(".") for text in texts)
        boxes = [require(each.bounding_box()) for each in page.locator(".columns fieldset").all()]
        assert len({box["y"] for box in boxes}) == 1
        assert boxes[-1]["x"] + boxes[-1]["width"] > 1300
        page.locator("summary", has_text="House rules").click()
        raids = page.locator("h3", has_text="Raids and ambushes").locator("+ ul")
        assert raids.locator("input").evaluate_all("(all) => all.map((each) => each.value)") == [
            "short-raids",
            "blocked-ambush-free",
            "blocked-raid-free",
            "ambush-reaches-sieges",
        ]
        assert page.locator("#rules [name=rule]").count() == 26


@pytest.mark.parametrize("screen", SCREENS)
def test_contents_of_the_rules_follow_the_reading(
    browser: Browser, alone: Serving, screen: ViewportSize
) -> None:
    with window(browser, viewport=screen) as page:
        page.goto(alone.access.new_link("/rules"))
        current = page.locator(".contents [aria-current=location]")
        for topic in ("cards", "siege"):
            page.evaluate(f"document.getElementById('{topic}').scrollIntoView()")
            page.wait_for_selector(f".contents [aria-current=location][href='#{topic}']")
            if screen["width"] > 1000:
                box = require(current.bounding_box())
                assert 0 <= box["y"] < screen["height"] - box["height"]
        track = page.locator("#siege .track li:not(.end)")
        assert track.all_inner_texts() == [
            "−4",
            "−3",
            "−2",
            "−1",
            "0",
            "+1",
            "+2",
            "+3",
            "+4",
            "+5",
        ]
        assert require(track.last.bounding_box())["width"] > 15
        assert missing_symbols(page) == []
        assert page.locator(".symbol-key li").count() > 20


def missing_symbols(page: Page) -> list[str]:
    """Return the drawings that figures of the page use, but that it lacks."""
    return [
        str(name)
        for name in page.locator(".book figure use").evaluate_all(
            "(all) => all.map((each) => each.getAttribute('href'))"
            ".filter((name) => !document.getElementById(name.slice(1)))"
        )
    ]


@pytest.mark.parametrize("code", NAMES)
def test_texts_of_the_rules_lead_to_topics(tmp_path: Path, code: str) -> None:
    Session.create(Home(tmp_path), Identity.generate("Anna", ""))
    with serving(tmp_path, code=code) as served:
        html = served.browser().ask("/rules").text
    for topic in topics().values():
        article = html.partition(f'<article id="{topic.id}"')[2].partition('class="margin"')[0]
        for id in re.findall(r"\bsee (\w+)", " ".join(topic.text)):
            word = Language(code).say(topics()[id].word)
            assert f'<a href="#{id}">{word}</a>' in article

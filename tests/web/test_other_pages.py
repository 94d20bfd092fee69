"""Welcome, the list of games, a new game, settings, rules and sending, in Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, ViewportSize

from engine.position import score
from engine.sides import Side
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from tests.board.browser import window
from tests.mail.parts import body_of, content_of
from tests.requirements import require
from tests.signing import sign_agreed
from tests.web.serving import Serving, serving
from tests.web.tables import Pair

SCREENS: list[ViewportSize] = [
    {"width": 1440, "height": 900},
    {"width": 1024, "height": 768},
    {"width": 390, "height": 844},
]
MAIL = """[mail]
address = "anna@example.org"

[mail.smtp]
host = "mail.example.org"
"""


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """A game in which the British player waits, another game, and an invitation to that player."""
    pair = Pair(tmp_path / "pair").begin()
    pair.play(lambda pair: len(require(pair.written).match.records) >= 10)
    pair.play(lambda pair: pair.next_side is Side.FRENCH)
    guest, games = pair.sessions[Side.FRENCH], pair.homes[Side.BRITISH] / "games"
    games.mkdir()
    sign_agreed(guest, guest.invite(Side.FRENCH, lists=1), games / "bela-000.toml")
    pair.note(Side.BRITISH)
    return pair


@pytest.fixture
def own(pair: Pair) -> Iterator[Serving]:
    with serving(pair.homes[Side.BRITISH]) as served:
        yield served


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Serving]:
    Session.create(Home(tmp_path / "alone"), Identity.generate("Anna", ""))
    with serving(tmp_path / "alone") as served:
        yield served


def is_on_screen(page: Page, *parts: Locator) -> bool:
    """Return True if all of these parts are whole on the screen, without scrolling."""
    size = page.viewport_size
    assert size is not None
    boxes = [require(part.bounding_box()) for part in parts]
    return all(
        box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= size["width"]
        and box["y"] + box["height"] <= size["height"]
        and box["width"] > 0
        for box in boxes
    )


def check_width(page: Page) -> None:
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("screen", SCREENS)
def test_newcomer_sees_the_game_and_gives_only_a_name(
    browser: Browser, tmp_path: Path, screen: ViewportSize
) -> None:
    with serving(tmp_path / "home") as served, window(browser, viewport=screen) as page:
        page.goto(served.access.new_link())
        heading = page.get_by_role("heading", name="A Few Acres of Snow")
        name, begin = page.get_by_label("Your name"), page.get_by_role("button", name="Begin")
        assert is_on_screen(page, heading, page.locator(".picture"), name, begin)
        assert page.locator(".picture use.piece").count() > 10
        assert not page.get_by_label("Your e-mail address").is_visible()
        check_width(page)
        name.fill("Zoé")
        begin.click()
        robot = page.get_by_role("link", name="Play against the robot")
        friend = page.get_by_role("link", name="Invite a friend")
        robot.wait_for()
        assert is_on_screen(page, page.locator(".picture"), robot, friend)
        check_width(page)


@pytest.mark.parametrize("screen", SCREENS)
def test_each_game_shows_its_board_score_and_turn(
    browser: Browser, pair: Pair, own: Serving, screen: ViewportSize
) -> None:
    state = require(pair.written).match.state
    with window(browser, viewport=screen) as page:
        page.goto(own.access.new_link())
        card = page.locator(".games.opponent > li", has_text="Against Béla (French)")
        card.locator(".score").wait_for()
        # The invitation is found in the folder, and announced above the games.
        page.locator("#news h2").wait_for()
        numbers = [card.locator(f".score .{side.value} b").first for side in Side]
        assert [int(number.inner_text()) for number in numbers] == [
            score(state, side).total for side in Side
        ]
        assert card.locator(".map use.piece").count() == len(state.board)
        assert "your opponent's move" in card.inner_text()
        headings = page.locator("#games h2").all_inner_texts()
        assert headings == ["Waiting for you", "Waiting for your opponent"]
        invitation = page.locator(".games.you > li")
        assert is_on_screen(page, invitation.locator(".map"), invitation.locator("h3"))
        assert "Next: open it, and accept it." in invitation.inner_text()
        page.evaluate("document.fonts.ready.then(() => true)")
        card.scroll_into_view_if_needed()
        assert is_on_screen(page, card.locator(".map"), *numbers)
        check_width(page)
        # The whole card leads to the game.
        box = require(card.locator(".map").bounding_box())
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_url(f"**/games/{pair.game}")


def test_language_and_theme_are_chosen_on_the_page(browser: Browser, own: Serving) -> None:
    with window(browser, viewport=SCREENS[2], color_scheme="light") as page:
        page.goto(own.access.new_link("/"))
        page.get_by_role("link", name="Settings").click()
        page.get_by_role("button", name="русский").click()
        page.get_by_role("heading", name="Настройки").wait_for()
        assert page.locator("html").get_attribute("lang") == "ru"
        page.get_by_role("button", name="Тёмная тема", exact=True).last.click()
        page.wait_for_selector("html[data-theme=dark]")
        check_width(page)
        page.get_by_role("link", name="Ваши партии").click()
        page.get_by_role("link", name="Играть с роботом").wait_for()
        assert page.locator("html").get_attribute("data-theme") == "dark"
        # The button at the top changes the theme for good.
        with page.expect_response(lambda response: response.url.endswith("/theme")):
            page.locator("#theme").click()
        page.reload()
        assert page.locator("html").get_attribute("data-theme") == "light"


@pytest.mark.parametrize("screen", SCREENS)
def test_rules_are_read_by_topic(browser: Browser, alone: Serving, screen: ViewportSize) -> None:
    with window(browser, viewport=screen) as page:
        page.goto(alone.access.new_link())
        page.get_by_role("link", name="Rules").click()
        page.get_by_role("link", name="How a siege goes").click()
        topic = page.locator("#siege > h3")
        assert is_on_screen(page, topic)
        page.get_by_role("link", name="The cards").click()
        face = page.locator("#about-british-boston svg")
        face.scroll_into_view_if_needed()
        assert require(face.bounding_box())["width"] > 80
        assert "Boston" in page.locator("#about-british-boston p").inner_text()
        check_width(page)


@pytest.mark.parametrize("against", ["robot", "friend"])
@pytest.mark.parametrize("screen", SCREENS)
def test_house_rules_stand_before_the_button(
    browser: Browser, alone: Serving, screen: ViewportSize, against: str
) -> None:
    with window(browser, viewport=screen) as page:
        page.goto(alone.access.new_link(f"/new/{against}"))
        fold = page.locator("summary", has_text="House rules")
        button = page.locator("form button.main")
        assert "(0 of" in fold.inner_text()
        assert not page.locator("#lists").is_visible()
        assert require(fold.bounding_box())["y"] < require(button.bounding_box())["y"]
        fold.click()
        page.locator('[value="louisbourg-fortified"]').check()
        page.locator("#chosen", has_text="(1 of").wait_for()
        page.locator("summary", has_text="Advanced").click()
        assert "each shuffle is fair" in page.locator("#about-lists").inner_text()
        assert (
            require(button.bounding_box())["y"]
            > require(page.locator("#about-lists").bounding_box())["y"]
        )
        check_width(page)


@pytest.mark.parametrize("has_mail", [True, False])
def test_one_main_button_sends_and_a_word_goes_with_the_message(
    browser: Browser, pair: Pair, own: Serving, *, has_mail: bool
) -> None:
    if has_mail:
        pair.homes[Side.BRITISH].joinpath("config.toml").write_text(MAIL)
    with window(browser, viewport=SCREENS[0]) as page:
        page.goto(own.access.new_link(f"/games/{pair.game}"))
        main = page.locator(".posting .main:visible")
        assert main.all_inner_texts() == ["Send it" if has_mail else "Save the message"]
        page.get_by_label("A word to Béla").fill("Bien joué,\ncher ami!")
        other = page.locator(".posting summary", has_text="Other ways")
        assert not page.get_by_role("link", name="Save the file").is_visible()
        other.click()
        assert page.get_by_role("link", name="Save the file").is_visible()
        if has_mail:
            page.get_by_label("Another address").fill("bela@example.org")
        with page.expect_download() as download:
            page.get_by_role("button", name="Save the message").click()
        assert "password" not in download.value.url
        letter = message_from_bytes(Path(download.value.path()).read_bytes(), policy=policy.default)
        assert body_of(letter).startswith("Bien joué,\ncher ami!\n")
        (attached,) = letter.iter_attachments()
        assert content_of(attached) == pair.file.read_bytes()


@pytest.mark.parametrize(
    ("path", "screen", "scheme"),
    [
        ("/settings", SCREENS[2], "dark"),
        ("/rules", SCREENS[0], "light"),
        ("/new/friend", SCREENS[1], "dark"),
        ("/", SCREENS[2], "light"),
        ("/audit", SCREENS[2], "dark"),
        ("/recovery", SCREENS[2], "light"),
    ],
)
def test_pages_pass_axe(
    browser: Browser, own: Serving, path: str, screen: ViewportSize, scheme: str
) -> None:
    with window(browser, viewport=screen, color_scheme=scheme) as page:  # type: ignore[arg-type]
        page.goto(own.access.new_link(path))
        page.wait_for_load_state("load")
        report = Axe().run(page, options={"resultTypes": ["violations"]})
        assert report.violations_count == 0, report.generate_report()


@pytest.mark.parametrize("language", ["en", "fr", "it", "ru"])
def test_pages_fit_a_phone_in_each_language(
    browser: Browser, pair: Pair, language: str, tmp_path: Path
) -> None:
    homes: dict[Path, tuple[str, ...]] = {
        pair.homes[Side.BRITISH]: (
            *("/", "/settings", "/rules", "/new/robot", "/new/friend", "/recovery"),
        ),
        tmp_path / "nobody": ("/welcome", "/audit"),
    }
    for home, paths in homes.items():
        with serving(home, code=language) as served, window(browser, viewport=SCREENS[2]) as page:
            for path in paths:
                page.goto(served.access.new_link(path))
                page.wait_for_load_state("load")
                check_width(page)
                assert is_on_screen(page, page.locator("h1"), page.locator("#theme"))

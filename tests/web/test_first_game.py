"""The first game of a newcomer in Chromium: by mouse, by keys, on a phone."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from pbem.savefile.armour import armour
from tests.board.browser import PHONE, SCREEN, Scheme, listening, window
from tests.signing import sign_agreed
from tests.web.serving import Serving, serving

MAX_MACHINE_SECONDS = 30.0
"""The maximum seconds of computer time in the two minutes for a first turn."""
WIDTH = "document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"


@contextmanager
def logged_in_page(browser: Browser, served: Serving, **options: Any) -> Iterator[Page]:
    """Open a window with a cookie. Fails if the browser logs an error or a warning."""
    complaints: list[str] = []

    listeners: dict[Any, Callable[[Any], None]] = {
        "pageerror": lambda error: complaints.append(f"{page.url} {error.stack}"),
        "console": lambda message: (
            complaints.append(message.text) if message.type in ("error", "warning") else None
        ),
    }
    with window(browser, **options) as page, listening(page, listeners):
        page.goto(served.access.new_link())
        yield page
        assert complaints == []


def move(served: Serving, game: str) -> None:
    session = served.pages.service.session()
    entries = served.pages.service.entry(game)
    assert entries.file_in is not None
    turn, choose = session.answer(session.read(entries.file_in)), PracticePlayer(Random(1)).choose
    while not turn.is_complete:
        turn.order(choose(turn.view()))
    sign_agreed(session, turn)


def test_newcomer_plays_a_first_turn_against_the_robot(browser: Browser, tmp_path: Path) -> None:
    start = time.monotonic()
    with serving(tmp_path) as served, logged_in_page(browser, served) as page:
        page.get_by_label("Your name").fill("Zoé")
        # A form that is submitted twice is sent once, and reports that it is busy.
        requests: list[str] = []
        page.on("request", lambda r: requests.append(r.url) if r.method == "POST" else None)
        page.evaluate(
            """() => {
              const form = document.querySelector("form.asked");
              const said = document.getElementById("said");
              form.requestSubmit();
              form.requestSubmit();
              sessionStorage.told = [form.ariaBusy, said.textContent].join();
            }"""
        )
        page.get_by_role("link", name="Play against the robot").wait_for()
        assert len(requests) == 1
        assert page.evaluate("sessionStorage.told").startswith("true,One moment")
        page.get_by_role("link", name="Play against the robot").click()
        page.get_by_role("button", name="Begin the game").click()
        page.wait_for_url("**/games/*")
        assert "Nothing yet: the game begins." in page.inner_text("#turn-lines")
        game = page.url.rpartition("/")[2]
        page.get_by_role("button", name="Take", exact=True).click()
        page.locator(".own-hand .lit").first.click()
        page.get_by_role("button", name=re.compile("^Yes: Take [0-9]+ money with ")).click()
        sign = page.get_by_role("button", name="End the turn and sign")
        sign.wait_for()
        # The key of this computer's robot need not be compared.
        assert "for the first time" not in page.inner_text("#panel")
        sign.click()
        # The robot's answer appears by itself.
        page.get_by_text("Turn 3:").wait_for()
    assert time.monotonic() - start < MAX_MACHINE_SECONDS
    with serving(tmp_path) as served, logged_in_page(browser, served) as page:
        page.get_by_text("turn 3").wait_for()
        move(served, game)
        page.get_by_text("turn 5").wait_for()


def test_options_that_conflict_are_shown_at_once(browser: Browser, own: Serving) -> None:
    with logged_in_page(browser, own) as page:
        page.get_by_role("link", name="Invite a friend").click()
        rule, other = page.locator('[value="louisbourg-fortified"]'), page.locator("#card select")
        assert not rule.is_visible()
        page.locator("summary", has_text="House rules").click()
        # The rule keeps the focus when the list is replaced.
        rule.focus()
        page.keyboard.press("Space")
        page.wait_for_load_state("networkidle")
        assert rule.is_checked()
        assert page.evaluate("document.activeElement.value") == "louisbourg-fortified"
        assert other.count() == 0
        page.locator('[value="french-start-choice"]').check()
        page.get_by_label("French", exact=True).check()
        other.wait_for()
        other.select_option(index=1)
        chosen = other.input_value()
        page.locator('[value="quebec-fortified"]').check()
        page.wait_for_load_state("networkidle")
        assert other.input_value() == chosen
        page.get_by_role("button", name="Write the invitation").click()
        page.wait_for_url("**/games/*")


def test_file_is_chosen_dropped_or_pasted(browser: Browser, own: Serving, tmp_path: Path) -> None:
    bela = Session.create(Home(tmp_path / "bela"), Identity.generate("Béla", ""))
    files = [
        sign_agreed(
            bela, bela.invite(Side.FRENCH, lists=1), tmp_path / f"{number}-000.toml"
        ).data.decode()
        for number in range(3)
    ]
    with logged_in_page(browser, own) as page:
        page.set_input_files(
            "#file", {"name": "a.toml", "mimeType": "", "buffer": files[0].encode()}
        )
        page.wait_for_url("**/games/*")
        # A friend's invitation is accepted, and the answer can be saved.
        page.get_by_role("button", name="Accept it").click()
        page.get_by_role("button", name="Save the message").wait_for()
        page.goto(page.url.partition("/games")[0])
        page.evaluate(
            """(text) => {
              const data = new DataTransfer();
              data.items.add(new File([text], "b.toml"));
              document.body.dispatchEvent(
                new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
            }""",
            files[1],
        )
        page.wait_for_url("**/games/*")
        page.goto(page.url.partition("/games")[0])
        page.locator("#files summary").click()
        page.locator("#text").fill("Hello\n\n" + armour(files[2].encode()))
        page.get_by_role("button", name="Use the text").click()
        page.wait_for_url("**/games/*")
    assert len(own.pages.service.games()) >= 3


# Axe is slow, so every page and every screen is tested, but not every combination.
@pytest.mark.parametrize(
    ("path", "screen", "scheme"),
    [("/welcome", PHONE, "light"), ("/", SCREEN, "dark"), ("/new/robot", PHONE, "light")],
)
def test_pages_pass_axe_on_every_screen(
    browser: Browser,
    own: Serving,
    newcomer: Serving,
    path: str,
    screen: ViewportSize,
    scheme: Scheme,
) -> None:
    """Axe finds no violation, and no element is clipped."""
    served = newcomer if path == "/welcome" else own
    with logged_in_page(browser, served, viewport=screen, color_scheme=scheme) as page:
        page.goto(page.url.rpartition("/")[0] + path)
        report = Axe().run(page, options={"resultTypes": ["violations"]})
        assert report.violations_count == 0, report.generate_report()
        assert page.evaluate(WIDTH) == 0
        for form in page.locator("main form").all():
            assert form.bounding_box()["width"] >= 320  # type: ignore[index]


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Serving]:
    Session.create(Home(tmp_path), Identity.generate("Anna", ""))
    with serving(tmp_path) as served:
        yield served


@pytest.fixture
def newcomer(tmp_path: Path) -> Iterator[Serving]:
    with serving(tmp_path / "nobody") as served:
        yield served

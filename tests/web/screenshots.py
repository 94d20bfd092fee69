"""The pictures of the guide: `python -m tests.web.screenshots` takes them again into docs/pictures.

Each is what a newcomer sees in the light theme, as WebP, on the way to a first turn.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, ViewportSize

from pbem.play.home import Home
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from tests.board.browser import browser, picture_of
from tests.board.screenshots import FOLDER, LARGEST
from tests.cli.using import ROOT
from tests.web.serving import serving

WINDOW: ViewportSize = {"width": 1280, "height": 1000}
SCALE = 0.8


def new(page: Page) -> None:
    """What a new game is to be like."""
    page.get_by_role("link", name="Play against the robot").click()
    page.get_by_role("button", name="Begin the game").wait_for()


def turn(page: Page) -> None:
    """The first turn: an action and a card are chosen, and it is told what comes of it."""
    page.get_by_role("button", name="Begin the game").click()
    page.get_by_role("button", name="Take", exact=True).click()
    page.locator(".own-hand .lit").first.click()
    page.get_by_role("button", name="Yes, do it").wait_for()


def signing(page: Page) -> None:
    """The whole of it, to be signed."""
    page.get_by_role("button", name="Yes, do it").click()
    page.get_by_role("button", name="End the turn").click()
    page.get_by_role("button", name="Sign and write").wait_for()


PICTURES: dict[str, Callable[[Page], None]] = {
    "guide-new": new,
    "guide-turn": turn,
    "guide-sign": signing,
}
"""By its name, how one comes to it from where the one before was taken."""


def file_of(name: str) -> Path:
    """Where a picture lies."""
    return FOLDER / f"{name}.webp"


def main() -> None:
    """Take all pictures into their folder."""
    with TemporaryDirectory() as name, browser() as launched:
        Session.create(Home(Path(name)), Identity.generate("Anna", ""))
        with serving(Path(name)) as served:
            options = {"viewport": WINDOW, "locale": "en-GB", "color_scheme": "light"}
            page = launched.new_context(**options).new_page()  # type: ignore[arg-type]
            page.goto(served.access.new_link())
            for each, go in PICTURES.items():
                go(page)
                # What is pointed at is shown large, over what else is to be seen.
                page.mouse.move(2, 2)
                page.wait_for_load_state("networkidle")
                picture = picture_of(page, WINDOW, SCALE)
                assert len(picture) <= LARGEST, f"{each}: {len(picture)} bytes"
                file_of(each).write_bytes(picture)
                print(file_of(each).relative_to(ROOT), f"{len(picture) // 1000} kB")


if __name__ == "__main__":
    main()

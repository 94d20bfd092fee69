"""The pictures of the guide: `python -m tests.web.screenshots` writes them into docs/pictures.

Each is a WebP picture of a newcomer's page in the light theme, up to a first turn.
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
from tests.board.screenshots import FOLDER, MAX_BYTES
from tests.cli.commands import ROOT
from tests.web.serving import serving

WINDOW: ViewportSize = {"width": 1280, "height": 1000}
SCALE = 0.8


def new(page: Page) -> None:
    """Open the form of a new game."""
    page.get_by_role("link", name="Play against the robot").click()
    page.get_by_role("button", name="Begin the game").wait_for()


def turn(page: Page) -> None:
    """Begin the first turn, and choose an action and a card."""
    page.get_by_role("button", name="Begin the game").click()
    page.get_by_role("button", name="Take", exact=True).click()
    page.locator(".own-hand .lit").first.click()
    page.locator("#yes").wait_for()


def signing(page: Page) -> None:
    """Give the order; the whole turn stands above the button that signs it."""
    page.locator("#yes").click()
    page.get_by_role("button", name="End the turn and sign").wait_for()


PICTURES: dict[str, Callable[[Page], None]] = {
    "guide-new": new,
    "guide-turn": turn,
    "guide-sign": signing,
}
"""The steps from one picture to the next, by the picture's name."""


def file_of(name: str) -> Path:
    """Return the path of a picture."""
    return FOLDER / f"{name}.webp"


def main() -> None:
    """Write all pictures into their folder."""
    with TemporaryDirectory() as name, browser() as launched:
        Session.create(Home(Path(name)), Identity.generate("Anna", ""))
        with serving(Path(name)) as served:
            options = {"viewport": WINDOW, "locale": "en-GB", "color_scheme": "light"}
            page = launched.new_context(**options).new_page()  # type: ignore[arg-type]
            page.goto(served.access.new_link())
            for picture_name, go in PICTURES.items():
                go(page)
                # A card under the pointer is enlarged and covers other elements.
                page.mouse.move(2, 2)
                page.wait_for_load_state("networkidle")
                picture = picture_of(page, WINDOW, SCALE)
                assert len(picture) <= MAX_BYTES, f"{picture_name}: {len(picture)} bytes"
                file_of(picture_name).write_bytes(picture)
                print(file_of(picture_name).relative_to(ROOT), f"{len(picture) // 1000} kB")


if __name__ == "__main__":
    main()

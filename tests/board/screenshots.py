"""The pictures of pages: `python -m tests.board.screenshots` writes them into docs/pictures.

Each is a window of the browser with a practice game in it, in the light theme, as WebP.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Browser, ViewportSize

from engine.sides import Side
from tests.board.browser import browser, open_page, picture_of
from tests.board.courses import CLOSED, RUNNING, practice
from tests.board.pages import page_of
from tests.cli.commands import ROOT

FOLDER = ROOT / "docs" / "pictures"
MAX_BYTES = 150_000
"""The maximum size of a picture in a README, in bytes."""


class Screenshot(NamedTuple):
    """A picture: its name, the turn, the window size, and the scale.

    With a `side` it shows a running game with the cards of that side, otherwise a closed game.
    """

    name: str
    turn: int
    window: ViewportSize
    scale: float
    side: Side | None = None

    @property
    def file(self) -> Path:
        """The path of the picture."""
        return FOLDER / f"{self.name}.webp"

    def take(self, browser: Browser, folder: Path) -> bytes:
        """Render the page and take its picture."""
        course, seats = practice(CLOSED if self.side is None else RUNNING)
        page = folder / f"{self.name}.html"
        who = [seats[self.side]] if self.side else []
        page.write_text(page_of(course.match, *who), encoding="utf-8")
        options = {"viewport": self.window, "color_scheme": "light"}
        with open_page(browser, page, f"#turn={self.turn}", **options) as window:
            return picture_of(window, self.window, self.scale)


SCREENSHOTS = [
    Screenshot("board", 88, {"width": 1600, "height": 1000}, 0.8),
    Screenshot("board-siege", 98, {"width": 1280, "height": 1230}, 0.8),
    Screenshot("board-phone", 12, {"width": 360, "height": 720}, 2, Side.FRENCH),
]


def main() -> None:
    """Take all pictures into their folder."""
    with browser() as launched, TemporaryDirectory() as name:
        for item in SCREENSHOTS:
            item.file.write_bytes(item.take(launched, Path(name)))
            print(item.file.relative_to(ROOT), f"{item.file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()

"""The pictures of a phone: `python -m tests.site.screenshots` writes them into docs/pictures.

Each is a WebP picture of the site in Chromium, which imitates a phone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from playwright.sync_api import FrameLocator, ViewportSize, expect

from pbem.text.compiling import compile_catalogues
from pbem.web.site.build import build, open_server
from tests.board.browser import browser, picture_of
from tests.board.screenshots import MAX_BYTES
from tests.cli.commands import ROOT
from tests.site.visiting import LONG
from tests.web.screenshots import file_of

WINDOW: ViewportSize = {"width": 390, "height": 760}
SCALE = 1.0


def start(frame: FrameLocator) -> None:
    """Show the first page of a first visit."""
    frame.get_by_label("Your name").fill("Anna")


def save(frame: FrameLocator) -> None:
    """Show the settings, in which the identity is saved."""
    frame.get_by_role("button", name="Begin").click()
    frame.get_by_role("link", name="Settings").click()
    frame.get_by_role("link", name="Recovery text").scroll_into_view_if_needed()


def send(frame: FrameLocator) -> None:
    """Show an invitation, which the system can share."""
    frame.get_by_role("link", name="Recovery text").click()
    frame.get_by_role("button", name="I have it on paper").click()
    frame.get_by_role("link", name="Your games").click()
    frame.get_by_role("link", name="Invite a friend").click()
    frame.locator("form.new-game button.main").click()
    frame.get_by_role("button", name="Send the file").scroll_into_view_if_needed()


PICTURES: dict[str, Callable[[FrameLocator], None]] = {
    "phone-start": start,
    "phone-save": save,
    "phone-send": send,
}
"""The steps from one picture to the next, by the picture's name."""


def main() -> None:
    """Write all pictures into their folder."""
    compile_catalogues()
    with TemporaryDirectory() as name, browser() as launched:
        build(Path(name, "public"))
        with open_server(Path(name, "public")) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            context = launched.new_context(
                viewport=WINDOW,
                locale="en-GB",
                color_scheme="light",
                is_mobile=True,
                has_touch=True,
            )
            context.set_default_timeout(LONG)
            context.add_init_script("navigator.canShare = () => true")
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/")
            frame = page.frame_locator("#page")
            expect(frame.locator("main")).to_be_visible(timeout=LONG)
            for picture_name, go in PICTURES.items():
                go(frame)
                picture = picture_of(page, WINDOW, SCALE)
                assert len(picture) <= MAX_BYTES, f"{picture_name}: {len(picture)} bytes"
                file_of(picture_name).write_bytes(picture)
                print(file_of(picture_name).relative_to(ROOT), f"{len(picture) // 1000} kB")
            server.shutdown()


if __name__ == "__main__":
    main()

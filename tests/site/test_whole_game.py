"""A whole game of the site against the command line, and the picture of a finished game."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.site.visiting import IDENTITY, PRACTICE, Visit

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.slow
def test_picture_of_a_finished_game_is_drawn_by_the_browser(
    browser: Browser, site_address: str, tmp_path: Path
) -> None:
    with browser.new_context(locale="en") as context:
        visit = Visit(context, site_address)
        visit.put_home({"identity.toml": IDENTITY})
        visit.open().upload(PRACTICE / "game-130.toml")
        with visit.page.expect_download() as waiting:
            visit.frame.get_by_role("link", name="Save a picture of the board").click()
        assert waiting.value.suggested_filename.endswith(".png")
        waiting.value.save_as(tmp_path / "board.png")
    data = (tmp_path / "board.png").read_bytes()
    assert data.startswith(PNG)
    width = int.from_bytes(data[16:20])
    assert width == 1600
    # An empty picture of this size takes a few kilobytes.
    assert len(data) > 100_000

"""A sealed file leaves one home in a browser, and arrives in another."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pbem.play import keyfile, recovery
from pbem.play.home import Home
from pbem.play.keyfile import Cost
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from tests.board.browser import window
from tests.web.serving import serving

SECRET = "four words in a row"


@pytest.fixture(autouse=True)
def quick_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seal keys at the lowest allowed cost."""
    for module in (keyfile, recovery):
        monkeypatch.setattr(module, "DEFAULT_COST", Cost(2**14, 1, 1))


def test_home_moves_from_the_settings_to_the_first_page(browser: Browser, tmp_path: Path) -> None:
    old = Session.create(Home(tmp_path / "old"), Identity.generate("Zoé", ""))
    with serving(tmp_path / "old") as served, window(browser) as page:
        page.goto(served.access.new_link("/settings"))
        for field in ("passphrase", "again"):
            page.fill(f"#{field}", SECRET)
        with page.expect_download() as waiting:
            page.click("text=Move to another device")
        page.wait_for_function(
            "() => document.getElementById('said').textContent.includes('Open the')"
        )
        waiting.value.save_as(tmp_path / waiting.value.suggested_filename)
    with serving(tmp_path / "new") as served, window(browser) as page:
        page.goto(served.access.new_link("/welcome"))
        page.click("text=I have played before")
        page.set_input_files("#sealed", tmp_path / "acres-home.sealed")
        page.fill("#secret", "something else")
        page.click("text=Bring it here")
        page.wait_for_function(
            "() => document.getElementById('said').textContent.includes('wrong')"
        )
        page.fill("#secret", SECRET)
        page.click("text=Bring it here")
        page.wait_for_selector("#files")
    key = keyfile.load(tmp_path / "new/identity.toml", lambda: "").public_key
    assert key == old.identity.public_key

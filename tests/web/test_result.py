"""The end of a game on its page, and files that arrive on the page of a game, in Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from engine.sides import Side
from pbem.savefile.armour import armour
from tests.signing import sign_agreed
from tests.web.hands import open_game_page
from tests.web.serving import serving
from tests.web.tables import Pair

pytestmark = pytest.mark.slow

DROP = """(text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "b.toml"));
  return ["dragover", "drop"].map((name) => !document.body.dispatchEvent(
    new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true })));
}"""
PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def hand_over(page: Page, data: bytes, way: str) -> None:
    """Drop, paste or choose a file on a page."""
    if way == "chosen":
        page.evaluate("document.getElementById('arrives').open = true")
        page.set_input_files("#file", {"name": "b.toml", "mimeType": "", "buffer": data})
    elif way == "pasted":
        page.evaluate(PASTE, "Hello,\n\n" + armour(data))
    else:
        # A browser would otherwise open the file.
        assert page.evaluate(DROP, data.decode()) == [True, True]


@pytest.mark.parametrize("way", ["dropped", "pasted", "chosen"])
def test_game_page_takes_files(browser: Browser, tmp_path: Path, way: str) -> None:
    pair = Pair(tmp_path / "pair", seed=4).begin()
    pair.play(lambda pair: pair.next_side is Side.BRITISH)
    british, file = pair.sessions[Side.BRITISH], pair.file
    pair.note(Side.BRITISH)
    pair.answer()
    pair.note(Side.BRITISH)
    other = sign_agreed(british, british.invite(None, lists=1), tmp_path / "other-000.toml")
    with (
        serving(pair.homes[Side.BRITISH]) as served,
        open_game_page(browser, served, pair.game) as page,
    ):
        said = page.locator("#said")
        hand_over(page, pair.file.read_bytes(), way)
        page.wait_for_function("() => said.textContent.includes('your own file')")
        assert said.locator("a").count() == 0
        assert file.exists()
        pair.answer()
        records = page.locator("#play-page").get_attribute("data-records")
        hand_over(page, pair.file.read_bytes(), way)
        page.wait_for_selector(f"#play-page:not([data-records='{records}'])")
        assert page.url.partition("#")[0].endswith(f"/games/{pair.game}")
        page.evaluate(PASTE, "Hello!")
        page.evaluate(DROP, other.data.decode())
        link = page.locator("#said a")
        link.wait_for()
        assert "of another game" in said.inner_text()
        link.click()
        page.wait_for_url(f"**/games/{other.match.id.hex()}")
        assert page.locator("a[href$='picture=1'], [name=picture]").count() == 0

"""The end of a game on its page, and files that arrive on the page of a game, in Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from engine.position import score
from engine.sides import Side
from pbem.play.game_file import GameFile
from pbem.play.home import Home
from pbem.play.look import Look
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from pbem.savefile.armour import armour
from pbem.text.facts.chronicle import Chronicle
from tests.board.browser import window
from tests.requirements import require
from tests.signing import sign_agreed
from tests.web.hands import open_game_page
from tests.web.serving import serving
from tests.web.tables import Pair

pytestmark = pytest.mark.slow

EMAILS = {side: f"{side}@example.org" for side in Side}
MAIL = """[mail]
address = "bela@example.org"
[mail.smtp]
host = "localhost"
port = 1
"""
DROP = """(text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "b.toml"));
  return ["dragover", "drop"].map((name) => !document.body.dispatchEvent(
    new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true })));
}"""
IS_ON_TOP = """() => {
  const button = document.querySelector("#posting .main"), box = button.getBoundingClientRect();
  return [0, .5, .99].every((part) => button.contains(
    document.elementFromPoint(box.x + box.width / 2, box.y + 1 + part * (box.height - 2))));
}"""
PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def hand_over(page: Page, data: bytes, way: str) -> None:
    """Drop, paste or choose a file on a page."""
    if way == "chosen":
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


# --- the end of a game


def resigned(folder: Path, edition: str = "second", *rules: str) -> Pair:
    """Return a game that the British have given up, so that its closing file is the French's."""
    pair = Pair(folder, seed=4, emails=EMAILS).begin(*rules, edition=edition)
    pair.play(lambda pair: pair.next_side is Side.BRITISH)
    british = pair.sessions[Side.BRITISH]
    pair.written = sign_agreed(british, british.answer(british.read(pair.file), resigns=True))
    return pair


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Return a game that captured pieces have ended; nothing is signed in it."""
    pair = Pair(tmp_path_factory.mktemp("played"), seed=1).begin()
    pair.play(lambda pair: require(pair.written).match.is_over)
    for side in Side:
        pair.note(side)
    return pair


def main_buttons(page: Page) -> list[str]:
    """Return the labels of the visible main buttons."""
    buttons = page.locator(".play :is(button, a):is(.main, .yes)").all()
    return [button.inner_text() for button in buttons if button.is_visible()]


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)])
@pytest.mark.parametrize("side", Side)
def test_result_is_on_top_with_the_points_as_they_came_about(
    browser: Browser, played: Pair, side: Side, size: tuple[int, int]
) -> None:
    state = require(played.written).match.state
    winner = require(state.outcome).winner
    screen = ViewportSize(width=size[0], height=size[1])
    with (
        serving(played.homes[side]) as served,
        open_game_page(browser, served, played.game, viewport=screen) as page,
    ):
        result = page.locator("#result")
        assert result.locator("h2").inner_text() == (
            "You have won." if winner is side else "You have lost."
        )
        total = [score(state, each).total for each in Side]
        points = [score(state, each).total for each in (winner, winner.opponent)]
        assert result.locator("h2 + p").inner_text() == (
            f"The game ended: the {winner.label!s} captured pieces worth 12 points. "
            f"The {winner.label!s} won, {points[0]} to {points[1]}."
        )
        cells = [[int(n) for n in row.locator("td").all_inner_texts()]
                 for row in result.locator("tbody tr, tfoot tr").all()]  # fmt: skip
        assert [sum(column) for column in zip(*cells[:-1], strict=True)] == cells[-1] == total
        for part in (result.locator("h2"), result.locator("h2 + p")):
            box = require(part.bounding_box())
            assert box["y"] >= 0 and box["y"] + box["height"] <= size[1]
        # The winner did not write the last turn: the loser closes the game.
        closes = require(played.written).match.next_side is side
        assert main_buttons(page)[:1] == (["Close the game"] if closes else main_buttons(page)[:1])
        assert ("so that anyone can check" in result.inner_text()) == closes
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_game_is_watched_again_and_saved(browser: Browser, played: Pair) -> None:
    with (
        serving(played.homes[Side.BRITISH]) as served,
        open_game_page(browser, served, played.game) as page,
    ):
        # The numbers agree, although the present is a scene of its own after the last turn.
        turn = Chronicle(Look(require(played.written).match)).last
        assert page.inner_text("#at") == str(turn)
        assert page.inner_text("#time .of") == f"/ {turn}"
        page.click("#back")
        page.wait_for_url(f"**#turn={turn}")
        assert page.inner_text("#turn-heading").startswith(f"Turn {turn}:")
        assert page.inner_text("#at") == str(turn)
        page.click("#last")
        page.wait_for_url(f"**/{played.game}")
        page.click("#replay")
        page.wait_for_selector("#play.plays")
        assert page.evaluate("document.activeElement.id") == "play"
        assert int(page.inner_text("#at")) <= 1
        page.click("#play")
        page.click("#now")
        for name, beginning in (("page", b"<!doctype html>"), ("picture", b"\x89PNG")):
            with page.expect_download() as download:
                page.click(f"#afterwards a[href$='/{name}']")
            data = Path(download.value.path()).read_bytes()
            assert data.startswith(beginning) and len(data) > 100_000
            assert download.value.suggested_filename.startswith(f"{played.file.stem}.")


def test_game_is_closed_and_played_again_with_sides_swapped(
    browser: Browser, tmp_path: Path
) -> None:
    pair = resigned(tmp_path / "pair", "second", "french-start-choice")
    pair.note(Side.FRENCH)
    home = pair.homes[Side.FRENCH]
    (home / "config.toml").write_text(MAIL)
    with serving(home) as served, open_game_page(browser, served, pair.game) as page:
        assert page.inner_text("#result h2") == "You have won."
        assert main_buttons(page) == ["Close the game"]
        page.click("#sign")
        page.wait_for_selector("#posting section")
        assert main_buttons(page) == ["Send the closing file"]
        # Nothing lies over it.
        page.wait_for_function(IS_ON_TOP)
        assert Axe().run(page).response["violations"] == []
        assert "It is closed" in page.inner_text("#result")
        page.dblclick("#rematch")
        page.wait_for_url(lambda url: "/games/" in url and pair.game not in url)
        page.wait_for_selector("#posting section")
        (file,) = (home / "games").glob("*-000.toml")
        new, old = (GameFile.read(path.read_bytes()).match.invite for path in (file, pair.file))
        assert new.side == "british" and new.name == "Béla"
        for name in ("edition", "house_rules", "lists", "home_support"):
            assert getattr(new, name) == getattr(old, name)
        assert page.inner_text("h1") == "Your invitation to Anna"
        panel = page.inner_text("#panel")
        assert "Your invitation is written." in panel and "A word to Anna" in panel
        assert "lists" not in panel and "another invitation" not in panel
        path = page.url.partition(str(served.port))[2]
    # The program that starts next knows for whom it is, too.
    with serving(home) as served:
        letter = served.browser().ask(f"{path}/letter")
        assert EMAILS[Side.BRITISH] in letter.text.partition("\n\n")[0]
        assert "Your invitation to Anna" in served.browser().ask("/list").text


def test_rematch_with_the_robot_begins_at_once(browser: Browser, tmp_path: Path) -> None:
    Session.create(Home(tmp_path), Identity.generate("Anna", ""))
    with serving(tmp_path) as served, window(browser) as page:
        page.goto(served.access.new_link("/new/robot"))
        page.get_by_role("button", name="Begin the game").click()
        page.wait_for_url("**/games/*")
        page.wait_for_selector("#resign", state="attached")
        page.evaluate("document.getElementById('resign').click()")
        page.wait_for_selector("#not-resign")
        page.click("#sign")
        page.wait_for_selector("#result")
        assert page.inner_text("#result h2") == "You have lost."
        first = page.url.partition("#")[0]
        page.click("#rematch")
        page.wait_for_url(lambda url: "/games/" in url and not url.startswith(first))
        page.wait_for_selector("#play-page[data-side=french] .board")
    assert len({entry.id for entry in served.pages.service.games()}) == 2

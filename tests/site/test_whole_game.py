"""A whole game of the site against the command line, and the pages after the end of a game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, expect

from engine.order import Order
from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.play.turn import Turn
from tests.board.browser import SCREEN
from tests.cli.commands import do
from tests.requirements import require
from tests.site.test_host import Tab, run
from tests.site.visiting import IDENTITY, LONG, PRACTICE, Visit
from tests.web.hands import FIND, choice_keys, offered
from tests.web.tables import Chooser, Pair

GAME = PRACTICE / "game-130.toml"
PNG = b"\x89PNG\r\n\x1a\n"


def save_finished_game(browser: Browser, address: str, link: str) -> tuple[str, bytes]:
    """Follow a link that saves something of the game; return the name and the content."""
    with browser.new_context(locale="en") as context:
        visit = Visit(context, address)
        visit.put_home({"identity.toml": IDENTITY})
        visit.open().upload(GAME)
        with visit.page.expect_download() as waiting:
            visit.frame.get_by_role("link", name=link).click()
        return waiting.value.suggested_filename, waiting.value.path().read_bytes()


@pytest.mark.slow
def test_picture_of_a_finished_game_is_drawn_by_the_browser(
    browser: Browser, site_address: str
) -> None:
    name, data = save_finished_game(browser, site_address, "Save a picture of the board")
    assert name.endswith(".png")
    assert data.startswith(PNG)
    width = int.from_bytes(data[16:20])
    assert width == 1600
    # An empty picture of this size takes a few kilobytes.
    assert len(data) > 100_000


@pytest.mark.slow
def test_page_of_a_finished_game_is_that_of_the_native_program(
    browser: Browser, site_address: str, tmp_path: Path
) -> None:
    _, data = save_finished_game(browser, site_address, "Save the game as a page")
    page = data.decode()
    do("board", GAME, "--page", tmp_path / "native.html", home=tmp_path / "nobody")
    native = (tmp_path / "native.html").read_text("utf-8")
    # Each tells when it was made.
    assert re.sub(r"\S+Z, when", "", page) == re.sub(r"\S+Z, when", "", native)


@pytest.mark.long
def test_analysis_of_a_game_while_another_one_is_played(
    browser: Browser, site_address: str, tmp_path: Path
) -> None:
    pair = Pair(tmp_path / "pair", seed=3).begin().play(lambda _: False)
    identity = (pair.homes[Side.BRITISH] / "identity.toml").read_bytes()
    with browser.new_context(locale="en") as context:
        visit = Visit(context, site_address)
        visit.put_home({"identity.toml": identity})
        visit.open().upload(pair.file)
        finished = visit.path
        visit.frame.locator("#look-back").click()
        expect(visit.frame.locator("#look-back-told")).to_contain_text(" of ", timeout=LONG)
        # It goes on while the player leaves the page, and begins a game.
        visit.frame.get_by_role("link", name="Your games").click()
        visit.frame.get_by_role("link", name="Play against the robot").click()
        visit.frame.get_by_role("button", name="Begin the game").click()
        visit.take_money()
        visit.frame.get_by_role("button", name="End the turn and sign").click()
        expect(visit.frame.get_by_text("Turn 3:")).to_be_visible(timeout=LONG)
        running = visit.path
        visit.frame.get_by_role("link", name="Your games").click()
        visit.frame.locator(f"a[href$='{finished}']").first.click()
        expect(visit.frame.locator("#look-back-bar")).to_be_visible()
        # Playwright has the event loop of this thread.
        with ThreadPoolExecutor() as thread:
            expected = thread.submit(run, analyse(tmp_path, identity, pair.file)).result()
        expect(visit.frame.locator("#deciding")).to_be_visible(timeout=5 * LONG)
        words = require(visit.frame.locator("#deciding-told").text_content()).split()
        assert words == unescape(re.sub("<[^>]*>", "", expected)).split()
        visit.open(running)
        expect(visit.frame.get_by_text("Turn 3:")).to_be_visible(timeout=LONG)


async def analyse(folder: Path, identity: bytes, file: Path) -> str:
    """Return the words of the analysis of a game as HTML, by the same calls without a browser."""
    (folder / "identity.toml").write_bytes(identity)
    tab = Tab(folder)
    game = (await tab.ask("POST", "files", file.read_bytes()))["link"][0]
    return str((await tab.ask("GET", f"{game[1:]}/analysis"))["deciding"])


class SitePlayer:
    """A player on the site, who clicks. A copy of the key reads each file, but signs nothing."""

    def __init__(self, visit: Visit, copy: Session, choose: Chooser, file: Path) -> None:
        self._visit = visit
        self._page = visit.page.frames[1]
        self._copy = copy
        self._choose = choose
        self._file = file

    def answer(self, file: Path) -> Path:
        """Choose a file on the page of its game, give orders, sign, and return the new file."""
        self._page.locator("#file").set_input_files(file)
        game = self._copy.read(file)
        self._page.locator(f"#play-page[data-records='{len(game.match.records)}']").wait_for()
        turn, is_signed = self._copy.answer(game), False
        while not turn.is_complete:
            state = turn.view()
            order = offered(state, self._choose(state))
            turn.order(order)
            is_signed = self._give(order, choice_keys(state, order), len(turn.orders))
        if not is_signed:
            self._page.locator("#sign").click()
        self._page.locator("#posting section").wait_for()
        return self.save()

    def _give(self, order: Order, keys: Sequence[str], number: int) -> bool:
        """Choose all parts of an order, which has a number in its turn, and confirm it.

        Return True if this signs the file too.
        """
        for chosen, key in enumerate(keys, 1):
            self._page.wait_for_function(FIND, arg=key, timeout=LONG)
            choice = self._page.locator("[data-found]")
            button = choice.locator(".pick")
            (button if button.count() else choice).click()
            expect(self._page.locator("#choice [data-out]")).to_have_count(chosen)
        give = self._page.locator(f"[data-give='{order.notation()}']:is(#yes, #end)")
        if not give.count():
            self._page.locator(f"[data-look='{order.notation()}']").click()
        signs = give.get_attribute("data-sign") is not None
        give.click()
        if not signs:
            self._page.locator(".given li").nth(number - 1).wait_for()
        return signs

    def save(self) -> Path:
        """Return the last file of the game, which the page offers."""
        with self._visit.page.expect_download() as waiting:
            self._page.get_by_role("link", name="Save the file").click()
        waiting.value.save_as(self._file)
        return self._file


def complete(turn: Turn, choose: Chooser) -> Turn:
    """Return a turn after the orders that a computer player chooses."""
    while not turn.is_complete:
        turn.order(choose(turn.view()))
    return turn


@pytest.mark.long
def test_whole_game_of_the_site_against_the_command_line(
    browser: Browser, site_address: str, tmp_path: Path
) -> None:
    """Anna plays on the site, and Béla with commands; each takes only the files of the other."""
    choose = PracticePlayer(Random(47)).choose
    home, copy, file = tmp_path / "bela", Home(tmp_path / "copy"), tmp_path / "0.toml"
    do("init", "--name", "Béla", home=home)
    do("new", "--side", "british", "--output", file, home=home)
    with browser.new_context(locale="en", viewport=SCREEN) as context:
        visit = Visit(context, site_address).open()
        visit.begin("Anna")
        visit.open("recovery").frame.get_by_role("button", name="I have it on paper").click()
        expect(visit.frame.get_by_text("last saved on")).to_be_visible()
        copy.folder.mkdir()
        copy.identity_path.write_bytes(visit.home()["identity.toml"])
        visit.open().upload(file, is_warned=False)
        visit.accept()
        player = SitePlayer(visit, Session.open(copy), choose, tmp_path / "1.toml")
        file = player.save()
        with Session.open(Home(home)) as bela:
            while (newest := bela.read(file)).match.next_side is not None:
                if newest.match.next_side is Side.BRITISH:
                    turn = complete(bela.answer(newest), choose)
                    orders = [order.notation() for order in turn.orders]
                    file = tmp_path / f"{newest.match.last.index + 1}.toml"
                    do("turn", "apply", newest.path, *orders, "--output", file, home=home)
                else:
                    file = player.answer(file)
        assert newest.match.is_over
        said = do("audit", file).out
        visit.open("#/audit").frame.locator("#file").set_input_files(file)
        expect(visit.frame.locator("#verdict")).to_have_text(re.compile("proved"), timeout=LONG)
        assert visit.frame.locator("#verdict").inner_text().split() == said.split()

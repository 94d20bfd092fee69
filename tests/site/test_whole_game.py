"""A whole game of the site against the command line, and the picture of a finished game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser

from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.play.audit import audit
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.play.turn import Turn
from pbem.protocol.identity import Identity
from tests.signing import sign_agreed
from tests.site.visiting import IDENTITY, PRACTICE, Visit
from tests.web.tables import Chooser

RECORDS = 12
"""The number of records after which Béla resigns."""
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


ASK = """
async ([method, path, content]) => {
  const [root] = document.querySelector("script[type=module]").src.split("/web/assets/");
  const { proof } = await import(`${root}/web/assets/run.js`);
  const headers = { Accept: "application/json", "Acres-Page": "/settings", ...(await proof()) };
  const body = method === "GET" ? undefined : content;
  const response = await fetch(root + path, { method, headers, body });
  return [response.status, await response.text()];
}
"""
"""Sends a request as the script of a page does, but puts no answer in place."""


class SitePlayer:
    """A player on the site, whose page sends the requests of the game's page."""

    def __init__(self, visit: Visit, game: str) -> None:
        self._page = visit.open().open("settings").page.frames[1]
        self.game = game
        self._stand = ""

    def ask(self, method: str, path: str, content: str = "") -> str:
        """Return the answer to a request, which must be accepted."""
        status, text = self._page.evaluate(ASK, [method, path, content])
        assert status == 200, (path, text)
        return str(text)

    def act(self, action: str, **data: object) -> None:
        """Send an action of the game's page."""
        data |= {"stand": self._stand, "page": ""}
        self._look(self.ask("POST", f"/games/{self.game}/{action}", json.dumps(data)))

    def take(self, data: bytes) -> None:
        """Take a file of the game as if it was chosen, and open the game's page."""
        self.ask("POST", "/files?name=game.toml", data.decode())
        self._look(self.ask("GET", f"/games/{self.game}/parts"))

    @property
    def file(self) -> bytes:
        """The last file of the player."""
        return self.ask("GET", f"/games/{self.game}/file").encode()

    def _look(self, text: str) -> None:
        answer = json.loads(text)
        self._stand = answer["stand"]
        # A home with a key alone does not know what was signed before.
        for question in re.findall(r'data-agree="(\w+)"', answer["parts"].get("signing", "")):
            self.act("agree", question=question)


def complete(turn: Turn, choose: Chooser) -> Turn:
    """Return a turn after the orders that a computer player chooses."""
    while not turn.is_complete:
        turn.order(choose(turn.view()))
    return turn


@pytest.mark.long
def test_whole_game_of_the_site_against_a_computer(
    browser: Browser, site_address: str, tmp_path: Path
) -> None:
    """Anna plays on the site, and Béla by a session; a copy of her key chooses her orders.

    The copy signs nothing. Each takes only the bytes that the other one has written.
    """
    random = Random(47)
    choose = PracticePlayer(random).choose
    anna, bela = (
        Session.create(Home(tmp_path / name), Identity(name, "", random.randbytes(32)))
        for name in ("Anna", "Béla")
    )
    new = sign_agreed(bela, bela.invite(Side.BRITISH, lists=256), tmp_path / "game.toml")
    with browser.new_context(locale="en") as context:
        visit = Visit(context, site_address)
        visit.put_home({"identity.toml": anna.home.identity_path.read_bytes()})
        player = SitePlayer(visit, new.match.id.hex())
        player.ask("POST", "/recovery")
        player.take(new.data)
        player.act("join", side=None, start_card=None)
        newest = bela.read(player.file)
        while newest.match.next_side is not None:
            if newest.match.next_side is Side.BRITISH:
                resigns = not newest.match.is_over and len(newest.match.records) > RECORDS
                draft = complete(bela.answer(newest, resigns=resigns), choose)
                newest = bela.read(sign_agreed(bela, draft).data)
                player.take(newest.save.write())
            else:
                for order in complete(
                    anna.answer(anna.read(newest.save.write())), choose
                ).undo_stack:
                    player.act("order", order=order.notation())
                player.act("sign")
                newest = bela.read(player.file)
    report = audit(newest.save.write())
    assert report.is_clean
    assert report.match.is_over and report.match.next_side is None

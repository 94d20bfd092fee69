"""Taps on a phone, from the file that arrives to the answer that leaves."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.sides import Side
from pbem.savefile.armour import unarmour
from tests.signing import sign_agreed
from tests.site.visiting import LONG, Visit
from tests.web.tables import Pair
from tests.web.test_glance import PHONE

MOST = 6
"""The maximum number of taps beside those that give orders."""
OF_SYSTEM = 2
"""The taps on the attachment and on this site, which the system offers to open it."""
SHARE = """async ([address, text]) => {
  const form = new FormData();
  form.append("file", new File([text], "game.toml"));
  await fetch(`${address}share`, { method: "POST", body: form, redirect: "manual" });
}"""
"""Shares a file with the site, as the system does."""
SHEET = """
navigator.canShare = () => true;
navigator.share = async ({ files: [file] }) => (top.shared = await file.text());
"""


TAKE = """async () => {
  while (!top.shared) await new Promise((resolve) => setTimeout(resolve, 50));
  return top.shared;
}"""
"""Returns the text that the site passes to the sheet of the system."""


class Phone:
    """A phone on which the site is installed; `taps` are those beside orders, for one answer."""

    def __init__(self, visit: Visit) -> None:
        self.frame = visit.frame
        self.taps = 0
        self._visit = visit

    def open_attachment(self, data: bytes) -> None:
        """Open a file with the site, which the system offers."""
        # While another page is shown: it would take the file.
        self._visit.page.goto(f"{self._visit.address}app/shell.css")
        self._visit.page.evaluate(SHARE, [self._visit.address, data.decode()])
        self._visit.open()
        self.taps = OF_SYSTEM

    def tap(self, name: str) -> None:
        """Tap on a button."""
        self.frame.get_by_role("button", name=name, exact=True).tap(timeout=LONG)
        self.taps += 1

    def pass_twice(self) -> None:
        """Give two orders, whose taps do not count."""
        for number in (1, 2):
            self.frame.get_by_role("button", name="Pass", exact=True).tap(timeout=LONG)
            self.frame.locator("#yes").tap(timeout=LONG)
            expect(self.frame.locator(".given li")).to_have_count(number, timeout=LONG)

    def answer(self) -> bytes:
        """Sign the turn, and return the file in the sheet of the system."""
        self.tap("End the turn and sign")
        self.tap("Send the file")
        return unarmour(self._visit.page.evaluate(TAKE).encode())


@pytest.mark.slow
def test_answer_to_an_attachment_takes_few_taps(
    browser: Browser, site_address: str, tmp_path: Path
) -> None:
    pair = Pair(tmp_path / "pair").begin()
    pair.play(lambda pair: pair.file.name == "game-009.toml")
    home, bela = pair.sessions[Side.BRITISH].home, pair.sessions[Side.FRENCH]
    with browser.new_context(locale="en", **PHONE) as context:
        context.add_init_script(SHEET)
        visit = Visit(context, site_address)
        phone = Phone(visit)
        visit.put_home({"identity.toml": home.identity_path.read_bytes()})
        visit.open().open("recovery")
        visit.frame.get_by_role("button", name="I have it on paper").tap()
        expect(visit.frame.locator("#passphrase")).to_be_visible(timeout=LONG)
        phone.open_attachment(pair.file.read_bytes())
        # The home does not know yet what was signed before: it warns, and asks once.
        visit.frame.locator("#said a").tap(timeout=LONG)
        phone.tap("Yes")
        phone.pass_twice()
        turn = bela.answer(bela.read(phone.answer()))
        while not turn.is_complete:
            turn.order(pair.choose(turn.view()))
        phone.open_attachment(sign_agreed(bela, turn, tmp_path / "answer.toml").data)
        phone.pass_twice()
        assert bela.read(phone.answer()).match.last.side == Side.BRITISH.value
    assert phone.taps <= MOST

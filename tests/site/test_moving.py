"""An invitation in a link, a saved home, another browser, and the audit, on the site."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.sides import Side
from pbem.play import transfer
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from pbem.savefile.armour import to_link
from tests.board.browser import script
from tests.cli.commands import ROOT, acres, do
from tests.signing import sign_agreed
from tests.site.visiting import LONG, Visit

SECRET = "four words in a row"
GAME = ROOT / "saves/practice/game-130.toml"


@pytest.mark.slow
def test_invited_newcomer_saves_the_home_and_moves_it(
    browser: Browser, site_address: str, tmp_path: Path
) -> None:
    anna = Session.create(Home(tmp_path / "anna"), Identity.generate("Anna", ""))
    invitation = sign_agreed(anna, anna.invite(Side.BRITISH), tmp_path / "new.toml")
    fragment = to_link(invitation.data, "").removeprefix("#")
    with browser.new_context(locale="en") as context:
        visit = Visit(context, site_address).open(f"#{fragment}")
        visit.frame.get_by_label("Your name").fill("Béla")
        expect(visit.page).not_to_have_url(re.compile(re.escape(fragment)))
        visit.frame.get_by_role("button", name="Begin").click()
        visit.page.wait_for_url("**/games/*", timeout=LONG)
        expect(visit.frame.get_by_text("Anna").first).to_be_visible()
        game = visit.page.url
        visit.accept()
        # The acceptance is signed, and does not leave before the home is saved.
        visit.frame.get_by_role("link", name="Save my identity").click(timeout=LONG)
        visit.frame.locator("#passphrase").fill(SECRET)
        visit.frame.locator("#again").fill(SECRET)
        with visit.page.expect_download() as waiting:
            visit.frame.get_by_role("button", name="Save a copy").click()
        waiting.value.save_as(tmp_path / "home.sealed")
        visit.page.goto(game)
        expect(visit.frame.get_by_role("link", name="Save the file")).to_be_visible(timeout=LONG)
        visit.open()
        expect(visit.frame.get_by_text("last saved on")).to_be_visible(timeout=LONG)
    with browser.new_context(locale="en") as context:
        visit = Visit(context, site_address).open()
        visit.frame.get_by_text("I have played before").click()
        visit.frame.locator("#sealed").set_input_files(tmp_path / "home.sealed")
        visit.frame.locator("#secret").fill(SECRET)
        visit.frame.get_by_role("button", name="Bring it here").click()
        expect(visit.frame.get_by_text("Against Anna")).to_be_visible(timeout=LONG)


@pytest.mark.slow
def test_second_of_two_devices_with_a_key_asks_before_it_signs(
    browser: Browser, site_address: str, tmp_path: Path
) -> None:
    """The key moves from the site to a laptop; both have the file to answer, and no network."""
    anna = Session.create(Home(tmp_path / "anna"), Identity.generate("Anna", ""))
    invitation = sign_agreed(anna, anna.invite(Side.BRITISH, lists=1), tmp_path / "new.toml")
    game, laptop = tmp_path / "game.toml", Home(tmp_path / "laptop")
    with browser.new_context(locale="en") as context:
        visit = Visit(context, site_address).open()
        visit.begin("Béla")
        visit.upload(invitation.path, is_warned=False)
        page = visit.path
        visit.accept()
        visit.frame.get_by_role("link", name="Save my identity").click()
        visit.frame.locator("#passphrase").fill(SECRET)
        visit.frame.locator("#again").fill(SECRET)
        with visit.page.expect_download() as waiting:
            visit.frame.locator('[name=moves][value="1"]').click()
        transfer.import_home(laptop, waiting.value.path().read_bytes(), SECRET)
        visit.open(page)
        with visit.page.expect_download() as waiting:
            visit.frame.get_by_role("link", name="Save the file").click()
        turn = anna.answer(anna.read(waiting.value.path().read_bytes()))
        while not turn.is_complete:
            turn.order(next(turn.choices.some_orders()))
        sign_agreed(anna, turn, game)
        visit.frame.locator("#file").set_input_files(game)
        # The laptop asks first, because the site may have signed more since.
        resign = ("turn", "resign", game, "--yes", "--output", tmp_path / "signed.toml")
        assert "another computer" in acres(*resign, home=laptop.folder).fails().err
        do(*resign, "--newest", home=laptop.folder)
        # The site does not know that, and asks as well.
        question = visit.frame.get_by_text("Your key was moved to another device")
        expect(question).to_contain_text("and choose it under “Your games”")
        expect(visit.frame.locator("#resign, #sign, .lit")).to_have_count(0)
        # The file of the laptop shows that it has answered.
        visit.frame.get_by_role("link", name="Your games").click()
        visit.upload(tmp_path / "signed.toml")
        expect(visit.frame.locator("main")).to_contain_text("resigned")
        expect(visit.frame.locator("#resign, #sign")).to_have_count(0)


@pytest.mark.slow
def test_anybody_checks_a_game(browser: Browser, site_address: str) -> None:
    with browser.new_context(locale="en") as context:
        visit = Visit(context, site_address).open("#/audit")
        page = visit.page.frames[1]
        page.evaluate(script("watch_progress"))
        visit.frame.locator("#file").set_input_files(GAME)
        proved = visit.frame.get_by_text("Everything in this file is proved.")
        expect(proved).to_be_visible(timeout=LONG)
        assert 0 < max(page.evaluate("shares")) < 1
        expect(visit.frame.locator("#checking")).to_be_hidden()

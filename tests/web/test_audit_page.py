"""The page on which anybody checks a file, with the words of `acres audit`."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pbem.savefile.armour import armour
from tests.board.browser import script, window
from tests.cli.commands import acres
from tests.web.inline import HOST, Answer, Visitor
from tests.web.serving import serving

ROOT = Path(__file__).parents[2]
GAME = ROOT / "saves/practice/game-041.toml"
EVIDENCE = ROOT / "tests/old_files/0.1.0/fork-2cddf24b-54.toml"


@pytest.fixture
def anybody(tmp_path: Path) -> Visitor:
    return Visitor(tmp_path / "home")


def check(visitor: Visitor, data: bytes) -> Answer:
    return visitor._ask("POST", "/audit", data, {"origin": f"https://{HOST}"})


def words(answer: Answer) -> list[str]:
    """Return the words of a verdict."""
    assert answer.status == 200, answer.body
    return unescape(re.sub(r"<[^>]*>", " ", answer.data["parts"]["verdict"])).split()


@pytest.mark.parametrize("path", [GAME, EVIDENCE], ids=["game", "evidence"])
def test_page_says_what_the_command_says(anybody: Visitor, path: Path) -> None:
    command = acres("audit", path)
    assert words(check(anybody, path.read_bytes())) == command.out.split()


def test_file_that_was_changed_is_not_valid(anybody: Visitor) -> None:
    text = GAME.read_text()
    changed = text.replace('time = "2026-01-01T', 'time = "2026-01-02T', 1)
    assert changed != text
    said = " ".join(words(check(anybody, changed.encode())))
    assert "This file is not valid." in said and "proved" not in said


def test_text_and_messages_are_checked_too(anybody: Visitor) -> None:
    expected = words(check(anybody, GAME.read_bytes()))
    quoted = "".join(f"> {line}\n" for line in armour(GAME.read_bytes()).splitlines())
    for data in (quoted, f"From: a@b.c\nSubject: Game\n\nHello!\n{quoted}"):
        assert words(check(anybody, data.encode())) == expected


@pytest.mark.parametrize("data", [b"", b"hello", b'format = "acres-save"\n', b"\0" * 99])
def test_anything_else_is_refused_in_a_sentence(anybody: Visitor, data: bytes) -> None:
    answer = check(anybody, data)
    assert answer.status == 409 and answer.data["said"]


def test_nobody_needs_an_identity_and_nothing_is_stored(anybody: Visitor) -> None:
    page = anybody.get("/audit", accept="text/html")
    assert page.status == 200 and "Is this game honest?" in page.body.decode()
    check(anybody, GAME.read_bytes())
    assert not anybody.pages.service.home.folder.exists()
    anybody.post("/welcome", name="Zoé", email="", passphrase="", again="")
    folder = anybody.pages.service.home.folder
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    check(anybody, GAME.read_bytes())
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert anybody.pages.service.games() == []


@pytest.mark.parametrize("path", ["/", "/welcome"])
def test_first_pages_lead_to_it(anybody: Visitor, path: str) -> None:
    if path == "/":
        anybody.post("/welcome", name="Zoé", email="", passphrase="", again="")
    assert 'href="/audit"' in anybody.get(path, accept="text/html").body.decode()


def test_chosen_file_is_checked_on_the_page(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.web.host.PROGRESS_SECONDS", 0)
    with serving(tmp_path / "home") as served, window(browser) as page:
        page.goto(served.access.new_link("/audit"))
        page.evaluate(script("watch_progress"))
        page.set_input_files("#file", GAME)
        page.get_by_text("Everything that this file shows so far is proved.").wait_for()
        assert 0 < max(page.evaluate("shares")) < 1
        assert page.locator("#checking").is_hidden()
        page.set_input_files("#file", EVIDENCE)
        page.get_by_text("The fork is proved.").wait_for()
        assert page.url.endswith("/audit")

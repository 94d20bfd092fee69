"""Invitations in links: written by every front end, and opened in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pbem.mail.draft import compose_email
from pbem.play.game_file import GameFile
from pbem.play.home import Home
from pbem.savefile.armour import BEGIN, COLUMNS, END, MAX_CHAT, to_link, unarmour
from tests.board.browser import window
from tests.cli.commands import acres, do
from tests.mail.parts import body_of
from tests.web.inline import Visitor
from tests.web.serving import serving

ROOT = Path(__file__).parents[2]
SITE = "https://acres.example/play/"


def file_in(link: str) -> bytes:
    """Return the file in a link, as docs/save-format.md describes it."""
    text = link.partition("#")[2].replace("-", "+").replace("_", "/")
    text += "=" * (-len(text) % 4)
    lines = [text[at : at + COLUMNS] for at in range(0, len(text), COLUMNS)]
    return unarmour("\n".join((BEGIN, *lines, END, "")).encode())


@pytest.fixture
def cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the home of Anna, who knows a site."""
    monkeypatch.chdir(tmp_path)
    do("init", "--name", "Anna", home="anna")
    do("config", "site", SITE.removesuffix("/"), home="anna")
    return tmp_path


@pytest.mark.parametrize("length", range(12))
def test_link_has_the_file(length: int) -> None:
    data = bytes(range(length))
    link = to_link(data, SITE)
    assert link.startswith(f"{SITE}#") and file_in(link) == data


def test_command_prints_the_link_of_an_invitation(cwd: Path) -> None:
    for side in ("any", "british"):
        out = do("new", "--side", side, "--output", f"{side}.toml", home="anna").out
        (link,) = (line.strip() for line in out.splitlines() if SITE in line)
        assert file_in(link) == (cwd / f"{side}.toml").read_bytes()
        assert len(link) <= MAX_CHAT
    do("config", "site", "--unset", home="anna")
    assert "#" not in do("new", "--side", "any", "--output", "other.toml", home="anna").out


@pytest.mark.parametrize(
    "address", ["acres.example", "ftp://acres.example", "javascript:alert(1)", "https://a.b/#x",
                "https://a.b/?x", "https://a.b/ c", "https://é.example/", "https://"]
)  # fmt: skip
def test_other_addresses_are_refused(cwd: Path, address: str) -> None:
    assert "https://" in acres("config", "site", address, home="anna").fails(2).err
    assert do("config", "site", home="anna").out.strip() == SITE


def test_mail_names_the_site_in_both_languages(cwd: Path) -> None:
    data = Path(ROOT, "saves/practice/game-041.toml").read_bytes()
    match = GameFile.read(data).match
    body = body_of(compose_email(match, data, "game-005.toml", language="fr", site=SITE))
    assert body.count(f"  {SITE}\n") == 2
    assert "Répondez dans votre navigateur" in body and "Answer in your browser" in body
    assert "browser" not in body_of(compose_email(match, data, "game-005.toml"))


@pytest.mark.parametrize("side", ["any", "british"])
def test_mail_has_the_link_if_it_fits_a_line(cwd: Path, side: str) -> None:
    do("new", "--side", side, "--output", "new.toml", home="anna")
    data = (cwd / "new.toml").read_bytes()
    email = compose_email(GameFile.read(data).match, data, "new.toml", site=SITE)
    (link,) = (line.strip() for line in body_of(email).splitlines() if SITE in line)
    assert file_in(link) == data if side == "any" else link == SITE
    assert max(map(len, email.as_bytes().splitlines())) <= 998


def test_draft_and_page_name_the_site(cwd: Path) -> None:
    do("new", "--side", "any", "--mail", "--output", "new.toml", home="anna")
    assert SITE in (cwd / "new.eml").read_text().replace("=\n", "")
    visitor = Visitor(cwd / "anna")
    (entry,) = visitor.pages.service.games()
    page = visitor.get(f"/games/{entry.id.hex()}", accept="text/html").body.decode()
    assert to_link((cwd / "new.toml").read_bytes(), SITE) in page


def test_link_opens_the_invitation_for_a_newcomer(
    browser: Browser, cwd: Path, tmp_path: Path
) -> None:
    do("new", "--side", "british", "--output", "new.toml", home="anna")
    data = (cwd / "new.toml").read_bytes()
    with serving(tmp_path / "bela") as served, window(browser) as page:
        page.goto(served.access.new_link())
        page.goto(to_link(data, f"http://127.0.0.1:{served.port}/"))
        page.get_by_label("Your name").fill("Béla")
        assert "#" not in page.url
        page.get_by_role("button", name="Begin").click()
        page.get_by_text("Anna").first.wait_for()
        page.wait_for_url("**/games/*")
        # It is opened once.
        page.goto(f"http://127.0.0.1:{served.port}/")
        page.locator("#files").wait_for()
        assert page.evaluate("localStorage.getItem('linked')") is None
    assert [*Home(tmp_path / "bela").games.glob("*.toml")]

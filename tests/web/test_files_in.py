"""Files that a player gives to the first page: taken as by a command, or left for a reason."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pytest

from engine.sides import Side
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.play.signing import Written
from pbem.protocol.identity import Identity
from pbem.savefile.armour import armour
from tests.signing import sign_agreed
from tests.web.serving import Answer, Serving, Visitor, serving


class Table(NamedTuple):
    """Anna's pages, and her browser; Béla plays with her, from a home of his own."""

    served: Serving
    browser: Visitor
    anna: Session
    bela: Session

    def give(self, data: bytes, name: str = "game.toml") -> Answer:
        headers = {"origin": self.browser.own, "accept": "application/json"}
        return self.browser.ask(f"/files?name={quote(name)}", "POST", data, **headers)

    @property
    def files(self) -> dict[Path, bytes]:
        folder = self.anna.home.games
        return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    anna, bela = (
        Session.create(Home(tmp_path / name), Identity.generate(name, f"{name}@example.org"))
        for name in ("Anna", "Bela")
    )
    with serving(anna.home.folder) as served:
        yield Table(served, served.browser(), anna, bela)


def joined(table: Table) -> Written:
    """What Béla sends to Anna, who has invited him."""
    invitation = table.anna.invite(Side.BRITISH, lists=1)
    path = table.anna.home.games / invitation.path
    written = sign_agreed(table.anna, invitation, path)
    return signed(table.bela, written)


def signed(session: Session, written: Written) -> Written:
    acceptance = session.join(session.read(written.data))
    return sign_agreed(session, acceptance, session.home.folder / "mine-001.toml")


def letter(data: bytes) -> bytes:
    message = EmailMessage()
    message["From"], message["Subject"] = "bela@example.org", "my turn"
    message.set_content("Here it is.")
    message.add_attachment(data, maintype="application", subtype="toml", filename="b-001.toml")
    return message.as_bytes()


@pytest.mark.parametrize("form", ["file", "letter", "pasted", "quoted", "windows"])
def test_an_answer_is_taken_in_whatever_it_came(table: Table, form: str) -> None:
    written = joined(table)
    data = written.data
    forms = {
        "file": data,
        "letter": letter(data),
        "pasted": f"Hello Anna,\n\n{armour(data)}\nSee you\n".encode(),
        "quoted": armour(data).replace("-----", "> -----", 1).replace("\n", "\r\n> ").encode(),
        "windows": data.decode().replace("\n", "\r\n").encode("utf-16"),
    }
    answer = table.give(forms[form], "" if form in ("pasted", "quoted") else "game.toml")
    assert answer.status == 200, answer.text
    game = written.match.id.hex()
    if form in ("file", "letter"):
        assert answer.data["go"] == f"/games/{game}"
    listed = table.served.pages.desk.listed(game)
    assert listed.game.waits_for == "you"
    assert listed.file_in is not None
    assert table.anna.read(listed.file_in).match.last.hash == written.match.last.hash
    assert listed.file_in.parent == table.anna.home.games


def test_what_comes_twice_is_kept_once(table: Table) -> None:
    data = joined(table).data
    table.give(data)
    before = table.files
    assert table.give(data, "game (1).toml").status == 200
    assert table.files == before


def test_an_invitation_waits_in_the_list_until_it_is_taken_up(table: Table) -> None:
    invitation = table.bela.invite(Side.FRENCH, lists=1)
    written = sign_agreed(table.bela, invitation, table.bela.home.folder / "game-000.toml")
    game = written.match.id.hex()
    answer = table.give(written.data)
    assert answer.data["go"] == f"/games/{game}"
    assert table.browser.ask(answer.data["go"]).status == 200
    page = table.browser.ask("/").text
    assert f"/games/{game}" in page
    assert "Your invitation to it has been waiting" in page
    opened = table.served.pages.desk.open(game)
    assert opened.game.path is not None
    sign_agreed(table.anna, table.anna.join(opened.game))
    listed = table.served.pages.desk.games()
    assert [each.id for each in listed] == [written.match.id]
    assert listed[0].game.waits_for == "opponent"


def test_a_damaged_file_is_told_and_not_kept(table: Table) -> None:
    data = joined(table).data
    before = table.files
    at = data.index(b"signature = ") + 20
    damaged = data[:at] + (b"A" if data[at : at + 1] != b"A" else b"B") + data[at + 1 :]
    for each in (damaged, data[: len(data) // 3], b"\x00\xff" * 99, b"", b"a = 1\n"):
        answer = table.give(each, "../../etc/x<b>.toml")
        assert answer.status == 409
        assert answer.data["said"]
    assert table.files == before


def test_a_game_of_others_is_not_kept(table: Table, tmp_path: Path) -> None:
    carl = Session.create(Home(tmp_path / "carl"), Identity.generate("Carl", ""))
    invitation = carl.invite(Side.BRITISH, lists=1)
    written = sign_agreed(carl, invitation, tmp_path / "theirs-000.toml")
    answer = table.give(signed(table.bela, written).data)
    assert answer.status == 409
    assert not table.files


def test_what_is_longer_than_any_file_is_refused(table: Table) -> None:
    assert table.give(b"x" * (9 * 2**20)).status == 413


def test_nobody_elses_page_gives_files(table: Table) -> None:
    data = joined(table).data
    before = table.files
    headers = {"origin": "http://evil.example", "accept": "application/json"}
    assert table.browser.ask("/files?name=x", "POST", data, **headers).status == 403
    assert table.files == before

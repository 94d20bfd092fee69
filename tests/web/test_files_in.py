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
from pbem.play.signing import SignedFile
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


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    anna, bela = (
        Session.create(Home(tmp_path / name), Identity.generate(name, f"{name}@example.org"))
        for name in ("Anna", "Bela")
    )
    with serving(anna.home.folder) as served:
        yield Table(served, served.browser(), anna, bela)


def joined(table: Table) -> SignedFile:
    """What Béla sends to Anna, who has invited him."""
    invitation = table.anna.invite(Side.BRITISH, lists=1)
    path = table.anna.home.games / invitation.path
    written = sign_agreed(table.anna, invitation, path)
    acceptance = table.bela.join(table.bela.read(written.data))
    return sign_agreed(table.bela, acceptance, table.bela.home.folder / "mine-001.toml")


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
    listed = table.served.pages.service.listed(game)
    assert listed.game.waits_for == "you"
    assert listed.file_in is not None
    assert table.anna.read(listed.file_in).match.last.hash == written.match.last.hash
    assert listed.file_in.parent == table.anna.home.games


def test_ones_own_file_is_nothing_new(table: Table) -> None:
    joined(table)
    (own,) = table.anna.home.games.glob("*-000.toml")
    for _ in range(2):
        answer = table.give(own.read_bytes())
        assert answer.status == 200, answer.text
        assert "nothing" in str(answer.data["said"])


def test_what_is_longer_than_any_file_is_refused(table: Table) -> None:
    assert table.give(b"x" * (9 * 2**20)).status == 413

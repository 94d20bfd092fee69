"""Uploads on the first page, which are handled as by a command or refused with a reason."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.sides import Side
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.play.signing import SignedFile
from pbem.protocol.identity import Identity
from pbem.savefile.armour import armour
from tests.signing import sign_agreed
from tests.web.inline import Visitor


class Table(NamedTuple):
    """Anna, her browser, her invitation, and Bela's answer to it."""

    browser: Visitor
    anna: Session
    invitation: SignedFile
    acceptance_file: SignedFile


@pytest.fixture
def table(tmp_path: Path) -> Table:
    anna, bela = (
        Session.create(Home(tmp_path / name), Identity.generate(name, f"{name}@example.org"))
        for name in ("Anna", "Bela")
    )
    invitation = anna.invite(Side.BRITISH, lists=1)
    invited = sign_agreed(anna, invitation, anna.home.games / invitation.path)
    acceptance = bela.join(bela.read(invited.data))
    acceptance_file = sign_agreed(bela, acceptance, bela.home.folder / "mine-001.toml")
    return Table(Visitor(anna.home.folder), anna, invited, acceptance_file)


def message_with(data: bytes) -> bytes:
    message = EmailMessage()
    message["From"], message["Subject"] = "bela@example.org", "my turn"
    message.set_content("Here it is.")
    message.add_attachment(data, maintype="application", subtype="toml", filename="b-001.toml")
    return message.as_bytes()


@pytest.mark.parametrize("form", ["file", "letter", "pasted", "quoted", "windows"])
def test_answer_is_added_in_any_form(table: Table, form: str) -> None:
    data = table.acceptance_file.data
    forms = {
        "file": data,
        "letter": message_with(data),
        "pasted": f"Hello Anna,\n\n{armour(data)}\nSee you\n".encode(),
        "quoted": armour(data).replace("-----", "> -----", 1).replace("\n", "\r\n> ").encode(),
        "windows": data.decode().replace("\n", "\r\n").encode("utf-16"),
    }
    answer = table.browser.upload(forms[form], "" if form in ("pasted", "quoted") else "game.toml")
    assert answer.status == 200, answer.body
    game = table.acceptance_file.match.id.hex()
    if form in ("file", "letter"):
        assert answer.data["go"] == f"/games/{game}"
    listed = table.browser.pages.service.entry(game)
    assert listed.game.waits_for == "you"
    assert listed.file_in is not None
    assert table.anna.read(listed.file_in).match.last.hash == table.acceptance_file.match.last.hash
    assert listed.file_in.parent == table.anna.home.games


def test_own_file_is_reported_as_known(table: Table) -> None:
    for _ in range(2):
        answer = table.browser.upload(table.invitation.data, "game.toml")
        assert answer.status == 200 and "nothing" in answer.data["said"]

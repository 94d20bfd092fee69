"""Uploads on the first page, which are handled as by a command or refused with a reason."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.sides import Side
from pbem.errors import InputError
from pbem.play.home import Home
from pbem.play.inbox import Arrival, ArrivalKind, Inbox
from pbem.play.incoming import IncomingFile
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


@pytest.mark.parametrize("kind", ArrivalKind)
def test_every_kind_of_arrival_has_an_answer(
    table: Table, kind: ArrivalKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    add, with_error = Inbox.add, kind.is_refused or kind is ArrivalKind.FAILED
    has_game = not with_error and kind not in (ArrivalKind.TOO_LARGE, ArrivalKind.WITHOUT_FILE)

    def add_as(inbox: Inbox, file: IncomingFile, **options: Any) -> list[Arrival]:
        (arrival,) = add(inbox, file, **options)
        error = InputError("It is damaged.") if with_error else None
        match = arrival.match if has_game else None
        return [arrival._replace(kind=kind, error=error, match=match)]

    monkeypatch.setattr(Inbox, "add", add_as)
    answer = table.browser.upload(table.acceptance_file.data, "game.toml")
    is_refused = not has_game or kind is ArrivalKind.FOREIGN
    assert answer.status == (409 if is_refused else 200)
    assert len(answer.data["said"]) > 8 and "should not" not in answer.data["said"]
    assert is_refused == ("go" not in answer.data and "link" not in answer.data)


@pytest.mark.parametrize("page", ["own", "another", "/new/robot"])
def test_file_on_another_page_is_added_and_the_page_stays(table: Table, page: str) -> None:
    game = table.acceptance_file.match.id.hex()
    at = {"own": f"/games/{game}", "another": f"/games/{'0' * 64}"}.get(page, page)
    answer = table.browser.upload(table.acceptance_file.data, "game.toml", acres_page=at)
    assert answer.status == 200 and "go" not in answer.data
    assert "A turn has arrived" in answer.data["said"]
    assert ("another game" in answer.data["said"]) == (page != "own")
    link = [f"/games/{game}", "Open that game"]
    assert answer.data.get("link") == (None if page == "own" else link)
    assert table.browser.pages.service.entry(game).game.records == 2

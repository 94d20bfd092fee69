"""Each message as mail programs write them yields the exact file that was sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.mail.found import Found
from pbem.mail.search import save_files
from tests.fuzz.games import game_named
from tests.mail.programs import NAME, PROGRAMS

GAMES = ("second", "open-invitation")
CORPUS = Path(__file__).parent / "corpus"


def only(message: bytes) -> Found:
    (found,) = save_files(message)
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_exact_file_is_found(program: str, game: str) -> None:
    file = game_named(game).data
    found = only(PROGRAMS[program](file))
    assert found.data == file


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_same_is_found_with_the_line_ends_of_unix(program: str) -> None:
    """As most programs save a message."""
    file = game_named("joined").data
    message = PROGRAMS[program](file)
    assert only(message.replace(b"\r\n", b"\n")).data == file


@pytest.mark.parametrize("message", sorted(CORPUS.glob("*.eml")), ids=lambda path: path.stem)
def test_messages_of_earlier_versions_are_found(message: Path) -> None:
    """These are kept: whatever becomes of the format and of this reader, they stay readable."""
    assert only(message.read_bytes()).data == (CORPUS / "invitation.toml").read_bytes()


def test_there_are_messages_of_earlier_versions() -> None:
    assert len(list(CORPUS.glob("*.eml"))) >= 6


@pytest.mark.parametrize("charset", ["utf-16", "utf-8-sig"])
@pytest.mark.parametrize("greeting", ["", "Salut !\r\n\r\n"])
def test_a_text_that_was_copied_on_windows_is_found(charset: str, greeting: str) -> None:
    file = game_named("joined").data
    text = greeting + file.decode().replace("\n", "\r\n")
    assert only(text.encode(charset)).data == file


def test_what_the_headers_say_is_told() -> None:
    found = only(PROGRAMS["Gmail on the web, attached"](game_named("joined").data))
    assert (found.envelope.sender, found.envelope.subject) == (
        "Béla <bela@example.org>",
        "Re: acres, turn 3",
    )
    assert found.envelope.message_id == "<20261121.1@example.org>"
    assert found.envelope.date == "Sat, 21 Nov 2026 10:00:00 +0000"
    assert (found.name, str(found.where)) == (NAME, f"the attachment {NAME}")


def test_no_name_leads_anywhere() -> None:
    found = only(PROGRAMS["attached under a path"](game_named("joined").data))
    assert found.name == "passwd"

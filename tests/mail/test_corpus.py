"""Each message as mail programs write them yields the exact file that was sent."""

from __future__ import annotations

from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.errors import Unreadable
from pbem.mail.found import Found
from pbem.mail.search import save_files
from tests.fuzz.games import game_named
from tests.mail.programs import NAME, PROGRAMS
from tests.sample import sample

GAMES = ("second", "open-invitation")
CORPUS = Path(__file__).parent / "corpus"


def only(message: bytes) -> Found:
    (found,) = save_files(message)
    return found


@pytest.mark.parametrize("game", sample(GAMES, first=1))
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_exact_file_is_found(program: str, game: str) -> None:
    file = game_named(game).data
    found = only(PROGRAMS[program](file))
    assert found.data == file


@pytest.mark.parametrize("program", sample(PROGRAMS, every=4))
def test_the_same_is_found_with_the_line_ends_of_unix(program: str) -> None:
    """As most programs save a message."""
    file = game_named("joined").data
    message = PROGRAMS[program](file)
    assert only(message.replace(b"\r\n", b"\n")).data == file


@pytest.mark.parametrize("message", sorted(CORPUS.glob("*.eml")), ids=lambda path: path.stem)
def test_messages_of_earlier_versions_are_found(message: Path) -> None:
    """These are kept: whatever becomes of the format and of this reader, they stay readable."""
    assert only(message.read_bytes()).data == (CORPUS / "invitation.toml").read_bytes()


@pytest.mark.parametrize("program", ["mutt", "neomutt", "msmtp", "alpine", "s-nail", "sendmail"])
def test_what_a_program_sent_that_was_given_the_draft_is_the_letter(program: str) -> None:
    """Recorded: mutt 2.2 and neomutt 2022 by -H, msmtp 1.8 by -t, Alpine 2.26 from postponed.

    Later ones of others, as tests.mail.tried has them give out their letters.
    """
    sent = message_from_bytes((CORPUS / f"{program}-sent.eml").read_bytes(), policy=policy.default)
    assert (sent["From"], sent["To"]) == ("Anna <anna@example.org>", "bela@example.org")
    assert "X-Unsent" not in sent
    text, file = sent.iter_parts()
    assert "Anna vous invite à une partie" in text.get_content()
    assert file.get_filename() == "invitation.toml"


def test_what_alpine_pipes_is_told_from_a_letter_without_a_file() -> None:
    """Recorded with Alpine 2.26, which pipes what it shows."""
    with pytest.raises(Unreadable, match="press \\^W"):
        save_files((CORPUS / "alpine-piped.txt").read_bytes())


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

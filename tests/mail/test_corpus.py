"""Each message of a mail program yields the exact file that was attached to it."""

from __future__ import annotations

from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.errors import InputError
from pbem.play.incoming import IncomingFile
from pbem.play.message import extract_files
from tests.fuzz.games import find_game
from tests.mail.programs import NAME, PROGRAMS
from tests.text.throwaway import throwaway

CORPUS = Path(__file__).parent / "corpus"
MESSAGES = {path.stem: path.read_bytes() for path in sorted(CORPUS.glob("*.eml"))}
FILE = (CORPUS / "invitation.toml").read_bytes()
IN_THE_TEXT = {
    "exchange-pasted": "between a warning of the server and a disclaimer",
    "gmail-html": "quoted in a page",
    "mutt-forwarded": "written into the text by `forward`",
    "notmuch-replied": "quoted by `> `",
    "outlook-html": "a paragraph of a page for each line",
    "thunderbird-answered": "quoted by `>`, in flowed lines",
}
"""The messages without an attachment, and the place of the file in their text."""
SENT = ("mutt", "neomutt", "msmtp", "alpine", "s-nail", "sendmail")


def single_file(message: bytes) -> IncomingFile:
    (results,) = extract_files(message)
    return results


@pytest.mark.parametrize("line_end", [b"\r\n", b"\n"], ids=["as sent", "as most programs save it"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_exact_file_is_extracted(program: str, line_end: bytes) -> None:
    file = find_game("joined").data
    assert single_file(PROGRAMS[program](file).replace(b"\r\n", line_end)).data == file


@pytest.mark.parametrize("name", sorted(MESSAGES.keys() - IN_THE_TEXT.keys()))
def test_attached_file_is_extracted(name: str) -> None:
    """Every later version must be able to read these messages."""
    with throwaway():
        assert single_file(MESSAGES[name]).data == FILE


@pytest.mark.parametrize("name", IN_THE_TEXT)
def test_file_pasted_into_a_text_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="quoted or wrapped by a mail program") as refused:
        extract_files(MESSAGES[name])
    assert "in the text of the message" in str(refused.value)
    assert "ask for the file to be attached" in str(refused.value)


def test_message_piped_by_alpine_has_no_file() -> None:
    """The file was recorded with Alpine 2.26, which pipes the message as displayed."""
    assert extract_files((CORPUS / "alpine-piped.txt").read_bytes()) == []


@pytest.mark.parametrize("program", SENT)
def test_draft_sent_by_a_mail_program_is_intact(program: str) -> None:
    """The drafts were sent with mutt 2.2, neomutt 2022, msmtp 1.8 and Alpine 2.26."""
    sent = message_from_bytes(MESSAGES[f"{program}-sent"], policy=policy.default)
    assert (sent["From"], sent["To"]) == ("Anna <anna@example.org>", "bela@example.org")
    assert "X-Unsent" not in sent
    text, file = sent.iter_parts()
    assert "Anna vous invite à une partie" in text.get_content()
    assert file.get_filename() == "invitation.toml"


def test_envelope_and_attachment_name_are_read() -> None:
    file = single_file(PROGRAMS["attached as application/toml"](find_game("joined").data))
    sender, subject, message_id, *_ = file.envelope
    assert sender == "Béla <bela@example.org>"
    assert (subject, message_id) == ("Re: acres, turn 3", "<20261121.1@example.org>")
    assert (file.name, str(file.location)) == (NAME, f"the attachment {NAME}")
    assert single_file(PROGRAMS["attached under a path"](find_game("joined").data)).name == "passwd"

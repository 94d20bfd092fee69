"""Messages of a game without a file: replies of people, and reports of servers."""

from __future__ import annotations

import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.cli.table import unwrap
from tests.mail.messages import flags, plain
from tests.mail.players import Player
from tests.mail.programs import multipart
from tests.mail.sent_messages import parse
from tests.mail.servers import PostOffice
from tests.mail.test_fetching import as_data, deliver_and_fetch

AUTOMATIC = "An automatic reply from anna@example.org has no file in it: your mail program shows"
NO_FILE = "A message from anna@example.org has no file in it that can be read"


@pytest.fixture
def sent_letter(office: PostOffice, bela: Player, joined: Path) -> bytes:
    """The message that Bela sent to Anna."""
    bela.do("mail", "send", joined)
    (messages,) = office.messages
    office.clear(bela.address)
    return messages


def reply(sent_letter: bytes, attached: str = "", **headers: str) -> bytes:
    message = EmailMessage()
    message["From"], message["To"] = "Anna <anna@example.org>", "bela@example.org"
    message["In-Reply-To"] = parse(sent_letter)["Message-ID"]
    for name, value in headers.items():
        del message[name.replace("_", "-")]
        message[name.replace("_", "-")] = value
    message.set_content("I shall play tomorrow.\n")
    if attached:
        message.add_attachment(b"PK\x03\x04" * 90, "application", "zip", filename=attached)
    return message.as_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("headers", "text"),
    [
        ({}, NO_FILE),
        ({"attached": "turn.zip"}, NO_FILE),
        ({"Auto_Submitted": "auto-replied", "Return_Path": "<>"}, AUTOMATIC),
        ({"From": "isabela@example.org"}, "from isabela@example.org has no file"),
        ({"From": '"bela@example.org" <zoe@b.org>'}, "from zoe@b.org has no file"),
        # What is the player's own, or of no thread.
        ({"From": "bela@example.org"}, ""),
        ({"In_Reply_To": "<another@example.org>"}, ""),
    ],
)
def test_reply_is_reported(
    bela: Player, sent_letter: bytes, headers: dict[str, str], text: str
) -> None:
    result = deliver_and_fetch(bela, reply(sent_letter, **headers), plain())
    output = unwrap(result.err)
    assert text in output
    assert ("No turn has arrived" in result.out) == (not output) == (not text)
    if text:
        assert "against Anna" in output
        is_automatic = text == AUTOMATIC
        assert ("ask for the file to be attached" in output) != is_automatic
        (news,) = as_data(bela, "--days", 1)
        assert (news["what"], news["automatic"]) == ("without file", is_automatic)
    assert flags(bela) == [set(), set()]


def test_bounce_is_not_an_arrival(bela: Player, sent_letter: bytes) -> None:
    """The file in a bounce is the player's own, and the mail program shows the failure."""
    head = re.split(rb"\r?\n\r?\n", sent_letter)[0].decode()
    sorry = "Content-Type: text/plain\n\nI am sorry.\n"
    whole = multipart("report", sorry, f"Content-Type: message/rfc822\n\n{sent_letter.decode()}")
    cut = multipart("report", sorry, f"Content-Type: text/rfc822-headers\n\n{head}\n")
    assert deliver_and_fetch(bela, whole, cut).out == "No turn has arrived.\n"
    assert flags(bela) == [set(), set()]


def test_reply_with_a_file_is_only_a_turn(anna: Player, sent_letter: bytes) -> None:
    result = deliver_and_fetch(anna)
    assert result.err == ""
    assert "A turn has arrived" in result.out


# --- nobody is hurt by one

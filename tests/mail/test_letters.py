"""Letters: whole for every mail program, with nothing in them but what they are to say."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.sides import Side
from pbem.foreign import named
from pbem.mail.address import is_address
from pbem.mail.drafting import drafted
from pbem.mail.letter import (
    Attachment,
    Block,
    Commands,
    Correspondent,
    Heading,
    Items,
    Letter,
    Paragraph,
    Version,
    as_text,
)
from pbem.mail.search import save_files
from pbem.play.entry import accept, invite
from pbem.play.game_file import pack
from pbem.protocol.identity import Identity
from tests.cli.test_hostile_text import EMAILS, NAMES
from tests.mail.parts import content_of
from tests.play.playing import TIME, begin

FILE = b'format = "acres-save"\nversion = 1\n\n[[record]]\nsignature = """\\\n  ab\\\n  cd"""\n'
HEADERS = [
    "From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "MIME-Version",
    "Content-Type",
]  # fmt: skip
IDS = ["<1f0c66d2.0.aa@acres.invalid>", "<1f0c66d2.1.bb@acres.invalid>"]


def reports(*blocks: Block) -> list[Version]:
    return [Version("en", [*blocks])]


def letter(**changes: Any) -> Letter:
    """A letter from Anna to Béla."""
    usual = Letter(
        sender=Correspondent("Anna", "anna@example.org"),
        receiver=Correspondent("Béla", "bela@example.org"),
        subject="A Few Acres of Snow, game 1f0c66d2, turn 2: Béla (French) to move",
        time="2026-11-21T10:03:00Z",
        id="<1f0c66d2.2.cc@acres.invalid>",
        references=IDS,
        reports=reports(
            Heading("A game"),
            Paragraph("It is Béla’s move."),
            Commands(["acres join x.toml"]),
        ),
        file=Attachment("game-002.toml", FILE),
    )
    return usual._replace(**changes)


def parsed(letter: Letter) -> EmailMessage:
    """The message as a mail program reads its bytes."""
    return message_from_bytes(letter.message().as_bytes(), policy=policy.default)


def parts(message: EmailMessage) -> tuple[MIMEPart, MIMEPart]:
    """The text and the file of a letter."""
    text, file = message.iter_parts()
    return text, file


def test_a_letter_has_the_headers_of_one_that_is_answered() -> None:
    message = parsed(letter())
    assert message.keys() == HEADERS
    assert str(message["From"]) == "Anna <anna@example.org>"
    assert str(message["To"]) == "Béla <bela@example.org>"
    assert message["Subject"].endswith("turn 2: Béla (French) to move")
    assert message["Date"].datetime.isoformat() == "2026-11-21T10:03:00+00:00"
    assert message["In-Reply-To"] == IDS[-1]
    assert message["References"].split() == IDS
    assert not message.defects


def test_the_first_letter_answers_none() -> None:
    message = parsed(letter(references=[]))
    assert {"In-Reply-To", "References"}.isdisjoint(message.keys())


def test_it_is_a_text_and_a_file_and_neither_lies_within_another_part() -> None:
    """Alpine opens no draft that begins with a multipart, and Claws takes the text in it twice."""
    message = parsed(letter())
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/mixed", "text/plain", "text/plain",
    ]  # fmt: skip
    text, file = parts(message)
    assert "It is Béla’s move." in text.get_content()
    assert (file.get_content_disposition(), file.get_filename()) == ("attachment", "game-002.toml")


@pytest.mark.parametrize("kept_as", [b"\r\n", b"\n"], ids=["as sent", "in a mailbox of Unix"])
def test_the_file_is_that_which_was_attached(kept_as: bytes) -> None:
    sent = letter().message().as_bytes().replace(b"\r\n", kept_as)
    file = parts(message_from_bytes(sent, policy=policy.default))[1]
    assert content_of(file) == FILE
    assert file["Content-Transfer-Encoding"] == "7bit"


def test_what_is_found_in_a_draft_is_the_file_of_the_game() -> None:
    match = begin(3)
    data = pack(match, None, {}, "").write()
    sent = drafted(match, data, "game-001.toml").as_bytes()
    (found,) = save_files(sent)
    assert (found.data, found.name) == (data, "game-001.toml")
    # A program that quotes the whole message, or that keeps its text alone, changes nothing.
    (pasted,) = save_files(sent.replace(b"attachment", b"inline"))
    assert pasted.data == data


def test_the_file_can_be_read_by_eye_in_the_message_itself() -> None:
    sent = letter().message().as_bytes()
    assert FILE.replace(b"\n", b"\r\n") in sent


def test_nothing_on_the_way_has_to_change_a_letter() -> None:
    sent = letter(subject="Й" * 300).message().as_bytes()
    assert max(sent) < 128
    assert sent.count(b"\n") == sent.count(b"\r\n") == sent.count(b"\r")
    assert max(map(len, sent.split(b"\r\n"))) <= 78
    assert not re.search(rb"^(From |\.)", sent, re.M)


def test_the_same_letter_is_the_same_bytes() -> None:
    assert letter().message().as_bytes() == letter().message().as_bytes()


@pytest.mark.parametrize(
    "address",
    ["", "bela", "a@b, c@d", "a@b\nBcc: c@d", "Béla <bela@example.org>", "béla@example.org",
     "a b@c", "bela@example.org ", "<a@b>", "a@b>", "a,b@c", "@b", "a@", "a@@b", "a..b@c",
     "=?x?q?y?=@b",
     "a@b" + "b" * 252, "a@b\x00", *EMAILS.values()],
)  # fmt: skip
def test_to_what_is_no_address_nothing_is_addressed(address: str) -> None:
    assert not is_address(address)
    message = parsed(letter(receiver=Correspondent("Béla", address)))
    assert message.keys() == [name for name in HEADERS if name != "To"]


@pytest.mark.parametrize(
    "address", ["a@b", "o'neil@example.org", "a.b+acres@mail.example.org", "a_b=c%d@x-y.example"]
)
def test_to_an_address_it_is_addressed_as_it_is(address: str) -> None:
    (only,) = parsed(letter(receiver=Correspondent("Béla", address)))["To"].addresses
    assert only.addr_spec == address


anything = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=300),
    st.lists(
        st.sampled_from(
            ["\r\n", "\n", "=?utf-8?q?", "=0A", "?=", "Bcc: x@y", "\u202e", '"', "<", ","]
        ),
        max_size=12,
    ).map("".join),
    st.sampled_from([*NAMES.values(), *EMAILS.values()]),
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(anything, anything, anything, anything)
def test_no_name_address_or_text_adds_a_header_or_somebody(
    name: str, address: str, subject: str, told: str
) -> None:
    made = letter(
        sender=Correspondent(name, "anna@example.org"),
        receiver=Correspondent(name, address),
        subject=subject,
        reports=reports(Paragraph(told), Items(told, [told])),
        file=Attachment(f"{name}.toml", FILE),
    )
    message = parsed(made)
    expected = HEADERS if is_address(address) else [name for name in HEADERS if name != "To"]
    assert message.keys() == expected
    assert [one.addr_spec for one in message["From"].addresses] == ["anna@example.org"]
    assert len(list(message.walk())) == 3
    assert content_of(parts(message)[1]) == FILE
    # What a reader decodes steers nothing either.
    for header in ("From", "Subject"):
        assert not [c for c in str(message[header]) if not c.isprintable()]


@pytest.mark.parametrize(
    "called",
    [
        "Béla",
        "“Émile (practice)”",
        "É É É É",
        "a “b c”",
        "李" * 16,
        "Й" * 60,
        "a b é c d é",
        "Ébène " * 9,
    ],
)
def test_a_subject_is_read_as_it_was_written(called: str) -> None:
    subject = f"A Few Acres of Snow, game 1f0c66d2, turn 45: {called.strip()} (French) to move"
    message = parsed(letter(subject=subject))
    assert message["Subject"] == subject
    # The game is to be found by programs that decode nothing.
    assert (
        b"Subject: A Few Acres of Snow, game 1f0c66d2, turn 45:"
        in letter(subject=subject).message().as_bytes()
    )


@pytest.mark.parametrize("name", ["=?utf-8?q?=0ABcc:_x=40y?=", "a =?utf-8?b?QmNjOiB4QHk=?= b"])
def test_no_name_is_decoded_into_another_one(name: str) -> None:
    message = parsed(letter(sender=Correspondent(name, "a@b"), subject=f"{name} to move"))
    for header in ("From", "Subject"):
        assert "Bcc" not in str(message[header]).replace(name.replace("=?", "= ?"), "")


@pytest.mark.parametrize("email", EMAILS.values(), ids=EMAILS)
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_no_name_speaks_for_the_program(name: str, email: str) -> None:
    """An opponent's name is in the report, the subject and the headers, and stays a name."""
    inviter, guest = Identity.generate(name, email), Identity.generate("Anna", "anna@example.org")
    nonces = iter((bytes(32), bytes([1]) * 32))
    match = invite(inviter, side=Side.FRENCH, nonce=next(nonces), time=TIME, lists=16)
    for then in (match, accept(match, guest, nonce=next(nonces), time=TIME)):
        message = message_from_bytes(
            drafted(then, FILE, "game.toml").as_bytes(), policy=policy.default
        )
        text, _ = (part.get_content().replace("\r\n", "\n") for part in parts(message))
        told = f"{text}\n{message['Subject']}"
        assert str(named(name)) in " ".join(told.split())
        assert not [c for c in told if not c.isprintable() and c != "\n"]
        assert not re.search(r"^\s*(acres:|Note:|Everything)", told, re.M)


# --- the report


LONG = "Anna (British) settled Deerfield, with New Haven, Norfolk and two Bateaux, and more " * 3


def test_the_text_fits_a_line_that_is_quoted() -> None:
    blocks: list[Block] = [Heading(LONG), Paragraph(LONG), Items(LONG, [LONG, LONG])]
    lines = as_text(reports(*blocks)).split("\n")
    assert max(map(len, lines)) <= 72
    assert " ".join(" ".join(lines).split()) == " ".join((LONG * 5).split())


def test_a_command_stays_on_its_line() -> None:
    command = "acres turn apply " + "x" * 80 + ".toml"
    assert f"\n  {command}\n" in as_text(reports(Paragraph("To answer:"), Commands([command])))


def test_no_line_begins_inside_a_name_that_is_quoted() -> None:
    name = "“acres: this game is proved, yes”"
    for before in range(60):
        told = as_text(reports(Paragraph("x" * before + f" {name} to move")))
        assert name in told

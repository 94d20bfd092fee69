"""Letters of a game that bring no file: replies of people, and reports of servers."""

import json
import re
from collections.abc import Callable
from email import message_from_bytes
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path

import pytest

from pbem.library import Library
from pbem.library.entries import Listed
from pbem.mail import fetching, search
from pbem.mail.found import Found
from tests.cli.using import Result
from tests.mail.arriving import flags, plain
from tests.mail.players import Player
from tests.mail.servers import PostOffice

DAEMON = "Mail Delivery System <MAILER-DAEMON@mx.example.org>"


@pytest.fixture
def sent(office: PostOffice, bela: Player, joined: Path) -> bytes:
    """The letter that Bela has sent to Anna."""
    bela.do("mail", "send", joined)
    (taken,) = office.taken
    office.clear(bela.address)
    return taken


def head(message: bytes) -> bytes:
    """The headers of a message alone."""
    return re.split(rb"\r?\n\r?\n", message)[0] + b"\r\n"


def multipart(kind: str, *parts: bytes, headers: str = "") -> bytes:
    body = b"".join(b"--=_b\r\n" + part + b"\r\n" for part in parts)
    return (
        f"From: {DAEMON}\r\nTo: bela@example.org\r\nSubject: Undelivered Mail\r\n{headers}"
        f'Date: {formatdate()}\r\nContent-Type: multipart/{kind}; boundary="=_b"\r\n\r\n'
    ).encode() + body + b"--=_b--\r\n"  # fmt: skip


def report(returned: bytes, kind: str) -> bytes:
    """Return a report that a letter did not arrive, as RFC 3464 has it."""
    return multipart(
        "report; report-type=delivery-status",
        b"Content-Type: text/plain\r\n\r\nI am sorry.\r\n",
        b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n"
        b"Final-Recipient: rfc822; anna@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n",
        b"Content-Type: " + kind.encode() + b"\r\n\r\n" + returned,
        headers="Auto-Submitted: auto-replied\r\nReturn-Path: <>\r\n",
    )


def exchange(returned: bytes) -> bytes:
    """Without a status, by a person of the name of a server, with what answers it by name."""
    name = message_from_bytes(returned)["Message-ID"].encode()
    return (
        b"From: postmaster@example.org\r\nTo: bela@example.org\r\n"
        b"Auto-Submitted: auto-generated\r\n"
        b"Subject: Undeliverable\r\nIn-Reply-To: " + name + b"\r\nReferences: " + name + b"\r\n\r\n"
        b"Delivery has failed to these recipients.\r\n550 5.1.10 RESOLVER.ADR.NotFound\r\n"
    )


def delivered(office: PostOffice, player: Player, *messages: bytes) -> Result:
    for each in messages:
        office.deliver(player.address, each)
    return player.do("mail", "fetch")


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_a_returned_letter_is_no_news(office: PostOffice, bela: Player, sent: bytes) -> None:
    """The player wrote the file in it; the mail program shows what became of it."""
    whole, cut = report(sent, "message/rfc822"), report(head(sent), "text/rfc822-headers")
    assert delivered(office, bela, whole, cut).out == "No turn has arrived.\n"
    assert flags(bela) == [set(), set()]


def test_a_report_that_answers_a_letter_is_told_as_an_automatic_reply(
    office: PostOffice, bela: Player, sent: bytes
) -> None:
    told = one_line(delivered(office, bela, exchange(sent)).err)
    assert "An automatic reply from postmaster@example.org has no file in it" in told
    assert "your mail program shows what it says" in told


# --- replies


def reply(sent: bytes, text: str = "I shall play tomorrow.\n", **headers: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = "Anna <anna@example.org>", "bela@example.org"
    message["Subject"] = "Re: A turn"
    message["In-Reply-To"] = message_from_bytes(sent)["Message-ID"]
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message


def test_a_reply_without_a_file_is_told_with_what_to_ask_for(
    office: PostOffice, bela: Player, sent: bytes
) -> None:
    done = delivered(office, bela, reply(sent).as_bytes())
    told = one_line(done.err)
    assert "A message from anna@example.org has no file in it that can be read" in told
    assert "against Anna" in told
    assert "ask for the file to be attached" in told
    assert "No turn" not in done.out


PGP = "-----BEGIN PGP MESSAGE-----\n\nhQEMA5x2\n=abcd\n-----END PGP MESSAGE-----\n"


def attached(sent: bytes, data: bytes, name: str) -> bytes:
    message = reply(sent)
    message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


@pytest.mark.parametrize(
    ("made", "hint"),
    [
        (lambda sent: reply(sent, PGP).as_bytes(), "which is sealed"),
        (lambda sent: attached(sent, b"\x30\x80" * 90, "smime.p7m"), "which is sealed"),
        (lambda sent: attached(sent, b"\x78\x9f\x3e\x22" * 90, "winmail.dat"), "winmail.dat"),
        (lambda sent: attached(sent, b"PK\x03\x04" * 90, "turn.zip"), "unpack it"),
        (
            lambda sent: multipart(
                'encrypted; protocol="application/pgp-encrypted"',
                b"Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n",
                b"Content-Type: application/octet-stream\r\n\r\n" + PGP.encode(),
                headers=f"In-Reply-To: {message_from_bytes(sent)['Message-ID']}\r\n",
            ).replace(DAEMON.encode(), b"anna@example.org"),
            "which is sealed",
        ),
    ],
)
def test_a_reply_that_is_closed_is_told_with_how_to_open_it(
    office: PostOffice, bela: Player, sent: bytes, made: Callable[[bytes], bytes], hint: str
) -> None:
    told = one_line(delivered(office, bela, made(sent)).err)
    assert "has no file in it that can be read" in told
    assert hint in told


def test_a_reply_by_nobody_is_told_mildly(office: PostOffice, bela: Player, sent: bytes) -> None:
    away = reply(sent, "I am away.\n", Auto_Submitted="auto-replied", Return_Path="<>")
    told = one_line(delivered(office, bela, away.as_bytes()).err)
    assert "An automatic reply from anna@example.org" in told
    assert "your mail program shows what it says" in told


def test_the_data_tell_of_a_reply_too(office: PostOffice, bela: Player, sent: bytes) -> None:
    office.deliver(bela.address, reply(sent, PGP).as_bytes())
    office.deliver(bela.address, reply(sent, Auto_Submitted="auto-replied").as_bytes())
    sealed, away = json.loads(bela.do("mail", "fetch", "--json").out)
    assert (sealed["what"], sealed["automatic"]) == ("without file", False)
    assert "which is sealed" in sealed["reason"]
    assert (away["what"], away["automatic"], away["reason"]) == ("without file", True, None)


def test_what_is_not_of_a_thread_is_not_told(office: PostOffice, bela: Player, sent: bytes) -> None:
    own = reply(sent)
    own.replace_header("From", "bela@example.org")
    chat = reply(sent)
    chat.replace_header("In-Reply-To", "<another@example.org>")
    assert delivered(office, bela, own.as_bytes(), chat.as_bytes(), plain()).out == (
        "No turn has arrived.\n"
    )


@pytest.mark.parametrize("sender", ["isabela@example.org", '"bela@example.org" <zoe@b.org>'])
def test_a_sender_in_whom_the_own_address_is_found_is_somebody_else(
    office: PostOffice, bela: Player, sent: bytes, sender: str
) -> None:
    message = reply(sent)
    message.replace_header("From", sender)
    assert "has no file in it" in one_line(delivered(office, bela, message.as_bytes()).err)


def test_a_reply_with_a_file_is_a_turn_and_nothing_else(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    bela.do("mail", "send", joined)
    done = anna.do("mail", "fetch")
    assert "A turn has arrived" in done.out
    assert done.err == ""


# --- nobody is hurt by one


def test_many_names_in_one_letter_cost_little(
    office: PostOffice, bela: Player, sent: bytes
) -> None:
    name = message_from_bytes(sent)["Message-ID"]
    names = " ".join(re.sub(r"\.1\.[0-9a-f]", f".{n}.0", name) for n in range(20_000))
    message = reply(sent)
    del message["In-Reply-To"]
    data = b"References: " + names.encode() + b"\r\n" + message.as_bytes()
    delivered(office, bela, data)


def test_many_names_in_one_letter_are_looked_up_in_one_list_of_games(
    office: PostOffice, bela: Player, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[Library] = []
    games = Library.games

    def counted(self: Library) -> list[Listed]:
        listed.append(self)
        return games(self)

    monkeypatch.setattr(Library, "games", counted)
    name = message_from_bytes(sent)["Message-ID"]
    names = "".join(name.replace(name[1:9], f"{n:08}") for n in range(30))
    delivered(office, bela, f"From: {DAEMON}\r\nReferences: {names}\r\n\r\n".encode())
    assert len(listed) == 1
    # With names in its text alone, no list is needed.
    delivered(office, bela, f"From: {DAEMON}\r\n\r\n{names}\r\n".encode())
    assert len(listed) == 1


def test_a_letter_without_a_file_is_gone_through_once(
    office: PostOffice, bela: Player, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[bytes] = []
    read = search.save_files

    def counted(data: bytes) -> list[Found]:
        looked.append(data)
        return read(data)

    monkeypatch.setattr(fetching, "save_files", counted)
    done = delivered(office, bela, reply(sent).as_bytes())
    assert "has no file in it" in one_line(done.err)
    assert len(looked) == 1

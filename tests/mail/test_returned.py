"""Letters of a game without a file: reports on the delivery of own ones, replies of people."""

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
from pbem.mail import fetching, reports, search
from pbem.mail.found import Found
from pbem.mail.reports import MOST_NAMED, Threads
from tests.cli.using import Result, acres
from tests.mail.arriving import flags, letter, plain
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


def status(
    action: str = "failed",
    to: str = "anna@example.org",
    code: str = "5.1.1",
    said: str = "550 5.1.1 No such mailbox",
) -> bytes:
    return (
        "Reporting-MTA: dns; mx.example.org\r\nArrival-Date: today\r\n\r\n"
        f"Final-Recipient: rfc822; {to}\r\nAction: {action}\r\nStatus: {code}\r\n"
        f"Remote-MTA: dns; mail.example.org\r\nDiagnostic-Code: smtp;\r\n {said}\r\n"
    ).encode()


def multipart(kind: str, *parts: bytes, headers: str = "") -> bytes:
    body = b"".join(b"--=_b\r\n" + part + b"\r\n" for part in parts)
    return (
        f"From: {DAEMON}\r\nTo: bela@example.org\r\nSubject: Undelivered Mail\r\n{headers}"
        f'Date: {formatdate()}\r\nContent-Type: multipart/{kind}; boundary="=_b"\r\n\r\n'
    ).encode() + body + b"--=_b--\r\n"  # fmt: skip


def report(
    returned: bytes, *, kind: str = "message/rfc822", said: str | None = None, **about: str
) -> bytes:
    """A report as RFC 3464 has it."""
    about |= {} if said is None else {"said": said}
    return multipart(
        "report; report-type=delivery-status",
        b"Content-Type: text/plain\r\n\r\nI am sorry.\r\n",
        b"Content-Type: message/delivery-status\r\n\r\n" + status(**about),
        b"Content-Type: " + kind.encode() + b"\r\n\r\n" + returned,
        headers="Auto-Submitted: auto-replied\r\nReturn-Path: <>\r\n",
    )


def qmail(returned: bytes) -> bytes:
    return (
        b"Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example.org\r\nTo: bela@example.org\r\n"
        b"Subject: failure notice\r\n\r\n"
        b"Hi. This is the qmail-send program at mx.example.org.\r\n"
        b"<anna@example.org>:\r\nRemote host said: 550 No such mailbox here\r\n\r\n"
        b"--- Below this line is a copy of the message.\r\n\r\n" + returned
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


@pytest.mark.parametrize("kind", ["message/rfc822", "text/rfc822-headers", "message/rfc822, cut"])
def test_a_letter_that_did_not_arrive_is_told_with_what_to_do(
    office: PostOffice, bela: Player, joined: Path, sent: bytes, kind: str
) -> None:
    returned = {"message/rfc822": sent, "text/rfc822-headers": head(sent)}.get(kind, sent[:5000])
    done = delivered(office, bela, report(returned, kind=kind.partition(",")[0]))
    told = one_line(done.err)
    assert "record 1 did not reach anna@example.org" in told
    assert "“550 5.1.1 No such mailbox”" in told
    assert "Check that address" in told
    assert f"mail send {joined} --again" in told
    assert "No turn has arrived" not in done.out
    assert flags(bela) == [set()]
    assert bela.do("mail", "fetch").out == "No turn has arrived.\n"


def test_a_full_mailbox_is_called_that(
    office: PostOffice, bela: Player, joined: Path, sent: bytes
) -> None:
    done = delivered(office, bela, report(head(sent), said="smtp; 552 5.2.2 Over quota"))
    told = one_line(done.err)
    assert "mailbox is full" in told
    assert "Check that address" not in told
    assert f"mail send {joined} --again" in told


def test_what_is_said_to_do_does_it(
    office: PostOffice, bela: Player, joined: Path, sent: bytes
) -> None:
    delivered(office, bela, report(head(sent)))
    bela.do("mail", "send", joined, "--again")
    assert len(office.taken) == 2


@pytest.mark.parametrize("made", [qmail, exchange])
def test_a_report_in_words_for_people_is_known_too(
    office: PostOffice, bela: Player, joined: Path, sent: bytes, made: Callable[[bytes], bytes]
) -> None:
    told = one_line(delivered(office, bela, made(sent)).err)
    assert "may not have reached anna@example.org" in told
    assert "“550 " in told
    assert f"mail send {joined} --again" in told


def test_a_delayed_one_is_still_being_tried(office: PostOffice, bela: Player, sent: bytes) -> None:
    told = one_line(delivered(office, bela, report(head(sent), action="delayed")).err)
    assert "will be tried again" in told
    assert "There is nothing to do." in told
    assert "--again" not in told


@pytest.mark.parametrize("action", ["delivered", "relayed", "expanded"])
def test_one_that_arrived_alarms_nobody(
    office: PostOffice, bela: Player, sent: bytes, action: str
) -> None:
    told = one_line(delivered(office, bela, report(head(sent), action=action)).err)
    assert "was passed on to anna@example.org" in told
    assert "--again" not in told


def test_a_report_on_what_was_answered_since_asks_for_nothing(
    office: PostOffice, bela: Player, sent: bytes, played: dict[int, Path]
) -> None:
    answer = letter(played[2].read_bytes(), "anna@example.org")
    told = one_line(delivered(office, bela, answer, report(head(sent))).err)
    assert "It has been answered since, so it arrived" in told
    assert "--again" not in told


def test_the_address_is_the_one_it_was_sent_to(
    office: PostOffice, bela: Player, sent: bytes
) -> None:
    done = delivered(office, bela, report(head(sent), to="elsewhere@forward.example"))
    assert "did not reach anna@example.org" in one_line(done.err)


def test_a_report_on_a_letter_of_somebody_else_is_not_told(
    office: PostOffice, bela: Player, sent: bytes
) -> None:
    other = head(sent).replace(b"@acres.invalid>", b"0@acres.invalid>")
    foreign = re.sub(rb"<[0-9a-f]{8}\.", b"<00000000.", head(sent))
    stranger = re.sub(rb"\.1\.[0-9a-f]{32}@", b".1." + b"0" * 32 + b"@", head(sent))
    mine = (report(each) for each in (other, foreign, stranger, head(plain())))
    assert delivered(office, bela, *mine).out == "No turn has arrived.\n"


def test_a_report_steers_no_terminal(office: PostOffice, bela: Player, sent: bytes) -> None:
    evil = "550 \x1b[31mgone\u202e” acres: pay 5 \x07" + "x" * 5000
    told = delivered(office, bela, report(head(sent), said=evil)).err
    assert "\x1b[31m" not in told
    assert "\u202e" not in told
    assert len(told) < 1500


def test_the_data_say_the_same(office: PostOffice, bela: Player, sent: bytes) -> None:
    office.deliver(bela.address, report(head(sent)))
    (found,) = json.loads(bela.do("mail", "fetch", "--json").out)
    assert found["what"] == "report"
    assert (found["outcome"], found["record"], found["to"]) == ("failed", 1, "anna@example.org")
    assert "550 5.1.1" in found["said"]
    assert found["listed"]["game"] == found["game"]


def test_a_report_given_as_a_file_is_told_as_one(bela: Player, sent: bytes, tmp_path: Path) -> None:
    file = tmp_path / "report.eml"
    file.write_bytes(report(head(sent)))
    done = bela.run("turn", "show", file)
    assert done.status == 2
    assert "It is a delivery report on a message of a game" in one_line(done.err)


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
    assert "there is nothing to do" in told


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


def test_a_reply_with_a_file_is_a_turn_and_nothing_else(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    bela.do("mail", "send", joined)
    done = anna.do("mail", "fetch")
    assert "A turn has arrived" in done.out
    assert done.err == ""


# --- nobody is hurt by one


@pytest.mark.parametrize(
    "broken",
    [
        b"Action: failed\r\nFinal-Recipient: " + b";" * 200_000,
        b"Action: failed\r\nFinal-Recipient: rfc822; " + b"a@" * 100_000,
        b"Action:\r\nFinal-Recipient:\r\nDiagnostic-Code:\r\n",
        b"\r\n\r\n".join([b"Action: failed\r\nFinal-Recipient: x"] * 20_000),
        b"\xff\xfe\x00" * 5000,
        b"\r\n " * 80_000,
    ],
)
def test_a_report_of_nonsense_costs_little(
    office: PostOffice, bela: Player, sent: bytes, broken: bytes
) -> None:
    message = multipart(
        "report; report-type=delivery-status",
        b"Content-Type: message/delivery-status\r\n\r\n" + broken,
        b"Content-Type: text/rfc822-headers\r\n\r\n" + head(sent),
    )
    done = delivered(office, bela, message, report(head(sent)))
    assert "did not reach anna@example.org" in one_line(done.err)


def test_many_names_in_one_letter_cost_little(
    office: PostOffice, bela: Player, sent: bytes
) -> None:
    name = message_from_bytes(sent)["Message-ID"]
    names = " ".join(re.sub(r"\.1\.[0-9a-f]", f".{n}.0", name) for n in range(20_000))
    message = reply(sent)
    del message["In-Reply-To"]
    data = b"References: " + names.encode() + b"\r\n" + message.as_bytes()
    delivered(office, bela, data)


def test_many_names_in_many_blocks_cost_little(
    office: PostOffice, bela: Player, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(Threads, "_listed", lambda self, name, games: asked.append(name))
    name = message_from_bytes(sent)["Message-ID"]
    block = "Message-ID:" + "".join(name.replace(".1.", f".{n}.") for n in range(30)) + "\r\n\r\n"
    delivered(office, bela, f"From: {DAEMON}\r\n\r\n{block * 200}".encode())
    assert 0 < len(asked) <= MOST_NAMED


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
    block = "Message-ID:" + "".join(name.replace(".1.", f".{n}.") for n in range(2, 30))
    delivered(office, bela, f"From: {DAEMON}\r\n\r\n{block}\r\n".encode())
    assert len(listed) == 1


def test_a_letter_without_a_file_is_gone_through_once(
    office: PostOffice, bela: Player, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[bytes] = []
    read = search.save_files

    def counted(data: bytes) -> list[Found]:
        looked.append(data)
        return read(data)

    for module in (fetching, reports):
        monkeypatch.setattr(module, "save_files", counted, raising=False)
    done = delivered(office, bela, reply(sent).as_bytes())
    assert "has no file in it" in one_line(done.err)
    assert len(looked) == 1


def test_the_robot_tells_of_them_and_goes_on(
    office: PostOffice, bela: Player, sent: bytes, kept: Path, tmp_path: Path
) -> None:
    home = tmp_path / "robot"
    robot = "told-robot@example.org"
    office.open_account(robot, bela.password)
    office.clear(robot)
    home.mkdir()
    (home / "config.toml").write_text(office.config(robot))
    office.deliver(robot, letter((kept / "game-000.toml").read_bytes(), "anna@example.org"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ACRES_MAIL_PASSWORD", bela.password)
        office.taken.clear()
        assert acres("serve-robot", "--once", "--lists", 2, home=home).status == 0
        office.deliver(robot, report(head(office.taken[0])))
        done = acres("serve-robot", "--once", "--lists", 2, home=home)
    assert done.status == 0
    assert "did not reach anna@example.org" in one_line(done.err)

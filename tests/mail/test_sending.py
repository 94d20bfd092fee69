"""`acres mail send`: what arrives, and what does not."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from email import message_from_bytes, policy
from pathlib import Path
from socket import socket

import pytest

from pbem.savefile.save_file import SaveFile
from tests.mail.certificates import Authority
from tests.mail.players import Player, begun
from tests.mail.sending import dispatch, failure, moved_to
from tests.mail.servers import PostOffice, door, keeps_saying, nobody_there, says, silent

# --- what goes well


@pytest.mark.parametrize("starttls", [True, False])
def test_the_file_arrives_as_it_is(
    office: PostOffice, anna: Player, bela: Player, joined: Path, starttls: bool
) -> None:
    bela.set_up(office.config(bela.address, starttls=starttls))
    told = bela.do("mail", "send", joined).out
    assert anna.address in told
    assert "game-001.toml" in told
    (letter,) = (message_from_bytes(each, policy=policy.default) for each in anna.inbox())
    (attached,) = letter.iter_attachments()
    assert attached.get_content().replace("\r\n", "\n").encode() == joined.read_bytes()
    assert letter["From"].addresses[0].addr_spec == bela.address
    assert [each.addr_spec for each in letter["To"].addresses] == [anna.address]


def test_without_a_file_all_goes_that_was_not_sent(
    anna: Player, bela: Player, joined: Path
) -> None:
    other = begun(anna.home, bela.home, bela.folder, "second")
    told = bela.do("mail", "send").out
    assert len(anna.inbox()) == 2
    assert told.count("Sent to") == 2
    assert other.name in told
    assert "nothing to send" in bela.do("mail", "send").out
    assert len(anna.inbox()) == 2


def test_an_answer_of_the_opponent_is_not_sent_back(
    anna: Player, bela: Player, joined: Path
) -> None:
    anna.do("games", "add", bela.folder)
    assert "nothing to send" in anna.do("mail", "send").out
    assert "to answer" in failure(anna.run("mail", "send", joined)).lower()
    assert not bela.inbox()


def test_an_invitation_goes_where_it_is_told(anna: Player, bela: Player) -> None:
    file = anna.folder / "invitation.toml"
    anna.do("new", "--side", "any", "--output", file)
    assert "--to ADDRESS" in failure(anna.run("mail", "send", file))
    everything = anna.run("mail", "send")
    assert everything.status == 0
    assert "--to ADDRESS" in everything.err
    anna.do("mail", "send", file, "--to", bela.address)
    assert len(bela.inbox()) == 1


def test_an_account_with_another_address_sends_from_that(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    office.open_account("other@example.org", bela.password)
    bela.set_up(office.config("other@example.org"))
    assert "other@example.org" in bela.do("mail", "check").err
    bela.do("mail", "send", joined)
    (letter,) = (message_from_bytes(each, policy=policy.default) for each in anna.inbox())
    assert letter["From"].addresses[0].addr_spec == "other@example.org"


def test_what_came_in_a_letter_is_attached_under_the_name_of_a_file(
    anna: Player, bela: Player, joined: Path
) -> None:
    bela.do("mail", "draft", joined, "--output", bela.folder / "saved.eml")
    bela.do("mail", "send", bela.folder / "saved.eml")
    message = message_from_bytes(anna.inbox()[-1], policy=policy.default)
    assert [part.get_filename() for part in message.iter_attachments()] == [joined.name]


def test_a_file_that_was_damaged_since_does_not_keep_the_others_back(
    anna: Player, bela: Player, joined: Path
) -> None:
    """The last record is as it was, and one before it is not."""
    other = begun(anna.home, bela.home, bela.folder, "second")
    bela.do("games", "add", bela.folder)
    text = joined.read_text()
    at = text.index('signature = """') + 20
    joined.write_text(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :])
    done = bela.do("mail", "send")
    assert joined.name in done.err
    assert other.name in done.out
    assert len(anna.inbox()) == 1


# --- what does not go


TROUBLES = {
    "553 5.1.2 We do not know them": "no mail for",
    "550 5.7.1 Go away": "no mail for",
    "451 4.3.0 Come back later": "Try again later",
    "552 5.2.2 Over quota": "recipient's mailbox or server is full",
    "452 4.2.2 Not now": "recipient's mailbox or server is full",
}


@pytest.mark.parametrize("answer", TROUBLES)
def test_a_refused_address_is_told_and_the_letter_stays(
    office: PostOffice, anna: Player, bela: Player, joined: Path, answer: str
) -> None:
    office.matter.refuses = answer
    sentence = failure(bela.run("mail", "send", joined))
    assert TROUBLES[answer] in sentence
    assert answer[4:] in sentence
    assert dispatch(bela, joined) is None
    office.matter.refuses = ""
    bela.do("mail", "send", joined)
    assert len(anna.inbox()) == 1


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("552 5.3.4 Message too big", "larger than"),
        ("552 5.2.2 Mailbox full", "full"),
        ("452 4.2.2 Over quota", "full"),
        ("554 5.7.1 Looks like spam", "Looks like spam"),
        ("451 4.7.1 Greylisted", "Try again later"),
    ],
)
def test_a_refused_letter_is_told_and_stays(
    office: PostOffice, anna: Player, bela: Player, joined: Path, answer: str, told: str
) -> None:
    office.matter.spurns = answer
    assert told in failure(bela.run("mail", "send", joined))
    assert dispatch(bela, joined) is None
    office.matter.spurns = ""
    bela.do("mail", "send", joined)
    assert len(anna.inbox()) == 1


def test_a_refusal_does_not_forget_that_it_was_sent_before(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    bela.do("mail", "send", joined)
    office.matter.spurns = "451 4.7.1 Greylisted"
    failure(bela.run("mail", "send", joined, "--again"))
    office.matter.spurns = ""
    assert "was already sent" in failure(bela.run("mail", "send", joined))


def test_one_that_fails_does_not_keep_the_others_back(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    begun(anna.home, bela.home, bela.folder, "second")
    bela.do("games", "add", bela.folder)
    lost = SaveFile.read(joined.read_bytes()).records[0].hash.hex()[:8]
    office.matter.only_refuses = lost
    done = bela.run("mail", "send")
    assert "was not sent" in failure(done)
    assert done.out.count("Sent to") == 1
    assert len(anna.inbox()) == 1


def test_a_server_that_is_down_is_told(bela: Player, joined: Path) -> None:
    moved_to(bela, nobody_there())
    assert "is down" in failure(bela.run("mail", "send", joined))
    assert dispatch(bela, joined) is None


def test_a_server_of_an_unknown_name_is_told(bela: Player, joined: Path) -> None:
    config = bela.office.config(bela.address)
    bela.set_up(config.replace('"localhost"', '"no-such-host.invalid"'))
    assert "no-such-host.invalid" in failure(bela.run("mail", "send", joined))


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_server_that_says_nothing_is_not_waited_for_long(
    bela: Player, joined: Path, security: str
) -> None:
    with door(silent) as port:
        moved_to(bela, port, security)
        assert "did not answer within 1 second" in failure(bela.run("mail", "send", joined))


def test_a_refused_login_is_told(bela: Player, joined: Path) -> None:
    from tests.cli.using import acres

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ACRES_SMTP_PASSWORD", "wrong horse")
        done = acres("mail", "send", joined, home=bela.home)
    sentence = failure(done)
    assert "refuses the login" in sentence
    assert "wrong horse" not in sentence
    assert dispatch(bela, joined) is None


def test_without_a_password_it_is_said_where_to_give_one(bela: Player, joined: Path) -> None:
    from tests.cli.using import acres

    sentence = failure(acres("mail", "send", joined, home=bela.home))
    assert "mail setup" in sentence
    assert "ACRES_MAIL_PASSWORD" in sentence


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("expired", "has expired"),
        ("name", "not for localhost"),
        ("unknown", "not signed by anybody"),
    ],
)
def test_a_bad_certificate_ends_it_before_the_password(
    authority: Authority, tmp_path: Path, bela: Player, joined: Path, how: str, told: str
) -> None:
    if how == "unknown":
        from tests.mail.certificates import Authority

        (tmp_path / "other").mkdir()
        certificate = Authority(tmp_path / "other").signs("bad")
    elif how == "name":
        certificate = authority.signs("bad", host="elsewhere.example")
    else:
        certificate = authority.signs("bad", expired=True)
    with door(says(b"220 hello\r\n"), certificate) as port:
        moved_to(bela, port)
        assert told in failure(bela.run("mail", "send", joined))


def test_a_certificate_is_not_trusted_by_itself(
    office: PostOffice, bela: Player, joined: Path
) -> None:
    config = office.config(bela.address)
    bela.set_up("\n".join(line for line in config.split("\n") if not line.startswith("ca = ")))
    assert "not signed by anybody" in failure(bela.run("mail", "send", joined))


def test_nothing_is_said_in_clear_where_starttls_was_taken_away(bela: Player, joined: Path) -> None:
    heard: list[bytes] = []

    def strip(caller: socket) -> None:
        caller.sendall(b"220 hello\r\n")
        for line in caller.makefile("rb"):
            heard.append(line)
            answer = (
                b"250-localhost\r\n250 AUTH PLAIN LOGIN\r\n" if b"EHLO" in line else b"250 OK\r\n"
            )
            caller.sendall(answer)

    with door(strip) as port:
        moved_to(bela, port, "starttls")
        assert "STARTTLS" in failure(bela.run("mail", "send", joined))
    assert heard
    assert not any(line.upper().startswith((b"AUTH", b"MAIL", b"DATA")) for line in heard)


def test_no_server_gets_to_know_what_the_computer_is_called(
    bela: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would stand in the letter; and to ask for it may take long."""
    heard: list[bytes] = []

    def listen(caller: socket) -> None:
        caller.sendall(b"220 hello\r\n")
        heard.extend(caller.makefile("rb"))

    monkeypatch.setattr("socket.getfqdn", lambda *given: "belas-laptop.example")
    with door(listen) as port:
        moved_to(bela, port, "starttls")
        failure(bela.run("mail", "send", joined))
    assert heard
    assert not any(b"laptop" in line for line in heard)


@pytest.mark.parametrize(
    "behaves",
    [
        says(b"HTTP/1.1 400 Bad Request\r\n"),
        says(b"\x00\xff\x16\x03\r\n"),
        says(b"\r\n"),
        says(b"220 hello\r\n", b"what?\r\n"),
        says(b"220 hello\r\n", b"-1 \xff\r\n"),
        says(b"220 hello\r\n"),
        says(b""),
        says(b"421 too many of you\r\n"),
        keeps_saying(b"220 ", b"x" * 1000, 300),
        keeps_saying(b"220-a\r\n", b"220-b\r\n", 20000),
    ],
)
def test_a_server_that_talks_nonsense_costs_a_sentence(
    bela: Player, joined: Path, behaves: Callable[[socket], None]
) -> None:
    with door(behaves) as port:
        moved_to(bela, port, "starttls")
        failure(bela.run("mail", "send", joined))
    assert dispatch(bela, joined) is None


def test_a_library_of_an_earlier_program_takes_it(anna: Player, bela: Player, joined: Path) -> None:
    with closing(sqlite3.connect(bela.home / "library.sqlite3")) as database:
        database.execute("DROP TABLE dispatched")
        database.execute("DROP TABLE mailboxes")
    bela.do("mail", "send")
    bela.do("mail", "fetch")
    assert len(anna.inbox()) == 1


def test_where_the_library_cannot_be_used_nothing_is_sent(
    anna: Player, bela: Player, joined: Path
) -> None:
    """Nobody would remember."""
    (bela.home / "library.sqlite3").write_bytes(b"This is no database." * 100)
    done = bela.run("mail", "send", joined)
    assert done.status == 2
    assert "library" in done.err
    assert not anna.inbox()

"""Letters that anybody can send: none ends a command, and none keeps the others from being told."""

from __future__ import annotations

import mailbox
import os
from base64 import encodebytes
from email.charset import BASE64, QP, Charset
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import Unreadable
from pbem.mail import search
from pbem.mail.header import LONGEST_FIELD, MOST_FIELDS, MOST_NESTED, MOST_PARAMETERS, address_in
from pbem.mail.mailbox import Mailbox
from pbem.mail.messages import SavedMail
from pbem.mail.parts import Budget, LetterUnreadable, TooDear, envelope_of, is_message, let_in
from pbem.mail.search import files_of, restored_file
from tests.cli.using import acres
from tests.fuzz.games import game_named
from tests.mail.arriving import MARKED, flags, letter
from tests.mail.players import Player, begun
from tests.mail.servers import PostOffice

GAME = game_named("second")
FILE = GAME.data
NESTED = b"From: " + b"(" * 3000 + b"mallory@example.org"
PARAMETERS = {
    "a codec that is none": b"*=undefined''x",
    "a NUL": b"*=utf-8\0''x",
    "a NUL in a value": b"*=utf-8''%00x\0",
    "a huge index": b"*99999999999999999999*=x",
    "a superscript digit": b"*\xc2\xb2*=x",
    "digits of another alphabet": b"*\xd9\xa1*=x",
    "a long idna": b"*=idna''" + b"a" * 3000,
    "a long idna of dots": b"*=idna''" + b"." * 3000,
    "punycode": b"*=punycode''" + b"a-" * 1500,
    "bytes to bytes": b"*=zlib_codec''x",
    "no language": b"*=utf-8'x",
    "pieces that are missing": b"*7=a; filename*3*=utf-8''b",
    "an escape": b"*=unicode_escape''%5CN",
    "bytes": b"=\xff\xfe\xf0",
    "an open quote": b'="' + b"\\" * 2001,
    "a path that is a codec": b"*=../../x''y",
}
HEADERS = {
    **{
        f"{header} {name}, {kind}": b"%s; %s%s" % (start, name.encode(), value)
        for kind, value in PARAMETERS.items()
        for name, header, start in (
            ("filename", "disposition", b"Content-Disposition: attachment"),
            ("charset", "type", b"Content-Type: text/plain"),
        )
    },
    "boundary": b"Content-Type: multipart/mixed; boundary*=undefined''x",
    "nested comments": NESTED,
    "nested quotes": b'From: "' + b'\\"' * 1500 + b"<a@b>",
    "nested groups": b"From: " + b"a:" * 1500 + b";",
    "nested routes": b"From: <" + b"@a," * 1000 + b":b@c>",
    "words": b"Subject: " + b"=?undefined?q?=ff?= =?idna?b?QQ?= " * 99,
    "a word that is none": b"From: =?utf-8?b?" + b"=" * 500 + b"?= <a@b>",
}


def whole(header: bytes) -> bytes:
    return header + b"\nSubject: Hello\n\nHi Anna!\n"


HOSTILE = {kind: whole(header) for kind, header in HEADERS.items()}


# --- what is in them


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_file_behind_such_a_header_is_found(kind: str) -> None:
    """Nobody has to be cheated of a turn because a program writes nonsense."""
    (found,) = files_of(HEADERS[kind] + b"\n\n" + FILE)
    assert found.data == FILE


@pytest.mark.parametrize("is_first", [True, False])
def test_a_file_beside_an_attached_message_out_of_bounds_is_found(is_first: bool) -> None:
    deep = b"Content-Type: message/rfc822\n\n" * 30 + b"Hi!\n"
    head = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
    attached = [head + encodebytes(deep), b"Content-Type: text/plain\n\n" + FILE]
    parts = attached if is_first else attached[::-1]
    body = b"".join(b"\n--b\n" + part for part in parts) + b"\n--b--\n"
    start = b"Content-Type: multipart/mixed; boundary=b\n"
    (found,) = files_of(start + body)
    assert found.data == FILE
    with pytest.raises(LetterUnreadable, match="more than 20 deep"):
        files_of(start + b"\n--b\n" + attached[0] + b"\n--b--\n")


@pytest.mark.parametrize("header", [b"From: ", b"Sender: ", b"Message-ID: ", b"References: "])
@pytest.mark.parametrize("piece", [b"(", b'"', b"<", b";", b"\\", b"=?", b"=?a?q?", b"@a,", b"\n "])
def test_what_is_said_of_a_sender_is_short(header: bytes, piece: bytes) -> None:
    envelope = envelope_of(header + piece * 16_000 + b"\nSubject: Hi\n\n")
    assert envelope.subject == "Hi"
    assert all(len(said) <= 1000 for said in envelope if isinstance(said, str))


@pytest.mark.parametrize(
    ("header", "address"),
    [
        ("zoe@example.org", "zoe@example.org"),
        ("<zoe@example.org>", "zoe@example.org"),
        ("Zoe <zoe@example.org>, Ida <ida@example.org>", "zoe@example.org"),
        ('"Ida <ida@example.org>" <zoe@example.org>', "zoe@example.org"),
        ("(ida@example.org) zoe@example.org (Zoe (of (them)))", "zoe@example.org"),
        ("Zoe (<ida@example.org>) <zoe@example.org>", "zoe@example.org"),
        ("zoe @ example . org", "zoe@example.org"),
        ("(" * MOST_NESTED + ")" * MOST_NESTED + "zoe@example.org", "zoe@example.org"),
        ("(" * (MOST_NESTED + 1) + ")" * (MOST_NESTED + 1) + "zoe@example.org", ""),
        ("Zoe", ""),
        ("zoe@@example.org", ""),
        ("@example.org", ""),
        ("", ""),
        ("<>", ""),
        ("a\x1b@b", ""),
        ("x" * 255 + "@example.org", ""),
        ("Games: zoe@example.org, ida@example.org;", "zoe@example.org"),
        ("<@old.example.org:zoe@example.org>", "zoe@example.org"),
    ],
)
def test_an_address_is_taken_out_of_a_from(header: str, address: str) -> None:
    assert address_in(header) == address


@given(st.text(st.characters(codec="utf-8"), max_size=40), st.sampled_from("bq"))
def test_whatever_an_encoded_name_says_it_is_one_name(name: str, kind: str) -> None:
    """As Outlook writes “Surname, Name”, with the comma within the encoded word."""
    encoded = Charset("utf-8")
    encoded.header_encoding = {"b": BASE64, "q": QP}[kind]
    lax = f"=?utf-8?q?{''.join(filter(is_left_alone, name)).replace(' ', '_')}?="
    for word in (encoded.header_encode(f"Zoe, {name}"), lax):
        assert address_in(f"{word} <zoe@example.org>") == "zoe@example.org"
        assert address_in(f"zoe@example.org ({word})") == "zoe@example.org"
    whole = encoded.header_encode("Zoe, the first <zoe@example.org>")
    assert address_in(whole) == "zoe@example.org"


def is_left_alone(character: str) -> bool:
    """Whether a program that encodes as little as it can writes it into an encoded word."""
    return character.isascii() and character.isprintable() and character not in "=?_"


def test_an_encoded_name_makes_no_address() -> None:
    envelope = envelope_of(b"From: =?utf-8?q?=3Canna=40example.org=3E?= <zoe@example.org>\n\n")
    assert envelope.address == "zoe@example.org"
    assert envelope.sender == "<anna@example.org> <zoe@example.org>"


def attached(parameters: bytes) -> bytes:
    return b"Content-Disposition: attachment%s; filename=game.toml\n\n%s" % (parameters, FILE)


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        (b"; filename=plain.toml; filename*=utf-8''z%C3%BCg.toml", "züg.toml"),
        (b"; filename*0*=utf-8''z%C3%BCg; filename*1=.toml; filename=plain.toml", "züg.toml"),
        (rb'; filename="C:\games\a.toml"', "a.toml"),
        (rb'; filename="C:\\games\\a.toml"', "a.toml"),
        (rb'; filename="a\"b.toml"', "a_b.toml"),
    ],
)
def test_the_name_of_an_attachment_is_read(parameters: bytes, name: str) -> None:
    (found,) = files_of(b"Content-Disposition: attachment" + parameters + b"\n\n" + FILE)
    assert found.name == name


@pytest.mark.parametrize(("more", "name"), [(-1, "game.toml"), (0, "")])
def test_so_many_parameters_are_read(more: int, name: str) -> None:
    (found,) = files_of(attached(b"; a=b" * (MOST_PARAMETERS + more)))
    assert (found.name, found.data) == (name, FILE)


@pytest.mark.parametrize(("more", "name"), [(0, "game.toml"), (1, "")])
def test_a_header_with_a_structure_is_read_up_to_its_length(more: int, name: str) -> None:
    rest = len(b'attachment; x=""; filename=game.toml')
    (found,) = files_of(attached(b'; x="%s"' % (b"x" * (LONGEST_FIELD - rest + more))))
    assert (found.name, found.data) == (name, FILE)


@pytest.mark.parametrize(("more", "name"), [(-1, "game.toml"), (0, "")])
def test_so_many_headers_are_read(more: int, name: str) -> None:
    (found,) = files_of(b"A: b\n" * (MOST_FIELDS + more) + attached(b""))
    assert (found.name, found.data) == (name, FILE)


# --- the door


@pytest.mark.parametrize("error", [RecursionError, MemoryError, LookupError, OSError, Exception])
@pytest.mark.parametrize("read", [files_of, restored_file])
def test_whatever_goes_wrong_within_is_a_letter_that_cannot_be_read(
    read: object, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise error("secret")

    monkeypatch.setattr(search, "texts_of", fails)
    with pytest.raises(LetterUnreadable, match=rf"cannot be read \({error.__name__}\)\."):
        read(b"A: b\n\nHi!\n" + FILE)  # type: ignore[operator]


def test_a_letter_that_takes_too_long_is_given_up() -> None:
    times = iter([0.0, 1.0, 1.1])
    budget = Budget(1.0, lambda: next(times))
    budget.check()
    with pytest.raises(TooDear, match="takes too long to read: save the file"):
        budget.check()


def test_where_the_time_is_up_what_was_found_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = b"--b\nContent-Type: text/plain; name=a.toml\n\n"
    message = b"Content-Type: multipart/mixed; boundary=b\n\n"
    shorter = game_named("joined").data
    message += parts + shorter + b"\n" + parts + FILE + b"\n--b--\n"
    assert len(files_of(message)) == 2
    whole = search._Search._look_at

    def once(looking: search._Search, part: object) -> None:
        if looking.found:
            raise TooDear("It takes too long.")
        whole(looking, part)  # type: ignore[arg-type]

    monkeypatch.setattr(search._Search, "_look_at", once)
    assert [found.data for found in files_of(message)] == [FILE]
    assert let_in(lambda data, _: len(data), b"abc") == 3


# --- in what a player has saved


def commands(path: Path, *, home: Path) -> list[str]:
    """What the commands that read letters tell of a mailbox."""
    told = []
    for words in (("turn", "show"), ("audit",), ("games", "add")):
        done = acres(*words, path, home=home)
        assert done.status == 0, (words, done.err)
        assert "Something happened" not in done.err
        told.append(done.out)
    return told


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home of a player."""
    assert acres("init", "--name", "Zoe", "--email", "", home=tmp_path / "home").status == 0
    return tmp_path / "home"


def among(box: mailbox.Mailbox, *others: bytes) -> None:
    """Put a good letter among others that look as if they had a file, too."""
    for data in (*(data + b"\nacres-save\n" for data in others), letter(FILE)):
        box.add(data)
    box.close()


@pytest.mark.parametrize("kind", ["Maildir", "mbox"])
def test_they_keep_no_letter_in_a_mailbox_back(kind: str, tmp_path: Path, home: Path) -> None:
    box = getattr(mailbox, kind)(tmp_path / "mail")
    among(box, *HOSTILE.values())
    shown, _, _ = commands(tmp_path / "mail", home=home)
    assert "turn" in shown.lower()


def test_what_cannot_be_read_in_a_mailbox_is_told(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = is_message

    def fails(message: bytes) -> bool:
        if b"Hi Anna!" in message:
            raise RecursionError
        return whole(message)

    monkeypatch.setattr(search, "is_message", fails)
    among(mailbox.Maildir(tmp_path / "mail"), *list(HOSTILE.values())[:9])
    done = acres("turn", "show", tmp_path / "mail", home=home)
    assert done.status == 0
    told = " ".join(done.err.split())
    assert told.count("This message cannot be read (RecursionError).") == 3
    assert "6 more messages that may hold a save file cannot be read." in told


def test_a_letter_that_vanishes_keeps_the_others_in_its_folder(tmp_path: Path) -> None:
    for name in ("cur", "new", "tmp"):
        (tmp_path / name).mkdir()
    for number in range(4):
        (tmp_path / "new" / f"{number}").write_bytes(letter(FILE))
    box = SavedMail(tmp_path)
    letters = iter(box)
    next(letters)
    (tmp_path / "new" / "1").unlink()
    (tmp_path / "new" / "2").unlink()
    (tmp_path / "new" / "2").mkdir()
    assert len(list(letters)) == 1
    assert [type(error) for error in box.missed] == [Unreadable, Unreadable]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everybody may read it")
def test_a_letter_that_may_not_be_read_keeps_no_other_back(tmp_path: Path, home: Path) -> None:
    among(mailbox.Maildir(tmp_path / "mail"), letter(FILE))
    next((tmp_path / "mail" / "new").iterdir()).chmod(0)
    done = acres("turn", "show", tmp_path / "mail", home=home)
    assert (done.status, "cannot be read" in done.err) == (0, True)


def test_standard_input_is_read_by_the_same_way() -> None:
    box = b"".join(b"From x\n" + data + b"acres-save\n\n" for data in HOSTILE.values())
    found = [each for message in SavedMail(BytesIO(box)) for each in files_of(message)]
    assert found == []


# --- a robot with a folder


def test_they_do_not_end_a_robot_with_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    inbox, outbox = Path("in"), Path("out")
    inbox.mkdir()
    outbox.mkdir()
    for number, data in enumerate(HOSTILE.values()):
        (inbox / f"{number}.eml").write_bytes(data + b"acres-save" * (number % 2))
    assert acres("init", "--name", "Anna", "--email", "", home=Path("anna")).status == 0
    invitation = inbox / "game-000.toml"
    made = acres(
        "new", "--side", "british", "--lists", 256, "--output", invitation, home=Path("anna")
    )
    assert made.status == 0, made.err
    (inbox / "zoe.eml").write_bytes(NESTED + b"\n" + letter(invitation.read_bytes()))
    invitation.unlink()
    done = acres("serve-robot", "--inbox", inbox, "--outbox", outbox, "--once", home=Path("robot"))
    assert done.status == 0, done.err
    assert [path.name for path in outbox.iterdir()] == ["game-001.toml"]
    assert "Something happened" not in done.err


# --- at a server


def deliver(office: PostOffice, who: Player, joined: Path) -> None:
    """A good letter between hostile ones, one of which has the file too."""
    for data in (HOSTILE["nested comments"], *list(HOSTILE.values())[:4]):
        office.deliver(who.address, data)
    office.deliver(who.address, NESTED + b"\n" + letter(joined.read_bytes()).partition(b"\n")[2])
    office.deliver(who.address, HOSTILE["nested comments"])


def test_they_keep_no_turn_from_being_fetched(
    office: PostOffice, anna: Player, joined: Path
) -> None:
    deliver(office, anna, joined)
    told = anna.do("mail", "fetch")
    assert "A turn has arrived (record 1 " in told.out
    assert "your move since" in told.out
    assert anna.do("mail", "fetch").out == "No turn has arrived.\n"
    assert flags(anna).count(MARKED) == 1


def test_they_do_not_end_who_watches(
    office: PostOffice, anna: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver(office, anna, joined)
    looks = []

    def sleep(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", sleep)
    done = anna.run("mail", "fetch", "--every", "5m")
    assert done.status == 130
    assert done.out.count("your move since") == 1
    assert len(looks) == 3


def test_one_that_cannot_be_read_is_told_once_and_passed_over(
    office: PostOffice, anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "texts_of", lambda *_: 1 // 0)
    office.deliver(anna.address, b"From: Zoe <zoe@example.org>\nSubject: Hello\n\nHi!\n")
    done = anna.run("mail", "fetch")
    assert done.status == 1
    told = " ".join(done.err.split())
    assert "from zoe@example.org with the subject “Hello” was left in the mailbox" in told
    assert "This message cannot be read (ZeroDivisionError)." in told
    again = anna.run("mail", "fetch")
    assert (again.status, again.out, again.err) == (0, "No turn has arrived.\n", "")


# --- one after the other


def test_each_is_told_before_the_next_one_is_read(
    office: PostOffice, anna: Player, bela: Player, joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And so also where the server goes away in between; the next time it is told again."""
    other = begun(anna.home, bela.home, bela.folder, "other")
    third = begun(anna.home, bela.home, bela.folder, "third")
    for file in (joined, other, third):
        office.deliver(anna.address, letter(file.read_bytes()))
    read, reads = Mailbox.read, []

    def breaks_off(box: Mailbox, uid: int) -> bytes | None:
        reads.append(uid)
        if len(reads) == 3:
            raise KeyboardInterrupt
        return read(box, uid)

    with monkeypatch.context() as patch:
        patch.setattr(Mailbox, "read", breaks_off)
        stopped = anna.run("mail", "fetch")
    assert stopped.status == 130
    assert stopped.out.count("A turn has arrived") == 2
    assert stopped.out.count("your move since") == 2
    assert MARKED not in flags(anna)
    again = anna.do("mail", "fetch").out
    assert (again.count("came again"), again.count("has arrived (")) == (2, 1)
    assert flags(anna) == [MARKED] * 3

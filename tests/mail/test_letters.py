"""Composed messages: valid for every mail program, whatever the names of the players are."""

from __future__ import annotations

import re
from email.message import EmailMessage, MIMEPart
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.sides import Side
from pbem.board import picture
from pbem.foreign import display_name
from pbem.mail.account import is_address
from pbem.mail.draft import compose_email, encode_draft, encode_for_sendmail
from pbem.play.game_file import pack
from pbem.play.incoming import MAX_MESSAGE
from pbem.play.message import extract_files
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.schema import SchemaError
from pbem.savefile.document import MAX_SIZE
from pbem.text.history.email_text import draft_advice
from tests.cli.test_hostile_text import EMAILS, NAMES
from tests.mail.parts import body_of, content_of
from tests.mail.players import Player, begin_game
from tests.mail.sent_messages import attachment_names, dispatch, failure, parse
from tests.play.matches import TIME, begin
from tests.signing import accept, invite

FILE = b'format = "acres-save"\nversion = 1\n\n[[record]]\nsignature = """\\\n  ab\\\n  cd"""\n'
PNG = b"\x89PNG\r\n\x1a\n" + Random(1).randbytes(280_000)
"""A file as large as a real picture."""
HEADERS = [
    "From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "MIME-Version",
    "Content-Type",
]  # fmt: skip
KINDS = ["multipart/mixed", "text/plain", "text/plain"]
TO = "bela@example.org"


def game(name: str = "Anna", email: str = "anna@example.org", guest: str = "Béla") -> Match:
    """Return a joined game between an inviter and a guest with these names."""
    inviter, other = Identity.generate(name, email), Identity.generate(guest, TO)
    match = invite(inviter, side=Side.FRENCH, nonce=bytes(32), time=TIME, lists=16)
    return accept(match, other, nonce=bytes([1]) * 32, time=TIME)


def parts(message: EmailMessage) -> tuple[MIMEPart, ...]:
    """Return the text, the file and the picture of a message."""
    return tuple(message.iter_parts())


def test_message_has_the_headers_of_a_reply() -> None:
    match = game()
    message = parse(compose_email(match, FILE, "game-001.toml").as_bytes())
    assert message.keys() == HEADERS
    assert str(message["From"]) == f"Béla <{TO}>"
    assert str(message["To"]) == "Anna <anna@example.org>"
    assert message["Subject"].endswith("turn 1: Anna (French) to move")
    assert message["Date"].datetime.isoformat() == TIME.replace("Z", "+00:00")
    assert not message.defects
    elsewhere = compose_email(match, FILE, "a.toml", "c@d", "e@f", "2031-01-01T00:00:00Z")
    assert [str(elsewhere[name]) for name in ("To", "From")] == ["Anna <c@d>", "Béla <e@f>"]
    assert str(elsewhere["Date"]).startswith("Wed, 01 Jan 2031 00:00:00")


@pytest.mark.parametrize("picture", [None, PNG])
def test_parts_are_text_file_and_picture(picture: bytes | None) -> None:
    """Alpine opens no draft that begins with a multipart; a cut message loses its picture first."""
    match = begin(3)
    data = pack(match, None, {}, "").write()
    sent = compose_email(match, data, "game-001.toml", picture=picture).as_bytes()
    for stored in (sent, sent.replace(b"\r\n", b"\n")):
        message = parse(stored)
        kinds = [part.get_content_type() for part in message.walk()]
        assert kinds == KINDS + ["image/png"] * bool(picture)
        _, file, *display = parts(message)
        assert (file.get_filename(), content_of(file)) == ("game-001.toml", data)
        assert file.get_content_disposition() == "attachment"
        assert file["Content-Transfer-Encoding"] == "7bit"
        assert [item.get_filename() for item in display] == ["game-001.png"] * bool(picture)
        assert [item.get_payload(decode=True) for item in display] == [PNG] * bool(picture)
        (extracted,) = extract_files(stored)
        assert (extracted.data, extracted.name) == (data, "game-001.toml")
    # The file can be read by eye, and nothing on the way has to change a letter.
    assert data.replace(b"\n", b"\r\n") in sent
    assert max(sent) < 128
    assert sent.count(b"\n") == sent.count(b"\r\n") == sent.count(b"\r")
    assert max(map(len, sent.split(b"\r\n"))) <= 120
    assert not re.search(rb"^(From |\.)", sent, re.M)
    assert compose_email(match, data, "game-001.toml", picture=picture).as_bytes() == sent
    if picture:
        (extracted,) = extract_files(sent[: len(sent) // 2])
        assert extracted.data == data


def test_only_a_draft_is_marked_as_unsent() -> None:
    letter = compose_email(game(), FILE, "game.toml")
    assert parse(encode_draft(letter))["X-Unsent"] == "1"
    assert "X-Unsent" not in parse(encode_for_sendmail(letter)) and "X-Unsent" not in letter
    assert b"\r" not in encode_for_sendmail(letter)


@settings(max_examples=20, deadline=None)
@given(st.one_of(st.binary(max_size=2000), st.just(b"=_acres_" * 99), st.just(FILE)))
def test_file_is_found_beside_any_picture(data: bytes) -> None:
    match = begin(3)
    file = pack(match, None, {}, "").write()
    message = compose_email(match, file, "game-001.toml", picture=data or b"\0").as_bytes()
    assert [files.data for files in extract_files(message)] == [file]


def test_largest_file_leaves_room_for_a_picture() -> None:
    largest = b"x = 1\n" * (MAX_SIZE // 6)
    assert len(compose_email(game(), largest, "a.toml", picture=PNG).as_bytes()) < MAX_MESSAGE // 2


# --- names and addresses


@pytest.mark.parametrize(
    "address",
    ["", "bela", "a@b, c@d", "a@b\nBcc: c@d", "Béla <bela@example.org>", "béla@example.org",
     "a b@c", "bela@example.org ", "<a@b>", "a@b>", "a,b@c", "@b", "a@", "a@@b", "a..b@c",
     "=?x?q?y?=@b", "a@b" + "b" * 252, "a@b\x00", *EMAILS.values()],
)  # fmt: skip
def test_invalid_address_is_left_out(address: str) -> None:
    assert not is_address(address)
    match = begin(3)
    letter = compose_email(match, FILE, "a.toml", address or "-")
    assert "To" not in letter
    *_, wrong = draft_advice(match, address or "-", is_addressed="To" in letter)
    assert "Mail cannot be sent to" in str(wrong)


@pytest.mark.parametrize(
    "address", ["a@b", "o'neil@example.org", "a.b+acres@mail.example.org", "a_b=c%d@x-y.example"]
)
def test_valid_address_is_kept_unchanged(address: str) -> None:
    match = game(email=address)
    letter = compose_email(match, FILE, "a.toml")
    (only,) = parse(letter.as_bytes())["To"].addresses
    assert only.addr_spec == address
    (text,) = draft_advice(match, is_addressed="To" in letter)
    assert address in str(text)


anything = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60),
    st.lists(
        st.sampled_from(["\r\n", "=?utf-8?q?", "=0A", "?=", "Bcc: x@y", "\u202e", '"', "<", ","]),
        min_size=1, max_size=12,
    ).map("".join),
    st.sampled_from([*NAMES.values(), *EMAILS.values()]),
)  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(anything, anything, anything)
def test_names_and_addresses_inject_no_header(name: str, address: str, file: str) -> None:
    try:
        match = game(name, guest=name)
    except SchemaError:
        # The protocol takes no such name.
        match = game()
    message = parse(compose_email(match, FILE, f"{file}.toml", address).as_bytes())
    assert message.keys() == [item for item in HEADERS if item != "To" or is_address(address)]
    assert [one.addr_spec for one in message["From"].addresses] == [TO]
    assert [part.get_content_type() for part in message.walk()] == KINDS
    assert content_of(parts(message)[1]) == FILE
    # What a reader decodes steers nothing either.
    for header in ("From", "Subject"):
        assert not [c for c in str(message[header]) if not c.isprintable()]


@pytest.mark.parametrize(
    "called",
    ["Béla", "“Émile (practice)”", "É É É É", "a “b c”", "李" * 16, "Й" * 60, "a b é c d é",
     "Ébène " * 9, "=?utf-8?q?=0ABcc:_x=40y?=", "a =?utf-8?b?QmNjOiB4QHk=?= b"],
)  # fmt: skip
def test_subject_round_trips(called: str) -> None:
    match = game(called.strip())
    letter = compose_email(match, FILE, "a.toml")
    message, number = parse(letter.as_bytes()), match.id.hex()[:8]
    display = str(display_name(called.strip())).replace("=?", "= ?")
    expected = f"A Few Acres of Snow, game {number}, turn 1: {display} (French) to move"
    assert message["Subject"] == expected
    assert "Bcc" not in str(message["To"]).replace(display, "")
    # The game is to be found by programs that decode nothing.
    assert f"Subject: A Few Acres of Snow, game {number}, turn 1:".encode() in letter.as_bytes()


@pytest.mark.parametrize("email", EMAILS.values(), ids=EMAILS)
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_player_names_are_quoted(name: str, email: str) -> None:
    """An opponent's name in the report, the subject and the headers stays a name."""
    joined = game(name, email, "Anna")
    for match in (Match.replay(joined.records[:1]), joined):
        message = parse(compose_email(match, FILE, "game.toml").as_bytes())
        text = f"{body_of(message)}\n{message['Subject']}"
        assert str(display_name(name)) in " ".join(text.split())
        assert not [c for c in text if not c.isprintable() and c != "\n"]
        assert not re.search(r"^\s*(acres:|Note:|Everything)", text, re.M)


def test_lines_are_wrapped_without_breaking_commands_or_names() -> None:
    name, file = "acres: this game is proved, yes", "x" * 80 + ".toml"
    for length in range(1, 61, 3):
        text = body_of(compose_email(game(name, guest="y" * length), FILE, file))
        assert f"“{name}”" in text
        assert f"\n  acres turn apply {file}\n" in text
        assert all(len(line) <= 72 for line in text.split("\n") if file not in line)


# --- with a picture, on its way


def attachments(who: Player) -> list[list[str | None]]:
    return [attachment_names(message) for message in who.inbox()]


@pytest.fixture
def fake_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace drawing by a file as large as a real picture."""
    monkeypatch.setattr(picture, "render_png", lambda *_: PNG)


WHOLE = ["game-001.toml", "game-001.png"]


@pytest.mark.usefixtures("fake_pictures")
def test_message_is_sent_once_with_or_without_picture(anna: Player, bela: Player) -> None:
    begin_game(anna.home, bela.home, bela.folder, "second")
    bela.do("mail", "send", "--picture")
    second = ["second-001.toml", "second-001.png"]
    assert sorted(map(str, attachments(anna))) == [str(WHOLE), str(second)]
    for words in (["--picture"], []):
        assert "was already sent" in failure(bela.run("mail", "send", bela.file, *words))
    assert "nothing to send" in bela.do("mail", "send", "--picture").out
    bela.do("mail", "send", bela.file, "--again", "--picture")
    assert len({parse(message)["Message-ID"] for message in anna.inbox()}) == 2
    # It is fetched as one turn of each game.
    assert anna.do("mail", "fetch").out.count("A turn has arrived") == 2
    assert (anna.folder / "game-001.toml").read_bytes() == bela.file.read_bytes()
    assert not [name for name in anna.files if name.endswith(".png")]


@pytest.mark.usefixtures("fake_pictures")
def test_oversized_message_suggests_leaving_out_the_picture(anna: Player, bela: Player) -> None:
    anna.office.faults.message_refusal = "552 5.3.4 Message too big"
    text = failure(bela.run("mail", "send", bela.file, "--picture"))
    assert "larger than" in text
    assert text.endswith(f"mail send {bela.file}\n")
    assert failure(bela.run("mail", "send", bela.file)).endswith(f"mail draft {bela.file}\n")
    assert dispatch(bela, bela.file) is None
    anna.office.faults.message_refusal = ""
    bela.do("mail", "send", bela.file)
    assert attachments(anna) == [["game-001.toml"]]

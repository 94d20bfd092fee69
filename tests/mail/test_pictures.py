"""A letter with a picture: whole for every mail program, sent once, and read for its file."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.board import letter_picture
from pbem.mail.drafting import drafted
from pbem.mail.letter import Picture
from pbem.mail.parts import MAX_MESSAGE
from pbem.mail.search import save_files
from pbem.play.game_file import pack
from pbem.savefile.document import MAX_SIZE
from tests.mail.parts import content_of
from tests.mail.players import Player, begun
from tests.mail.sending import dispatch, failure
from tests.mail.servers import PostOffice
from tests.mail.test_letters import FILE, letter
from tests.play.playing import begin

PNG = b"\x89PNG\r\n\x1a\n" + Random(1).randbytes(280_000)
"""As large as one that is drawn."""


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is drawn, and a picture is as large as it would be."""
    monkeypatch.setattr(letter_picture, "png", lambda *_: PNG)


def parsed(message: bytes) -> EmailMessage:
    return message_from_bytes(message, policy=policy.default)


def pictures(who: Player) -> list[list[str | None]]:
    """The names of what is attached to each letter that they got."""
    return [[part.get_filename() for part in parsed(m).iter_attachments()] for m in who.inbox()]


# --- the letter


def test_the_picture_is_attached_behind_the_file() -> None:
    """What is cut on the way is a picture then, and no turn."""
    message = parsed(letter(picture=Picture("game-002.png", PNG)).message().as_bytes())
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/mixed", "text/plain", "text/plain", "image/png",
    ]  # fmt: skip
    *_, file, shown = message.walk()
    assert (file.get_filename(), content_of(file)) == ("game-002.toml", FILE)
    assert (shown.get_filename(), shown.get_payload(decode=True)) == ("game-002.png", PNG)
    assert shown.get_content_disposition() == "attachment"


def test_nothing_on_the_way_has_to_change_it() -> None:
    sent = letter(picture=Picture("game-002.png", PNG)).message().as_bytes()
    assert max(sent) < 128
    assert sent.count(b"\n") == sent.count(b"\r\n") == sent.count(b"\r")
    assert max(map(len, sent.split(b"\r\n"))) <= 78
    assert letter(picture=Picture("game-002.png", PNG)).message().as_bytes() == sent


@settings(max_examples=20, deadline=None)
@given(st.one_of(st.binary(max_size=2000), st.just(b"=_acres_" * 99), st.just(FILE)))
def test_whatever_is_in_a_picture_the_file_is_found(data: bytes) -> None:
    match = begin(3)
    file = pack(match, None, {}, "").write()
    made = drafted(match, file, "game-001.toml", picture=data or b"\0").as_bytes()
    for sent in (made, made.replace(b"\r\n", b"\n")):
        (found,) = save_files(sent)
        assert (found.data, found.name) == (file, "game-001.toml")


def test_of_a_letter_that_was_cut_in_its_picture_the_file_is_whole() -> None:
    match = begin(3)
    file = pack(match, None, {}, "").write()
    sent = drafted(match, file, "game-001.toml", picture=PNG).as_bytes()
    (found,) = save_files(sent[: len(sent) // 2])
    assert found.data == file


def test_the_largest_file_leaves_room_for_a_picture() -> None:
    largest = letter(picture=Picture("game-002.png", PNG))
    largest = largest._replace(file=largest.file._replace(data=b"x = 1\n" * (MAX_SIZE // 6)))
    assert len(largest.message().as_bytes()) < MAX_MESSAGE // 2


# --- on its way


@pytest.mark.usefixtures("quickly")
def test_it_is_sent_once_with_its_picture_or_without(
    anna: Player, bela: Player, joined: Path
) -> None:
    bela.do("mail", "send", joined, "--picture")
    assert pictures(anna) == [["game-001.toml", "game-001.png"]]
    for words in (["--picture"], []):
        assert "was already sent" in failure(bela.run("mail", "send", joined, *words))
    assert "nothing to send" in bela.do("mail", "send", "--picture").out
    assert len(anna.inbox()) == 1
    bela.do("mail", "send", joined, "--again", "--picture")
    one, other = map(parsed, anna.inbox())
    assert one["Message-ID"] == other["Message-ID"]
    # It is fetched as one turn.
    fetched = anna.do("mail", "fetch").out
    assert fetched.count("A turn has arrived") == 1
    assert (anna.folder / "game-001.toml").read_bytes() == joined.read_bytes()
    assert not [name for name in anna.files if name.endswith(".png")]


@pytest.mark.usefixtures("quickly")
def test_of_all_that_goes_each_has_its_picture(anna: Player, bela: Player, joined: Path) -> None:
    begun(anna.home, bela.home, bela.folder, "second")
    bela.do("games", "add", bela.folder)
    bela.do("mail", "send", "--picture")
    assert sorted(pictures(anna)) == [
        ["game-001.toml", "game-001.png"], ["second-001.toml", "second-001.png"]
    ]  # fmt: skip


@pytest.mark.usefixtures("quickly")
def test_an_answer_is_sent_with_a_picture_and_drafted_with_one(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    bela.do("mail", "send", joined)
    anna.do("mail", "fetch")
    file = anna.folder / "game-001.toml"
    anna.do("turn", "apply", file, "pass", "--send", "--mail", "--picture")
    assert pictures(bela) == [["game-002.toml", "game-002.png"]]
    drawn = parsed((anna.folder / "game-002.eml").read_bytes())
    assert [part.get_filename() for part in drawn.iter_attachments()] == pictures(bela)[0]


@pytest.mark.usefixtures("quickly")
def test_where_a_letter_is_too_large_it_is_told_how_it_goes_without_its_picture(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    office.matter.spurns = "552 5.3.4 Message too big"
    told = failure(bela.run("mail", "send", joined, "--picture"))
    assert "larger than" in told
    without = f"mail send {joined}\n"
    assert told.endswith(without)
    assert dispatch(bela, joined) is None
    assert failure(bela.run("mail", "send", joined)).endswith(f"mail draft {joined}\n")
    office.matter.spurns = ""
    bela.do("mail", "send", joined)
    assert pictures(anna) == [["game-001.toml"]]


@pytest.mark.usefixtures("quickly")
def test_an_answer_too_large_to_be_sent_is_written_and_said_how_to_send_it(
    office: PostOffice, anna: Player, bela: Player, joined: Path
) -> None:
    bela.do("mail", "send", joined)
    anna.do("mail", "fetch")
    office.matter.spurns = "552 5.3.4 Message too big"
    file = anna.folder / "game-001.toml"
    told = failure(anna.run("turn", "apply", file, "pass", "--send", "--picture"))
    assert "is written" in told
    assert told.count("mail send") == 1

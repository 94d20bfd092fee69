"""The messages in a mailbox: which there are, and which are worth a look."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from pbem.errors import Unreadable
from pbem.mail import messages
from pbem.mail.messages import SavedMail, is_maildir, is_mbox, may_hold_file
from pbem.mail.parts import MAX_MESSAGE
from pbem.mail.search import files_of
from tests.fuzz.games import game_named
from tests.fuzz.judging import well_behaved
from tests.fuzz.reading import MOST_MEMORY
from tests.mail.programs import NAME, PROGRAMS

FILE = game_named("joined").data
POSTMARK = b"From bela@example.org Sat Nov 21 10:00:00 2026\n"
OTHER = b"Subject: lunch\n\nTomorrow?\n\n"
TURN = PROGRAMS["mutt, attached as text"](FILE).replace(b"\r\n", b"\n")
SPELLED = "comments, and entities for all"
"""Nobody writes a file so, and to see it costs more than to look at all messages."""


def mbox(*found: bytes) -> bytes:
    return b"".join(POSTMARK + message + b"\n" for message in found)


@pytest.mark.parametrize("program", [name for name in PROGRAMS if name != SPELLED])
def test_no_message_with_a_file_is_passed_over(program: str) -> None:
    assert may_hold_file(PROGRAMS[program](FILE))


def test_other_messages_are_passed_over() -> None:
    assert not may_hold_file(OTHER)
    assert not may_hold_file(b"Content-Transfer-Encoding: base64\n\n" + b"QUJDRA==\n" * 1000)


def test_an_mbox_is_taken_apart() -> None:
    found = list(SavedMail(BytesIO(mbox(OTHER, TURN, OTHER, TURN))))
    assert [message.startswith(POSTMARK) for message in found] == [True, True]
    assert all(message.strip().endswith(TURN.strip()) for message in found)


def test_a_line_of_a_text_is_no_beginning_of_a_message() -> None:
    """Programs that go by the length of a message do not quote them."""
    message = TURN.replace(b"My turn.", b"From where I stand it is lost.\n\nFrom now on:\n\nHi!")
    assert message.count(b"\nFrom ") == 2
    found = list(SavedMail(BytesIO(mbox(message, TURN))))
    assert [each.strip().endswith(TURN.strip()[-200:]) for each in found] == [True, True]
    assert found[0] == POSTMARK + message + b"\n"


def test_what_is_no_mbox_is_one_message() -> None:
    assert list(SavedMail(BytesIO(OTHER))) == [OTHER]
    assert list(SavedMail(BytesIO(b""))) == [b""]


def test_a_message_that_is_too_large_keeps_no_other_back() -> None:
    large = b"Subject: film\n\n" + b"x" * MAX_MESSAGE
    box = SavedMail(BytesIO(mbox(TURN, large, TURN)))
    assert len(list(box)) == 2
    assert box.skipped == 1


def test_a_mailbox_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MAX_MAILBOX", len(mbox(TURN, TURN)) - 1)
    with pytest.raises(Unreadable, match="This mailbox is larger than"):
        list(SavedMail(BytesIO(mbox(TURN, TURN))))
    assert len(list(SavedMail(BytesIO(mbox(TURN))))) == 1


@pytest.mark.parametrize("read", [0, 3, 1000, 10**6])
def test_a_stream_that_was_begun_is_gone_through_piece_by_piece(read: int) -> None:
    """A mailbox of 256 MiB on standard input is not kept whole."""
    data = mbox(TURN, *[OTHER] * 10_000, TURN)
    rest = BytesIO(data)
    box = iter(SavedMail(rest, rest.read(read)))
    assert next(box).strip().endswith(TURN.strip())
    assert rest.tell() < max(read, len(TURN)) + 2**17
    assert len(list(box)) == 1


@pytest.mark.parametrize("read", [0, 3, 2**16, 2**20])
def test_what_was_read_of_a_message_by_itself_is_of_it(read: int) -> None:
    assert list(SavedMail(BytesIO(TURN[read:]), TURN[:read])) == [TURN]


def test_a_maildir_is_gone_through_in_the_order_of_time(tmp_path: Path) -> None:
    for name in ("cur", "new", "tmp"):
        (tmp_path / name).mkdir()
    (tmp_path / "cur" / "1000.a:2,S").write_bytes(b"A: 1\n" + TURN)
    (tmp_path / "new" / "0999.b").write_bytes(b"A: 0\n" + TURN)
    (tmp_path / "new" / "1001.c").write_bytes(OTHER)
    (tmp_path / "tmp" / "1002.d").write_bytes(TURN)
    assert is_maildir(tmp_path)
    assert [message[:5] for message in SavedMail(tmp_path)] == [b"A: 0\n", b"A: 1\n"]


def test_what_begins_as_an_mbox_is_one(tmp_path: Path) -> None:
    box, turn = tmp_path / "Inbox", tmp_path / "turn.eml"
    box.write_bytes(mbox(TURN))
    turn.write_bytes(TURN)
    assert (is_mbox(box), is_mbox(turn), is_mbox(tmp_path / "none")) == (True, False, False)
    with pytest.raises(Unreadable, match="There is no file"):
        list(SavedMail(tmp_path / "none"))


@pytest.mark.parametrize("piece", [b"a\n", b"\n", b"\nFrom x\n", b"From " * 99, b"A: b\n"])
def test_what_is_in_a_mailbox_costs_no_more_than_elsewhere(piece: bytes) -> None:
    """Line by line, a message of short ones took hundreds of megabytes."""
    large = b"From: Bela\n\n" + piece * (MAX_MESSAGE // len(piece) - 1000)
    box = mbox(TURN, large, TURN)
    with well_behaved(most_memory=MOST_MEMORY):
        assert len(list(SavedMail(BytesIO(box)))) == 2


@pytest.mark.parametrize("more", range(-12, 3))
def test_a_mark_is_seen_wherever_a_block_ends(more: int) -> None:
    """A mailbox is read in blocks of 64 KiB, behind its first mark."""
    first = b"Subject: lunch\n\nacres-save\n"
    first += b"x" * (2**16 + 5 + more - len(POSTMARK) - len(first) - 1) + b"\n"
    box = SavedMail(BytesIO(POSTMARK + first + POSTMARK + TURN))
    assert [*map(len, box)] == [len(POSTMARK + first), len(POSTMARK + TURN)]


def test_a_message_may_begin_with_two_marks_of_an_mbox() -> None:
    """Programs that pass a message on put `>` before the mark that was there (procmail)."""
    twice = POSTMARK + b">" + POSTMARK + PROGRAMS["attached as image/png"](FILE)
    for message in (twice, twice.removeprefix(POSTMARK), twice.replace(b"\r\n", b"\n")):
        (found,) = files_of(message)
        assert (found.data, found.name) == (FILE, NAME)

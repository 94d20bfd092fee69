"""The messages in an mbox, a Maildir or standard input: no message blocks another."""

from __future__ import annotations

import mailbox
import tracemalloc
from pathlib import Path
from unittest.mock import patch

import pytest

from engine.message import Phrase
from pbem.errors import InputError
from pbem.play import message as module
from pbem.play.incoming import MAX_MESSAGE, is_choice, is_maildir, is_mbox
from pbem.play.message import extract_files, iter_messages, read_all_files, read_mailbox
from pbem.savefile.disk import ReadError
from pbem.savefile.save_file import SaveFile
from tests.fuzz.games import find_game
from tests.mail.messages import letter
from tests.mail.programs import PROGRAMS
from tests.mail.test_message import HOSTILE

GAME = find_game("second")
FILE = GAME.data
POSTMARK = b"From bela@example.org Sat Nov 21 10:00:00 2026\n"
OTHER = b"Subject: lunch\n\nTomorrow?\n"
LARGE = b"Subject: film\n\n" + (b"x" * 99 + b"\n") * (MAX_MESSAGE // 99)


def mbox(*results: bytes) -> bytes:
    return b"".join(POSTMARK + message + b"\n" for message in results)


def turns(count: int) -> list[bytes]:
    """Return messages with the file, each with another number in its headers."""
    return [b"X-Number: %d\n" % number + letter(FILE) for number in range(count)]


class Notes(list[str]):
    """The notes about messages that cannot be read."""

    def __call__(self, output: Phrase) -> None:
        self.append(str(output))


def numbers(source: Path | bytes, notes: Notes) -> list[int]:
    return [int(message.split()[1]) for message in iter_messages(source, notes)]


@pytest.fixture(params=["mbox", "Maildir", "standard input"])
def box(request: pytest.FixtureRequest, tmp_path: Path) -> Path | bytes:
    """Return good messages, one without a file, one that is too large, and hostile ones."""
    hostile = (data + b"\nacres-save\n" for data in HOSTILE.values())
    results = [turns(1)[0], OTHER, LARGE, *hostile, LARGE, turns(2)[1]]
    if request.param != "Maildir":
        (tmp_path / "mail").write_bytes(mbox(*results))
        return tmp_path / "mail" if request.param == "mbox" else mbox(*results)
    folder = mailbox.Maildir(tmp_path / "mail")
    for data in results:
        folder.add(data)
    return tmp_path / "mail"


@pytest.mark.slow
def test_large_messages_do_not_block_others(box: Path | bytes) -> None:
    notes = Notes()
    results = [message for message in iter_messages(box, notes) if message.startswith(b"X-Number")]
    assert sorted(int(message.split()[1]) for message in results) == [0, 1]
    assert notes == ["2 messages are larger than any with a save file: leave them out."]
    assert {item.data for item in read_mailbox(box, notes)} == {FILE}


@pytest.mark.parametrize("quotes", [b"From here the river is yours.\n", b"From me: a turn\n\n"])
def test_from_line_in_a_text_begins_no_message(quotes: bytes) -> None:
    """Many programs do not quote such a line."""
    head, text = letter(FILE).split(b"\n\n", 1)
    results = list(iter_messages(mbox(OTHER, head + b"\n\nHello,\n" + quotes + text), Notes()))
    assert [file.data for message in results for file in extract_files(message)] == [FILE]


def test_unreadable_mailbox_is_refused(tmp_path: Path) -> None:
    """The library `mailbox` raises an error if the folder is gone."""
    for name in ("cur", "new", "tmp"):
        (tmp_path / name).mkdir()
    unreadable = patch("mailbox.Maildir.keys", side_effect=PermissionError(13, "no"))
    with unreadable, pytest.raises(ReadError, match="cannot be read"):
        list(iter_messages(tmp_path, Notes()))


@pytest.mark.parametrize("program", PROGRAMS)
def test_only_messages_with_a_file_are_yielded(program: str) -> None:
    with_file = PROGRAMS[program](FILE).replace(b"\r\n", b"\n")
    (results,) = iter_messages(mbox(OTHER, with_file, b"A: b\n\n" + b"QUJDRA==\n" * 999), Notes())
    assert extract_files(results)[0].data == FILE


def test_other_files_are_read_as_one_message(tmp_path: Path) -> None:
    (alone := tmp_path / "lunch.eml").write_bytes(OTHER)
    for source in (OTHER, b"", alone, mbox(OTHER)):
        assert len(list(iter_messages(source, Notes()))) == 1
    with pytest.raises(InputError, match="There is no file"):
        list(iter_messages(tmp_path / "none", Notes()))
    (tmp_path / "large.eml").write_bytes(LARGE)
    with pytest.raises(InputError, match="takes too long to read"):
        read_mailbox(tmp_path / "large.eml", Notes())


def test_mbox_and_maildir_are_recognised(tmp_path: Path) -> None:
    (mail := tmp_path / "Mail.mbox").write_bytes(mbox(OTHER))
    (tmp_path / "turn.eml").write_bytes(OTHER)
    mailbox.Maildir(tmp_path / "Maildir")
    results = [
        path.name for path in sorted(tmp_path.iterdir()) if is_mbox(path) or is_maildir(path)
    ]
    assert results == ["Mail.mbox", "Maildir"]
    choices = {f"{mail}#34de8b95": True, f"{tmp_path}/none#34de8b95": False, str(mail): False}
    assert {path: is_choice(Path(path)) for path in choices} == choices


@pytest.mark.parametrize("is_piped", [True, False])
def test_mailbox_size_is_limited(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_piped: bool
) -> None:
    (path := tmp_path / "mail").write_bytes(data := mbox(*turns(2)))
    source = data if is_piped else path
    monkeypatch.setattr(module, "MAX_MAILBOX", len(data))
    assert numbers(source, Notes()) == [0, 1]
    monkeypatch.setattr(module, "MAX_MAILBOX", len(data) - 1)
    with pytest.raises(InputError, match="This mailbox is larger than"):
        numbers(source, Notes())


def test_vanished_message_does_not_block_others(tmp_path: Path) -> None:
    """A mail program may delete messages at the same time."""
    for name in ("cur", "new", "tmp"):
        (tmp_path / name).mkdir()
    paths = [tmp_path / "new" / f"{number}" for number in range(4)]
    for path, data in zip(paths, turns(4), strict=True):
        path.write_bytes(data)
    messages = iter_messages(tmp_path, notes := Notes())
    assert next(messages).startswith(b"X-Number: 0")
    paths[1].unlink()
    paths[2].unlink()
    paths[2].mkdir()
    assert [message.split()[1] for message in messages] == [b"3"]
    assert len(notes) == 2
    assert all(f"{tmp_path} cannot be read: " in note for note in notes)


def test_large_mailbox_costs_little_memory(tmp_path: Path) -> None:
    (path := tmp_path / "mail").write_bytes(mbox(*turns(1), *[LARGE] * 3))
    tracemalloc.start()
    try:
        assert numbers(path, Notes()) == [0]
        assert tracemalloc.get_traced_memory()[1] < 2.5 * MAX_MESSAGE
    finally:
        tracemalloc.stop()


# --- what is found in one


def test_unreadable_messages_are_reported_three_times_then_counted() -> None:
    broken = [b"Content-Type: a/b; boundary*=undefined''%d\n\nacres-\n" % n for n in range(9)]
    broken = [data.replace(b"a/b", b"multipart/mixed") for data in broken]
    assert len(read_mailbox(mbox(*broken, *turns(1)), notes := Notes())) == 1
    assert notes.count("This message cannot be read (UnicodeError).") == 3
    assert notes[3:] == ["6 more messages that may hold a save file cannot be read."]
    with pytest.raises(InputError, match="cannot be read"):
        read_mailbox(mbox(*broken), Notes())


def test_forged_file_does_not_block_a_sound_one() -> None:
    *before, last = GAME.save.records
    forged = GAME.save._replace(records=(*before, last._replace(signature=bytes(64)))).write()
    results = read_mailbox(mbox(letter(forged), letter(FILE)), Notes())
    assert [item.data for item in results] == [FILE]
    # By itself it is told what is wrong with it.
    assert [item.data for item in read_mailbox(letter(forged), Notes())] == [forged]


def test_all_files_of_a_mailbox_are_read_and_an_empty_one_refused() -> None:
    older = SaveFile(GAME.save.records[:4], GAME.save.boxes).write()
    results = read_all_files(mbox(letter(older), letter(FILE)), "standard input", Notes())
    assert [len(item.records) for item in results] == [4, len(GAME.save.records)]
    with pytest.raises(InputError, match="There is no save file in standard input"):
        read_all_files(mbox(OTHER, OTHER), "standard input", Notes())

"""Files in a folder are known after one scan, and scanning known files is fast."""

from __future__ import annotations

import errno
import os
import shutil
import time
import tracemalloc
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest

from engine.message import Phrase
from pbem.errors import InputError, UsageError
from pbem.play import inbox, incoming
from pbem.play.game_file import next_name
from pbem.play.game_list import default_game, newest_files, select_games, sort_games, waiting_games
from pbem.play.home import Home
from pbem.play.inbox import Arrival, ArrivalKind, Inbox
from pbem.play.incoming import MAX_MESSAGE
from pbem.play.message import extract_files
from pbem.play.store import Stamp, Store, StoreBlockedError
from pbem.savefile.disk import write_new
from pbem.savefile.document import MAX_SIZE
from pbem.text.proof.arrivals import folder_news
from tests.cli.commands import do, public_key_in

NOW = "2026-11-28T12:00:00Z"


class Place:
    """Anna's home, the folder of her game, and the folder of attachments from her mail program."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home, self.bela = folder, folder / "anna", folder / "bela"
        self.games, self.saved = folder / "games", folder / "saved"
        for arrival in (self.games, self.saved):
            arrival.mkdir()
        do("init", "--name", "Anna", home=self.home)
        do("init", "--name", "Bela", home=self.bela)
        self.invitation, self.joined = folder / "new-000.toml", self.games / "new-001.toml"
        do("new", "--side", "british", "--lists", 1, "--output", self.invitation, home=self.bela)
        home = Home(self.home)
        self.store = Store(home.library_path, public_key_in(self.home), home.clock)

    def join(self) -> None:
        do("join", self.invitation, "--output", self.joined, home=self.home)

    def answer(self, path: Path) -> Path:
        do("turn", "apply", self.joined, "pass", "--output", path, home=self.bela)
        return path

    @property
    def inbox(self) -> Inbox:
        return Inbox(self.store, self.home / "games")

    def scan(self, warn: Callable[[Phrase], None] = print) -> Sequence[Arrival]:
        return [
            arrival
            for arrival in self.inbox.scan([self.games, self.saved], warn)
            if messages_of(arrival)
        ]


def messages_of(arrival: Arrival) -> list[str]:
    return [str(message) for message in folder_news(arrival, NOW, "acres")]


def is_bad(arrival: Arrival) -> bool:
    return arrival.error is not None


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.parametrize("name", ["from bela.toml", "FROM BELA.TOML"])
def test_answer_beside_the_last_file_is_known_after_a_look(place: Place, name: str) -> None:
    place.join()
    assert waiting_games(place.store.games_by_id().values()) == []
    answer = place.answer(place.games / name)
    (new_arrival,) = place.scan()
    assert new_arrival.kind is ArrivalKind.NEW
    (entry,) = waiting_games(place.store.games_by_id().values())
    assert newest_files(entry)[0] == answer
    assert place.scan() == []
    place.store.path.unlink()
    assert " 1 game" in do("games", "add", place.games, home=place.home).out


def test_file_is_read_once_until_it_changes(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.join()
    place.answer(place.saved / "from bela.toml")
    place.scan()
    read: list[Path] = []

    def record_path(self: Inbox, path: Path, **_: bool) -> list[Arrival]:
        read.append(path)
        return []

    monkeypatch.setattr(Inbox, "_add_at_path", record_path)
    place.scan()
    assert read == []
    (place.saved / "from bela.toml").write_text("something else")
    place.scan()
    assert read == [place.saved / "from bela.toml"]


@pytest.mark.parametrize("value", [2**63 - 1, 2**63, 2**80, -1, -(2**63), -(2**80)])
def test_stamp_of_any_value_of_the_system_is_stored(place: Place, value: int) -> None:
    place.join()
    status: Any = SimpleNamespace(st_mtime_ns=value, st_ctime_ns=value, st_size=value)
    stamp = Stamp.of(status)
    place.store.note_stamps(place.saved, {"a.toml": stamp})
    assert place.store.stamps(place.saved) == {"a.toml": stamp}


@pytest.mark.parametrize("second", [-(10**9), 10**10, 2**62])
def test_file_of_any_date_is_listed(place: Place, second: int) -> None:
    place.join()
    place.answer(place.games / "new-002.toml")
    try:
        os.utime(place.games / "new-002.toml", (second, second))
    except (OverflowError, OSError):
        pytest.skip("this file system has no such date")
    assert "Waiting for you" in do("games", home=place.home).out
    assert " 1 game" in do("games", "add", place.games, home=place.home).out


def test_file_that_was_still_being_written_is_read_again(place: Place) -> None:
    place.join()
    whole = place.answer(place.folder / "whole.toml").read_bytes()
    half = place.saved / "half.toml"
    half.write_bytes(whole[: len(whole) // 2])
    assert all(is_bad(arrival) for arrival in place.scan())
    half.write_bytes(whole)
    (new_arrival,) = place.scan()
    assert new_arrival.entry is not None


COPIES = """
game-003 - Copy.toml|game-003 - Kopie.toml|game-003 (conflicted copy 2026-11-28).toml|GAME-003.TOML
game-003.sync-conflict-20261128-101010-ABCDEFG.toml|game-003(1).toml|game-003.toml (1)|GAME-0~1.TOM
game-003.toml.txt|game-003.txt|game-003.toml.bin|DOC-20261128-WA0003.|game-003|game-003.toml.part
game-003.toml.crdownload|Unconfirmed 123.crdownload|game-003.toml.download|game-003.toml~
""".replace("\n", "|").strip("|")


def pack(name: str, data: bytes) -> bytes:
    with ZipFile(packed := BytesIO(), "w") as archive:
        archive.writestr(name, data)
    return packed.getvalue()


def test_turn_is_found_under_any_name_that_a_program_gives_it(place: Place) -> None:
    data = place.invitation.read_bytes()
    contents = dict.fromkeys(COPIES.split("|"), data)
    contents |= {"a.zip": pack("game-003.toml", data), "a.toml": data.decode().encode("utf-16")}
    for name, content in contents.items():
        (place.saved / name).write_bytes(content)
        assert [arrival.is_invitation for arrival in place.scan()] == [True], name
        assert place.inbox.collect([place.saved], print).files == 1, name
        answer = next_name(place.saved / name, bytes(32), 4).name.lower()
        assert answer == "game-004.toml" or not name.startswith("game-003"), name
        (place.saved / name).unlink()


@pytest.mark.parametrize("name", ["Cargo.toml", "game.toml", "b/pyproject.toml", "game-003.toml"])
def test_unreadable_archive_is_reported_if_it_seems_to_hold_a_turn(place: Place, name: str) -> None:
    place.join()
    with ZipFile(large := BytesIO(), "w", ZIP_DEFLATED) as archive:
        for number in range(MAX_MESSAGE // MAX_SIZE + 1):
            archive.writestr(f"{number}/{name}", bytes(MAX_SIZE))
    for content in (pack(name, b"[package]\n")[:-30], large.getvalue()):
        (place.saved / "a.zip").write_bytes(content)
        reports = [text for arrival in place.scan() for text in messages_of(arrival)]
        assert len(reports) == ("003" in name), reports
        assert all("archive cannot be read" in text for text in reports)


def test_archive_of_which_little_is_unpacked_takes_little_memory() -> None:
    """Python unpacks bzip2 whole, whatever size the archive claims."""
    with ZipFile(packed := BytesIO(), "w", ZIP_BZIP2) as archive:
        archive.writestr("game-003.toml", bytes(2**26))
    bomb = packed.getvalue().replace((2**26).to_bytes(4, "little"), (100).to_bytes(4, "little"))
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="archive cannot be read"):
            extract_files(bomb)
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["a.toml", "a.toml.part"])
def test_file_without_a_readable_turn_is_named_once(place: Place, name: str) -> None:
    place.join()
    data = place.invitation.read_bytes()
    contents = {
        "breaks off": [data[:-9], data[:-90] + bytes(90)],
        "is empty": [b"", bytes(len(data))],
        "git has left two versions": [
            b"<<<<<<< ours\n" + data,
            data.replace(b"[[", b"<<<<<<< ours\n=======\n>>>>>>> theirs\n[[", 1),
        ],
        "archive cannot be read": [pack("game-003.toml", data)[:-30]],
    }
    for text, content in ((kind, one) for kind, several in contents.items() for one in several):
        (place.saved / name).write_bytes(content)
        (arrival,) = place.scan()
        notes: list[Phrase] = []
        assert place.inbox.collect([place.saved], notes.append).files == 0
        (message,) = messages_of(arrival)
        assert [message] == [str(note) for note in notes]
        assert message.startswith(str(place.saved / name)) and text in message
        assert place.scan() == []
    (place.saved / ".b.toml.icloud").write_bytes(b"bplist00")
    assert [text for a in place.scan() for text in messages_of(a) if "only in iCloud" in text]


def test_placeholder_that_is_filled_later_is_read_again(place: Place) -> None:
    place.join()
    whole = place.answer(place.folder / "whole.toml").read_bytes()
    file = place.saved / "from bela.toml"
    for content, is_bad_now in ((bytes(len(whole)), True), (whole, False)):
        file.write_bytes(content)
        os.utime(file, ns=(1, 1))
        assert [is_bad(arrival) for arrival in place.scan()] == [is_bad_now]
        time.sleep(0.02)


def test_invitation_comes_until_it_is_taken_up(place: Place) -> None:
    shutil.copy(place.invitation, place.saved)
    for _ in range(2):
        (new_arrival,) = place.scan()
        assert new_arrival.path == place.saved / place.invitation.name
        assert new_arrival.is_invitation
    place.join()
    assert place.scan() == []


def test_other_files_are_ignored_and_damaged_ones_reported_once(place: Place) -> None:
    place.join()
    (place.saved / "settings.toml").write_text("[a]\nb = 1\n")
    (place.saved / "letter.eml").write_text("Subject: hello\n\nNothing here.\n")
    (place.saved / "bro\x1bken.toml").write_text('format = "acres-save"\nthis is no TOML\n')
    (new_arrival,) = place.scan()
    assert (
        is_bad(new_arrival)
        and "ken.toml" in messages_of(new_arrival)[0]
        and messages_of(new_arrival)[0].isprintable()
    )
    assert place.scan() == []


def letter(path: Path, *files: Path) -> None:
    """Write a message with these attachments, as a mail program saves it."""
    message = EmailMessage()
    message["From"], message["Subject"] = "dora@example.org", "two games"
    message.set_content("Here they are.")
    for file in files:
        message.add_attachment(file.read_bytes(), "application", "toml", filename=file.name)
    path.write_bytes(message.as_bytes())


def test_attachment_that_cannot_be_saved_is_tried_again(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.join()
    do("init", "--name", "Dora", home=place.folder / "dora")
    other = place.folder / "dora-000.toml"
    do("new", "--side", "french", "--lists", 1, "--output", other, home=place.folder / "dora")
    letter(place.saved / "both.EML", place.answer(place.folder / "bela-002.toml"), other)

    def where_a_disk_is_full(path: Path, data: bytes) -> None:
        if path.parent == place.games:
            raise UsageError("The disk is full.")
        write_new(path, data)

    with monkeypatch.context() as now:
        now.setattr(inbox, "write_new", where_a_disk_is_full)
        failed, invited = place.scan()
        assert (failed.kind, messages_of(failed)) == (ArrivalKind.FAILED, ["The disk is full."])
        assert invited.is_invitation and invited.path is not None
        assert invited.path.parent == place.home / "games"
        message = messages_of(invited)[0]
        assert message.startswith("Dora invites you to a game, ")
        assert message.endswith(f": {invited.path}")
        assert "::" not in message
    assert any(arrival.entry for arrival in place.scan())
    assert place.scan() == []


def test_attachment_is_reported_if_its_folder_cannot_be_made(place: Place) -> None:
    letter(place.saved / "invitation.eml", place.invitation)
    folder = place.home / "games"
    folder.write_text("no folder")
    for _ in range(2):
        (failed,) = place.scan()
        assert messages_of(failed)[0].endswith("-000.toml cannot be written: Not a directory.")
    folder.unlink()
    assert [arrival.is_invitation for arrival in place.scan()] == [True]


@pytest.mark.parametrize("name", ["answer.toml", "letter.eml"])
def test_locked_file_is_read_later(
    place: Place, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    place.join()
    answer = place.answer(place.folder / "bela-002.toml")
    letter(place.saved / "letter.eml", answer)
    if name == answer.name:
        shutil.copy(answer, place.saved / name)
    opened = Path.open

    def lock(self: Path, *arguments: Any, **named: Any) -> Any:
        if self.parent == place.saved:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))
        return opened(self, *arguments, **named)

    with monkeypatch.context() as now:
        now.setattr(Path, "open", lock)
        assert all(is_bad(arrival) for arrival in place.scan())
    assert any(arrival.entry for arrival in place.scan())
    assert place.scan() == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_no_pipe_is_read_for_an_invitation(place: Place) -> None:
    pipe = place.saved / "pipe.toml"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        os.write(end, data := b"x" * (inbox.MAX_INVITATION_SIZE + 1))
        assert place.inbox.games([pipe]) == []
        assert os.read(end, len(data)) == data
    finally:
        os.close(end)


@pytest.mark.long
def test_folder_of_5000_known_files_costs_milliseconds(place: Place) -> None:
    place.join()
    for number in range(5000):
        (place.saved / f"settings {number}.toml").write_text("a = 1\n")
    place.scan()
    best = min(_seconds(place) for _ in range(3))
    assert best < 0.1


def _seconds(place: Place) -> float:
    began = time.process_time()
    assert place.scan() == []
    return time.process_time() - began


# --- selecting a game


def test_games_are_selected_by_number_name_and_digits(place: Place) -> None:
    place.join()
    games = sort_games(place.store.games_by_id().values())
    (game,) = games
    digits = game.id.hex()
    for word in ("1", "Bela", "BÉLA", "bel", digits, digits[:6]):
        assert select_games(games, word) == [game], word
    for word in ("2", "0", "Anna", "ela", "x"):
        assert select_games(games, word) == [], word
    assert select_games(games, "bel", full=True) == []
    assert default_game(games) == game
    assert default_game([game, game]) is None


@pytest.mark.parametrize("fault", ["fails", "hangs"])
def test_folder_that_fails_is_left_out_with_a_warning(
    place: Place, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """A network drive may answer with an error or not at all."""
    place.join()
    place.answer(place.saved / "from bela.toml")
    really, ended, calls = os.scandir, Event(), []

    def scandir(path: Any) -> Any:
        if path == place.games:
            calls.append(path)
            if fault == "hangs":
                ended.wait(60)
            raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
        return really(path)

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(incoming, "SCAN_TIMEOUT", 0.2)
    warned: list[str] = []
    for _ in range(2):
        began = time.monotonic()
        new_arrival = place.scan(lambda message: warned.append(str(message)))
        assert time.monotonic() - began < 5
        assert [arrival.kind for arrival in new_arrival] in ([ArrivalKind.NEW], [])
    assert len(waiting_games(place.store.games_by_id().values())) == 1
    assert len(set(warned)) == 1
    assert str(place.games) in warned[0]
    # The program does not wait a second time.
    assert len(calls) == (1 if fault == "hangs" else 2)
    ended.set()


@pytest.mark.parametrize("method", ["note", "note_stamps"])
def test_files_are_reported_if_the_library_cannot_note_them(
    place: Place, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """The files are reported again if the game could not be noted."""
    place.join()
    place.scan()
    # Invitations are not noted.
    do("new", "--side", "any", "--lists", 1, "--output", place.saved / "a.toml", home=place.bela)
    place.answer(place.saved / "from bela.toml")
    warned: list[str] = []

    def full(*_arguments: object, **_named: object) -> None:
        raise StoreBlockedError("the disk is full", "Make room.")

    with monkeypatch.context() as now:
        now.setattr(Store, method, full)
        new_arrival = place.inbox.scan([place.saved], lambda message: warned.append(str(message)))
    assert any(arrival.entry for arrival in new_arrival) == (method == "note_stamps")
    assert [warning.endswith("games: the disk is full. Make room.") for warning in warned] == [True]
    assert any(arrival.entry for arrival in place.scan()) == (method == "note")

"""Files as they come in: by what name they may hold a turn, and what a message says of them.

The names of letters come from the records alone, so that both players give a letter the same name
whenever they make it: mail programs hold the game together, and see that a letter which comes twice
is one. Anybody can give a letter such a name: it decides nothing.
"""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from engine.message import NOTHING, Message, Phrase
from engine.value import Value
from pbem.errors import Unreadable, WrongUse, describe_os_error
from pbem.foreign import display_address, excerpt, replace_quotes, shell_quote
from pbem.play.store import Stamp, Store
from pbem.protocol.cache import VerifiedRecord
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.savefile.disk import is_file, is_folder, path_exists
from pbem.savefile.document import MAX_SIZE

# --- pauses between looks


MOST_DOUBLED = 4
"""If looking fails, the time until the next look doubles, at most this many times."""


class Backoff:
    """The pauses between looks, usually of `every` seconds, and longer with each that fails.

    As soon as one goes well, the pauses are normal again.
    """

    def __init__(self, every: int) -> None:
        self._every = every
        self._failures, self._told = 0, ""

    @property
    def seconds(self) -> int:
        """How long to wait now."""
        return self._every << min(self._failures, MOST_DOUBLED)

    def note_failure(self, why: object) -> bool:
        """Note that a look failed; return True to report it: the last one did not fail so."""
        is_new = str(why) != self._told
        self._failures, self._told = self._failures + 1, str(why)
        return is_new

    def note_success(self) -> bool:
        """Note that a look went well; return True if the last one did not."""
        has_failed = self._failures > 0
        self._failures, self._told = 0, ""
        return has_failed


# --- files that may hold a turn


SAVE = ".toml"
SUFFIXES = (SAVE, ".eml")
"""How the names of save files and messages end, in small letters or in capitals."""
MAX_MESSAGE = 8 * 1024 * 1024
"""In bytes: no message that is longer is read, and no save file is as long."""
PATIENCE = 2.0
"""In seconds, how long to wait for a folder."""


def is_called_save(path: Path) -> bool:
    """Return True if a file is a save file by its name."""
    return path.suffix.lower() == SAVE


def may_hold_turn(name: str) -> bool:
    """Return True if a file is a save file or a message by its name."""
    return name.lower().endswith(SUFFIXES)


class FolderFails(WrongUse):
    """A folder cannot be looked through now."""


_asked: dict[Path, Thread] = {}
"""The threads waiting for a folder that has not answered in time, and may never."""


def scan_with_timeout(folder: Path) -> dict[str, Stamp]:
    """Return the files of a folder that may hold a turn, by their names; not those in its folders.

    A folder that is gone has none. Raises FolderFails if the system cannot tell, or not in time: if
    a network drive has gone, looking into it may take for ever.
    """
    found: list[dict[str, Stamp] | OSError] = []

    def look() -> None:
        try:
            there = scan_folder(folder).items()
            found.append({name: each for name, each in there if 0 < each.size <= MAX_MESSAGE})
        except OSError as error:
            found.append(error)

    before = _asked.get(folder)
    if before is None or not before.is_alive():
        _asked[folder] = Thread(target=look, daemon=True)
        _asked[folder].start()
        _asked[folder].join(PATIENCE)
    answer = found[0] if found else None
    if isinstance(answer, FileNotFoundError | NotADirectoryError):
        return {}
    if answer is None or isinstance(answer, OSError):
        reason = describe_os_error(answer) if answer else Message("it does not answer")
        raise FolderFails(
            "The folder {folder} is left out: {reason}.", folder=folder, reason=reason
        )
    return answer


def scan_folder(folder: Path, *, of_any_name: bool = False) -> dict[str, Stamp]:
    """Return the files of a folder by their names: those that may hold a turn, or `of_any_name`."""
    found: dict[str, Stamp] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") or not (of_any_name or may_hold_turn(entry.name)):
                continue
            # One that has just disappeared, or leads nowhere, does not count.
            with suppress(OSError):
                if entry.is_file():
                    # On Windows the entry itself lags behind a file that is being written.
                    status = os.stat(entry.path)  # noqa: PTH116
                    found[entry.name] = Stamp(status.st_mtime_ns, status.st_size)
    return found


class NewFileFinder:
    """Files in folders, looked at again and again."""

    def __init__(self) -> None:
        self._known: dict[Path, Stamp] = {}
        self._settling: dict[Path, Stamp] = {}

    def find(self, folders: Iterable[Path]) -> list[Path]:
        """Return the files that are new or have changed since they were returned last, by age.

        One comes when it is the same at two looks: before, somebody may be writing it. A folder
        that fails is left out.
        """
        found: dict[Path, Stamp] = {}
        for folder in folders:
            with suppress(FolderFails):
                found |= {folder / name: stamp for name, stamp in scan_with_timeout(folder).items()}
        new = {path: stamp for path, stamp in found.items() if self._known.get(path) != stamp}
        settled = [path for path, stamp in new.items() if self._settling.get(path) == stamp]
        self._settling = new
        # A file that disappears from a folder is new when it comes back.
        self._known = {path: found[path] for path in (found.keys() - new.keys()) | {*settled}}
        return sorted(settled, key=lambda path: (new[path].changed, path))

    def forget(self, path: Path) -> None:
        """Take a file for a new one again."""
        self._known.pop(path, None)


# --- the thread of a game


DOMAIN = "acres.invalid"
"""Nobody's, for good (RFC 2606): a player's own would say where the letter was made."""
MOST_BEFORE = 10
"""How many letters are named before one, beside the invitation."""
_NAME = re.compile(r"<([0-9a-f]{8})\.[0-9]{1,6}\.[0-9a-f]{32}@acres\.invalid>")


def find_game_ids(text: str) -> list[bytes]:
    """Return how the games begin that the names of letters in a text are of, in their order."""
    return [bytes.fromhex(game) for game in _NAME.findall(text)]


def message_id(game: bytes, record: Record) -> str:
    """Return the Message-ID of the letter with this last record of its file.

    `game` is the id of the game. Names of one place in a game begin alike: `<34de8b95.12.`.
    """
    return f"{place_id(game, record.index)}{record.hash[:16].hex()}@{DOMAIN}>"


def place_id(game: bytes, index: int) -> str:
    """Return how every letter is named whose last record has that index in the game."""
    return f"<{game[:4].hex()}.{index}."


def references(match: Match) -> list[str]:
    """Return the letters that one with this match follows, from the invitation to the answered."""
    *before, _ = match.records
    named = before[:1] + before[1:][-MOST_BEFORE:]
    return [message_id(match.id, record) for record in named]


# --- a file as it comes in


INPUT = "-"
"""Stands for standard input where a file is named."""
CHOOSES = "#"
"""Stands between a mailbox and the beginning of the number of the game that is meant."""
MAX_MAILBOX = 256 * 1024 * 1024
FORMAT = b"acres-save"
"""It stands in every save file, and in few others."""
POSTMARK = b"From "
"""With a line that begins so, each message of an mbox begins (RFC 4155)."""
_LONGEST_SUBJECT = 60
_WIDE = (BOM_UTF16_LE, BOM_UTF16_BE)
_BEGINNING = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,99}(?:[\w-]{1,99}|\"[^\"\n]{0,200}\")[ \t]{0,9}=[ \t]{0,9}\S"
)
"""A key and a value, as no message begins."""


class MessageUnreadable(Unreadable):
    """A message that cannot be read: out of bounds, or made to break its reader."""


class FileDamaged(Unreadable):
    """A save file in a message that cannot be read."""


class Envelope(NamedTuple):
    """The headers of a message, which anybody may have written or left out.

    `address` is the sender's, empty if there is none; `is_automatic` is true for a message that a
    program sent.
    """

    sender: str = ""
    subject: str = ""
    message_id: str = ""
    address: str = ""
    is_automatic: bool = False
    references: str = ""

    @property
    def who(self) -> Phrase:
        """The sender, as the program prints it."""
        return display_address(self.address or self.sender or "?")

    @property
    def about(self) -> str:
        """Its subject, to stand in quotes."""
        return excerpt(replace_quotes(self.subject), _LONGEST_SUBJECT)


class IncomingFile(Value):
    """A save file as it comes in, or with `is_evidence` the evidence of a fork.

    `label` stands for it in sentences; at `path` it, or the message with it, is found again, None
    if nowhere. Of its `records` only the form was checked; they are empty until a file by itself is
    read. In a message, `where` names its place for a player: the attachment bela-004.toml; and
    `name` is the safe name of the attachment, empty if it has none. `is_recoded` is true if it was
    saved as UTF-16.
    """

    data: bytes
    label: Phrase = NOTHING
    path: Path | None = None
    records: tuple[Record, ...] = ()
    name: str = ""
    where: Phrase = NOTHING
    envelope: Envelope = Envelope()
    is_evidence: bool = False
    is_recoded: bool = False

    @property
    def is_file(self) -> bool:
        """True for a save file by itself, beside which its answer is written."""
        return self.path is not None and not self.where

    @property
    def repairs(self) -> list[str]:
        """The changes that had to be undone to read it, as plain data."""
        return ["encoding"] if self.is_recoded else []

    def is_beginning_of(self, other: IncomingFile) -> bool:
        """Return True if its records are all in the other file, and are the first in it."""
        pairs = zip(self.records, other.records, strict=False)
        is_shorter = len(self.records) <= len(other.records)
        return is_shorter and all(
            VerifiedRecord.of(one) == VerifiedRecord.of(two) for one, two in pairs
        )

    @property
    def as_argument(self) -> str:
        """The word that names it in a command."""
        return INPUT if self.path is None else shell_quote(self.path)

    @property
    def truncation_warning(self) -> Message:
        """The warning that the file may be only the beginning of what was sent; empty if it is all.

        Whoever answers seals a box, which stands behind the records.
        """
        if len(self.records) == 1 or self.is_evidence or b"[sealed" in self.data:
            return NOTHING
        return Message(
            "The save file in {where} ends with record {record}, with no sealed box after it: if "
            "there was more, the message was cut off, so ask for it to be sent again.",
            where=self.where,
            record=len(self.records) - 1,
        )


class FileQuery(NamedTuple):
    """The player who wants a file, with the `store`, and how the program is `called` for them.

    `note` is told about what is not taken. With `joins` only an invitation is meant, with
    `compares` any file.
    """

    store: Store | None
    note: Callable[[Phrase], None]
    called: str
    joins: bool = False
    compares: bool = False


def as_utf8(data: bytes) -> bytes:
    """Return a text that begins with the mark of UTF-16 in UTF-8; anything else as it is."""
    if not data.startswith(_WIDE) or len(data) > MAX_SIZE:
        return data
    try:
        return data.decode("utf-16").encode()
    except UnicodeError:
        return data


def is_save_file(data: bytes) -> bool:
    """Return True if these bytes begin as a file of acres does, and not as a message."""
    if data.startswith(_WIDE):
        data = data[:2048].decode("utf-16", "ignore").encode(errors="ignore")
    return _BEGINNING.match(data) is not None


def is_choice(file: Path) -> bool:
    """Return True for the name of a mailbox and a game in it, such as `Mail.mbox#34de8b95`."""
    before, mark, _ = str(file).rpartition(CHOOSES)
    return bool(mark and before) and not path_exists(file) and path_exists(Path(before))


def names_file(text: str) -> bool:
    """Return True if a word of a command line names a FILE, and not a game or an opponent."""
    path = Path(text)
    return (
        text == INPUT
        or may_hold_turn(text)
        or len(path.parts) > 1
        or is_file(path)
        or is_choice(path)
        # A pipe, or a mailbox. The folder of somebody's home may go by the name of an opponent.
        or (path_exists(path) and (not is_folder(path) or is_maildir(path)))
    )


def is_maildir(path: Path) -> bool:
    """Return True if a folder is a Maildir."""
    return is_folder(path / "cur") and is_folder(path / "new")


def is_mbox(path: Path) -> bool:
    """Return True if a file begins as an mbox does."""
    with suppress(OSError), path.open("rb") as file:
        return file.read(len(POSTMARK)) == POSTMARK
    return False

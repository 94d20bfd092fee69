"""Incoming files before they are verified: names, folders, Message-IDs and headers.

Message-IDs are derived from the records alone, so that both players give a message the same id.
Mail programs can thread the game, and recognise a message that comes twice. Anybody can fake such
an id, so that nothing depends on it. `pbem.play.inbox` verifies and stores the files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path, PurePath
from threading import Thread
from typing import NamedTuple

from engine.message import NOTHING, Message, Phrase
from engine.value import Value
from pbem.errors import InputError, UsageError, describe_os_error
from pbem.foreign import display_address, excerpt, replace_quotes, shell_quote
from pbem.play.store import Stamp, Store
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.savefile.disk import UTF_16_MARKS, is_file, is_folder, path_exists

# --- pauses between checks for new files


MAX_DOUBLINGS = 4
"""The maximum number of times that a pause is doubled."""


class Backoff:
    """The pauses between checks: `every` seconds, doubled after each failure in a row.

    >>> backoff = Backoff(60)
    >>> backoff.note_failure("no network"), backoff.note_failure("no network"), backoff.seconds
    (True, False, 240)
    >>> backoff.note_success(), backoff.seconds
    (True, 60)
    """

    def __init__(self, every: int) -> None:
        self._every = every
        self._failures, self._reported = 0, ""

    @property
    def seconds(self) -> int:
        """The length of the next pause."""
        return self._every << min(self._failures, MAX_DOUBLINGS)

    def note_failure(self, reason: object) -> bool:
        """Note a failed check; return True if it should be reported, because the reason is new."""
        is_new = str(reason) != self._reported
        self._failures, self._reported = self._failures + 1, str(reason)
        return is_new

    def note_success(self) -> bool:
        """Note a successful check; return True if the one before it failed."""
        has_failed = self._failures > 0
        self._failures, self._reported = 0, ""
        return has_failed


# --- files that may hold a turn


SAVE = ".toml"
SUFFIXES = (SAVE, ".eml")
"""The suffixes of save files and messages, in lower or upper case."""
PLACEHOLDER = ".icloud"
"""The suffix of a file that is not on this computer; a full stop precedes its name."""
_CALLED = re.compile(r"\.(toml|eml)(?![a-z])", re.IGNORECASE)
_RENAMED = re.compile(
    rf"{_CALLED.pattern}|^[^.]+$|\.(|asc|bak|bin|crdownload|dat|download|old|orig|part|partial|te?xt|"
    r"tmp|tom|zip)$",
    re.IGNORECASE,
)
"""The names that browsers, phones and synchronization give to copies and to unknown files."""
MAX_MESSAGE = 8 * 1024 * 1024
"""The maximum size of a message, in bytes; every save file is smaller."""
SCAN_TIMEOUT = 2.0
"""The maximum time to wait for a folder, in seconds."""


def is_called_save(path: PurePath) -> bool:
    """Return True if a path has the name of a save file, or of a copy of one.

    >>> is_called_save(Path("game-004.TOML")), is_called_save(Path("game-004.toml (1).txt"))
    (True, True)
    """
    return _CALLED.findall(path.name.lower())[-1:] == ["toml"]


def may_hold_turn(name: str) -> bool:
    """Return True if a file has the name of a save file or a message, or of a copy of one."""
    return _CALLED.search(name) is not None


def may_be_renamed(name: str) -> bool:
    """Return True if a file in a folder may hold a turn; a program may have given it its name.

    >>> [may_be_renamed(name) for name in ("DOC-2026-WA0003.", "game-004.txt", "picture.png")]
    [True, True, False]
    """
    if name.startswith("."):
        return name.endswith(PLACEHOLDER) and may_hold_turn(name)
    return _RENAMED.search(name) is not None


class FolderScanError(UsageError):
    """Raised if a folder cannot be scanned now."""


_waiting: dict[Path, Thread] = {}
"""The threads that wait for a folder that did not answer in time, and may never answer."""


def scan_with_timeout(folder: Path) -> dict[str, Stamp]:
    """Return the stamps of the files in a folder that may hold a turn, by name.

    Subfolders are not scanned; a missing folder has no files. Raises FolderScanError if the system
    reports an error or does not answer in time: a lost network drive may never answer.
    """
    results: list[dict[str, Stamp] | OSError] = []

    def look() -> None:
        try:
            stamps = scan_folder(folder).items()
            results.append({name: stamp for name, stamp in stamps if stamp.size <= MAX_MESSAGE})
        except OSError as error:
            results.append(error)

    before = _waiting.get(folder)
    if before is None or not before.is_alive():
        thread = Thread(target=look, daemon=True)
        thread.start()
        thread.join(SCAN_TIMEOUT)
        # Only now, because others may scan the folder at the same time.
        if thread.is_alive():
            _waiting[folder] = thread
    answer = results[0] if results else None
    if isinstance(answer, FileNotFoundError | NotADirectoryError):
        return {}
    if answer is None or isinstance(answer, OSError):
        why = describe_os_error(answer) if answer else Message("it does not answer")
        raise FolderScanError(
            "The folder {folder} is left out: {reason}.", folder=folder, reason=why
        )
    return answer


def scan_folder(folder: Path, *, of_any_name: bool = False) -> dict[str, Stamp]:
    """Return the stamps of files in a folder that may hold a turn, or `of_any_name`, by name."""
    stamps: dict[str, Stamp] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if not (may_be_renamed(entry.name) or (of_any_name and entry.name[0] != ".")):
                continue
            # Files that have just disappeared, and broken links, do not count.
            with suppress(OSError):
                if entry.is_file():
                    # On Windows the entry is not up to date while a file is being written.
                    stamps[entry.name] = Stamp.of(os.stat(entry.path))  # noqa: PTH116
    return stamps


class NewFileFinder:
    """A search for new files in folders, repeated with each call of `find`."""

    def __init__(self) -> None:
        self._known: dict[Path, Stamp] = {}
        self._settling: dict[Path, Stamp] = {}

    def find(self, folders: Iterable[Path]) -> list[Path]:
        """Return the files that are new or changed since they were returned last, oldest first.

        A file is returned when it is unchanged between two calls, because it may still be being
        written before that. Folders that fail are skipped.
        """
        stamps: dict[Path, Stamp] = {}
        for folder in folders:
            with suppress(FolderScanError):
                here = scan_with_timeout(folder).items()
                stamps |= {folder / name: stamp for name, stamp in here if stamp.size}
        new = {path: stamp for path, stamp in stamps.items() if self._known.get(path) != stamp}
        settled = [path for path, stamp in new.items() if self._settling.get(path) == stamp]
        self._settling = new
        # A file that disappears from a folder is new when it comes back.
        self._known = {path: stamps[path] for path in (stamps.keys() - new.keys()) | {*settled}}
        return sorted(settled, key=lambda path: (new[path].changed, path))

    def forget(self, path: Path) -> None:
        """Treat a file as new again."""
        self._known.pop(path, None)


# --- Message-IDs


DOMAIN = "acres.invalid"
"""A domain that will never exist (RFC 2606); a player's own would identify the player."""
MAX_EARLIER_IDS = 10
"""The maximum number of earlier messages that a message refers to, besides the invitation."""
_NAME = re.compile(r"<([0-9a-f]{8})\.([0-9]{1,6})\.[0-9a-f]{32}@acres\.invalid>")


def find_game_ids(text: str) -> list[bytes]:
    """Return the beginnings of the game ids in the Message-IDs in a text, in their order.

    >>> find_game_ids("<34de8b95.12.000102030405060708090a0b0c0d0e0f@acres.invalid>")[0].hex()
    '34de8b95'
    """
    return [game for game, _ in find_record_ids(text)]


def find_record_ids(text: str) -> list[tuple[bytes, int]]:
    """Return the beginnings of game ids and the indexes of records in the Message-IDs in a text."""
    return [(bytes.fromhex(game), int(index)) for game, index in _NAME.findall(text)]


def message_id(game: bytes, record: Record) -> str:
    """Return the Message-ID of the message whose file ends with `record`.

    `game` is the id of the game. Ids at one index of a game begin alike: `<34de8b95.12.`.
    """
    return f"<{game[:4].hex()}.{record.index}.{record.hash[:16].hex()}@{DOMAIN}>"


def references(match: Match) -> list[str]:
    """Return the Message-IDs to which a message with `match` refers, from the invitation on."""
    *before, _ = match.records
    named = before[:1] + before[1:][-MAX_EARLIER_IDS:]
    return [message_id(match.id, record) for record in named]


# --- incoming files


STANDARD_INPUT = "-"
"""The argument that names standard input."""
GAME_SEPARATOR = "#"
"""The separator between a mailbox and the beginning of a game's id."""
MAX_MAILBOX = 256 * 1024 * 1024
"""The maximum size of a mailbox, in bytes."""
FORMAT = b"acres-save"
"""A text that is in every save file, and in few other files."""
ZIP = b"PK\3\4"
"""The beginning of a zip archive."""
POSTMARK = b"From "
"""The beginning of the line before each message of an mbox (RFC 4155)."""
_MAX_SUBJECT_LENGTH = 60
_FIRST_KEY = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<{7} [^\n]{0,99}\n)?\s{0,99}"
    rb"(?:[\w-]{1,99}|\"[^\"\n]{0,200}\")[ \t]{0,9}=[ \t]{0,9}\S"
)
"""A key and a value, with which no message begins."""


class UnreadableMessageError(InputError):
    """Raised if a message is too large or too complex, or cannot be parsed."""


class DamagedFileError(InputError):
    """Raised if a save file in a message cannot be read."""


class Envelope(NamedTuple):
    """The headers of a message, which anybody may have written or left out.

    `address` is the sender's address, or empty; `is_automatic` is true for a message that a program
    sent.
    """

    sender: str = ""
    subject: str = ""
    message_id: str = ""
    address: str = ""
    is_automatic: bool = False
    references: str = ""

    @property
    def sender_text(self) -> Phrase:
        """The sender in printable form."""
        return display_address(self.address or self.sender or "?")

    @property
    def quoted_subject(self) -> str:
        """The subject, to be put in quotation marks."""
        return excerpt(replace_quotes(self.subject), _MAX_SUBJECT_LENGTH)


class IncomingFile(Value):
    """An incoming save file, or with `is_evidence` the evidence of a fork.

    `label` names it in sentences; `path` is the path of the file, or of the message that contains
    it, or None. Only the form of its `records` was checked; they are empty until a separate file is
    read. For a file in a message, `location` is its place in words, such as "the attachment
    bela-004.toml", and `name` the safe name of the attachment, or empty. `is_recoded` is true if
    the file was saved as UTF-16.
    """

    data: bytes
    label: Phrase = NOTHING
    path: Path | None = None
    records: tuple[Record, ...] = ()
    name: str = ""
    location: Phrase = NOTHING
    envelope: Envelope = Envelope()
    is_evidence: bool = False
    is_recoded: bool = False

    @property
    def is_file(self) -> bool:
        """True for a separate save file; its answer is written next to it."""
        return self.path is not None and not self.location

    @property
    def repairs(self) -> list[str]:
        """The names of the changes that were undone to read the file."""
        return ["encoding"] if self.is_recoded else []

    def is_beginning_of(self, other: IncomingFile) -> bool:
        """Return True if the other file begins with all of its records, under any signatures."""
        beginning = other.records[: len(self.records)]
        return [record.hash for record in self.records] == [record.hash for record in beginning]

    @property
    def as_argument(self) -> str:
        """The argument that names it in a command."""
        return STANDARD_INPUT if self.path is None else shell_quote(self.path)

    @property
    def truncation_warning(self) -> Message:
        """The warning that the file may have been cut off; empty if it is complete.

        In an answer a sealed box always follows the records.
        """
        if len(self.records) == 1 or self.is_evidence or b"[sealed" in self.data:
            return NOTHING
        return Message(
            "The save file in {where} ends with record {record}, with no sealed box after it: if "
            "there was more, the message was cut off, so ask for it to be sent again.",
            where=self.location,
            record=len(self.records) - 1,
        )


class FileQuery(NamedTuple):
    """A player's request for one file, with the player's `store` and the name of the program.

    `note` is called with messages about files that are not chosen. With `to_join` an invitation is
    preferred; with `to_compare` any file will do.
    """

    store: Store | None
    note: Callable[[Phrase], None]
    program: str
    to_join: bool = False
    to_compare: bool = False


def is_save_file(data: bytes) -> bool:
    """Return True if these bytes begin as a save file does, and not as a message.

    >>> is_save_file(b'format = "acres-save"'), is_save_file(b"From: bela@example.org")
    (True, False)
    """
    if data.startswith(UTF_16_MARKS):
        data = data[:2048].decode("utf-16", "ignore").encode(errors="ignore")
    return _FIRST_KEY.match(data) is not None


def is_choice(file: Path) -> bool:
    """Return True for a mailbox with a game in it, such as `Mail.mbox#34de8b95`."""
    before, mark, _ = str(file).rpartition(GAME_SEPARATOR)
    return bool(mark and before) and not path_exists(file) and path_exists(Path(before))


def names_file(text: str) -> bool:
    """Return True if an argument of a command names a file, not a game or an opponent.

    >>> names_file("-"), names_file("game-004.toml"), names_file("bela")
    (True, True, False)
    """
    path = Path(text)
    return (
        text == STANDARD_INPUT
        or may_hold_turn(text)
        or len(path.parts) > 1
        or is_file(path)
        or is_choice(path)
        # A pipe or a mailbox; another folder may have the name of an opponent.
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

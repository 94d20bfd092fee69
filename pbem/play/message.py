"""Save files in messages, mboxes and Maildirs: finds them, and chooses the wanted one.

The files are attached under any name, or in armour. Anybody may have written a message: `email`
parses it within limits of time and memory, and all its errors become InputError. Among the files
of one game, the file with the most records is chosen. See docs/mail.md.
"""

from __future__ import annotations

import mailbox
import re
from base64 import b64encode
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from email.header import decode_header
from email.message import Message as Part
from email.parser import BytesHeaderParser, BytesParser
from email.policy import Compat32, Policy
from email.utils import parseaddr
from io import BytesIO
from itertools import pairwise
from mmap import ACCESS_READ, mmap
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from engine.message import Message, Phrase, comma_list, message_of, semicolon_list, sentences
from pbem.errors import AcresError, InputError, UsageError, VerificationError, describe_os_error
from pbem.errors.rule import Rule
from pbem.foreign import display_address, display_name, display_path, safe_file_name, shell_quote
from pbem.play.incoming import (
    FORMAT,
    GAME_SEPARATOR,
    MAX_MAILBOX,
    MAX_MESSAGE,
    POSTMARK,
    ZIP,
    DamagedFileError,
    Envelope,
    FileQuery,
    IncomingFile,
    UnreadableMessageError,
    is_called_save,
    is_choice,
    is_maildir,
    is_mbox,
    is_save_file,
)
from pbem.play.store import GameEntry
from pbem.play.store.entries import YOU
from pbem.protocol.record import Record, check_link, check_signature, first_malformed, is_signed
from pbem.savefile.armour import find_blocks, unarmour
from pbem.savefile.disk import ReadError, as_utf8, is_file, is_folder, read_file
from pbem.savefile.document import MAX_SIZE, WrongFormatError, clear_parse_cache, parse
from pbem.savefile.save_file import EvidenceFile, SaveFile

# --- files in messages


MAX_PARTS = 100
"""The maximum number of parts in a message."""
MAX_PART_HEADER = 1536
"""The maximum length of a header about a part, in characters: `email` is slow for longer ones."""
MAX_LINES = 200_000
"""The maximum number of lines in a message."""
_MAX_WORK = 4_000_000
"""The maximum product of lines and parts: `email` compares each line with each boundary."""
_MAX_VALUES = 160_000
"""The maximum number of TOML values in the files of a message; a bracket counts as four."""
_SAVE_NAME = re.compile(rb"\.toml", re.IGNORECASE)
_OWN_NAME = re.compile(rb"-\d{3,4}[^/\\]{0,99}\.toml", re.IGNORECASE)
"""A name that acres gives, or other programs make of one; players may choose another."""
_MAX_DEPTH = 3
"""The maximum depth of messages attached to each other as files."""
_MAX_HEADER_LENGTH, _MAX_REFERENCES_LENGTH = 1000, 8000
_MAX_HEADERS_SIZE = 65_536
FORK, _RECORD = b"acres-fork", b"[[record]]"
_FORM = "R-2."
"""The beginning of the numbers of the rules about the form of a record."""
_ARMOURED = b"BEGIN ACRES"
# In base64 a text begins in one of three ways, and lines end anywhere.
_ENCODED = [
    b64encode(bytes(n) + _ARMOURED)[(8 * n + 5) // 6 : 8 * (n + len(_ARMOURED)) // 6]
    for n in range(3)
]
_MAY_HOLD = re.compile(
    rb"PK\x03\x04|UEsDB|@acres\.invalid|"
    rb"acres(?:-|=2[Dd])|a\0c\0r\0e\0s\0|Zm9ybWF0ID0g|77u/Zm9ybWF0|//5mAG8AcgBt|/v8AZgBvAHIA|"
    rb"(?i:\.eml\b)|"
    + b"|".join([_ARMOURED, *(b"[\r\n]*".join(re.findall(b".", text)) for text in _ENCODED)])
)
"""The beginnings of a save file in a message, as text or in base64; or of what may hold one."""


def may_hold_file(message: bytes) -> bool:
    """Return True if a message may hold a save file, or answers one that does."""
    return _MAY_HOLD.search(message) is not None


# --- one message


def extract_files(message: bytes) -> list[IncomingFile]:
    r"""Return the save files and the evidence in a message, each once.

    Raises InputError if the newest file is damaged, or if the message cannot be read.

    >>> extract_files(b"Subject: Your turn\n\nSee you tomorrow.")
    []
    """
    search = _Search()
    try:
        search.look_into(message)
    except InputError:
        raise
    except Exception as error:
        # `email` raises many kinds.
        raise UnreadableMessageError(
            "This message cannot be read ({error}).", error=type(error).__name__
        ) from None
    finally:
        clear_parse_cache()
    return search.result()


def read_envelope(message: bytes) -> Envelope:
    r"""Return the headers of a message; empty if they cannot be read.

    >>> envelope = read_envelope(b"From: Bela <bela@example.org>\nSubject: Your turn\n\n")
    >>> envelope.address, envelope.subject
    ('bela@example.org', 'Your turn')
    """
    try:
        return _envelope(BytesHeaderParser(policy=_POLICY).parsebytes(message[:_MAX_HEADERS_SIZE]))
    except Exception:
        return Envelope()


class _PartPolicy(Compat32):
    """A policy that empties headers about parts that are too long."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        is_of_part = name[:8].lower() == "content-"
        return name, "" if is_of_part and len(value) > MAX_PART_HEADER else value


_POLICY = _PartPolicy()


def _work_error() -> UnreadableMessageError:
    return UnreadableMessageError(
        "This message takes too long to read: save the file that is attached to it, and give that."
    )


class _Search:
    """A search for files in a message, with the errors of the unreadable ones."""

    def __init__(self) -> None:
        self._files: list[IncomingFile] = []
        self._failed: list[tuple[int, InputError]] = []
        self._parts = self._size = self._values = self._unpacked = 0
        self._envelope = Envelope()

    def result(self) -> list[IncomingFile]:
        """Return the files. Raises InputError if a damaged one seems to have more records."""
        records, error = max(self._failed, key=itemgetter(0), default=(-1, None))
        if error and records > max((len(file.records) for file in self._files), default=-1):
            raise error
        return self._files

    def look_into(self, data: bytes, depth: int = 0) -> None:
        """Search a message and its attached messages and archives, or an archive."""
        if data.startswith(ZIP):
            self._unpack(data)
            return
        message = self._parse(as_utf8(data))
        if not depth:
            self._envelope = _envelope(message)
        for part in message.walk():
            content = None if part.is_multipart() else part.get_payload(decode=True)
            if not isinstance(content, bytes):
                continue
            name = _name_of(part)
            is_container = name.lower().endswith(".eml") or content.startswith(ZIP)
            if is_container and depth < _MAX_DEPTH:
                self.look_into(content, depth + 1)
            else:
                self._take(as_utf8(content), name, is_text=part.get_content_maintype() == "text")

    def _unpack(self, data: bytes) -> None:
        """Read the files in a zip archive that have the names of save files."""
        if not _SAVE_NAME.search(data):
            return
        try:
            with ZipFile(BytesIO(data)) as archive:
                for member in archive.infolist():
                    if is_called_save(Path(member.filename)):
                        self._unpacked += min(member.file_size, MAX_SIZE)
                        if self._unpacked > MAX_MESSAGE:
                            raise _work_error()
                        content = read_member(archive, member, MAX_SIZE)
                        self._take(as_utf8(content), safe_file_name(member.filename), is_text=False)
        except Exception:
            # `zipfile` raises many kinds, for example for a password.
            error = DamagedFileError(
                "The archive cannot be read: unpack it, and give the file that is in it."
            )
            if _OWN_NAME.search(data):
                self._failed.append((0, error))

    def _parse(self, data: bytes) -> Part:
        """Parse a message. Raises UnreadableMessageError if it exceeds a limit."""
        lines = data.count(b"\n") + data.count(b"\r")
        if len(data) > MAX_MESSAGE or lines > MAX_LINES:
            raise _work_error()
        max_parts = min(MAX_PARTS, self._parts + _MAX_WORK // max(lines, 1))

        def count_part(policy: Policy = _POLICY) -> Part:
            self._parts += 1
            if self._parts > max_parts:
                raise _work_error()
            return Part(policy)

        # Procmail adds this line before the headers.
        data = re.sub(rb"\A>From [^\n]*\n", b"", data)
        return BytesParser(count_part, policy=_POLICY).parse(BytesIO(data))

    def _take(self, data: bytes, name: str, *, is_text: bool) -> None:
        """Read the armoured files in a part, and the part itself if it is a file."""
        where: Phrase = Message("an attachment without a name")
        if name:
            where = Message("the attachment {file}", file=name)
        elif is_text:
            where = Message("the text of the message")
        data = data.removeprefix(BOM_UTF8)
        for block in find_blocks(data, MAX_PARTS + 1):
            self._parts += 1
            if self._parts > MAX_PARTS:
                raise _work_error()
            try:
                file = unarmour(block)
            except InputError as error:
                self._failed.append((0, _damage_error(where, error)))
            else:
                self._read(file, name, where)
        if FORMAT in data or FORK in data:
            self._read(data, name, where, is_pasted=is_text and not name)

    def _read(self, data: bytes, name: str, where: Phrase, *, is_pasted: bool = False) -> None:
        """Read a file, or note why it cannot be read."""
        # Mail programs change the line ends, and add blank lines at the end.
        data = data.replace(b"\r\n", b"\n").strip() + b"\n"
        self._spend(data)
        try:
            try:
                read: SaveFile | EvidenceFile = SaveFile.read(data)
            except WrongFormatError:
                read = EvidenceFile.read(data)
        except InputError as error:
            # The number of records in a quoted file is unknown.
            is_quoted = not is_save_file(data)
            is_wrapped = is_quoted or (is_pasted and error.rule in (Rule.TOML, Rule.LINE_LENGTH))
            records = 0 if is_quoted else data.count(_RECORD)
            is_of_record = error.rule is not None and error.rule.number.startswith(_FORM)
            if is_of_record and _is_signed(data):
                # The signature is valid: sending the file again would not help.
                failure = DamagedFileError(message_of(error))
            else:
                failure = _damage_error(where, error, is_wrapped=is_wrapped)
            self._failed.append((records, failure))
            return
        if all(read.records != other.records for other in self._files):
            file = IncomingFile(
                data,
                records=tuple(read.records),
                name=name,
                location=where,
                envelope=self._envelope,
                is_evidence=isinstance(read, EvidenceFile),
            )
            self._files.append(file)

    def _spend(self, data: bytes) -> None:
        """Add up the work for all files in the message.

        Raises UnreadableMessageError if it exceeds a limit.
        """
        self._size += len(data)
        self._values += sum(map(data.count, (b"=", b",", *[b"[", b"{"] * 4)))
        if self._size > MAX_SIZE or self._values > _MAX_VALUES:
            raise _work_error()


def read_member(archive: ZipFile, member: ZipInfo, limit: int) -> bytes:
    """Return the bytes of a file in an archive, at most `limit` + 1. Raises any error."""
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        # `zipfile` unpacks other kinds whole, whatever their size.
        raise InputError("it is compressed in an unusual way: unpack it yourself.")
    with archive.open(member) as content:
        return content.read(limit + 1)


def _damage_error(
    where: Phrase, error: InputError, *, is_wrapped: bool = False
) -> DamagedFileError:
    """Return the error for a file that cannot be read, with advice."""
    # Translators: {where} is, for example, “the attachment bela-004.toml” or “the text of the
    # message”, here and in the next messages; it may also be in brackets.
    if is_wrapped:
        return DamagedFileError(
            "The save file in {where} was quoted or wrapped by a mail program, and cannot be read: "
            "ask for the file to be attached, or for the block of text that --armor prints.",
            where=where,
        )
    damaged = Message(
        "The save file in {where} is damaged: ask for it to be sent again.", where=where
    )
    return DamagedFileError(sentences(damaged, message_of(error)))


def _is_signed(data: bytes) -> bool:
    """Return True if the first unreadable record has a valid signature."""
    with suppress(ValueError):
        records = parse(data.decode()).get("record")
        if isinstance(records, list):
            number = first_malformed(records)
            return number is not None and is_signed(records, number)
    return False


def _name_of(part: Part) -> str:
    """Return the safe name of an attachment; empty if it has none."""
    # `get_filename` raises errors for malformed headers.
    with suppress(Exception):
        return safe_file_name(_decode(part.get_filename() or ""))
    return ""


def _envelope(message: Part) -> Envelope:
    sender = str(message.get("From", ""))[:_MAX_HEADER_LENGTH]
    references = f"{message.get('In-Reply-To', '')} {message.get('References', '')}"
    automatic = str(message.get("Auto-Submitted", "no")).strip().lower()
    return Envelope(
        sender=_decode(sender),
        subject=_decode(str(message.get("Subject", ""))),
        message_id=str(message.get("Message-ID", ""))[:_MAX_HEADER_LENGTH].strip(),
        address=_address_in(sender),
        is_automatic=not automatic.startswith("no"),
        references=references[:_MAX_REFERENCES_LENGTH],
    )


def _address_in(sender: str) -> str:
    # `parseaddr` raises errors for deeply nested comments.
    with suppress(Exception):
        return parseaddr(sender)[1]
    return ""


def _decode(text: str) -> str:
    """Return a header with its encoded words decoded if possible."""
    # Unfolded first, because `decode_header` loses spaces between lines.
    text = text[:_MAX_HEADER_LENGTH].replace("\r", "").replace("\n", "")
    with suppress(Exception):
        text = "".join(
            piece if isinstance(piece, str) else piece.decode(charset or "ascii", "replace")
            for piece, charset in decode_header(text)
        )
    return " ".join(text.encode("utf-8", "replace").decode().split())


# --- several messages


_POSTMARK = re.compile(
    rb"\AFrom [^\n]*\n|\nFrom [^\n]{0,1000}\n(?=[!-9;-~]{1,100}:|>?From )|"
    rb"\nFrom \S{1,500} +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z][a-z] [ \d]\d \d\d:[^\n]{0,99}\n"
)
"""The line before each message of an mbox (RFC 4155).

A line without a date, and without a header after it, belongs to a text that should have been
quoted. `mailbox.mbox` splits there, too, and would lose an attached turn.
"""


def iter_messages(source: Path | bytes, note: Callable[[Phrase], None]) -> Iterator[bytes]:
    """Yield the messages of a file, a Maildir or standard input that may hold a save file.

    A single message is yielded in any case. `note` is called for messages that cannot be read.
    Raises InputError if the source cannot be read or is too large.
    """
    if isinstance(source, bytes):
        yield from _of_mbox(source, note) if source.startswith(POSTMARK) else [source]
        return
    try:
        if is_maildir(source):
            with closing(mailbox.Maildir(source, create=False)) as maildir:
                yield from _maildir(maildir, source, note)
        elif is_mbox(source):
            with source.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
                yield from _of_mbox(data, note)
        else:
            yield read_file(source, MAX_MESSAGE)
    except (OSError, mailbox.Error) as error:
        raise ReadError(
            "{file} cannot be read: {reason}.", file=source, reason=_reason(error)
        ) from None


def _of_mbox(data: bytes | mmap, note: Callable[[Phrase], None]) -> Iterator[bytes]:
    if len(data) > MAX_MAILBOX:
        raise InputError(
            "This mailbox is larger than {size} MiB: save the message with the file, and give "
            "that.",
            size=MAX_MAILBOX // 2**20,
        )
    marks = [mark.span() for mark in _POSTMARK.finditer(data)]
    messages = (
        data[begin : min(end, begin + MAX_MESSAGE + 1)]
        for (_, begin), (end, _) in pairwise([*marks, (len(data), 0)])
    )
    yield from _filter_messages(messages, note, is_one=len(marks) == 1)


def _maildir(box: mailbox.Maildir, path: Path, note: Callable[[Phrase], None]) -> Iterator[bytes]:
    keys = sorted(box.keys())

    def messages() -> Iterator[bytes]:
        for key in keys:
            try:
                with box.get_file(key) as file:
                    yield file.read(MAX_MESSAGE + 1)
            except (OSError, KeyError) as error:
                # A mail program may be moving messages.
                note(Message("{file} cannot be read: {reason}.", file=path, reason=_reason(error)))

    yield from _filter_messages(messages(), note, is_one=len(keys) == 1)


def _reason(error: Exception) -> Phrase:
    return describe_os_error(error) if isinstance(error, OSError) else Message("it is gone")


def _filter_messages(
    messages: Iterable[bytes], note: Callable[[Phrase], None], *, is_one: bool
) -> Iterator[bytes]:
    too_large = 0
    for data in messages:
        if len(data) > MAX_MESSAGE:
            too_large += 1
        elif is_one or may_hold_file(data):
            yield data
    if too_large:
        note(
            Message.counted(
                "{count} message is larger than any with a save file: leave it out.",
                "{count} messages are larger than any with a save file: leave them out.",
                too_large,
            )
        )


# --- the wanted file


MAX_LISTED = 3
"""The maximum number of items that a sentence lists; the others are counted."""


class DivergentFilesError(AcresError):
    """Raised if two `files` continue one game differently."""

    exit_status = 1

    def __init__(self, sentence: Phrase, files: tuple[IncomingFile, IncomingFile]) -> None:
        super().__init__(sentence)
        self.files = files


class MailSource(NamedTuple):
    """A message or a mailbox, with its `label` in sentences.

    `word` is the argument for it in a command, to be followed by a game's number; empty if no
    command can name it. `game` is the beginning of the wanted game's number; `path` is the path of
    a single message.
    """

    label: Phrase
    word: str = ""
    game: str = ""
    path: Path | None = None

    def with_label(self, file: IncomingFile) -> IncomingFile:
        """Return a file from this source with its label and path."""
        return file._replace(label=self.label + ", " + file.location, path=self.path)

    def argument_for(self, game: GameFiles) -> str:
        """Return the argument that names this game of the source in a command."""
        return shell_quote(Path(f"{self.word}{game.number}"))


class GameFiles(NamedTuple):
    """The files of one game.

    `ends` are the longest files, each with different records. There are several if a player signed
    two records after the same record, or two players accepted one invitation. `older` are all other
    files. `number` names the game: the beginning of its id that no other game has.
    """

    id: bytes
    ends: list[IncomingFile]
    older: list[IncomingFile]
    number: str = ""

    @property
    def title(self) -> Message:
        """The number of the game, and the players' names in it."""
        steps = [record.steps[0] for record in self.ends[0].records[:2]]
        names = [display_name(name) for step in steps if (name := str(getattr(step, "name", "")))]
        if len(names) == 2:
            player, opponent = names
            who = Message("{player} against {opponent}", player=player, opponent=opponent)
        else:
            who = Message("an invitation from {player}", player=names[0])
        return f"{self.number}, " + who

    def end(self, known: GameEntry | None) -> IncomingFile | None:
        """Return the only end, or the end that continues the known game, or None."""
        if len(self.ends) == 1:
            return self.ends[0]
        if known is None:
            return None
        at, last = known.game.records, known.game.last
        going_on = [e for e in self.ends if len(e.records) >= at and e.records[at - 1].hash == last]
        return going_on[0] if len(going_on) == 1 else None


def find_file_in_mail(source: Path | bytes, label: Phrase, query: FileQuery) -> IncomingFile:
    """Return the wanted file in a message or a mailbox, or in bytes with `label`.

    Raises InputError if there is none, UsageError if the choice is unclear, and DivergentFilesError
    if two files continue one game differently; a file that continues the player's game is chosen
    unless the query compares files.
    """
    place, mailbox = _open(source, label)
    return choose_file(read_mailbox(mailbox, query.note), place, query)


def read_all_files(
    source: Path | bytes, label: Phrase, note: Callable[[Phrase], None]
) -> list[IncomingFile]:
    """Return all save files in a message or a mailbox. Raises InputError if there is none.

    `note` is called with the reasons why files cannot be read.
    """
    place, mailbox = _open(source, label)
    saves = [file for file in read_mailbox(mailbox, note) if not file.is_evidence]
    if not saves:
        raise InputError(no_file_message(place))
    return [place.with_label(file) for file in saves]


def _open(source: Path | bytes, label: Phrase) -> tuple[MailSource, Path | bytes]:
    """Return a message or a mailbox with its names, and its path or bytes."""
    if isinstance(source, bytes):
        return MailSource(label), source
    path, game = source, ""
    if is_choice(path):
        before, _, game = str(path).rpartition(GAME_SEPARATOR)
        path = Path(before)
    if is_folder(path) and not is_maildir(path):
        raise InputError(
            "{file} is a folder, not a file or a mailbox (Maildir): name one file in it.", file=path
        )
    single = path if is_file(path) and not is_mbox(path) else None
    return MailSource(display_path(path), f"{path}{GAME_SEPARATOR}", game.lower(), single), path


def read_mailbox(mailbox: Path | bytes, note: Callable[[Phrase], None]) -> list[IncomingFile]:
    """Return the files in a mailbox; among several, only those with valid signatures, if any.

    `note` is called with the reasons why files cannot be read. Raises InputError if all are
    damaged.
    """
    files: list[IncomingFile] = []
    failed: list[InputError] = []
    for message in iter_messages(mailbox, note):
        try:
            files += extract_files(message)
        except InputError as error:
            failed.append(error)
    if failed and not files:
        raise failed[-1]
    for failure in failed[-MAX_LISTED:]:
        note(failure.message)
    if len(failed) > MAX_LISTED:
        note(
            Message.counted(
                "{count} more message that may hold a save file cannot be read.",
                "{count} more messages that may hold a save file cannot be read.",
                len(failed) - MAX_LISTED,
            )
        )
    saves = [file for file in files if not file.is_evidence]
    sound = [file for file in saves if _is_valid_chain(file.records)] if len(saves) > 1 else []
    return [*(sound or saves), *(file for file in files if file.is_evidence)]


def _is_valid_chain(records: Sequence[Record]) -> bool:
    """Return True if each record follows the one before it and is signed by its author."""
    try:
        for index, record in enumerate(records):
            check_link(record, records[:index])
            check_signature(record, records[:index])
    except VerificationError:
        return False
    return True


def choose_file(files: Sequence[IncomingFile], place: MailSource, query: FileQuery) -> IncomingFile:
    """Return the wanted file among `files`. Raises the same errors as `find_file_in_mail`."""
    evidence = [file for file in files if file.is_evidence]
    games = group_by_game(files)
    if place.game:
        games = [game for game in games if game.id.hex().startswith(place.game)]
    if not games and evidence and not place.game:
        return place.with_label(evidence[0])
    if not games:
        raise InputError(no_file_message(place))
    known = query.store.games_by_id() if query.store else {}
    game, *more = _pick_games(games, known, query)
    if more:
        raise UsageError(_several_games_message(place, [game, *more]))
    end = game.end(None if query.to_compare else known.get(game.id))
    audit = _how_to_audit(place, game, query.program)
    if end is None:
        two = Message(
            "There are two files of game {game} in {source} that go on differently.",
            game=game.number,
            source=place.label,
        )
        one, other = map(place.with_label, game.ends[:2])
        raise DivergentFilesError(sentences(two, audit), (one, other))
    if len(game.ends) > 1:
        another = Message(
            "In {source} there is another file of this game, which goes on differently from the "
            "one that you play.",
            source=place.label,
        )
        query.note(sentences(another, audit))
    if evidence:
        query.note(
            # Translators: {where} is, for example, “the attachment fork.toml”.
            Message(
                "There is evidence of a fork too, {where}: to see what it proves, save it and "
                "audit it.",
                where=evidence[0].location,
            )
        )
    for note in _about_others(game, end, [file for file in games if file is not game]):
        query.note(note)
    if end.truncation_warning:
        query.note(end.truncation_warning)
    return place.with_label(end)


def no_file_message(place: MailSource) -> Message:
    """Return the message that the source has no save file."""
    if place.game:
        return Message(
            "There is no save file of game {game} in {source}.", game=place.game, source=place.label
        )
    # Translators: {source} is the name of a file or folder, or “standard input”, here and in the
    # next messages.
    return Message("There is no save file in {source}.", source=place.label)


def group_by_game(files: Iterable[IncomingFile]) -> list[GameFiles]:
    """Return the files of each game, longest first, without evidence."""
    games: dict[bytes, GameFiles] = {}
    newest_first = sorted(
        (file for file in files if not file.is_evidence), key=lambda file: -len(file.records)
    )
    for file in newest_first:
        game = file.records[0].hash
        of_game = games.setdefault(game, GameFiles(game, [], []))
        is_older = any(map(file.is_beginning_of, of_game.ends))
        (of_game.older if is_older else of_game.ends).append(file)
    ids = [game.hex() for game in games]
    size = next(n for n in range(8, 65, 8) if len({id[:n] for id in ids}) == len(ids))
    return [game._replace(number=game.id.hex()[:size]) for game in games.values()]


def _pick_games(
    games: Sequence[GameFiles], entries: Mapping[bytes, GameEntry], query: FileQuery
) -> Sequence[GameFiles]:
    """Return the only game, or the games that wait for the player, or else all games."""
    if query.to_join:
        games = [game for game in games if len(game.ends[0].records) == 1] or games
    if len(games) == 1:
        return games
    waiting = [g for g in games if any(_is_waiting(end, entries, query) for end in g.ends)]
    return waiting or games


def _is_waiting(end: IncomingFile, entries: Mapping[bytes, GameEntry], query: FileQuery) -> bool:
    """Return True if the game in a file waits for the player.

    A game does not wait in a file that is older than the known one.
    """
    records = end.records
    known = entries.get(records[0].hash)
    if known is not None and len(records) <= known.game.records:
        return known.game.waits_for == YOU and len(records) == known.game.records
    # A guest who has not joined yet has no key.
    inviter, guest = [*(getattr(record.steps[0], "key", None) for record in records[:2]), None][:2]
    return query.store is not None and (
        query.store.key == (guest if len(records) % 2 else inviter)
        or (len(records) == 1 and query.to_join and query.store.key != inviter)
    )


# --- notices about other files


def _several_games_message(place: MailSource, games: Sequence[GameFiles]) -> Message:
    several = Message.counted(
        "There are files of {count} game in {source}: {games}.",
        "There are files of {count} games in {source}: {games}.",
        len(games),
        source=place.label,
        games=semicolon_list(game.title for game in games[:12]),
    )
    if not place.word:
        return sentences(several, Message("Give only the message you mean."))
    file = place.argument_for(games[0])
    which = Message("Say which with the beginning of its number: {file}", file=file)
    return sentences(several, which)


def _how_to_audit(place: MailSource, game: GameFiles, program: str) -> Message:
    audit = f"{program} audit"
    if not place.word:
        return Message("Save both, to see who signed twice: {command} ONE OTHER", command=audit)
    return Message(
        "To find out whether somebody signed twice: {command}",
        command=f"{audit} {place.argument_for(game)}",
    )


def _about_others(
    game: GameFiles, end: IncomingFile, others: Sequence[GameFiles]
) -> Iterator[Phrase]:
    if game.older:
        older = [
            # An older file, with its place and its last record.
            Message(
                "{where} (up to record {record})",
                where=_origin(other),
                record=len(other.records) - 1,
            )
            for other in game.older
        ]
        yield Message(
            "The newest file of the game was taken, from {where}; left aside as older: {files}.",
            where=_origin(end),
            files=_list(older),
        )
    if others:
        yield Message(
            "Files of other games were left aside: {games}.",
            games=_list([other.title for other in others], semicolon_list),
        )


def _list(parts: Sequence[Phrase], join: Callable[[list[Phrase]], Phrase] = comma_list) -> Phrase:
    first, more = join([*parts[:MAX_LISTED]]), len(parts) - MAX_LISTED
    if more <= 0:
        return first
    # Translators: a list of files or games, of which only the first are named.
    return Message.counted("{list} and {count} more", "{list} and {count} more", more, list=first)


def _origin(file: IncomingFile) -> Phrase:
    """Return the place of a file, and its sender, in words."""
    if not file.envelope.address:
        return file.location
    address = display_address(file.envelope.address)
    # Translators: {where} is, for example, “the attachment bela-004.toml”.
    return Message("{where} by {address}", where=file.location, address=address)

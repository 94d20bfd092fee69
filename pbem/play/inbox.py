"""The inbox: it verifies and stores incoming files from folders, messages and pages.

No file is written over another one. The author of a record is known by its signature, never by the
address that it came from. `pbem.play.incoming` recognises files that may hold a turn. See
docs/mail.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from enum import Enum
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from engine.message import Message, Phrase, sentences, with_label
from engine.sides import Side
from pbem.errors import (
    AcresError,
    DeckError,
    InputError,
    UsageError,
    VerificationError,
    bug_message,
)
from pbem.foreign import display_path
from pbem.play.audit import explain_damage
from pbem.play.game_file import next_name
from pbem.play.game_list import has_newest_file, read_records
from pbem.play.incoming import (
    FORMAT,
    PLACEHOLDER,
    POSTMARK,
    SUFFIXES,
    ZIP,
    DamagedFileError,
    Envelope,
    FileQuery,
    FolderScanError,
    IncomingFile,
    UnreadableMessageError,
    find_game_ids,
    is_called_save,
    is_choice,
    is_maildir,
    is_save_file,
    may_be_renamed,
    scan_with_timeout,
)
from pbem.play.invitation import side_of_guest
from pbem.play.signing import has_content
from pbem.play.store import Game, GameEntry, KnownFile, Stamp, Store, StoreError
from pbem.play.store.entries import YOU, Recognition, records_by
from pbem.protocol.cache import VerifiedRecord
from pbem.protocol.match import Match, ProgressCallback
from pbem.protocol.record import Record
from pbem.savefile.armour import find_blocks
from pbem.savefile.disk import (
    ReadError,
    TargetExistsError,
    as_utf8,
    is_file,
    is_folder,
    read_file,
    write_new,
)
from pbem.savefile.save_file import SaveFile

MAX_REFERENCES = 40
"""The maximum number of game ids that are looked up for one reply."""
MAX_INVITATION_SIZE = 32 * 1024
"""The maximum size of a file with an invitation, in bytes."""
_MAILBOXES = (".mbox", ".mbx")


class ArrivalKind(Enum):
    """Kinds of incoming files and messages, from the receiver's point of view."""

    NEW = "new"
    """It continues one of the player's games."""
    AGAIN = "again"
    """The newest known file once more."""
    OLDER = "older"
    """The newest known file contains all of it, and more."""
    OWN = "own"
    """Like OLDER or AGAIN, but written by the player."""
    OTHER = "other"
    """It contradicts the newest known file of one of the player's games."""
    INVITATION = "invitation"
    """An invitation that the player may accept."""
    FOREIGN = "foreign"
    """A game of other players."""
    INVALID = "does not verify"
    """A record in it is not valid."""
    DAMAGED = "damaged"
    """A save file that cannot be read."""
    UNREADABLE = "unreadable"
    """A message that cannot be read."""
    TOO_LARGE = "too large"
    """A message that was not read because of its size."""
    WITHOUT_FILE = "without file"
    """A reply in the thread of a game, without a readable file."""
    FAILED = "failed"
    """It could not be added now, but perhaps later."""

    @property
    def is_refused(self) -> bool:
        """True if the file is not valid or cannot be read.

        >>> ArrivalKind.INVALID.is_refused, ArrivalKind.NEW.is_refused
        (True, False)
        """
        return self in (ArrivalKind.INVALID, ArrivalKind.DAMAGED, ArrivalKind.UNREADABLE)

    @property
    def is_awaited(self) -> bool:
        """True if the file is at the newest record of one of the player's games."""
        return self in (ArrivalKind.NEW, ArrivalKind.AGAIN)


class Arrival(NamedTuple):
    """An incoming file, stored at `path` (None if it was not stored), or a message without a file.

    `match` is the verified game, `game` the same from the player's side, and `entry` its game in
    the store now. `error` is the reason why the file was refused. `other_address` is the author's
    address in the game if the file came from a different one. `was_learnt` is true if some of the
    player's records in it were new to the store; `contradicted` is the first of them in whose
    place the player signed another record. `opponent` has the facts about the other player that
    were known before. `size` is the size, in bytes, of a message that was too large to read.
    """

    kind: ArrivalKind
    file: IncomingFile
    match: Match | None = None
    path: Path | None = None
    game: Game | None = None
    entry: GameEntry | None = None
    other_address: str = ""
    was_learnt: bool = False
    contradicted: Record | None = None
    opponent: Recognition | None = None
    error: AcresError | None = None
    size: int = 0

    @property
    def game_id(self) -> bytes | None:
        """The id of its game, or None."""
        return self.match.id if self.match else None

    @property
    def has_learnt(self) -> bool:
        """True if it restored records of the player in an unfinished game."""
        return self.was_learnt and self.game is not None and not self.game.is_finished

    @property
    def is_invitation(self) -> bool:
        """True for an invitation that the player may accept."""
        return self.kind is ArrivalKind.INVITATION

    @classmethod
    def refused(cls, error: AcresError, file: IncomingFile) -> Arrival:
        """Return the arrival of a file that is invalid or damaged, or of an unreadable message."""
        kind = ArrivalKind.DAMAGED if isinstance(error, InputError) else ArrivalKind.INVALID
        if isinstance(error, UnreadableMessageError):
            kind = ArrivalKind.UNREADABLE
        return cls(kind, file, error=error)


class CollectedGames(NamedTuple):
    """The result of collecting games: the number of `files`, and arrivals of the newest ones."""

    files: int
    arrivals: list[Arrival]


class Inbox:
    r"""The inbox of the player whose store is `store`.

    A file in a message is written next to the last file of its game, or into `folder` if there is
    none. The paths of `invitations` that arrive are kept here, because the store does not list
    them.

    >>> from pathlib import Path
    >>> inbox = Inbox(Store(Path("nowhere.sqlite3"), bela.public_key), Path("nowhere"))
    >>> inbox.games(), inbox.add(b"Subject: Hello\n\nThere is no file in this message.")
    ([], [])
    """

    def __init__(self, store: Store, folder: Path, invitations: set[Path] | None = None) -> None:
        self.store = store
        self.invitations = set() if invitations is None else invitations
        self._folder = folder

    def games(self, extra_paths: Iterable[Path] = ()) -> list[GameEntry]:
        """Return the player's games, followed by the invitations that the player may accept.

        `extra_paths` are further files with invitations. Raises StoreError.
        """
        games = self.store.games()
        known = {entry.id for entry in games}
        invited = _read_invitations([*extra_paths, *self.invitations], self.store.key)
        return [*games, *(entry for entry in invited if entry.id not in known)]

    def add(
        self,
        source: Path | bytes | IncomingFile,
        *,
        folder: Path | None = None,
        address: str = "",
        is_learning: bool = False,
        progress: ProgressCallback = iter,
    ) -> list[Arrival]:
        """Add a path, the bytes of a message or a file from a message, and return the arrivals.

        A save file at a path stays there; known files are not returned. Files of new games are
        written into `folder` if it is passed. A message without a file counts as a reply in a game
        unless it came from `address`, the player's own. See `Store.note` for `is_learning`, and
        `Match.replay` for `progress`.
        Raises StoreError, and UsageError if a file in bytes cannot be written.
        """
        if isinstance(source, Path):
            return list(self._add_at_path(source, is_learning=is_learning))
        if isinstance(source, bytes):
            return self._in_message(source, folder, address)
        try:
            if not source.records:
                source = source._replace(records=SaveFile.read(source.data).records)
            folder = None if source.is_file else folder or self._folder
            return [self._verify(source, folder, progress, is_learning=is_learning)]
        except (VerificationError, DeckError, InputError) as error:
            return [Arrival.refused(error, source)]

    def scan(
        self, folders: Iterable[Path], warn: Callable[[Phrase], None], *, anew: bool = False
    ) -> list[Arrival]:
        """Add the files that arrived in `folders` since the last scan, and return the arrivals.

        Files are recognised by time and size, so that a scan without new files takes milliseconds;
        with `anew` all files are read. Invitations and files that could not be added are returned
        by every scan until they are accepted or added. Nothing is returned if the store cannot be
        read. `warn` is called with failures to write the store and to read a folder.
        """
        arrivals: list[Arrival] = []
        with suppress(StoreError):
            for folder in folders:
                try:
                    arrivals += self._receive(folder, warn, anew=anew)
                except FolderScanError as error:
                    warn(error.message)
        return arrivals

    def collect(
        self,
        sources: Iterable[Path | bytes],
        note: Callable[[Phrase], None],
        progress: Callable[[Sequence[IncomingFile]], Iterable[IncomingFile]] = iter,
        *,
        is_learning: bool = False,
    ) -> CollectedGames:
        """Note all games of the player in files, folders and bytes; the files stay unchanged.

        `note` is called with the reasons why messages cannot be read. Raises StoreError, and
        InputError for a named file without a game.
        """
        files = [file for source in sources for file in _files_below(source, note)]
        arrivals = []
        for file in progress(_drop_beginnings(files)):
            try:
                arrivals.append(self._verify(file, None, iter, is_learning=is_learning))
            except (VerificationError, DeckError) as error:
                arrivals.append(Arrival.refused(error, file))
            except StoreError:
                raise
            except Exception as error:
                arrivals.append(_failed_arrival(file, error))
        return CollectedGames(len(files), arrivals)

    # --- sources

    def _in_message(self, message: bytes, folder: Path | None, address: str) -> list[Arrival]:
        # Imported lazily: most incoming files are not messages.
        from pbem.play.message import extract_files, read_envelope

        try:
            files = [file for file in extract_files(message) if not file.is_evidence]
        except (DamagedFileError, UnreadableMessageError) as error:
            return [Arrival.refused(error, IncomingFile(b"", envelope=read_envelope(message)))]
        if files:
            return [arrival for file in files for arrival in self._add_safely(file, folder=folder)]
        envelope = read_envelope(message)
        entry = self._find_replied_game(envelope, address)
        file = IncomingFile(b"", envelope=envelope)
        return [Arrival(ArrivalKind.WITHOUT_FILE, file, entry=entry)] if entry else []

    def _find_replied_game(self, envelope: Envelope, address: str) -> GameEntry | None:
        # The headers prove nothing, because anybody can write a reply.
        named = find_game_ids(envelope.references)[:MAX_REFERENCES]
        if not named or envelope.address.casefold() == address.casefold():
            return None
        games = self.store.games()
        return next((entry for game in named for entry in games if entry.id.startswith(game)), None)

    def _add_at_path(self, path: Path, *, is_learning: bool) -> Iterator[Arrival]:
        """Add the files at a path; if one of them fails, the others are still added."""
        alone = IncomingFile(b"", path=path)
        try:
            files = _files_at(path, lambda message: None)
        except Exception as error:
            if isinstance(error, InputError) and not isinstance(error, ReadError):
                yield Arrival.refused(InputError(_with_path(error, path)), alone)
            else:
                yield _failed_arrival(alone, error)
            return
        for file in files:
            if not (file.is_file and self._is_up_to_date(file)):
                yield from self._add_safely(file, path, is_learning=is_learning)

    def _add_safely(
        self, file: IncomingFile, path: Path | None = None, **options: Any
    ) -> list[Arrival]:
        """Add a file; if it fails, the arrival has the error, so that others are still added.

        `path` is the path of the file, or None for one from a server: it is fetched again if it
        cannot be written now. In this case UsageError is raised.
        """
        try:
            return self.add(file, **options)
        except StoreError:
            raise
        except Exception as error:
            if path is None and isinstance(error, UsageError):
                raise
            return [_failed_arrival(file._replace(path=path), error)]

    def _is_up_to_date(self, file: IncomingFile) -> bool:
        """Return True if a file is known and the newest file of its game is in its place."""
        before = self.store.game(file.records[0].hash)
        if before is None or not has_newest_file(before):
            return False
        return VerifiedRecord.of(file.records[-1]) in self.store.load_cache(before.id).verified

    def _receive(self, place: Path, warn: Callable[[Phrase], None], *, anew: bool) -> list[Arrival]:
        now, before = scan_with_timeout(place), self.store.stamps(place)
        known = {} if before is None or anew else before
        new = [name for name, stamp in now.items() if known.get(name) != stamp]
        new.sort(key=lambda name: (now[name].changed, name))
        arrivals: list[Arrival] = []
        failed: StoreError | None = None
        try:
            for name in new:
                arrivals.extend(self._add_at_path(place / name, is_learning=before is None))
        except StoreError as error:
            # The files added so far are reported; the others are left for the next scan.
            failed = error
        files = (arrival.file for arrival in arrivals)
        # Invitations that have been accepted.
        joined_games = {f.records[0].hash for f in files if f.is_file and f.records[1:]}
        accepted = [a for a in arrivals if a.is_invitation and a.game_id in joined_games]
        self.invitations.difference_update(arrival.path for arrival in accepted)
        arrivals = [arrival for arrival in arrivals if arrival not in accepted]
        for arrival in arrivals:
            is_there = arrival.is_invitation and arrival.file.is_file
            if arrival.file.path and (is_there or arrival.kind is ArrivalKind.FAILED):
                now.pop(arrival.file.path.name, None)
        try:
            if failed is None and now != before:
                self.store.note_stamps(place, now)
        except StoreError as error:
            failed = error
        if failed is not None:
            problem = Message(
                "What came into your folders cannot be noted in the library of your games: "
                "{reason}.",
                reason=failed,
            )
            warn(sentences(problem, failed.remedy))
        return arrivals

    # --- verification

    def _verify(
        self, file: IncomingFile, folder: Path | None, track: ProgressCallback, *, is_learning: bool
    ) -> Arrival:
        """Verify and note a file, and write it into `folder` or next to its game if passed.

        Raises VerificationError and DeckError if it is not valid, and the errors of `add`.
        """
        store, records, stays = self.store, file.records, folder is None
        known, entry = store.load_cache(records[0].hash).verified, store.game(records[0].hash)
        # The first two records name the players: games of strangers are not verified further.
        match = Match.replay(records if stays else records[:2], known)
        if entry is None and match.is_joined and Game.of(match, store.key) is None:
            return Arrival(ArrivalKind.FOREIGN, file, match)
        if not stays:
            match = Match.replay(records, known, track)
        game = Game.of(match, store.key)
        address, opponent = _other_address(file, match), store.recognise(records)
        if game is None and entry is None:
            path = file.path
            if folder is not None:
                path = write_copy(_path_in(folder, match), file.data)
            if path is not None:
                self.invitations.add(path)
            kind = ArrivalKind.INVITATION
            return Arrival(kind, file, match, path, other_address=address, opponent=opponent)
        newest_path, newest = _find_newest(entry, file)
        # If the player has no seat in it, it is an invitation that was accepted since.
        known_file = KnownFile.of(match, store.key, file.path)
        is_own = match.last in records_by(records, store.key)
        kind = _classify(match, entry, newest, is_own=is_own)
        is_known = kind in (ArrivalKind.AGAIN, ArrivalKind.OLDER, ArrivalKind.OWN)
        if known_file is None or (is_known and not stays):
            return Arrival(kind, file, match, newest_path, game, entry, address, opponent=opponent)
        if folder is not None:
            path = _choose_path(match, newest_path, entry, folder)
            try:
                path = write_copy(path, file.data)
            except UsageError:
                # The folder of one game must not stop all mail, which is not fetched twice.
                if file.path is not None:
                    raise
                path = write_copy(_path_in(folder, match), file.data)
            known_file = known_file._replace(path=path)
        contradicted = self._contradicted(known_file)
        was_learnt = store.note(known_file, create=True, is_learning=is_learning)
        after = store.game(match.id)
        if stays and entry and after and entry.game == after.game and kind is ArrivalKind.NEW:
            kind = ArrivalKind.AGAIN
        arrival = Arrival(kind, file, match, known_file.path, game, after, address, was_learnt)
        return arrival._replace(contradicted=contradicted, opponent=opponent)

    def _contradicted(self, file: KnownFile) -> Record | None:
        signed = self.store.signed_hashes(file.id)
        own_records = records_by(file.records, self.store.key)
        return next((r for r in own_records if signed.get(r.index, r.hash) != r.hash), None)


def find_file(source: Path | bytes, label: Phrase, query: FileQuery) -> IncomingFile:
    """Return the file that a player names by a path, or that is in bytes from standard input.

    The file may be a save file, or in a message or a mailbox. Raises the same errors as
    `message.find_file_in_mail`.
    """
    path, data = (None, source) if isinstance(source, bytes) else (source, b"")
    if path is not None and not is_folder(path) and not is_choice(path):
        data = read_file(path)
    if is_save_file(data):
        text = as_utf8(data)
        return IncomingFile(text, label, path, is_recoded=text is not data)
    if path is not None and is_file(path):
        _check_is_here(path, data)
    # Imported lazily: a separate save file does not need it.
    from pbem.play.message import find_file_in_mail

    return find_file_in_mail(source, label, query)


def _failed_arrival(file: IncomingFile, error: Exception) -> Arrival:
    """Return the arrival of a file that will be tried again, with the reason."""
    if not isinstance(error, AcresError):
        label = display_path(file.path) if file.path else file.location
        error = AcresError(with_label(label, bug_message(error)))
    return Arrival(ArrivalKind.FAILED, file, error=error)


# --- the files in a folder


def _files_at(
    path: Path, note: Callable[[Phrase], None], *, is_named: bool = False
) -> list[IncomingFile]:
    """Return the save file at a path, or those in a message or a mailbox; none in any other file.

    Raises InputError for a damaged save file and, if the path `is_named`, for a file without one.
    """
    data = as_utf8(read_file(path)) if is_file(path) else b""
    if is_file(path):
        _check_is_here(path, data)
    is_save, is_called = is_save_file(data), is_called_save(path) and not data.startswith(ZIP)
    if is_save if is_named else FORMAT in data and (is_save or is_called):
        try:
            return [IncomingFile(data, str(path), path, SaveFile.read(data).records)]
        except InputError as error:
            raise explain_damage(error, data) from None
    is_mail = not is_file(path) or ".eml" in path.name.lower() or data.startswith((POSTMARK, ZIP))
    # A text may quote a file, or have a block of armour.
    if not (is_mail or is_named or b'= "acres-save"' in data or find_blocks(data, 1)):
        return []
    # Imported lazily: most files are not messages.
    from pbem.play.message import read_all_files

    try:
        return read_all_files(path, "", note)
    except InputError as error:
        # Most messages have no save file.
        if is_named or isinstance(error, ReadError | DamagedFileError):
            raise
        return []


def _check_is_here(path: Path, data: bytes) -> None:
    """Raise InputError if a file called like a save file has no content on this computer yet."""
    if path.name.endswith(PLACEHOLDER):
        raise InputError("This file is only in iCloud as yet: download it, in the Finder.")
    if is_called_save(path) and not data.strip(b"\0"):
        raise InputError(
            "This file is empty: wait until it is complete, or ask for it to be sent again."
        )


def _with_path(error: InputError, path: Path) -> Phrase:
    """Return the message of an error about a file, with its path."""
    is_labelled = isinstance(error, ReadError)
    return error.message if is_labelled else with_label(display_path(path), error.message)


def _files_below(source: Path | bytes, note: Callable[[Phrase], None]) -> Iterator[IncomingFile]:
    """Yield the save files in a folder, or in a named file. Raises InputError if that has none."""
    if isinstance(source, bytes):
        from pbem.play.message import read_all_files

        yield from read_all_files(source, Message("standard input"), note)
    elif not is_folder(source):
        yield from _files_at(source, note, is_named=True)
    else:
        for path in _paths_below(source):
            try:
                yield from _files_at(path, note)
            except InputError as error:
                note(_with_path(error, path))


def _paths_below(folder: Path) -> Iterator[Path]:
    """Yield the paths in a folder that may hold save files: files, messages and mailboxes."""
    for parent, folders, names in os.walk(folder):
        if is_maildir(Path(parent)):
            folders[:] = [name for name in folders if name not in ("cur", "new", "tmp")]
            yield Path(parent)
        folders.sort()
        # Other kinds of files, such as pipes, might never end.
        for path in filter(is_file, (Path(parent, name) for name in sorted(names))):
            name = path.name
            if may_be_renamed(name) or name.lower().endswith((*SUFFIXES, *_MAILBOXES)):
                yield path


def _drop_beginnings(files: Iterable[IncomingFile]) -> list[IncomingFile]:
    """Return the files with new facts, each before a file that continues it.

    Among the beginnings of a longer file, only the last file of the other player is kept, so that
    the last files of both players are known.
    """
    longest: list[IncomingFile] = []
    last_but_one: dict[int, IncomingFile] = {}
    for file in sorted(files, key=lambda file: (-len(file.records), not file.is_file)):
        # Nothing is verified yet, and so a signature that differs may be wrong.
        own, others = file.records, (other.records[: len(file.records)] for other in longest)
        whole = next((n for n, beginning in enumerate(others) if own == beginning), None)
        if whole is None:
            longest.append(file)
        elif (len(longest[whole].records) - len(file.records)) % 2:
            last_but_one.setdefault(whole, file)
    return [*last_but_one.values(), *reversed(longest)]


# --- comparison with the known games


def _read_invitations(paths: Iterable[Path], key: bytes) -> list[GameEntry]:
    """Return the invitations to the player with `key` in the files at `paths`; newest last."""
    stamps = []
    for path in paths:
        with suppress(OSError):
            status = path.stat()
            # Opening a pipe would block until another program writes into it.
            if status.st_size <= MAX_INVITATION_SIZE and is_file(path):
                stamps.append((Stamp.of(status).changed, path, status.st_size))
    matches = ((_invitation_at(*stamp), stamp[1]) for stamp in sorted(stamps))
    invited = {
        match.id: GameEntry(match.id, _game_to_join(match), path, None, None)
        for match, path in matches
        if match is not None and match.invite.key != key
    }
    return [*invited.values()]


@lru_cache(maxsize=1024)
def _invitation_at(changed: int, path: Path, size: int) -> Match | None:
    """Return the match in a file with only an invitation; None for any other file."""
    with suppress(InputError, VerificationError):
        records = SaveFile.read(as_utf8(read_file(path, MAX_INVITATION_SIZE))).records
        if len(records) == 1:
            return Match.replay(records)
    return None


def _game_to_join(match: Match) -> Game:
    """Return the game of an invitation from the guest's side."""
    invite, side = match.invite, side_of_guest(match.invite)
    game = Game.of(match, invite.key)
    assert game is not None
    seat = side.value if side else "any"
    return game._replace(side=seat, opponent=invite.name, email=invite.email, waits_for=YOU)


def _find_newest(
    entry: GameEntry | None, file: IncomingFile
) -> tuple[Path | None, Sequence[Record]]:
    """Return the path and the records of the newest known file of a game, if it still exists.

    If an incoming `file` has the same content, its records are not read again.
    """
    for path in filter(None, (entry.file_in, entry.file_out) if entry else ()):
        records = file.records if has_content(path, file.data) else read_records(path)
        if entry and records and records[-1].hash == entry.game.last:
            return path, records
    return None, ()


def _classify(
    match: Match, entry: GameEntry | None, newest: Sequence[Record], *, is_own: bool
) -> ArrivalKind:
    """Return the kind of a file of the player; `newest` are the records of the newest file."""
    if entry is None:
        return ArrivalKind.NEW
    number = entry.game.records
    if len(match.records) >= number and match.records[number - 1].hash == entry.game.last:
        is_again = newest and len(match.records) == number
        known = ArrivalKind.OWN if is_own else ArrivalKind.AGAIN
        return known if is_again else ArrivalKind.NEW
    if len(match.records) < len(newest):
        if newest[match.last.index].hash == match.last.hash:
            return ArrivalKind.OWN if is_own else ArrivalKind.OLDER
    elif not newest and len(match.records) < number:
        # The newest file is gone, so that this one cannot be compared with it.
        return ArrivalKind.NEW
    return ArrivalKind.OTHER


def _other_address(file: IncomingFile, match: Match) -> str:
    """Return the author's address in the game if it differs from the sender's, else empty text."""
    author = match.entrants[Side(match.last.side)] if match.is_joined else match.invite
    own, address = author.email, file.envelope.address
    return own if own and address and address.lower() != own.lower() else ""


# --- paths


def _choose_path(match: Match, newest: Path | None, entry: GameEntry | None, folder: Path) -> Path:
    """Return the path for a file: next to the last file of its game, under the next name."""
    known = (newest, entry.file_in, entry.file_out) if entry else ()
    for path in filter(None, known):
        if path.parent.is_dir():
            return next_name(path, match.id, match.last.index)
    return _path_in(folder, match)


def _path_in(folder: Path, match: Match) -> Path:
    """Return the path in a folder without files of the game, named as by `acres new`."""
    return next_name(folder / f"acres-{match.id.hex()[:8]}.toml", match.id, match.last.index)


def write_copy(path: Path, data: bytes) -> Path:
    """Write a file at `path` or under the next free name, and return its path.

    A file with the same content is not written again.
    """
    for number in count(1):
        # Browsers and mail programs name copies like this; `next_name` recognises them.
        tried = path if number == 1 else path.with_stem(f"{path.stem} ({number})")
        with suppress(TargetExistsError):
            write_new(tried, data)
            return tried
        if has_content(tried, data):
            return tried
    raise AssertionError("there is always another number")

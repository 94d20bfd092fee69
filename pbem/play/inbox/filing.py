"""A save file that arrived, put where it belongs: verified, and never written over another one.

The signature decides whose record it is, and never the address it came from. docs/mail.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from itertools import count, islice
from pathlib import Path

from engine.sides import Side
from pbem.errors import DeckError, NotProved, Unreadable
from pbem.play.inbox.given import Envelope, FileDamaged, Found, MessageUnreadable
from pbem.play.store import Listed, Recognised, Seen, Store
from pbem.play.thread import games_named_in
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.savefile.disk import AlreadyThere, clear_away, next_name, read_file, write_new
from pbem.savefile.save_file import SaveFile

MOST_NAMED = 40
"""How many games are looked up for one reply."""


class Kind(Enum):
    """Kinds of save files, as their receiver sees them."""

    NEW = "new"
    """It goes on with one of the player's games."""
    AGAIN = "again"
    """It is the newest known file, again."""
    OLDER = "older"
    """All that is in it is in the newest file that is known, which goes on from it."""
    OWN = "own"
    """So too, and the player wrote it."""
    OTHER = "other"
    """One of the player's games has gone on differently, as far as is known."""
    INVITATION = "invitation"
    """The player may join."""
    FOREIGN = "foreign"
    """It is a game of others."""


@dataclass(frozen=True)
class Filed:
    """A verified save file, and its `path`; None if it was not kept.

    `listed` is its game as it is known now. `other_address` is the one in the game, if the file
    came from another. `was_learnt` is true if what the player signed in it was not remembered.
    `opponent` is how the other player was known before it came.
    """

    found: Found
    match: Match
    kind: Kind
    path: Path | None
    listed: Listed | None = None
    other_address: str = ""
    was_learnt: bool = False
    opponent: Recognised | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A save file that does not hold or is damaged, or a message that cannot be read, and why.

    `envelope` is that of its message, `data` the file, if it was one.
    """

    reason: NotProved | DeckError | Unreadable
    envelope: Envelope
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class TooLarge:
    """A message that was not read, of that many bytes."""

    size: int


@dataclass(frozen=True, slots=True)
class WithoutFile:
    """A reply in the thread of a game without a file that can be read."""

    listed: Listed
    envelope: Envelope


News = Filed | Refused | TooLarge | WithoutFile


def news_in(message: bytes, library: Store, folder: Path, address: str) -> list[News]:
    """File what is in a message, or find out which game it is about; `address` is the player's.

    Raises WrongUse if a file cannot be written, and LibraryFailed.
    """
    # Imported lazily: most files that come are no messages.
    from pbem.play.inbox.message import envelope_of, files_of

    try:
        found = [each for each in files_of(message) if not each.is_evidence]
    except (FileDamaged, MessageUnreadable) as error:
        return [Refused(error, envelope_of(message))]
    if found:
        return [_filed(each, library, folder) for each in found]
    # Anybody can write a reply: it decides nothing.
    envelope = envelope_of(message)
    named = games_named_in(envelope.references)[:MOST_NAMED]
    if not named or envelope.address.casefold() == address.casefold():
        return []
    games = library.games()
    known = (each for game in named for each in games if each.id.startswith(game))
    return [WithoutFile(listed, envelope) for listed in islice(known, 1)]


def _filed(found: Found, library: Store, folder: Path) -> News:
    try:
        return file_away(found, library, folder)
    except (NotProved, DeckError, Unreadable) as error:
        return Refused(error, found.envelope, found.data)


def file_away(found: Found, library: Store, folder: Path, *, is_learning: bool = False) -> Filed:
    """Verify a save file, and put it beside the last file of its game; else into that folder.

    What is there already stays as it is. Of a game of others the entries alone are verified, and in
    its match. Raises Unreadable and NotProved where it does not hold, WrongUse where it cannot be
    written, and LibraryFailed. `is_learning` as for `Store.note`.
    """
    records = found.records
    known = library.known(records[0].hash).verified
    # Who plays is known from the first two: nobody can make others check a game of strangers.
    match = Match.replay(records[:2], known)
    seen = Seen.of(match, library.key, Path())
    listed = library.game(match.id)
    if seen is None and listed is None and match.is_joined:
        return Filed(found, match, Kind.FOREIGN, None)
    match = Match.replay(records, known)
    seen = Seen.of(match, library.key, Path())
    address = _other_address(found, match)
    opponent = library.recognise(records)
    if seen is None and listed is None:
        path = _written(folder / _name_of(match), found.data)
        return Filed(found, match, Kind.INVITATION, path, None, address, opponent=opponent)
    place, newest = _newest(listed)
    # Without a seat in it, it is an invitation that was taken up since.
    is_own = seen is not None and seen.is_by(library.key, match.last)
    kind = _kind(match, listed, newest, is_own=is_own)
    if seen is None or kind in (Kind.AGAIN, Kind.OLDER, Kind.OWN):
        return Filed(found, match, kind, place, listed, address, opponent=opponent)
    path = _written(_place(match, place, listed, folder), found.data)
    was_learnt = library.note(seen._replace(path=path), begins=True, is_learning=is_learning)
    listed = library.game(match.id)
    return Filed(found, match, kind, path, listed, address, was_learnt, opponent)


# --- what is known of the game


def _newest(listed: Listed | None) -> tuple[Path | None, Sequence[Record]]:
    """Where the newest known file of a game lies, and its records; none where it is gone."""
    for path in filter(None, (listed.file_in, listed.file_out) if listed else ()):
        with suppress(Unreadable):
            records = SaveFile.read(read_file(path)).records
            if listed and records[-1].hash == listed.game.last:
                return path, records
    return None, ()


def _kind(match: Match, listed: Listed | None, newest: Sequence[Record], *, is_own: bool) -> Kind:
    """What the file of one's own game is; `newest` are the records of the newest known one."""
    if listed is None:
        return Kind.NEW
    number = listed.game.records
    if len(match.records) >= number and match.records[number - 1].hash == listed.game.last:
        is_again = newest and len(match.records) == number
        return (Kind.OWN if is_own else Kind.AGAIN) if is_again else Kind.NEW
    if len(match.records) < len(newest):
        if newest[match.last.index].hash == match.last.hash:
            return Kind.OWN if is_own else Kind.OLDER
    elif not newest and len(match.records) < number:
        # Nobody can tell any more: it is kept.
        return Kind.NEW
    return Kind.OTHER


def _other_address(found: Found, match: Match) -> str:
    """The address that its last author gave in the game, if the file came from another."""
    author = match.entrants[Side(match.last.side)] if match.is_joined else match.invite
    given, address = author.email, found.envelope.address
    return given if given and address and address.lower() != given.lower() else ""


# --- where it goes


def _place(match: Match, newest: Path | None, listed: Listed | None, folder: Path) -> Path:
    """Where a file goes: beside the last one of its game, by the next name."""
    known = (newest, listed.file_in, listed.file_out) if listed else ()
    for path in filter(None, known):
        if path.parent.is_dir():
            return next_name(path, match.last.index)
    return folder / _name_of(match)


def _name_of(match: Match) -> str:
    """The name of a file of which no other is known: as `acres new` gives it."""
    return f"acres-{match.id.hex()[:8]}-{match.last.index:03}.toml"


def _written(path: Path, data: bytes) -> Path:
    """Write a file under that name, or the next one that is free, and return where it lies.

    One with the same content is not written again.
    """
    clear_away(path.parent)
    for number in count(1):
        # As browsers and mail programs name a second copy; `next_name` knows that.
        tried = path if number == 1 else path.with_stem(f"{path.stem} ({number})")
        if not tried.exists():
            # Somebody may be faster.
            with suppress(AlreadyThere):
                write_new(tried, data)
                return tried
        with suppress(Unreadable):
            if read_file(tried) == data:
                return tried
    raise AssertionError("there is always another number")

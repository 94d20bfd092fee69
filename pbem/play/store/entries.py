"""Entries of the store: games, known players, signed records, and the new facts in a file.

The signed time of a record is a claim by its signer; its arrival has the time of this computer's
clock. A record by the player arrives when it is signed. The arrival is noted once, with the first
file that contains the record; it is unknown for records that were learnt from old files, or read
by a version without such notes.

Players are known by their keys, like known hosts of SSH. A key becomes known with the first record
that the player signs in a game with it; otherwise anybody could become known by sending a file. The
name and address of that key, in the invitation or the acceptance, belong to it from then on: the
player is warned of another key with the same name or address.

See docs/protocol.md, Duties of a player's program.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from engine.message import Message
from engine.position import score
from engine.sides import Side
from engine.value import Value
from pbem.errors import UsageError
from pbem.foreign import INVISIBLE
from pbem.play.store.schema import Statement, StoreError
from pbem.protocol.cache import Snapshot
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.state_of_play import pending_record
from pbem.protocol.steps import Accept, Close, Invite, OpenLists, ShuffleStep

# --- games


YOU, OPPONENT, NOBODY = "you", "opponent", "nobody"
"""The players for whom a game may wait, from the player's point of view."""
JOIN = "join"
"""The value of `Game.due` for an invitation; for other games it is a `Due`, or empty."""


class Game(NamedTuple):
    """A game in which the player takes part, up to its newest known file.

    `records` is the number of records in that file, `last` the hash of the last one. `house_rules`
    are ids with spaces between them. `side` is the player's side, or "any" until the guest has
    chosen; `opponent` and `email` are empty until a guest has joined. `turn` counts from 1, and is
    0 before the game has begun. `since` is the signed time of the last record; `winner` is a side,
    or empty until the game is over. The victory points are 0 if they are not known.
    """

    records: int
    last: bytes
    edition: str
    house_rules: str
    side: str
    opponent: str
    email: str
    turn: int
    waits_for: str
    due: str
    since: str
    winner: str
    british_points: int = 0
    french_points: int = 0

    @property
    def points(self) -> dict[Side, int]:
        """The victory points of both sides; empty if they are not known."""
        british, french = self.british_points, self.french_points
        return {Side.BRITISH: british, Side.FRENCH: french} if british or french else {}

    @property
    def is_finished(self) -> bool:
        """True if no further record is expected."""
        return self.waits_for == NOBODY

    def is_within(self, hashes: Sequence[bytes]) -> bool:
        """Return True if a chain with `hashes` is the newest known file, or continues it."""
        return len(hashes) >= self.records and hashes[self.records - 1] == self.last

    @classmethod
    def of(cls, match: Match, key: bytes) -> Game | None:
        """Return the game of the player with `key`; None if the key does not play in it.

        >>> own = Game.of(game.match, anna.public_key)
        >>> own.side, own.opponent, own.turn, own.waits_for, own.is_finished
        ('british', 'Bela', 1, 'you', False)
        """
        invite = match.invite
        side = next((side for side, who in match.entrants.items() if who.key == key), None)
        if side is None and invite.key != key:
            return None
        other = match.entrants.get(side.opponent) if side else None
        waits = pending_record(match)
        waits_for, due = (OPPONENT, JOIN) if not match.is_joined else (NOBODY, "")
        if waits is not None:
            waits_for, due = YOU if waits.side is side else OPPONENT, waits.due.value
        outcome = match.state.outcome if match.has_table else None
        return cls(
            records=len(match.records),
            last=match.last.hash,
            edition=invite.edition,
            house_rules=" ".join(invite.house_rules),
            side=side.value if side else invite.side,
            opponent=other.name if other else "",
            email=other.email if other else "",
            turn=match.turn,
            waits_for=waits_for,
            due=due,
            since=match.last.time,
            winner=outcome.winner.value if outcome else "",
            **{f"{side}_points": score(match.state, side).total for side in match.entrants},
        )


class KnownFile(Value):
    """A verified file of one of the player's games, read or written.

    `path` is its path, or None for a file in a mailbox. The first `known_count` records came from a
    snapshot; `match` has a later snapshot if one is due.
    """

    game: Game
    records: Sequence[Record]
    path: Path | None
    known_count: int = 0
    match: Match | None = None

    @classmethod
    def of(cls, match: Match, key: bytes, path: Path | None) -> KnownFile | None:
        """Return the file at `path` with `match`, or None if the key does not play in it."""
        game = Game.of(match, key)
        if game is None:
            return None
        # Not a copy: a new record is signed while it is noted.
        return KnownFile(game, match.records, path, match.replayed_from, match)

    @property
    def id(self) -> bytes:
        """The id of the game."""
        return self.records[0].hash

    @property
    def hashes(self) -> list[bytes]:
        """The hashes of its records."""
        return [record.hash for record in self.records]

    @property
    def snapshot(self) -> Snapshot | None:
        """The new snapshot to store, or None."""
        return self.match.snapshot if self.match else None


class GameEntry(Value):
    """A game in the store's list.

    `file_in` is the last known path of the opponent's last file; `file_out` is the path of the
    player's last file. `pace` is the number of days that a move may take, or None. `arrived` is the
    time, by this computer's clock, at which the last record arrived or was signed here; empty if
    unknown. `row` increases with each new game in the list.
    """

    id: bytes
    game: Game
    file_in: Path | None
    file_out: Path | None
    pace: int | None
    arrived: str = ""
    row: int = 0

    @property
    def own_side(self) -> Side | None:
        """The side of the player; None until the guest has chosen."""
        return None if self.game.side == "any" else Side(self.game.side)


# --- times of arrival

MAX_CLOCK_SKEW = timedelta(hours=48)
"""The maximum difference between two clocks; dates further ahead are reported."""


def is_ahead(time: str, now: str) -> bool:
    """Return True if a record's time is further ahead of `now` than clocks differ.

    >>> is_ahead("2026-06-04T12:00:00Z", "2026-06-01T12:00:00Z")
    True
    """
    return _at(time) - _at(now) > MAX_CLOCK_SKEW


def believable_arrival(arrived: str, signed: str, now: str) -> str | None:
    """Return the arrival time of a record if it is believable, else its signed time.

    The result is never later than `now`, and None if the signed time is far ahead. An arrival in
    the future is ignored, because the clock was wrong.
    """
    if arrived and _at(arrived) <= _at(now):
        return arrived
    return None if is_ahead(signed, now) else min(signed, now, key=_at)


def waiting_since(entry: GameEntry) -> tuple[str, bytes]:
    """Return a sort key by which the game that waits longest comes first."""
    return entry.arrived or entry.game.since, entry.id


def read_time(stored: object) -> str:
    """Return a stored time, or an empty text if it is damaged."""
    try:
        is_time = _at(str(stored)).tzinfo is not None
    except ValueError:
        return ""
    return str(stored) if is_time else ""


def _at(time: str) -> datetime:
    return datetime.fromisoformat(time)


# --- known players


class Person(NamedTuple):
    """A key with the name and address (possibly empty) that its owner claims."""

    key: bytes
    name: str
    email: str

    def has_name_of(self, other: Person) -> bool:
        """Return True if both names look the same to a reader."""
        return are_names_alike(self.name, other.name)

    def has_address_of(self, other: Person) -> bool:
        """Return True if both have the same address, which is not empty."""
        return are_addresses_alike(self.email, other.email)

    def has_only_name_of(self, other: Person) -> bool:
        """Return True if both names look the same, and no addresses distinguish them."""
        return self.has_name_of(other) and not (self.email and other.email)

    def is_alike(self, other: Person) -> bool:
        """Return True if both have the same name and address."""
        is_without = not self.email and not other.email
        return self.has_name_of(other) and (is_without or self.has_address_of(other))


class Trust(Enum):
    """Degrees of knowledge about a player's key."""

    KNOWN = "known"
    FIRST = "first"
    """The player has not signed a record in a game with this key yet."""
    LEARNT = "learnt"
    """The file shows such a record, but the store did not know it."""
    NAMESAKE = "namesake"
    """Another player of the same name is known, with another address."""
    CHANGED = "changed"
    """The player is known by another key, and this key was not vouched for."""


class Recognition(Value):
    """The facts known about a player; `other` is a known player with a similar name or address.

    `nickname` is the store owner's name for the player, or empty; `is_met` is true if a record
    was signed in a game with that key.
    """

    person: Person
    trust: Trust
    other: Person | None = None
    nickname: str = ""
    is_met: bool = False

    @property
    def is_doubted(self) -> bool:
        """True if the key may belong to a different person than the name suggests."""
        return self.trust is Trust.CHANGED

    @property
    def needs_vouching(self) -> bool:
        """True if a record was signed in a game with a doubted key, which may be vouched for."""
        return self.is_doubted and self.is_met


class KnownPlayer(Value):
    """A known key: its names and addresses, the time of the first meeting, the number of games.

    `since` is a time by this computer's clock, empty if unknown. `passes_for` is another player
    with the same name or address, met before under another key; None if there is none, or if this
    key was vouched for.
    """

    key: bytes
    people: tuple[Person, ...]
    nickname: str
    since: str
    games: int
    passes_for: Person | None


# --- players in a file


def find_opponent(records: Sequence[Record], key: bytes) -> Person | None:
    """Return the opponent or the inviter of the owner of `key`, or None."""
    entries = [record.steps[0] for record in records[:2]]
    people = [
        Person(entry.key, entry.name, entry.email)
        for entry in entries
        if isinstance(entry, Invite | Accept)
    ]
    others = [person for person in people if person.key != key]
    plays = len(people) == 1 or len(others) == 1
    return others[0] if others and plays else None


def is_committed(records: Sequence[Record], key: bytes) -> bool:
    """Return True if the owner of `key` has signed a record after the other player's first."""
    invite = records[0].steps[0]
    is_inviter = isinstance(invite, Invite) and invite.key == key
    return len(records) > (2 if is_inviter else 1)


# --- the address book


class AddressBook(Value):
    """All players met, with the time; those vouched for; and nicknames, by key.

    >>> cousin = Person(bytes(32), "Béla", "bela@example.org")
    >>> book = AddressBook(met=((cousin, time),))
    >>> book.recognise(cousin).trust, book.recognise(cousin._replace(key=bytes([1]) * 32)).trust
    (<Trust.KNOWN: 'known'>, <Trust.CHANGED: 'changed'>)
    """

    met: tuple[tuple[Person, str], ...] = ()
    vouched: tuple[Person, ...] = ()
    nicknames: Mapping[bytes, str] = MappingProxyType({})

    def recognise(self, person: Person) -> Recognition:
        """Return the knowledge about a person."""
        nickname = self.nicknames.get(person.key, "")
        is_met = bool(self.people_with(person.key))
        if other := self.passes_for(person):
            trust = Trust.CHANGED
        elif other := self._namesake(person):
            trust = Trust.NAMESAKE
        else:
            trust = Trust.KNOWN if is_met or self._is_vouched(person) else Trust.FIRST
        return Recognition(person, trust, other, nickname, is_met)

    def passes_for(self, person: Person) -> Person | None:
        """Return the player who had the same name or address before, with another key."""
        if self._is_vouched(person):
            return None
        # Name and address are checked separately: a known name proves no address.
        for is_same in (person.has_address_of, person.has_only_name_of):
            first = next(filter(is_same, self._known_names()), person)
            if first.key != person.key:
                # The key that was vouched for last has priority over the key met first.
                others = (other for other in reversed(self.vouched) if other.key != person.key)
                return next(filter(is_same, others), first)
        return None

    def _namesake(self, person: Person) -> Person | None:
        """Return another player of the same name, unless the key has had the name before."""
        same = [known for known in self._known_names() if person.has_name_of(known)]
        if self._is_vouched(person) or any(known.key == person.key for known in same):
            return None
        return same[0] if same else None

    def acquaintances(self) -> list[KnownPlayer]:
        """Return all known players, in the order in which they were met."""
        players = []
        for key in dict.fromkeys(person.key for person, _ in self.met):
            times = [time for person, time in self.met if person.key == key]
            people, nickname = self.people_with(key), self.nicknames.get(key, "")
            others = filter(None, map(self.passes_for, people))
            one = KnownPlayer(key, people, nickname, times[0], len(times), next(others, None))
            players.append(one)
        return players

    def people_with(self, key: bytes) -> tuple[Person, ...]:
        """Return the names and addresses of a key."""
        return tuple(dict.fromkeys(person for person, _ in self.met if person.key == key))

    def _known_names(self) -> Iterator[Person]:
        """Yield all known people with their own names, then with their nicknames."""
        yield from (person for person, _ in self.met)
        for key, nickname in self.nicknames.items():
            yield from (person._replace(name=nickname) for person in self.people_with(key))

    def _is_vouched(self, person: Person) -> bool:
        return any(known.key == person.key and person.is_alike(known) for known in self.vouched)


# --- names and addresses that look the same

_ALSO = str.maketrans("ĸχωԛԚ", "kxwqQ")
"""Characters that look like Latin letters in many fonts, but are not in the table."""


@cache
def _lookalikes() -> dict[int, str]:
    """Return Unicode's table of confusable characters: by number, the text that each looks like."""
    table = Path(__file__).with_name("lookalikes.txt").read_text(encoding="utf-8")
    groups = (group.partition("=") for line in table.splitlines()[2:] for group in line.split())
    return {ord(character): like for like, _, characters in groups for character in characters}


def are_names_alike(one: str, other: str) -> bool:
    r"""Return True if two names look the same, except for capitals, accents and spaces.

    >>> are_names_alike("Béla K.", "bela  k"), are_names_alike("Anna", "Ann\u0430")
    (True, True)
    >>> are_names_alike("BeIa", "Bela"), are_names_alike("Lila", "Ilia")
    (True, False)
    """
    return _are_alike(one, other, _letters)


def are_addresses_alike(one: str, other: str) -> bool:
    r"""Return True if two e-mail addresses look the same, and neither is empty.

    >>> are_addresses_alike("Bela@example.org", "bel\u0430@example.org")
    True
    """
    return bool(one and other) and _are_alike(one, other, str.strip)


def _are_alike(one: str, other: str, simplify: Callable[[str], str]) -> bool:
    plain, plain_other = map(_plain, (one, other))
    if simplify(plain.casefold()) == simplify(plain_other.casefold()):
        return True
    return simplify(_look(plain)) == simplify(_look(plain_other))


def _letters(text: str) -> str:
    """Return the letters, vowel signs and digits of a name; all of it if it has none."""
    letters = (c for c in text if unicodedata.category(c)[0] in "LMN")
    return "".join(letters) or text.strip()


def _plain(text: str) -> str:
    """Return a text in its simplest characters, without accents and invisible ones."""
    simple = unicodedata.normalize("NFKD", text)
    return "".join(c for c in simple if not unicodedata.combining(c) and c not in INVISIBLE)


def _look(text: str) -> str:
    """Return the skeleton of a text (Unicode Technical Standard 39), without case."""
    table = _lookalikes()
    look = text.translate(table).translate(table).translate(_ALSO).casefold()
    return look.replace("vv", "w")


# --- records of the player


class ConcurrentSigningError(UsageError):
    """Raised if another process has just signed another record in this game."""


class GameClosedError(UsageError):
    """Raised if the player has closed the game with that `record`."""

    def __init__(self, record: Record) -> None:
        super().__init__(
            Message(
                "You have closed this game: your record {number} opens your hand and all your "
                "draws to anybody. With another record beside it your opponent could choose what "
                "you draw.",
                number=record.index,
            )
        )
        self.record = record


def records_by(records: Sequence[Record], key: bytes) -> Sequence[Record]:
    """Return the records of the player with `key` in a valid chain (every other record)."""
    for first, record in enumerate(records[:2]):
        entry = record.steps[0] if record.steps else None
        if isinstance(entry, Invite | Accept) and entry.key == key:
            return records[first::2]
    return ()


def find_close(records: Iterable[Record]) -> Record | None:
    """Return the first of `records` that closes its author's game, or None."""
    return next((record for record in records if _has_step(record, Close)), None)


# --- rows of the table of records


def insert_record(
    game: bytes, key: bytes, record: Record, *, counts: bool = True, is_learnt: bool = False
) -> Statement:
    """Return the statement that stores a record signed by a key, or updates a stored one."""
    place = (game, key, record.hash, record.index, record.previous, record.toml)
    has_shuffle = _has_step(record, OpenLists, ShuffleStep)
    return (
        "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL) "
        "ON CONFLICT (game, key, hash) DO UPDATE SET record = excluded.record, "
        "counts = excluded.counts, is_learnt = max(is_learnt, excluded.is_learnt)",
        (*place, counts, is_learnt, has_shuffle, _has_step(record, Close)),
    )


def read_record(key: bytes, text: object, hash_: object, index: int) -> Record:
    """Return a stored record. Raises StoreError if it is damaged."""
    try:
        (plain,) = tomllib.loads(str(text))["record"]
        record = Record.from_plain(plain)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _damaged_record(index) from None
    if (record.index, record.hash) != (index, hash_) or not record.verify(key):
        raise _damaged_record(index)
    return record


def _has_step(record: Record, *kinds: type) -> bool:
    return any(isinstance(step, kinds) for step in record.steps)


def _damaged_record(index: int) -> StoreError:
    # Translators: “its” refers to the library.
    return StoreError("its record {number} is damaged", number=index)

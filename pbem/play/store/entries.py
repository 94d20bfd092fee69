"""Entries of the library: games, known players, records that the player signed, and news of a file.

The dates of records are their signers' word; when they came, by the clock of this computer. One's
own record came when it was signed here. That is noted once, with the file in which it was seen
first; of what came before such times were kept, or is learnt from old files, it is not known.

Players are known by keys, as known hosts are remembered. A key is met with the first record that
the player signs in a game with it, and not by being shown: else anybody could become known by
sending a file. What that key calls itself, in the invitation or the acceptance, belongs to it from
then on: whoever comes in the same name or from the same address, with another key, is told of.

docs/protocol.md, Duties of a player's program: Know who is who; Keep what you
signed.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from engine.message import Message
from engine.sides import Side
from engine.value import Value
from pbem.errors import WrongUse
from pbem.foreign import INVISIBLE
from pbem.play.store.schema import LibraryFailed, Statement
from pbem.protocol.cache import Snapshot
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.state_of_play import pending_record
from pbem.protocol.steps import Accept, Close, Invite, OpenLists, ShuffleStep

# --- games


YOU, OPPONENT, NOBODY = "you", "opponent", "nobody"
"""For whom a game waits."""
JOIN = "join"
"""Due of whoever an invitation waits for; else it is a `Due`, or empty."""


class Game(NamedTuple):
    """A game that a player takes part in, as far as its newest known file goes.

    `records` are in that file, `last` is the hash of its last one. `house_rules` are words with
    spaces between. `side` is the player's own, "any" while the guest has yet to choose; `opponent`
    and `email` are empty until somebody has joined. `turn` counts from 1, 0 before the game has
    begun. `since` is the signed time of the last record; `winner` a side, empty until it is over.
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

    @property
    def is_finished(self) -> bool:
        """True if nobody is to write in it any more."""
        return self.waits_for == NOBODY

    def is_within(self, hashes: Sequence[bytes]) -> bool:
        """Return True if records with these hashes are its newest known file, or go on from it."""
        return len(hashes) >= self.records and hashes[self.records - 1] == self.last

    @classmethod
    def of(cls, match: Match, key: bytes) -> Game | None:
        """Return the game of the player with that key; None if nobody plays with it."""
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
        )


class KnownFile(Value):
    """A file of a game of the player's that was read or written, and holds.

    `path` is where it lies, None if it cannot be found again there. The records up to `begun` were
    known before, by a snapshot; `match` has a later one if one is due.
    """

    game: Game
    records: Sequence[Record]
    path: Path | None
    begun: int = 0
    match: Match | None = None

    @classmethod
    def of(cls, match: Match, key: bytes, path: Path | None) -> KnownFile | None:
        """Return the file at that path with this match; None if that key does not play in it."""
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
        """The snapshot to be kept of it; None if it is known, or there is none."""
        return self.match.snapshot if self.match else None


class GameEntry(Value):
    """A game as the library lists it.

    `file_in` is the last file that the opponent wrote, `file_out` the last own one, each where it
    was last seen; `pace` is how many days a move may take, None if nothing was agreed. `arrived`
    is when the last record came to this computer, or was signed on it, by its own clock; empty
    if nobody knows. `row` is the greater, the later the game was listed first.
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
        """The side of the player; None while the guest has yet to choose."""
        return None if self.game.side == "any" else Side(self.game.side)


# --- when records came

AHEAD = timedelta(hours=48)
"""A date further ahead than this is told: no difference of clocks is as large."""


def is_ahead(time: str, now: str) -> bool:
    """Return True if a time as records have it is further ahead of `now` than clocks differ."""
    return _at(time) - _at(now) > AHEAD


def believable_arrival(arrived: str, signed: str, now: str) -> str | None:
    """Return when a record was there: as it `arrived` by this clock, else as it is signed.

    Never later than `now`; None if that cannot be said, because its date is far ahead. A clock
    that was ahead when the record came counts for nothing.
    """
    if arrived and _at(arrived) <= _at(now):
        return arrived
    return None if is_ahead(signed, now) else min(signed, now, key=_at)


def waiting_since(listed: GameEntry) -> tuple[str, bytes]:
    """Return a sort key by which the game that waits longest comes first."""
    return listed.arrived or listed.game.since, listed.id


def read_time(stored: object) -> str:
    """Return a time as it was noted; empty for a damaged one: nobody is refused anything for it."""
    try:
        is_time = _at(str(stored)).tzinfo is not None
    except ValueError:
        return ""
    return str(stored) if is_time else ""


def _at(time: str) -> datetime:
    return datetime.fromisoformat(time)


# --- known players


class Person(NamedTuple):
    """A key, and whose it is by the word of its owner; the address may be empty."""

    key: bytes
    name: str
    email: str

    def has_name_of(self, other: Person) -> bool:
        """Return True if both go by the same name, as far as a reader can tell."""
        return are_names_alike(self.name, other.name)

    def has_address_of(self, other: Person) -> bool:
        """Return True if both have the same address, and not none."""
        return are_addresses_alike(self.email, other.email)

    def has_only_name_of(self, other: Person) -> bool:
        """Return True if both go by the same name, and no address of theirs tells them apart."""
        return self.has_name_of(other) and not (self.email and other.email)

    def is_as(self, other: Person) -> bool:
        """Return True if both say the same of themselves."""
        is_without = not self.email and not other.email
        return self.has_name_of(other) and (is_without or self.has_address_of(other))


class Trust(Enum):
    """How well the key of a player is known."""

    KNOWN = "known"
    FIRST = "first"
    """Nothing was signed with it yet."""
    LEARNT = "learnt"
    """Something was, as the file shows, though it was not remembered till now."""
    NAMESAKE = "namesake"
    """It is that of somebody else than is known by the name, with another address."""
    CHANGED = "changed"
    """That player is known by another key, and nobody has said that this one is right."""


class Recognition(Value):
    """A player, as far as known; `other` is somebody known by another key for whom they may pass.

    `nickname` is what the owner of the library calls them, or empty; `is_met` says whether a record
    was signed with that key before.
    """

    person: Person
    trust: Trust
    other: Person | None = None
    nickname: str = ""
    is_met: bool = False

    @property
    def is_doubted(self) -> bool:
        """True if it may be somebody else than it seems."""
        return self.trust is Trust.CHANGED

    @property
    def is_to_be_settled(self) -> bool:
        """True if a record was signed with a key that is doubted: its owner can be vouched for."""
        return self.is_doubted and self.is_met


class KnownPlayer(Value):
    """A key that was met: under which names and addresses, since when, in how many games.

    `since` is a time by this computer's clock, empty if nobody knows it.

    `passes_for` is somebody else, met before by another key, who goes by the same name or address;
    None if there is none, or the player has vouched for this key.
    """

    key: bytes
    people: tuple[Person, ...]
    nickname: str
    since: str
    games: int
    passes_for: Person | None


# --- what of it a file tells


def find_opponent(records: Sequence[Record], key: bytes) -> Person | None:
    """Return who plays against the owner of that key, or invites them; None if nobody does."""
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
    """Return True if the owner of that key, who plays, has signed after the other's first."""
    invite = records[0].steps[0]
    is_inviter = isinstance(invite, Invite) and invite.key == key
    return len(records) > (2 if is_inviter else 1)


# --- what is remembered, all of it


class AddressBook(Value):
    """All who were met and when, in that order; who is vouched for; nicknames, by key."""

    met: tuple[tuple[Person, str], ...] = ()
    vouched: tuple[Person, ...] = ()
    nicknames: Mapping[bytes, str] = MappingProxyType({})

    def recognise(self, person: Person) -> Recognition:
        """Return what is known of somebody."""
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
        """Return who has gone by the same name or address before, with another key."""
        if self._is_vouched(person):
            return None
        # Each by itself: a name that is one's own makes no address one's own.
        for is_same in (person.has_address_of, person.has_only_name_of):
            first = next(filter(is_same, self._known()), person)
            if first.key != person.key:
                # What the player has said last counts for more than who came first.
                others = (each for each in reversed(self.vouched) if each.key != person.key)
                return next(filter(is_same, others), first)
        return None

    def _namesake(self, person: Person) -> Person | None:
        """Return somebody else of that name, which the key of this person has not had before."""
        same = [known for known in self._known() if person.has_name_of(known)]
        if self._is_vouched(person) or any(known.key == person.key for known in same):
            return None
        return same[0] if same else None

    def acquaintances(self) -> list[KnownPlayer]:
        """Return all who were met, in the order in which they were."""
        found = []
        for key in dict.fromkeys(person.key for person, _ in self.met):
            times = [time for person, time in self.met if person.key == key]
            people, nickname = self.people_with(key), self.nicknames.get(key, "")
            others = filter(None, map(self.passes_for, people))
            one = KnownPlayer(key, people, nickname, times[0], len(times), next(others, None))
            found.append(one)
        return found

    def people_with(self, key: bytes) -> tuple[Person, ...]:
        """Return under which names and addresses a key was met."""
        return tuple(dict.fromkeys(person for person, _ in self.met if person.key == key))

    def _known(self) -> Iterator[Person]:
        """Yield all who were met, as they call themselves, and then as the player calls them."""
        yield from (person for person, _ in self.met)
        for key, nickname in self.nicknames.items():
            yield from (person._replace(name=nickname) for person in self.people_with(key))

    def _is_vouched(self, person: Person) -> bool:
        return any(each.key == person.key and person.is_as(each) for each in self.vouched)


# --- names and addresses that a person takes for the same, whatever characters stand in them

_PAIRS = (
    # Cyrillic
    "АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ԚQ ԜW Ӏl "
    "аa еe оo рp сc уy хx ѕs іi јj кk һh ԁd ԛq ԝw ѵv ӏl "
    # Greek
    "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa γy ιi κk νv οo ρp υu χx ωw ϲc "
    # Latin, and what looks like it
    "ɑa ɡg ıi øo łl ØO 0O 1l |l Il"
)
"""A character, and the one that it looks like. Capitals come first: `I` looks like `l`."""
_LOOK = {ord(character): like for character, like in map(tuple, _PAIRS.split())}
_SEVERAL = (("rn", "m"), ("vv", "w"))


def are_names_alike(one: str, other: str) -> bool:
    """Return True if two names are the same to a reader: capitals, accents and spaces aside.

    >>> are_names_alike("Béla K.", "bela  k"), are_names_alike("Anna", "Ann\u0430")
    (True, True)
    >>> are_names_alike("BeIa", "Bela"), are_names_alike("Lila", "Ilia")
    (True, False)
    """
    return _are_alike(one, other, _letters)


def are_addresses_alike(one: str, other: str) -> bool:
    """Return True if two e-mail addresses are the same to a reader, and neither is empty.

    >>> are_addresses_alike("Bela@example.org", "bel\u0430@example.org")
    True
    """
    return bool(one and other) and _are_alike(one, other, str.strip)


def _are_alike(one: str, other: str, kept: Callable[[str], str]) -> bool:
    plain, plain_other = map(_plain, (one, other))
    if kept(plain.casefold()) == kept(plain_other.casefold()):
        return True
    return kept(_look(plain)) == kept(_look(plain_other))


def _letters(text: str) -> str:
    """Return the letters and digits of a name; all of it if it has none."""
    return "".join(filter(str.isalnum, text)) or text.strip()


def _plain(text: str) -> str:
    """Return a text in its simplest characters, without accents and what shows nothing."""
    simple = unicodedata.normalize("NFKD", text)
    return "".join(c for c in simple if not unicodedata.combining(c) and c not in INVISIBLE)


def _look(text: str) -> str:
    """Return how a text looks, in Latin letters if it looks like these."""
    look = text.translate(_LOOK).translate(_LOOK).casefold()
    for letters, like in _SEVERAL:
        look = look.replace(letters, like)
    return look


# --- records that the player signed


class SignedMeanwhile(WrongUse):
    """Another process has just signed another record in this game."""


class GameClosed(WrongUse):
    """A player has closed a game; `record` is the one that did."""

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
    """Return the records of the player with that key in a chain that holds: both take turns."""
    for first, record in enumerate(records[:2]):
        entry = record.steps[0] if record.steps else None
        if isinstance(entry, Invite | Accept) and entry.key == key:
            return records[first::2]
    return ()


def find_close(records: Iterable[Record]) -> Record | None:
    """Return the first of these records that closes the game of its author; None if none does."""
    return next((record for record in records if _has(record, Close)), None)


# --- as rows


def insert_record(
    game: bytes, key: bytes, record: Record, *, counts: bool = True, is_learnt: bool = False
) -> Statement:
    """Return the statement that a key signed a record of a game; one kept so far is changed."""
    place = (game, key, record.hash, record.index, record.previous, record.toml)
    has_shuffle = _has(record, OpenLists, ShuffleStep)
    return (
        "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL) "
        "ON CONFLICT (game, key, hash) DO UPDATE SET record = excluded.record, "
        "counts = excluded.counts, is_learnt = max(is_learnt, excluded.is_learnt)",
        (*place, counts, is_learnt, has_shuffle, _has(record, Close)),
    )


def read_record(key: bytes, text: object, hash_: object, index: int) -> Record:
    """Return a record as it was signed; raises LibraryFailed for a damaged one.

    Nobody is refused anything because of it.
    """
    try:
        (plain,) = tomllib.loads(str(text))["record"]
        record = Record.from_plain(plain)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _damaged(index) from None
    if (record.index, record.hash) != (index, hash_) or not record.verify(key):
        raise _damaged(index)
    return record


def _has(record: Record, *kinds: type) -> bool:
    return any(isinstance(step, kinds) for step in record.steps)


def _damaged(index: int) -> LibraryFailed:
    # Translators: it is the library of the player.
    return LibraryFailed("its record {number} is damaged", number=index)

"""Known players: by which keys the player has met others, as known hosts are remembered.

A key is met with the first record that the player signs in a game with it, and not by being shown:
else anybody could become known by sending a file. What that key calls itself, in the invitation or
the acceptance, belongs to it from then on: whoever comes in the same name or from the same address,
with another key, is told of.

docs/protocol.md, What a player's program has to take care of: Know who is who.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from engine.value import Value
from pbem.foreign import INVISIBLE
from pbem.protocol.record import Record
from pbem.protocol.steps import Accept, Invite


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


class Recognised(Value):
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


class Acquaintance(Value):
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


def opponent_in(records: Sequence[Record], key: bytes) -> Person | None:
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


class Meeting(Value):
    """That somebody was met, and when."""

    person: Person
    time: str


class Book(Value):
    """All meetings, in their order; for whom was vouched; and what players are called, by key."""

    meetings: tuple[Meeting, ...] = ()
    vouched: tuple[Person, ...] = ()
    nicknames: Mapping[bytes, str] = MappingProxyType({})

    def recognise(self, person: Person) -> Recognised:
        """Return what is known of somebody."""
        nickname = self.nicknames.get(person.key, "")
        is_met = bool(self.people_with(person.key))
        if other := self.passes_for(person):
            trust = Trust.CHANGED
        elif other := self._namesake(person):
            trust = Trust.NAMESAKE
        else:
            trust = Trust.KNOWN if is_met or self._is_vouched(person) else Trust.FIRST
        return Recognised(person, trust, other, nickname, is_met)

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

    def acquaintances(self) -> list[Acquaintance]:
        """Return all who were met, in the order in which they were."""
        found = []
        for key in dict.fromkeys(each.person.key for each in self.meetings):
            meetings = [each for each in self.meetings if each.person.key == key]
            people = self.people_with(key)
            others = filter(None, map(self.passes_for, people))
            nickname, since = self.nicknames.get(key, ""), meetings[0].time
            one = Acquaintance(key, people, nickname, since, len(meetings), next(others, None))
            found.append(one)
        return found

    def people_with(self, key: bytes) -> tuple[Person, ...]:
        """Return under which names and addresses a key was met."""
        people = (each.person for each in self.meetings if each.person.key == key)
        return tuple(dict.fromkeys(people))

    def _known(self) -> Iterator[Person]:
        """Yield all who were met, as they call themselves, and then as the player calls them."""
        yield from (each.person for each in self.meetings)
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

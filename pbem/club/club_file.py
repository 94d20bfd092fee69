"""A club: the file `club.toml` with its members, its rules, and the decisions of its organiser.

The `signature` in the file is the organiser's, over all decisions in their order, and the name and
the season of the club. See docs/club.md.
"""

# No `from __future__ import annotations`: the codecs are read from the annotations.
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Self, TypeAlias, get_args

import tomlkit

from engine.house_rules import house_rules
from engine.message import Message, Phrase, mark, message_of
from engine.ruleset import editions
from engine.sides import Side
from pbem.errors import InputError
from pbem.errors.rule import Rule
from pbem.foreign import clean, display_name
from pbem.play.config import parse_settings
from pbem.play.signing import is_signed, sign_document
from pbem.protocol import schema
from pbem.protocol.identity import Identity
from pbem.protocol.schema import NAME, ListOf, OneOf, SchemaError
from pbem.savefile.disk import read_file, reserve_file
from pbem.text.phrases import row_text

FILE_NAME = "club.toml"
MAX_SIZE = 1024 * 1024
"""The maximum size of the file, in bytes."""
NOBODY = "nobody"
PAIRINGS = ROUND_ROBIN, SWISS, LADDER = "round robin", "swiss", "ladder"
Pair: TypeAlias = tuple[str, str]
"""The names of the members who play the British and the French."""


class _Day(schema.Codec):
    """A day, written without quotes, such as 2026-11-21."""

    def read(self, plain: object) -> date:
        """Return the day. Raises SchemaError for anything else."""
        if type(plain) is not date:
            raise SchemaError(Message("must be a day, written like 2026-11-21"), Rule.TIME_FORM)
        return plain


class _TableOf(schema.Codec):
    """A table with the annotated fields of a class; fields with a default may be missing."""

    def __init__(self, cls: Any) -> None:
        kinds = cls.__annotations__.items()
        self.cls = cls
        self.codecs = {name: get_args(kind)[1] for name, kind in kinds if get_args(kind)}
        self.optional = frozenset(self.codecs.keys() & vars(cls).keys())

    def read(self, plain: object) -> Any:
        """Return an object of the class. Raises SchemaError for other keys or values."""
        return self.cls(**schema.read_table(plain, self.codecs, self.optional))


def _many(item: schema.Codec) -> ListOf:
    return ListOf(item, 0, 10_000)


_HEX = schema.Pattern(r"[0-9a-f]{64}", mark("must be 64 of the characters 0-9 and a-f"))
_GAME = schema.Pattern(r"[0-9a-f]{64}(-[0-9a-f]{16})?", mark("must be the whole id of a game"))
_REASON = schema.Visible(1, 200, mark("must be 1 to 200 visible characters"))
_RULES = ListOf(OneOf(*house_rules()), 0, 100, unique=True)
_URL = schema.Pattern(r"https?://[!-~]{1,200}", mark("must be an address, https://…"))
_Hex: TypeAlias = Annotated[str, _HEX]
_Name: TypeAlias = Annotated[str, NAME]
_Date: TypeAlias = Annotated[date | None, _Day()]


@dataclass(frozen=True)
class Member:
    """A member, with the first key in hexadecimal digits; `withdrawn` members are not paired."""

    name: _Name
    key: _Hex
    withdrawn: _Date = None


@dataclass(frozen=True)
class Round:
    """The pairs of a round from a `day` on; in an odd field one member has a `bye`."""

    pairs: Annotated[tuple[Pair, ...], _many(ListOf(NAME, 2, 2, unique=True))]
    bye: _Name = ""
    day: _Date = None


@dataclass(frozen=True)
class Adjudication:
    """A decision of the organiser about a game, or about a pair of a round.

    It is void if the winner is nobody.
    """

    winner: Annotated[str, OneOf(*Side, NOBODY)]
    day: Annotated[date, _Day()]
    reason: Annotated[str, _REASON]
    game: Annotated[str, _GAME] = ""
    round: Annotated[int, schema.Integer(1, 10_000)] = 0
    british: _Name = ""
    french: _Name = ""

    @property
    def side(self) -> Side | None:
        """The side that wins, or None if the game is void."""
        return None if self.winner == NOBODY else Side(self.winner)

    @property
    def target(self) -> str | tuple[int, str, str]:
        """The id of a game, or a round with the British and the French player."""
        return self.game or (self.round, self.british, self.french)


@dataclass(frozen=True)
class Replacement:
    """A new key of a member who has lost the old one."""

    old: _Hex
    new: _Hex


Decision: TypeAlias = Adjudication | Replacement


@dataclass(frozen=True)
class Club:
    """The contents of the file `club.toml` at `path`: its `text`, and its values by their keys."""

    name: _Name
    organiser: _Hex
    begins: Annotated[date, _Day()]
    ends: Annotated[date, _Day()]
    editions: Annotated[tuple[str, ...], ListOf(OneOf(*editions()), 1, 10, unique=True)]
    pace_days: Annotated[int, schema.Integer(1, 365)]
    pairing: Annotated[str, OneOf(*PAIRINGS)]
    member: Annotated[tuple[Member, ...], ListOf(_TableOf(Member), 2, 10_000)]
    house_rules: Annotated[tuple[str, ...], _RULES] = ()
    verify: Annotated[str, _URL] = ""
    round: Annotated[tuple[Round, ...], _many(_TableOf(Round))] = ()
    adjudication: Annotated[tuple[Adjudication, ...], _many(_TableOf(Adjudication))] = ()
    replacement: Annotated[tuple[Replacement, ...], _many(_TableOf(Replacement))] = ()
    signature: Annotated[bytes, schema.Bytes(64)] = b""
    path: Path = Path()
    text: str = ""

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the club in a file. Raises InputError with a sentence about the first mistake."""
        text, tables = parse_settings(path, read_file(path, MAX_SIZE), MAX_SIZE)
        try:
            club: Self = replace(_TableOf(cls).read(tables), path=path, text=text)
        except SchemaError as error:
            raise _mistake(path, message_of(error)) from None
        for mistake in club._mistakes():
            raise _mistake(path, mistake)
        return club

    @cached_property
    def names_by_key(self) -> dict[str, str]:
        """The names of the members by all their keys, replaced ones and new ones."""
        names = {member.key: member.name for member in self.member}
        for line in self.replacement:
            names[line.new] = names.get(line.old, "")
        return names

    def _mistakes(self) -> Iterator[Message]:
        """Yield the mistakes that no single value shows."""
        if self.ends < self.begins:
            yield row_text("club", "no season")
        names = [member.name for member in self.member]
        keys = [member.key for member in self.member]
        mentioned = [name for row in self.round for pair in row.pairs for name in (*pair, row.bye)]
        for line in self.adjudication:
            mentioned += (line.british, line.french)
            if not line.game and not (line.round and line.british and line.french):
                yield row_text("club", "no game")
        for new in self.replacement:
            if new.old not in keys:
                yield row_text("club", "no old key", key=new.old)
            keys.append(new.new)
        for name in {*mentioned} - {"", *names}:
            yield row_text("club", "no member", name=display_name(name))
        for values in (names, keys):
            for twice in {value for value in values if values.count(value) > 1}:
                yield row_text("club", "twice", name=display_name(twice))

    # --- decisions

    @property
    def decisions(self) -> list[Decision]:
        """The lines that the organiser signs."""
        return [*self.adjudication, *self.replacement]

    @property
    def _document(self) -> bytes:
        lines = [{"kind": type(line).__name__} | _values(line) for line in self.decisions]
        season = [self.begins.isoformat(), self.ends.isoformat()]
        return schema.canonical_json({"club": self.name, "season": season, "decisions": lines})

    @property
    def is_signed(self) -> bool:
        """True if the organiser has signed the decisions as they are, or has made none."""
        key, has_made = bytes.fromhex(self.organiser), self.decisions or self.signature
        return not has_made or is_signed(self._document, self.signature, key)

    def check_signature(self) -> None:
        """Raise InputError if the organiser has not signed the decisions as they are."""
        if not self.is_signed:
            raise _mistake(self.path, row_text("club", "unsigned"))

    def sign(self, identity: Identity) -> None:
        """Sign the decisions, and write the file. Raises UsageError."""
        document = tomlkit.parse(self.text)
        document["signature"] = schema.encode_bytes(sign_document(self._document, identity))
        self._write(tomlkit.dumps(document))

    def add_round(self, added: Round, day: str) -> None:
        """Write the file with one more round, from a day on. Raises InputError if that fails."""
        rows = "".join(f"    {json.dumps(pair, ensure_ascii=False)},\n" for pair in added.pairs)
        bye = f"bye = {json.dumps(added.bye, ensure_ascii=False)}\n" if added.bye else ""
        self._write(f"{self.text.rstrip()}\n\n[[round]]\nday = {day}\npairs = [\n{rows}]\n{bye}")

    def _write(self, text: str) -> None:
        # A table cannot be added to a list in brackets.
        parse_settings(self.path, text.encode(), MAX_SIZE)
        with reserve_file(self.path, len(text.encode()), replace=True) as file:
            file.commit(text.encode())


def _mistake(path: Path, reason: Phrase) -> InputError:
    return InputError("{file} has a mistake in it: {reason}.", file=path, reason=reason)


def _values(line: Decision) -> dict[str, str]:
    return {name: str(value) for name, value in vars(line).items() if value}


def describe(line: Decision) -> str:
    """Return the values of a decision, as in the file."""
    return clean(", ".join(f"{name} = {value}" for name, value in _values(line).items()))

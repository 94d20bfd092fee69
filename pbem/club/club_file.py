"""A club: the file `club.toml` with its members, its rules, and lines that its organiser signs.

A signed line is a table of the file whose `signature` is the organiser's, over the other values of
the table and the name of the club. See docs/club.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import tomlkit

from engine.house_rules import house_rules
from engine.message import Concat, Message, Phrase, mark, message_of
from engine.ruleset import editions
from pbem.errors import InputError
from pbem.errors.rule import Rule
from pbem.foreign import display_name
from pbem.play.config import parse_settings
from pbem.play.signing import is_signed, sign_document
from pbem.protocol.identity import Identity
from pbem.protocol.schema import (
    NAME,
    SIDE,
    Bytes,
    Codec,
    Integer,
    ListOf,
    OneOf,
    Pattern,
    SchemaError,
    Visible,
    canonical_json,
    encode_bytes,
    read_table,
)
from pbem.savefile.disk import read_file, reserve_file

FILE_NAME = "club.toml"
MAX_SIZE = 1024 * 1024
"""The maximum size of the file, in bytes."""
PAIRINGS = ROUND_ROBIN, SWISS, LADDER = "round robin", "swiss", "ladder"
MAX_ROWS = 10_000

Pair: TypeAlias = tuple[str, str]
"""The names of the members who play the British and the French."""

_HEX = Pattern(r"[0-9a-f]{64}", mark("must be 64 of the characters 0-9 and a-f"))
_REASON = Visible(
    1,
    200,
    mark("must be 1 to {most} visible characters, with no space at either end"),
    trimmed=True,
)
_URL = Pattern(r"https?://[!-~]{1,200}", mark("must be an address that begins with https://"))


class _Day(Codec):
    """A day, written without quotes, such as 2026-11-21."""

    def read(self, plain: object) -> date:
        """Return the day. Raises SchemaError for anything else."""
        if type(plain) is not date:
            raise SchemaError(Message("must be a day, written like 2026-11-21"), Rule.TIME_FORM)
        return plain


class _Row(Codec):
    """A table with the fields of a class; fields with a default may be missing."""

    def __init__(self, make: Callable[..., Any], **codecs: Codec) -> None:
        self.make, self.codecs = make, codecs
        self.optional = frozenset(name for name in codecs if hasattr(make, name))

    def read(self, plain: object) -> Any:
        """Return an object of the class. Raises SchemaError for other keys or values."""
        return self.make(**read_table(plain, self.codecs, self.optional))


@dataclass(frozen=True)
class Member:
    """A member, with the first key in hexadecimal digits; `withdrawn` members are not paired."""

    name: str
    key: str
    withdrawn: date | None = None


@dataclass(frozen=True)
class Round:
    """The pairs of a round; in an odd field one member has a `bye`."""

    pairs: tuple[Pair, ...]
    bye: str = ""


@dataclass(frozen=True)
class Adjudication:
    """A decision of the organiser about a game, or about a pair that never began its game."""

    winner: str
    reason: str
    game: str = ""
    round: int = 0
    british: str = ""
    french: str = ""
    signature: bytes = b""


@dataclass(frozen=True)
class Replacement:
    """A new key of a member who has lost the old one."""

    old: str
    new: str
    signature: bytes = b""


SignedLine: TypeAlias = Adjudication | Replacement
_SIGNED = {"adjudication": Adjudication, "replacement": Replacement}
_CODECS: dict[str, Codec] = {
    "name": NAME,
    "organiser": _HEX,
    "begins": _Day(),
    "ends": _Day(),
    "editions": ListOf(OneOf(*editions()), 1, 10, unique=True),
    "house_rules": ListOf(OneOf(*house_rules()), 0, 100, unique=True),
    "pace_days": Integer(1, 365),
    "pairing": OneOf(*PAIRINGS),
    "verify": _URL,
    "member": ListOf(_Row(Member, name=NAME, key=_HEX, withdrawn=_Day()), 0, MAX_ROWS),
    "round": ListOf(
        _Row(Round, pairs=ListOf(ListOf(NAME, 2, 2), 0, MAX_ROWS), bye=NAME), 0, MAX_ROWS
    ),
    "adjudication": ListOf(
        _Row(
            Adjudication,
            winner=SIDE,
            reason=_REASON,
            game=_HEX,
            round=Integer(1, MAX_ROWS),
            british=NAME,
            french=NAME,
            signature=Bytes(64),
        ),
        0,
        MAX_ROWS,
    ),
    "replacement": ListOf(_Row(Replacement, old=_HEX, new=_HEX, signature=Bytes(64)), 0, MAX_ROWS),
}
_OPTIONAL = frozenset({"house_rules", "verify", "round", *_SIGNED})


@dataclass(frozen=True)
class Club:
    """The contents of the file `club.toml` at `path`: its `text`, and its values by their keys."""

    path: Path
    text: str
    name: str
    organiser: str
    begins: date
    ends: date
    editions: tuple[str, ...]
    pace_days: int
    pairing: str
    member: tuple[Member, ...]
    house_rules: tuple[str, ...] = ()
    verify: str = ""
    round: tuple[Round, ...] = ()
    adjudication: tuple[Adjudication, ...] = ()
    replacement: tuple[Replacement, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Club:
        """Return the club in a file. Raises InputError with a sentence about the first mistake."""
        text, tables = parse_settings(path, read_file(path, MAX_SIZE), MAX_SIZE)
        try:
            club = cls(path, text, **read_table(tables, _CODECS, _OPTIONAL))
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
        names = [member.name for member in self.member]
        keys = [member.key for member in self.member]
        mentioned = [
            name for number in self.round for pair in number.pairs for name in (*pair, number.bye)
        ]
        for line in self.adjudication:
            mentioned += (line.british, line.french)
            if not line.game and not (line.round and line.british and line.french):
                yield Message("an adjudication names a game, or a round and both players")
        for new in self.replacement:
            if new.old not in keys:
                yield Message("no member has the key {key}, which is replaced", key=new.old)
            keys.append(new.new)
        for name in mentioned:
            if name and name not in names:
                yield Message("{name} is no member", name=display_name(name))
        for values in (names, keys):
            if twice := next((value for value in values if values.count(value) > 1), None):
                yield Message("two members have {name}", name=display_name(twice))

    # --- signed lines

    def _document(self, line: SignedLine) -> bytes:
        """Return the bytes that the organiser signs for a line."""
        values = {
            name: value for name, value in vars(line).items() if value and name != "signature"
        }
        season = self.begins.isoformat()
        kind = type(line).__name__.lower()
        return canonical_json({"club": self.name, "season": season, "kind": kind, **values})

    @property
    def unsigned(self) -> list[SignedLine]:
        """The lines that the organiser has not signed as they are."""
        key = bytes.fromhex(self.organiser)
        lines: list[SignedLine] = [*self.adjudication, *self.replacement]
        return [line for line in lines if not is_signed(self._document(line), line.signature, key)]

    def check_signatures(self) -> None:
        """Raise InputError for a line that the organiser has not signed as it is."""
        for line in self.unsigned:
            raise _mistake(
                self.path,
                Message(
                    "the line about {line} is to be signed with acres club sign",
                    line=line_label(line),
                ),
            )

    def sign(self, identity: Identity) -> None:
        """Sign all lines that are not signed, and write the file. Raises UsageError."""
        document = tomlkit.parse(self.text)
        for kind in _SIGNED:
            for line, table in zip(getattr(self, kind), document.get(kind, ()), strict=True):
                if line in self.unsigned:
                    signature = sign_document(self._document(line), identity)
                    table["signature"] = encode_bytes(signature)
        self._write(tomlkit.dumps(document))

    def add_round(self, added: Round) -> None:
        """Write the file with one more round. Raises UsageError if it cannot be written."""
        rows = "".join(f"    {json.dumps(pair, ensure_ascii=False)},\n" for pair in added.pairs)
        last = f"bye = {json.dumps(added.bye, ensure_ascii=False)}\n" if added.bye else ""
        self._write(f"{self.text.rstrip()}\n\n[[round]]\npairs = [\n{rows}]\n{last}")

    def _write(self, text: str) -> None:
        data = text.encode()
        with reserve_file(self.path, len(data), replace=True) as file:
            file.commit(data)


def _mistake(path: Path, reason: Phrase) -> InputError:
    return InputError("{file} has a mistake in it: {reason}.", file=path, reason=reason)


def line_label(line: SignedLine) -> Phrase:
    """Return the name of a signed line: its game, its pair or its old key."""
    if isinstance(line, Replacement):
        return line.old
    return line.game or Concat((display_name(line.british), " – ", display_name(line.french)))

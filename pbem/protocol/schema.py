"""The encoding of values: as plain data, as canonical JSON, and as the TOML of a save file.

Each value has exactly one encoding. A codec writes a value as plain data and reads it back; `read`
raises SchemaError, with the end of a sentence ("must be ...") that follows the name of the value,
for anything that `write` does not return. See docs/protocol.md, Encoding.

A save file is TOML in ASCII lines of at most 76 characters, which mail programs do not change. Long
texts are folded with a backslash at the end of the line; a fold never comes before a space, which
TOML would drop with the line break. See docs/save-format.md, Lines.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from json import JSONEncoder
from typing import Any, TypeAlias

from engine.message import Message, Phrase, mark, message_of, or_list
from engine.sides import Slot
from pbem.errors.rule import Rule

# --- plain data


# The hour is limited here because newer versions of Python read 24:00:00 as midnight.
_TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}Z"
_SLOT = re.compile(r"(0|[1-9][0-9]{0,3}):(0|[1-9][0-9]{0,2})")


class SchemaError(ValueError):
    """Raised if plain data has the wrong form; `rule` is the rule that it breaks."""

    def __init__(self, message: Phrase, rule: Rule) -> None:
        super().__init__(message)
        self.rule = rule


class IncompleteError(SchemaError):
    """Raised if plain data is valid except that its end is missing."""


class Codec(ABC):
    """The encoding of one kind of value (docs/protocol.md, Encoding)."""

    def write(self, value: Any) -> Any:
        """Return the value as plain data."""
        return value

    @abstractmethod
    def read(self, plain: object) -> Any:
        """Return the value of this plain data. Raises SchemaError if `write` does not return it."""


class Integer(Codec):
    """A whole number from `low` to `high`, both included; with `power` a power of two."""

    def __init__(self, low: int, high: int, *, power: bool = False) -> None:
        self.low = low
        self.high = high
        self.power = power

    def read(self, plain: object) -> int:
        """Return the number. Raises SchemaError for anything else."""
        if type(plain) is not int or not self.low <= plain <= self.high:
            # Translators: this message follows the name of a value in a file; so do similar ones.
            must = Message(
                "must be a whole number from {low} to {high}", low=self.low, high=self.high
            )
            raise SchemaError(must, Rule.NUMBER)
        if self.power and plain & (plain - 1):
            raise SchemaError(Message("must be a power of two"), Rule.POWER)
        return plain


class Pattern(Codec):
    """A text that matches a regular expression as a whole.

    `must` is a marked message that describes the text; `numbers` are its placeholders.
    """

    def __init__(self, pattern: str, must: str, **numbers: int) -> None:
        self.pattern = pattern
        self.must = must
        self.numbers = numbers

    def read(self, plain: object) -> str:
        """Return the text. Raises SchemaError for anything else."""
        if type(plain) is not str or not re.fullmatch(self.pattern, plain):
            raise SchemaError(Message(self.must, **self.numbers), Rule.TEXT)
        return plain


class Visible(Codec):
    r"""A text of `low` to `high` visible characters; with `trimmed`, no space at either end.

    `must` is a marked message that describes the text.

    >>> NAME.read("Zoe\u200dAnne")
    Traceback (most recent call last):
    pbem.protocol.schema.SchemaError: must not hold the invisible character U+200D ZERO WIDTH JOINER
    """

    def __init__(self, low: int, high: int, must: str, *, trimmed: bool = False) -> None:
        self.low = low
        self.high = high
        self.must = must
        self.trimmed = trimmed

    def read(self, plain: object) -> str:
        """Return the text. Raises SchemaError for anything else."""
        if (
            type(plain) is not str
            or not self.low <= len(plain) <= self.high
            or (self.trimmed and plain != plain.strip(" "))
            or re.search("[\ud800-\udfff]", plain)
        ):
            raise SchemaError(Message(self.must, most=self.high), Rule.TEXT)
        if match := re.search(f"[{UNPRINTED}]", plain):
            character = f"U+{ord(match[0]):04X} {unicodedata.name(match[0], '')}".strip()
            raise SchemaError(
                Message("must not hold the invisible character {character}", character=character),
                Rule.TEXT,
            )
        return plain


class OneOf(Codec):
    """One of a few texts."""

    def __init__(self, *options: str) -> None:
        self.options = options

    def read(self, plain: object) -> str:
        """Return the text. Raises SchemaError for anything else."""
        if type(plain) is not str or plain not in self.options:
            options = or_list(f'"{option}"' for option in self.options)
            raise SchemaError(Message("must be {value}", value=options), Rule.TEXT)
        return plain


class Bytes(Codec):
    """Bytes in base64url: of a fixed length, or up to `longest` in steps of `block`."""

    def __init__(self, length: int, longest: int | None = None, *, block: int = 1) -> None:
        self.lengths = range(length, (longest or length) + 1, block)

    def write(self, value: bytes) -> str:
        """Return the bytes in base64url."""
        return encode_bytes(value)

    def read(self, plain: object) -> bytes:
        """Return the bytes. Raises SchemaError for anything else."""
        try:
            value = decode_bytes(plain) if type(plain) is str else None
        except ValueError:
            value = None
        if value is None or len(value) not in self.lengths:
            raise SchemaError(self._must(), Rule.BYTES)
        return value

    def _must(self) -> Message:
        shortest, longest = self.lengths[0], self.lengths[-1]
        if shortest == longest:
            return Message("must be {number} bytes in base64url", number=shortest)
        return Message(
            "must be {shortest}, or {step} more, and so on up to {longest}, bytes in base64url",
            shortest=shortest,
            step=self.lengths.step,
            longest=longest,
        )


class SlotText(Codec):
    """A slot, `epoch:position`, such as 2:17."""

    def write(self, value: Slot) -> str:
        """Return the slot as text."""
        return str(value)

    def read(self, plain: object) -> Slot:
        """Return the slot. Raises SchemaError for anything else."""
        match = _SLOT.fullmatch(plain) if type(plain) is str else None
        if match is None:
            raise SchemaError(Message("must be a slot, written like 2:17"), Rule.SLOT_FORM)
        return Slot(int(match[1]), int(match[2]))


class Time(Codec):
    """A moment in UTC to the second, such as 2026-11-21T10:03:00Z."""

    def read(self, plain: object) -> str:
        """Return the text. Raises SchemaError for anything else."""
        if type(plain) is str and re.fullmatch(_TIME, plain):
            try:
                datetime.fromisoformat(plain)
            except ValueError:
                pass
            else:
                return plain
        must = Message("must be a time in UTC, written like 2026-11-21T10:03:00Z")
        raise SchemaError(must, Rule.TIME_FORM)


class ListOf(Codec):
    """A list of `low` to `high` values of one kind.

    With `ordered` they ascend (equal neighbours are allowed); with `unique` none occurs twice.
    """

    def __init__(
        self, item: Codec, low: int, high: int, *, ordered: bool = False, unique: bool = False
    ) -> None:
        self.item = item
        self.low = low
        self.high = high
        self.ordered = ordered
        self.unique = unique

    def write(self, value: tuple[Any, ...]) -> list[Any]:
        """Return the items as plain data."""
        return [self.item.write(item) for item in value]

    def read(self, plain: object) -> tuple[Any, ...]:
        """Return the items. Raises SchemaError for anything else."""
        if type(plain) is not list or not self.low <= len(plain) <= self.high:
            must = Message("must be a list of {low} to {high} values", low=self.low, high=self.high)
            raise SchemaError(must, Rule.LENGTH)
        values = []
        for item in plain:
            try:
                values.append(self.item.read(item))
            except SchemaError as error:
                number, problem = len(values) + 1, message_of(error)
                # Translators: a value in a list; {problem} is, for example, “must be a slot”.
                message = Message("number {number} {problem}", number=number, problem=problem)
                is_end = isinstance(error, IncompleteError) and number == len(plain)
                raise (IncompleteError if is_end else SchemaError)(message, error.rule) from None
        if self.ordered and values != sorted(values):
            raise SchemaError(Message("must be in ascending order"), Rule.ASCENDING)
        if self.unique and len(set(values)) != len(values):
            raise SchemaError(Message("must not hold the same value twice"), Rule.TWICE)
        return tuple(values)


# Control and formatting characters (line breaks, reversed text, invisible characters). They are
# listed by number, so that programs with different versions of Unicode agree.
UNPRINTED = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff"
)

NAME = Visible(
    1, 60, mark("must be 1 to 60 visible characters, with no space at either end"), trimmed=True
)
EMAIL = Pattern(r"[!-~]{0,254}", mark("must be at most 254 ASCII characters, without spaces"))
CARD = Pattern(
    r"[!-~](?:[ -~]{0,62}[!-~])?",
    mark("must be 1 to 64 printable ASCII characters, with no space at either end"),
)
LINE = Pattern(
    r"[!-~](?:[ -~]{0,1998}[!-~])?",
    mark("must be 1 to 2000 printable ASCII characters, with no space at either end"),
)
WORD = Pattern(r"[a-z0-9-]{1,40}", mark("must be 1 to 40 of the characters a-z, 0-9 and -"))
SIDE = OneOf("british", "french")


def read_table(
    plain: object, codecs: Mapping[str, Codec], optional: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the values of a table with exactly the keys of `codecs`, except `optional` ones.

    Raises SchemaError, with a sentence without its full stop, for anything else; IncompleteError if
    only the last keys, or the end of the last value, are missing (R-2.1).
    """
    if not isinstance(plain, dict):
        raise SchemaError(Message("a table is expected here"), Rule.KEYS)
    for key in plain.keys() - codecs.keys():
        raise SchemaError(Message("there is no key {key} here", key=ascii(key[:40])), Rule.KEYS)
    values = {}
    for key, codec in codecs.items():
        if key in plain:
            try:
                values[key] = codec.read(plain[key])
            except SchemaError as error:
                # Translators: {value} is its name; {problem} is, for example, “must be a slot”.
                message = Message("{value} {problem}", value=key, problem=message_of(error))
                # A text over several lines may be cut off after two of its three quotes.
                is_begun = isinstance(error, IncompleteError) or plain[key] == ""
                is_end = is_begun and _is_last(key, plain, codecs)
                raise (IncompleteError if is_end else SchemaError)(message, error.rule) from None
        elif key not in optional:
            message = Message("{value} is missing", value=key)
            is_end = _is_last(key, plain, codecs)
            raise (IncompleteError if is_end else SchemaError)(message, Rule.KEYS)
    return values


def _is_last(key: str, plain: Mapping[str, object], codecs: Mapping[str, Codec]) -> bool:
    """Return True if a table has none of the keys that follow a key in `codecs`."""
    keys = list(codecs)
    return plain.keys().isdisjoint(keys[keys.index(key) + 1 :])


# The values that TOML and canonical JSON have in common: records consist of these.
Plain: TypeAlias = "int | str | Sequence[Plain] | Mapping[str, Plain]"

# Enough for RFC 8785, because plain data has no fractions and only ASCII keys.
_CANONICAL = JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
_BASE64URL = re.compile(r"[A-Za-z0-9_-]*")


def encode_bytes(data: bytes) -> str:
    """Return bytes in base64url without padding (RFC 4648, section 5).

    >>> encode_bytes(b"acres")
    'YWNyZXM'
    """
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode_bytes(text: str) -> bytes:
    """Return the bytes of a text that `encode_bytes` returns. Raises ValueError for any other.

    >>> decode_bytes("YWNyZXM")
    b'acres'
    >>> decode_bytes("YWNyZXN")
    Traceback (most recent call last):
    ValueError: not canonical base64url
    """
    if _BASE64URL.fullmatch(text) and len(text) % 4 != 1:
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        # Bits of the last character that no byte uses must be zero.
        if encode_bytes(data) == text:
            return data
    raise ValueError("not canonical base64url")


def canonical_json(value: Plain) -> bytes:
    r"""Return plain data as canonical JSON (RFC 8785).

    >>> canonical_json({"b": [1, "é"], "a": 2})
    b'{"a":2,"b":[1,"\xc3\xa9"]}'
    """
    return _CANONICAL.encode(value).encode()


# --- layout


WIDTH = 76
_INDENT = "  "
_PIECE = WIDTH - len(_INDENT) - len('""",')
"""The characters of a folded text that fit on one line."""

_SPECIAL = re.compile(r"[^ !#-\[\]-~]")
# A space that a fold before it would remove: at the beginning of a text or after another space.
_FRAGILE = re.compile(r"^ |(?<= ) ")
# The unit that a fold must not split: an escape or another character, and the space after it.
_ATOM = re.compile(r"(?:\\u[0-9a-f]{4}|\\U[0-9a-f]{8}|\\.|[^\\ ]) ?")


def lay_out(document: Mapping[str, Plain]) -> str:
    """Return plain data as a TOML document; the tables in a table come after its other keys.

    >>> print(lay_out({"version": 1, "sealed": {"french": {"at": 3}}}), end="")
    version = 1
    <BLANKLINE>
    [sealed]
    [sealed.french]
    at = 3
    """
    return "".join(line + "\n" for line in _table(document, ""))


def _table(table: Mapping[str, Plain], path: str) -> Iterator[str]:
    nested = []
    for key, value in table.items():
        tables = _tables(value)
        if tables:
            nested.append((f"{path}{key}", isinstance(value, Mapping), tables))
        else:
            yield from _pair(key, value)
    for name, single, tables in nested:
        for item in tables:
            # A blank line precedes each table of the document, but not the tables in a table.
            if not path:
                yield ""
            yield f"[{name}]" if single else f"[[{name}]]"
            yield from _table(item, f"{name}.")


def _tables(value: Plain) -> list[Mapping[str, Plain]]:
    """Return the tables in a value, or none if it is of another kind."""
    if isinstance(value, (str, int)):
        return []
    if isinstance(value, Mapping):
        return [value]
    # A list holds values of one kind.
    if not value or not isinstance(value[0], Mapping):
        return []
    return [item for item in value if isinstance(item, Mapping)]


def _pair(key: str, value: Plain) -> Iterator[str]:
    short = f"{key} = {_short(value)}"
    if len(short) <= WIDTH or isinstance(value, int):
        yield short
    elif isinstance(value, str):
        first, *more = _fold(value)
        yield from [f"{key} = {first}", *more]
    else:
        yield from [f"{key} = [", *_pack(value), "]"]


def _short(value: Plain) -> str:
    """Return a value on one line."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f'"{_escape_text(value)}"'
    return f"[{', '.join(map(_short, value))}]"


def _pack(values: Iterable[Plain]) -> Iterator[str]:
    """Yield lines with the values of a list, as many to a line as fit."""
    line = ""
    for value in values:
        item = _short(value) + ","
        if line and len(line) + 1 + len(item) <= WIDTH:
            line += " " + item
            continue
        if line:
            yield line
        line = _INDENT + item
        if len(line) > WIDTH:
            *lines, last = _fold(str(value))
            yield from [_INDENT + lines[0], *lines[1:]]
            line = last + ","
    if line:
        yield line


def _fold(text: str) -> list[str]:
    """Return a text on several lines; each ends with a backslash except the last."""
    pieces = _pieces(_FRAGILE.sub(r"\\u0020", _escape_text(text)))
    lines = [f"{_INDENT}{piece}\\" for piece in pieces]
    return ['"""\\', *lines[:-1], f'{_INDENT}{pieces[-1]}"""']


def _pieces(text: str) -> list[str]:
    if "\\" not in text and " " not in text:
        # Most long texts are base64url, which may be folded anywhere.
        return [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
    pieces = [""]
    for atom in _ATOM.findall(text):
        if len(pieces[-1]) + len(atom) > _PIECE:
            pieces.append("")
        pieces[-1] += atom
    return pieces


def _escape_text(text: str) -> str:
    return _SPECIAL.sub(_escape_character, text)


def _escape_character(match: re.Match[str]) -> str:
    character = match[0]
    if character in '"\\':
        return "\\" + character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

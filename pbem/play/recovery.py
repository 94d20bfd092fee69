"""The recovery text: a private key on paper, to be typed by hand when all else is lost.

Each of its lines is checked for itself, together with the one before, so that a mistake is found
where it was made, and no two texts can be mixed. What is wrong is never told in the text's own
words, for these are the key.

docs/save-format.md, The recovery text.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.message import ENGLISH, Message, Speaker
from pbem.errors import Unreadable
from pbem.play.keyfile import COSTS, SEALED, USUAL, Cost, WrongPassphrase, seal_seed, unseal_seed
from pbem.protocol.identity import Identity
from pbem.protocol.primitives import Tag
from pbem.protocol.schema import EMAIL, NAME, Codec
from pbem.sources import random_bytes

# --- Bech32m (BIP 350): characters that people copy by hand
#
# A string of it is a prefix, a "1", and symbols of which the last six are a checksum. It finds
# every four wrong symbols, and of more all but one in 2^30. Here the prefix is never written down:
# it is what the reader knows beforehand.

ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
"""The symbols, by their value: no 1, b, i or o, which are easily mistaken."""
CHECKSUM = 6
"""How many symbols of a string are its checksum."""
_GENERATORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_CONSTANT = 0x2BC830A3


def encode_symbols(data: bytes, count: int) -> str:
    """Return bytes as `count` symbols of five bits each, the last filled up with zeros.

    >>> encode_symbols(b"acres", 8), encode_symbols(b"acres", 9)
    ('v93hyetn', 'v93hyetnq')
    """
    return _symbols(int.from_bytes(data) << (5 * count - 8 * len(data)), count)


def decode_symbols(symbols: str, length: int) -> bytes:
    """Return the `length` bytes that symbols begin with; ValueError unless only zeros follow.

    >>> decode_symbols("v93hyetnq", 5)
    b'acres'
    """
    number = 0
    for symbol in symbols:
        number = number << 5 | ALPHABET.index(symbol)
    data, rest = divmod(number, 1 << (5 * len(symbols) - 8 * length))
    if rest:
        raise ValueError("these symbols hold more bytes")
    return data.to_bytes(length)


def checksum(prefix: str, symbols: str) -> str:
    """Return the six symbols that complete a string; the prefix is ASCII, in lower case.

    >>> checksum("abcdef", ALPHABET[::-1])  # An example of BIP 350.
    'zd3ryx'
    """
    return _symbols(_remainder(prefix, symbols + ALPHABET[0] * CHECKSUM) ^ _CONSTANT, CHECKSUM)


def is_valid(prefix: str, symbols: str) -> bool:
    """Return True if these symbols, with the checksum at their end, belong to the prefix."""
    return _remainder(prefix, symbols) == _CONSTANT


def _symbols(number: int, count: int) -> str:
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(count)))


def _remainder(prefix: str, symbols: str) -> int:
    """Return the polymod of BIP 173, of the prefix as it is expanded there and the symbols."""
    codes = prefix.encode()
    values = [code >> 5 for code in codes] + [0] + [code & 31 for code in codes]
    remainder = 1
    for value in [*values, *map(ALPHABET.index, symbols)]:
        top, remainder = remainder >> 25, (remainder & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(_GENERATORS):
            if top >> bit & 1:
                remainder ^= generator
    return remainder


# --- the text

MAX_SIZE = 64 * 1024
"""The longest file with a recovery text in bytes."""
GROUP, LINE = 4, 24
"""Characters of a group, and of a line."""
WIDTH = 79
"""The most characters of a line with a sentence."""
_CARRIED = LINE - CHECKSUM
_SALT = 16
_HEAD = 3


_CLEAR, _SEALED = 1, 2
_FORMS = {_CLEAR: (1 + 32, 3), _SEALED: (_HEAD + _SALT + SEALED, 6)}
"""How many bytes there are of each kind, and in how many lines."""

_BETWEEN = re.compile(r"[>\s.:)|_–—-]+")
# Of what is not in the alphabet, only what nothing else in it looks like.
_READ_AS = str.maketrans("oi1", "0ll")
_NUMBER = re.compile(r"[>\s]*([1-9])[\s.:)|]+")
_GROUPS = re.compile(r"[>\s]*(?:\w{24}|\w{4}(?:[\s-]+\w{4}){5})\s*")
_LABELLED = re.compile(r"[>\s]*(name|email|key):(.*)", re.IGNORECASE)


# --- writing


def write(
    identity: Identity, date: str, passphrase: str | None = None, speaker: Speaker = ENGLISH
) -> str:
    """Return the recovery text of an identity, in whole lines; sealed if there is a passphrase.

    `date` is when it was written, as its reader shall see it. The sentences are the `speaker`'s;
    the labels never are: they are read back, perhaps in another language.
    """
    facts = {
        "name": identity.name,
        "email": identity.email,
        "key": identity.public_key[:8].hex(" ", 2),
        "date": date,
        # Translators: on paper, behind “sealed:”.
        "sealed": speaker.say(
            Message("yes, it opens with a passphrase")
            if passphrase is not None
            else Message("no, whoever reads it has the key")
        ),
    }
    heading = Message("Recovery text of a key for A Few Acres of Snow by e-mail (acres), version 1")
    use = Message(
        'It brings the key back on any computer: run "acres key restore" and type the numbered '
        "lines. The key plays, and sees the cards, in every game begun with it."
    )
    payload = _payload(identity, passphrase)
    return "\n".join(
        (
            *textwrap.wrap(speaker.say(heading), WIDTH),
            "",
            *(f"  {label + ':':8}{fact}".rstrip() for label, fact in facts.items()),
            "",
            *(f"  {number}  {line}" for number, line in enumerate(_written(payload), start=1)),
            "",
            *textwrap.wrap(speaker.say(use), WIDTH),
            "",
        )
    )


def _payload(identity: Identity, passphrase: str | None) -> bytes:
    if passphrase is None:
        return bytes([_CLEAR]) + identity.seed
    purpose = f"salt of the recovery text of {identity.public_key.hex()}"
    cost, salt = USUAL, random_bytes(_SALT, purpose)
    head = bytes([_SEALED, cost.n.bit_length() - 1, cost.r << 4 | cost.p])
    return head + salt + seal_seed(identity.seed, passphrase, Tag.RECOVERY, salt, cost, head)


def _written(payload: bytes) -> list[str]:
    """Return the lines that carry these bytes, in groups."""
    lines: list[str] = []
    before = ""
    symbols = encode_symbols(payload, _FORMS[payload[0]][1] * _CARRIED)
    for start in range(0, len(symbols), _CARRIED):
        carried = symbols[start : start + _CARRIED]
        before = checksum(_prefix(len(lines) + 1, before), carried)
        line = carried + before
        lines.append(" ".join(line[at : at + GROUP] for at in range(0, LINE, GROUP)))
    return lines


def _prefix(number: int, before: str) -> str:
    """Return what a line is checked with: its number, and the checksum of the line before."""
    return f"acres{number}{before}"


# --- reading


class BadLine(Unreadable):
    """A line of a recovery text that is not as it was written; the message says where."""


class LineReader:
    """The numbered lines of a recovery text, taken one after the other."""

    def __init__(self) -> None:
        self._taken: list[str] = []
        self._form: tuple[int, int] | None = None

    @property
    def number(self) -> int:
        """The number of the line that comes next."""
        return len(self._taken) + 1

    @property
    def count(self) -> int | None:
        """How many lines there are; None before the first, which tells."""
        return self._form[1] if self._form else None

    @property
    def is_complete(self) -> bool:
        """True if there is no further line."""
        return self.count == len(self._taken)

    def add(self, typed: str) -> None:
        """Take the next line, with its number before it or without.

        Case, spaces and hyphens do not matter, nor whether O is typed for 0, or I or 1 for L.
        Raises BadLine, and takes nothing, if the line is not as it was written; Unreadable for
        the first line of a text that a newer program wrote.
        """
        prefix = _prefix(self.number, self._taken[-1][_CARRIED:] if self._taken else "")
        found = _BETWEEN.sub("", typed).lower().translate(_READ_AS)
        # With its number before it, or without.
        line = next((some for some in (found, found[1:]) if _fits(prefix, some)), None)
        if line is None:
            raise BadLine(_mistake(prefix, typed, self.number))
        if self._form is None:
            # Eight symbols are five bytes, of which the first is the kind.
            self._form = _FORMS.get(decode_symbols(line[:8], 5)[0])
            if self._form is None:
                raise Unreadable(
                    "This recovery text is from a newer acres: update yours to read it."
                )
        self._taken.append(line)

    def text(self, name: str = "", email: str = "", fingerprint: str = "") -> RecoveryText:
        """Return the text of these lines, once all are taken, under the facts above them."""
        assert self._form is not None
        try:
            carried = "".join(line[:_CARRIED] for line in self._taken)
            return RecoveryText(name, email, fingerprint, decode_symbols(carried, self._form[0]))
        except ValueError:
            raise _never_written() from None


@dataclass(frozen=True, slots=True)
class RecoveryText:
    """A recovery text that was read.

    `name`, `email` and `fingerprint` (the fingerprint) are what it says above its lines, where that
    can be read; else they are empty. Nothing vouches for them.
    """

    name: str
    email: str
    fingerprint: str
    _payload: bytes = field(repr=False)

    @property
    def is_sealed(self) -> bool:
        """True if it opens only with a passphrase."""
        return self._payload[0] == _SEALED

    def seed(self, ask_passphrase: Callable[[], str]) -> bytes:
        """Return the private key; `ask_passphrase` is called only if it is sealed.

        Raises WrongPassphrase.
        """
        if not self.is_sealed:
            return self._payload[1:]
        head, rest = self._payload[:_HEAD], self._payload[_HEAD:]
        salt, sealed, cost = rest[:_SALT], rest[_SALT:], _cost(head)
        seed = unseal_seed(sealed, ask_passphrase(), Tag.RECOVERY, salt, cost, head)
        if seed is None:
            raise WrongPassphrase("This is not the passphrase of this recovery text.")
        return seed


def read(text: str) -> RecoveryText:
    """Find the recovery text in a text, and read it; mail may have quoted it.

    Raises Unreadable, which names the line that is missing or not as it was written.
    """
    facts, lines = {"name": "", "email": "", "key": ""}, LineReader()
    for line in text.splitlines():
        if (labelled := _LABELLED.match(line)) and lines.number == 1:
            facts[labelled[1].lower()] = labelled[2].strip()
        elif not lines.is_complete and is_line(line):
            lines.add(line)
    if lines.count is None:
        raise Unreadable(
            "There is no recovery text in it: each line of one is a number, and then 24 characters "
            "in groups of four."
        )
    if not lines.is_complete:
        raise BadLine(
            "Line {number} of {lines} of the recovery text is missing.",
            number=lines.number,
            lines=lines.count,
        )
    return lines.text(_fact(NAME, facts["name"]), _fact(EMAIL, facts["email"]), facts["key"])


def is_line(line: str) -> bool:
    """Return True for a line that carries a part of the key, even if a character is wrong."""
    if (number := _NUMBER.match(line)) is None:
        return _GROUPS.fullmatch(line) is not None
    length = len(_BETWEEN.sub("", line[number.end() :]))
    return abs(length - LINE) <= GROUP


def _fact(codec: Codec, text: str) -> str:
    """Return a fact about the owner, if it can be one; else nothing."""
    try:
        return str(codec.read(text))
    except ValueError:
        return ""


def _fits(prefix: str, line: str) -> bool:
    return len(line) == LINE and set(line) <= set(ALPHABET) and is_valid(prefix, line)


def _mistake(prefix: str, typed: str, number: int) -> Message:
    """Say what is wrong with what was typed for a line, as far as that can be told."""
    found = _BETWEEN.sub("", typed).lower()
    if _NUMBER.match(typed) or (len(found) == LINE + 1 and found[0] == str(number)):
        if found[0] != str(number):
            return Message(
                "This is line {typed} of the recovery text; line {number} is next.",
                typed=found[0],
                number=number,
            )
        found = found[1:]
    if len(found) != LINE:
        return Message.counted(
            "Line {number} of the recovery text has {count} characters; it should have {length}, "
            "in groups of four.",
            "Line {number} of the recovery text has {count} characters; it should have {length}, "
            "in groups of four.",
            len(found),
            number=number,
            length=LINE,
        )
    line = found.translate(_READ_AS)
    unknown = next((at for at, symbol in enumerate(line) if symbol not in ALPHABET), None)
    if unknown is not None:
        return Message(
            "Line {number} of the recovery text is mistyped: there is a character in group "
            "{group} of its {groups} that no recovery text has.",
            number=number,
            group=unknown // GROUP + 1,
            groups=LINE // GROUP,
        )
    at = _slip(prefix, line)
    if at is None:
        return Message(
            "Line {number} of the recovery text does not fit: compare it character by character, "
            "and make sure that all lines are from the same text.",
            number=number,
        )
    return Message(
        "Line {number} of the recovery text is mistyped: look at group {group} of its {groups}.",
        number=number,
        group=at // GROUP + 1,
        groups=LINE // GROUP,
    )


def _slip(prefix: str, line: str) -> int | None:
    """Find the place where one other symbol, or two swapped, would make a line right.

    The lines of this code differ in five places or more, so that there is one such place at most.
    """
    for at in range(LINE):
        others = [line[:at] + symbol + line[at + 1 :] for symbol in ALPHABET]
        swapped = line[:at] + line[at : at + 2][::-1] + line[at + 2 :]
        if any(is_valid(prefix, other) for other in (*others, swapped)):
            return at
    return None


def _cost(head: bytes) -> Cost:
    given = {"n": 1 << head[1], "r": head[2] >> 4, "p": head[2] & 15}
    try:
        return Cost(**{name: COSTS[name].read(value) for name, value in given.items()})
    except ValueError:
        raise _never_written() from None


def _never_written() -> Unreadable:
    return Unreadable("This recovery text is not one that acres writes.")

"""The recovery text: a private key on paper, from which the identity can be restored by hand.

Each line has a checksum that also covers the line before it, so that a mistake is found in its
line, and lines of two texts cannot be mixed. Errors never quote the text, because it is the key.

See docs/save-format.md, The recovery text.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.message import ENGLISH, Message, Speaker
from pbem.errors import InputError
from pbem.play import keyfile
from pbem.play.keyfile import DEFAULT_COST, Cost, WrongPassphraseError, seal_seed, unseal_seed
from pbem.protocol.identity import Identity
from pbem.protocol.primitives import Tag
from pbem.protocol.schema import EMAIL, NAME, Codec
from pbem.sources import random_bytes

# --- Bech32m (BIP 350): characters that people copy by hand
#
# A string is a prefix, a "1", and symbols, the last six of which are a checksum. It detects up to
# four wrong symbols, and more with a probability of 1 - 2^-30. Here the prefix is not written down,
# because the reader knows it beforehand.

ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
"""The symbols, by value, without 1, b, i and o, which are easily confused."""
CHECKSUM = 6
"""The number of symbols in a checksum."""
_GENERATORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_CONSTANT = 0x2BC830A3


def encode_symbols(data: bytes, count: int) -> str:
    """Return bytes as `count` symbols of five bits each, the last filled up with zeros.

    >>> encode_symbols(b"acres", 8), encode_symbols(b"acres", 9)
    ('v93hyetn', 'v93hyetnq')
    """
    return _symbols(int.from_bytes(data) << (5 * count - 8 * len(data)), count)


def decode_symbols(symbols: str, length: int) -> bytes:
    """Return the first `length` bytes of `symbols`; ValueError unless only zeros follow.

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
    """Return True if these symbols end with the checksum for the prefix and the symbols before it.

    >>> is_valid("abcdef", ALPHABET[::-1] + "zd3ryx"), is_valid("abcdef", "zd3ryx" + ALPHABET)
    (True, False)
    """
    return _remainder(prefix, symbols) == _CONSTANT


def _symbols(number: int, count: int) -> str:
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(count)))


def _remainder(prefix: str, symbols: str) -> int:
    """Return the polymod of BIP 173 for the expanded prefix and the symbols."""
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
"""The maximum size of a file with a recovery text, in bytes."""
GROUP_SIZE, LINE_SIZE = 4, 24
"""The number of characters in a group, and in a line."""
MAX_WIDTH = 79
"""The maximum width of a line with a sentence, in characters."""
_DATA_LENGTH = LINE_SIZE - CHECKSUM
_SALT_LENGTH = 16
_HEAD_LENGTH = 3


_CLEAR, _SEALED = 1, 2
_FORMS = {_CLEAR: (1 + 32, 3), _SEALED: (_HEAD_LENGTH + _SALT_LENGTH + keyfile.SEALED_LENGTH, 6)}
"""The number of bytes of each kind of text, and the number of its lines."""

_SEPARATORS = re.compile(r"[>\s.:)|_–—-]+")
# Characters outside the alphabet that look like exactly one symbol in it.
_LOOKALIKES = str.maketrans("oi1", "0ll")
_NUMBER = re.compile(r"[>\s]*([1-9])[\s.:)|]+")
_GROUPS = re.compile(r"[>\s]*(?:\w{24}|\w{4}(?:[\s-]+\w{4}){5})\s*")
_LABELLED = re.compile(r"[>\s]*(name|email|key):(.*)", re.IGNORECASE)


# --- writing


def write(
    identity: Identity, date: str, passphrase: str | None = None, speaker: Speaker = ENGLISH
) -> str:
    """Return the recovery text of an identity, in whole lines; sealed if a passphrase is passed.

    `date` is the date of writing, as it will be printed. The sentences are in the language of the
    `speaker`; the labels are not translated, because the text may be read back in another language.

    Raises UsageError for a key that anybody can have.

    >>> text = write(anna, "1 June 2026")
    >>> print(text.splitlines()[8])
      1  q9qk umnp g9hx uc2p dera pd72
    >>> read(text).seed(str) == anna.seed
    True
    """
    keyfile.check_secret(identity)
    facts = {
        "name": identity.name,
        "email": identity.email,
        "key": identity.public_key[:8].hex(" ", 2),
        "date": date,
        # Translators: on paper, after “sealed:”.
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
            *textwrap.wrap(speaker.say(heading), MAX_WIDTH),
            "",
            *(f"  {label + ':':8}{fact}".rstrip() for label, fact in facts.items()),
            "",
            *(f"  {number}  {line}" for number, line in enumerate(_encode_lines(payload), start=1)),
            "",
            *textwrap.wrap(speaker.say(use), MAX_WIDTH),
            "",
        )
    )


def _payload(identity: Identity, passphrase: str | None) -> bytes:
    if passphrase is None:
        return bytes([_CLEAR]) + identity.seed
    purpose = f"the recovery text of {identity.public_key.hex()}"
    return seal(identity.seed, passphrase, Tag.RECOVERY, purpose)


def seal(data: bytes, passphrase: str, tag: Tag, purpose: str) -> bytes:
    """Return data under a passphrase, with all that is needed to open them with it.

    Raises UsageError if there is not enough memory.
    """
    cost, salt = DEFAULT_COST, random_bytes(_SALT_LENGTH, f"salt of {purpose}")
    head = bytes([_SEALED, cost.n.bit_length() - 1, cost.r << 4 | cost.p])
    return head + salt + seal_seed(data, passphrase, tag, salt, cost, head)


def unseal(sealed: bytes, passphrase: str, tag: Tag) -> bytes | None:
    """Return the data that `seal` sealed; None if the passphrase is wrong, or they were changed.

    Raises InputError for a cost that is not allowed.
    """
    head, rest = sealed[:_HEAD_LENGTH], sealed[_HEAD_LENGTH:]
    salt, box = rest[:_SALT_LENGTH], rest[_SALT_LENGTH:]
    if len(salt) < _SALT_LENGTH:
        return None
    return unseal_seed(box, passphrase, tag, salt, _cost(head), head)


def _encode_lines(payload: bytes) -> list[str]:
    """Return the lines that carry these bytes, in groups."""
    lines: list[str] = []
    before = ""
    symbols = encode_symbols(payload, _FORMS[payload[0]][1] * _DATA_LENGTH)
    for start in range(0, len(symbols), _DATA_LENGTH):
        carried = symbols[start : start + _DATA_LENGTH]
        before = checksum(_prefix(len(lines) + 1, before), carried)
        line = carried + before
        lines.append(" ".join(line[at : at + GROUP_SIZE] for at in range(0, LINE_SIZE, GROUP_SIZE)))
    return lines


def _prefix(number: int, before: str) -> str:
    """Return the prefix of a line's checksum: its number, and the checksum of the line before."""
    return f"acres{number}{before}"


# --- reading


class DamagedLineError(InputError):
    """Raised if a line of a recovery text is mistyped or missing; the message names the place."""


class LineReader:
    """A reader of the numbered lines of a recovery text, one after the other.

    >>> reader = LineReader()
    >>> for line in write(anna, "1 June 2026").splitlines():
    ...     if is_line(line):
    ...         reader.add(line)
    >>> reader.count, reader.is_complete, reader.text().is_sealed
    (3, True, False)
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._form: tuple[int, int] | None = None

    @property
    def number(self) -> int:
        """The number of the next line."""
        return len(self._lines) + 1

    @property
    def count(self) -> int | None:
        """The number of lines; None before the first line, which states it."""
        return self._form[1] if self._form else None

    @property
    def is_complete(self) -> bool:
        """True if there is no further line."""
        return self.count == len(self._lines)

    def add(self, typed: str) -> None:
        """Add the next line, with or without its number.

        Case, spaces and hyphens do not matter; O is read as 0, and I and 1 as L. Raises
        DamagedLineError, and adds nothing, if the line was changed; InputError for the first line
        of a text that a newer program wrote.
        """
        prefix = _prefix(self.number, self._lines[-1][_DATA_LENGTH:] if self._lines else "")
        plain = _SEPARATORS.sub("", typed).lower().translate(_LOOKALIKES)
        # With or without its number.
        line = next((some for some in (plain, plain[1:]) if _is_valid_line(prefix, some)), None)
        if line is None:
            raise DamagedLineError(_mistake(prefix, typed, self.number))
        if self._form is None:
            # Eight symbols are five bytes, of which the first is the kind.
            self._form = _FORMS.get(decode_symbols(line[:8], 5)[0])
            if self._form is None:
                raise InputError(
                    "This recovery text is from a newer acres: update yours to read it."
                )
        self._lines.append(line)

    def text(self, name: str = "", email: str = "", fingerprint: str = "") -> RecoveryText:
        """Return the recovery text, once all lines are added, with the facts above the lines."""
        assert self._form is not None
        try:
            carried = "".join(line[:_DATA_LENGTH] for line in self._lines)
            return RecoveryText(name, email, fingerprint, decode_symbols(carried, self._form[0]))
        except ValueError:
            raise _invalid_text_error() from None


@dataclass(frozen=True, slots=True)
class RecoveryText:
    """A recovery text that was read.

    `name`, `email` and `fingerprint` (of the key) are the facts above its lines, or empty if they
    cannot be read. They have no checksum.
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

        Raises WrongPassphraseError.
        """
        if not self.is_sealed:
            return self._payload[1:]
        seed = unseal(self._payload, ask_passphrase(), Tag.RECOVERY)
        if seed is None:
            raise WrongPassphraseError("This is not the passphrase of this recovery text.")
        return seed


def read(text: str) -> RecoveryText:
    """Find and read the recovery text in a text, even if mail has quoted it.

    Raises InputError with the number of a line that is missing or was changed.
    """
    facts, lines = {"name": "", "email": "", "key": ""}, LineReader()
    for line in text.splitlines():
        if (labelled := _LABELLED.match(line)) and lines.number == 1:
            facts[labelled[1].lower()] = labelled[2].strip()
        elif not lines.is_complete and is_line(line):
            lines.add(line)
    if lines.count is None:
        raise InputError(
            "There is no recovery text in it: each line of one is a number, and then 24 characters "
            "in groups of four."
        )
    if not lines.is_complete:
        raise DamagedLineError(
            "Line {number} of {lines} of the recovery text is missing.",
            number=lines.number,
            lines=lines.count,
        )
    return lines.text(_fact(NAME, facts["name"]), _fact(EMAIL, facts["email"]), facts["key"])


def is_line(line: str) -> bool:
    """Return True for a line with a part of the key, even with a wrong character."""
    if (number := _NUMBER.match(line)) is None:
        return _GROUPS.fullmatch(line) is not None
    length = len(_SEPARATORS.sub("", line[number.end() :]))
    return abs(length - LINE_SIZE) <= GROUP_SIZE


def _fact(codec: Codec, text: str) -> str:
    """Return a fact about the owner if it is valid, or an empty text."""
    try:
        return str(codec.read(text))
    except ValueError:
        return ""


def _is_valid_line(prefix: str, line: str) -> bool:
    return len(line) == LINE_SIZE and set(line) <= set(ALPHABET) and is_valid(prefix, line)


def _mistake(prefix: str, typed: str, number: int) -> Message:
    """Return a description of the mistake in a typed line."""
    plain = _SEPARATORS.sub("", typed).lower()
    if _NUMBER.match(typed) or (len(plain) == LINE_SIZE + 1 and plain[0] == str(number)):
        if plain[0] != str(number):
            return Message(
                "This is line {typed} of the recovery text; line {number} is next.",
                typed=plain[0],
                number=number,
            )
        plain = plain[1:]
    if len(plain) != LINE_SIZE:
        return Message.counted(
            "Line {number} of the recovery text has {count} characters; it should have {length}, "
            "in groups of four.",
            "Line {number} of the recovery text has {count} characters; it should have {length}, "
            "in groups of four.",
            len(plain),
            number=number,
            length=LINE_SIZE,
        )
    line = plain.translate(_LOOKALIKES)
    unknown = next((at for at, symbol in enumerate(line) if symbol not in ALPHABET), None)
    if unknown is not None:
        return Message(
            "Line {number} of the recovery text is mistyped: there is a character in group "
            "{group} of its {groups} that no recovery text has.",
            number=number,
            group=unknown // GROUP_SIZE + 1,
            groups=LINE_SIZE // GROUP_SIZE,
        )
    at = _find_typo(prefix, line)
    if at is None:
        return Message(
            "Line {number} of the recovery text does not fit: compare it character by character, "
            "and make sure that all lines are from the same text.",
            number=number,
        )
    return Message(
        "Line {number} of the recovery text is mistyped: look at group {group} of its {groups}.",
        number=number,
        group=at // GROUP_SIZE + 1,
        groups=LINE_SIZE // GROUP_SIZE,
    )


def _find_typo(prefix: str, line: str) -> int | None:
    """Return the place at which a different symbol, or a swap of two, makes a line valid, or None.

    Two valid lines differ in at least five places, so that there is at most one such place.
    """
    for at in range(LINE_SIZE):
        others = [line[:at] + symbol + line[at + 1 :] for symbol in ALPHABET]
        swapped = line[:at] + line[at : at + 2][::-1] + line[at + 2 :]
        if any(is_valid(prefix, other) for other in (*others, swapped)):
            return at
    return None


def _cost(head: bytes) -> Cost:
    values = {"n": 1 << head[1], "r": head[2] >> 4, "p": head[2] & 15}
    try:
        return Cost(**{name: keyfile.COSTS[name].read(value) for name, value in values.items()})
    except ValueError:
        raise _invalid_text_error() from None


def _invalid_text_error() -> InputError:
    return InputError("This recovery text is not one that acres writes.")

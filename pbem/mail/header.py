"""What the headers of a message say, whatever is in them: bounded, then read in one pass.

Not by `email`, which raises on many of them, takes minutes for some, and reads addresses
differently from one version of Python to the next. Anything longer than any mail program writes is
ignored.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice

from pbem.mail.address import LONGEST
from pbem.mail.found import Envelope

LONGEST_FIELD = 4096
"""In bytes; of a subject so much is read, and of what has a structure nothing that is longer."""
MOST_FIELDS = 1000
"""Of a header; those behind are not looked at."""
MOST_PARAMETERS = 100
_LONGEST_NAME = 100
MOST_NESTED = 8
"""So deep may comments lie within each other."""
_LONGEST_TOLD = 1000
_MOST_WORDS = 100

_FIELD = re.compile(
    rb"(?:>?From [^\r\n]*|(?P<name>[!-9;-~]*):(?P<value>)[^\r\n]*|[ \t][^\r\n]*)(?:\r\n?|\n|\Z)"
    rb"(?:[ \t][^\r\n]*(?:\r\n?|\n|\Z))*+"
)
"""One field, with the lines that go on with it."""
_BLANK = re.compile(rb"\r\n?|\n")

_KIND = re.compile(r"\s*([^\s/;(]{1,80})\s*/\s*([^\s/;(]{1,80})")
_PARAMETER = re.compile(r';\s*+([^\s=;"]{0,80})\s*+=\s*+("(?:[^"\\]++|\\.)*+"?|[^;]*+)', re.DOTALL)
_PIECE = re.compile(r"([^*]+)\*(?:([0-9]{1,3})(\*?))?")
"""The name of a parameter that is encoded, or a piece of one: RFC 2231."""
_QUOTED_PAIR = re.compile(r'\\(["\\])')
"""Of others the backslash stays: some programs write a path of Windows as it is."""
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")

_WORD = re.compile(r"=\?([\w.:-]{1,40})(?:\*[\w-]{0,40})?\?([bBqQ])\?([^?]{0,2000})\?=", re.ASCII)
"""An encoded word: RFC 2047."""
_USUAL = re.compile("utf|iso8859|latin|cp|koi8|mac|gb|big5|shift|euc|iso2022")
"""How the usual ones begin. Python knows others that are none, or take very long."""
_NOT_BASE64 = re.sub(rb"[A-Za-z0-9+/=]", b"", bytes(range(256)))
_NAME_OF_CHARSET = re.compile(r"[\w.:-]{1,40}", re.ASCII)

_TOKEN = re.compile(r'\\.|"(?:[^"\\]++|\\.)*+"|[()"\\]|[^()"\\]++', re.DOTALL)
_ADDRESS = re.compile(r"[^@]+@[^@]+")
_ANGLED = re.compile(r"<([^<>]*)>")


_PRECEDENCES = ("bulk", "list", "junk", "auto_reply")
_BY_PROGRAMS = (
    b"list-id list-post list-unsubscribe x-autoreply x-autorespond x-auto-response "
    b"x-auto-response-suppress x-loop"
).split()


class Header:
    """A header: its fields by their names in small letters, of each the first, as bytes."""

    def __init__(self, found: Mapping[bytes, bytes]) -> None:
        self._found = found

    def value(self, name: bytes) -> str:
        """What a field with a structure says; empty without one, and for one that is too long."""
        raw = self._found.get(name, b"")
        return raw.decode("utf-8", "surrogateescape") if len(raw) <= LONGEST_FIELD else ""

    def told(self, name: bytes) -> str:
        """What a field says to a person, and not at length."""
        return told(self._found.get(name, b"")[:LONGEST_FIELD])

    def __contains__(self, name: bytes) -> bool:
        return name in self._found

    @property
    def envelope(self) -> Envelope:
        """What it says of the whole message."""
        return Envelope(
            sender=self.told(b"from"),
            subject=self.told(b"subject"),
            date=self.told(b"date"),
            message_id=self.told(b"message-id"),
            address=address_in(self.value(b"from")),
            is_automatic=self.is_automatic,
        )

    @property
    def is_automatic(self) -> bool:
        """Whether a program or a list sent the message, which no program is to answer (RFC 3834).

        >>> Header({b"auto-submitted": b"auto-replied (vacation)"}).is_automatic
        True
        >>> Header({b"auto-submitted": b"no"}).is_automatic
        False
        """
        return (
            self._begins(b"auto-submitted") not in ("", "no")
            or self._begins(b"precedence") in _PRECEDENCES
            or self._begins(b"return-path") == "<>"
            or any(name in self for name in _BY_PROGRAMS)
        )

    def _begins(self, name: bytes) -> str:
        """The first word of a field, in small letters; empty without one."""
        words = self.value(name).partition(";")[0].split()
        return words[0].casefold() if words else ""


def header_at(data: bytes, start: int, end: int) -> tuple[Header, int]:
    """The header that begins there, and where what it stands before begins."""
    found: dict[bytes, bytes] = {}
    at = _taken(found, data, start, end)
    blank = _BLANK.match(data, at, end)
    return Header(found), blank.end() if blank else at


def _taken(found: dict[bytes, bytes], data: bytes, at: int, end: int) -> int:
    """Add the fields that begin there to what was found; they end at what is returned."""
    number = 0
    while (field := _FIELD.match(data, at, end)) and field.end() > at:
        at, number = field.end(), number + 1
        if number <= MOST_FIELDS and field["name"]:
            # Nobody needs more of one that is too long than that it is.
            begin = field.start("value")
            value = data[begin : min(at, begin + LONGEST_FIELD + 2)].strip()
            found.setdefault(field["name"][:_LONGEST_NAME].lower(), value)
    return at


# --- parameters


def kind_in(value: str, usual: str = "text/plain") -> str:
    """The type that a Content-Type names, in small letters; `usual` where there is none.

    >>> kind_in('Text/HTML; charset="utf-8"'), kind_in("text"), kind_in("", "message/rfc822")
    ('text/html', 'text/plain', 'message/rfc822')
    """
    if not value:
        return usual
    kind = _KIND.match(value)
    return f"{kind[1]}/{kind[2]}".lower() if kind else "text/plain"


def parameters_in(value: str) -> dict[str, str]:
    """The parameters behind a value such as a type, by their names in small letters.

    >>> parameters_in('text/plain; Charset="utf-8"; name*0*=%41%20; name*1="b.toml"')
    {'charset': 'utf-8', 'name': 'A b.toml'}
    """
    plain: dict[str, str] = {}
    pieces: dict[str, dict[int, tuple[str, bool]]] = {}
    for match in islice(_PARAMETER.finditer(value), MOST_PARAMETERS):
        name, text = match[1].lower(), _unquoted(match[2])
        if piece := _PIECE.fullmatch(name):
            is_encoded = piece[2] is None or bool(piece[3])
            pieces.setdefault(piece[1], {}).setdefault(int(piece[2] or 0), (text, is_encoded))
        elif name:
            plain.setdefault(name, text)
    # A program that writes both writes the plain one for programs that do not know the other.
    return plain | {name: _joined(of_name) for name, of_name in pieces.items()}


def _unquoted(text: str) -> str:
    text = text.strip()
    if not text.startswith('"'):
        return text
    return _QUOTED_PAIR.sub(r"\1", text[1:].removesuffix('"'))


def _joined(pieces: Mapping[int, tuple[str, bool]]) -> str:
    """What the pieces of a parameter say, in the order of their numbers."""
    charset, joined = "", b""
    for number, (text, is_encoded) in sorted(pieces.items()):
        if is_encoded and number == 0 and text.count("'") >= 2:
            charset, _, text = text.split("'", 2)
        data = text.encode("utf-8", "surrogateescape")
        joined += _PERCENT.sub(_byte, data) if is_encoded else data
    return decoded(joined, charset)


def _byte(match: re.Match[bytes]) -> bytes:
    return bytes((int(match[1], 16),))


# --- what is told


def told(raw: bytes) -> str:
    """A text of a header, with its encoded words decoded, and not at length."""
    text = "".join(_words(raw.decode("utf-8", "replace")))
    return " ".join(text[:_LONGEST_TOLD].split())


def _words(text: str) -> Iterator[str]:
    """Pieces of a text, in which the encoded words are decoded; between them no space counts."""
    data, charset, at = b"", "", 0
    for word in islice(_WORD.finditer(text), _MOST_WORDS):
        between, at = text[at : word.start()], word.end()
        goes_on = data and not between.strip()
        if not (goes_on and word[1].lower() == charset):
            # A letter of several bytes may stand in two words of one charset.
            yield decoded(data, charset)
            yield "" if goes_on else between
            data, charset = b"", word[1].lower()
        data += _of_word(word[3], is_base64=word[2] in "bB")
    yield decoded(data, charset)
    yield text[at:]


def _of_word(text: str, *, is_base64: bool) -> bytes:
    data = text.encode("utf-8", "replace")
    return unarmoured(data) if is_base64 else binascii.a2b_qp(data, header=True)


def unarmoured(data: bytes) -> bytes:
    """Base64 up to its end, or as far as it goes: a message may be cut off anywhere."""
    characters = data.translate(None, _NOT_BASE64).partition(b"=")[0]
    whole = len(characters) - (len(characters) % 4 == 1)
    return binascii.a2b_base64(characters[:whole] + b"=" * (-whole % 4))


def decoded(data: bytes, charset: str) -> str:
    """A short text in a charset, in UTF-8 where that is unknown; no half of a letter is in it."""
    text = data.decode(known_charset(charset) or "utf-8", "replace")
    return text.encode("utf-8", "replace").decode()


@lru_cache(maxsize=256)
def known_charset(name: str) -> str:
    """The charset as Python calls it; empty for one that is unknown, or is better not used."""
    if not _NAME_OF_CHARSET.fullmatch(name):
        return ""
    try:
        known = codecs.lookup(name).name
    except (LookupError, ValueError):
        return ""
    return known if _USUAL.match(known) else ""


# --- addresses


def address_in(value: str) -> str:
    """The first address in a From, as far as mail can come from it; empty if there is none.

    >>> address_in('"Zoe, the <first>" (on tour) <zoe@example.org>'), address_in("zoe@a (Zoe), b@c")
    ('zoe@example.org', 'zoe@a')
    >>> address_in("undisclosed"), address_in("(" * 3000 + "zoe@example.org")
    ('', '')
    >>> address_in("=?utf-8?q?Zo=C3=A9,_the_first_<(?= <zoe@example.org>")
    'zoe@example.org'
    """
    # What an encoded word says is a name, whatever stands in it (RFC 2047, 5): it is read last.
    address = _first_address(_WORD.sub("", value))
    if address or not _WORD.search(value):
        return address
    # Some programs encode the address with the name.
    return _first_address("".join(_words(value)))


def _first_address(value: str) -> str:
    plain = _outside(value)
    angled = _ANGLED.search(plain)
    # A group, or a route of old, stands before a colon.
    written = (angled[1] if angled else plain.partition(",")[0]).rpartition(":")[2]
    address = "".join(written.rstrip("; ").split())
    is_one = _ADDRESS.fullmatch(address) and len(address) <= LONGEST and address.isprintable()
    return address if is_one else ""


def _outside(value: str) -> str:
    """What stands in no comment, and in no quotes; empty where comments lie too deep."""
    kept, depth = [], 0
    for token in _TOKEN.findall(value):
        if token == "(":
            depth += 1
        elif token == ")":
            depth = max(0, depth - 1)
        elif not depth and token[0] not in '"\\':
            kept.append(token)
        if depth > MOST_NESTED:
            return ""
    return "".join(kept)

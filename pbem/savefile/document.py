"""From bytes to the TOML document that they hold, for each kind of file that players exchange.

Whatever mail may do to a text is allowed, and nothing that would take a reader long. A file of
acres is TOML 1.0, whichever reader takes it in: one of TOML 1.1, as later Pythons have, takes more.
Two honest programs would part over such a file, and anybody who passes one on can write it so: how
a record is laid out is not signed.

docs/save-format.md, Reading, and R-1.6.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from typing import Any, NamedTuple

from engine.message import Message, Phrase, mark, mark_in
from pbem.errors import Unreadable
from pbem.errors.rule import Rule

# --- the dialect


# Without the escapes \e and \x, which are new.
_STRING = (
    r'"""(?:[^"\\]++|\\[^ex]|"(?!""))*+"{3,5}'
    r"|'''(?:[^']++|'(?!''))*+'{3,5}"
    r'|"(?!"")(?:[^"\\\n]++|\\[^ex\n])*+"'
    r"|'(?!'')[^'\n]*+'"
)
_COMMENT = r"#[^\n]*+"
# Up to the next inline table; within one, up to what opens or closes something; and within a list
# in it, where lines may break and a comma may be the last. What is new ends each of them as well.
_BETWEEN = rf"""(?:[^"'#{{]++|{_STRING}|{_COMMENT})*+"""
_IN_TABLE = rf"""(?:[^"'#{{}}\[\],\n]++|{_STRING}|,(?![ \t]*+}}))*+"""
_IN_LIST = rf"""(?:[^"'#{{}}\[\]]++|{_STRING}|{_COMMENT})*+"""

_NOT_BARE = f"{_STRING}|{_COMMENT}"
_NO_SECONDS = r"(?<![0-9:+-])[0-9]{2}:[0-9]{2}(?!:)"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when it is asked for: every start imports this, and few files need it."""
    return re.compile(pattern, re.S)


def is_toml_1_1(text: str) -> bool:
    r"""Whether a document of TOML 1.1 is none of TOML 1.0; for any other text, either.

    >>> is_toml_1_1("step = {kind = 'draw', count = 5}")
    False
    >>> is_toml_1_1("step = {kind = 'draw', count = 5,}")
    True
    """
    return _has_newer_form(text) or _has_newer_time(text)


def _has_newer_form(text: str) -> bool:
    r"""Whether a string has \e or \x, or an inline table a line break or a comma at its end."""
    at, within = 0, ""
    while at <= len(text):
        part = (_IN_LIST if within[-1] == "[" else _IN_TABLE) if within else _BETWEEN
        found = _compiled(part).match(text, at)
        at = found.end() if found else at
        mark = text[at : at + 1]
        if mark and mark in "{[":
            within += mark
        elif mark and mark in "}]":
            within = within[:-1]
        elif mark:
            return True
        at += 1
    return False


def _has_newer_time(text: str) -> bool:
    """Return True for a time without seconds.

    Outside of strings and comments only times have colons.
    """
    return bool(
        _compiled(_NO_SECONDS).search(text)
        and _compiled(_NO_SECONDS).search(_compiled(_NOT_BARE).sub("''", text))
    )


# --- documents


MAX_SIZE = 2 * 1024 * 1024
# More than any game has. The time that the TOML reader takes for dotted keys grows with the number
# of dots in all, times those in a line.
MAX_DOTS = 65536
# Likewise: each table and each list takes it a kilobyte.
MAX_BRACKETS = 65536
# Roomy for lines of 76 that went through mail.
MAX_LINE = 120

_KNOWN = {
    "acres-save": mark("This is not {kind} of acres, but a save file."),
    "acres-fork": mark(
        "This is not {kind} of acres, but an evidence file, which acres audit checks."
    ),
    "acres-identity": mark(
        "This is not {kind} of acres, but an identity file, which is nobody's business but its "
        "owner's."
    ),
}
_OTHER = mark("This is not {kind} of acres.")
"""What is said of a file that says of itself that it is of another kind, known or not."""


class OtherFormat(Unreadable):
    """A file that can be read but says that it is of another kind; `format` is what it says."""

    def __init__(self, sentence: Phrase, format: str) -> None:
        super().__init__(sentence, Rule.FORMAT)
        self.format = format


class FileKind(NamedTuple):
    """A kind of file: what it is `called`, marked, with its article; which `keys` it may have."""

    format: str
    version: int
    called: str
    keys: frozenset[str]

    def read(self, data: bytes) -> dict[str, Any]:
        """The document in a file of this kind; Unreadable, which says what is wrong, for others.

        Lines may end with LF or CRLF, and the file may begin with a byte-order mark.
        """
        document = self._document(data)
        given, version = document.get("format"), document.get("version")
        if given != self.format:
            other = given if isinstance(given, str) else ""
            told = Message(_KNOWN.get(other, _OTHER), kind=Message(self.called))
            raise OtherFormat(told, other)
        if type(version) is int and version > self.version:
            raise Unreadable(
                "This file was made by a newer acres: update yours to read it.", Rule.VERSION
            )
        if version != self.version or type(version) is not int:
            raise Unreadable(
                "This file has no valid version: acres knows version {number}.",
                Rule.VERSION,
                number=self.version,
            )
        for key in document.keys() - self.keys:
            raise Unreadable(
                "This file has a key that is not known here, {key}.",
                Rule.FILE_KEYS,
                key=ascii(key[:40]),
            )
        return document

    def _document(self, data: bytes) -> dict[str, Any]:
        kind = Message(self.called)
        text = decode_within_limits(data, kind)
        try:
            return parse(text)
        except ValueError as error:
            told = Message(
                "This is not {kind}, or it is damaged: {reason}.",
                kind=kind,
                reason=describe_toml_error(error),
            )
            raise Unreadable(told, Rule.TOML) from None


def decode_within_limits(data: bytes, called: Phrase, *, errors: str = "strict") -> str:
    """The text in a file, if no TOML reader takes long or much memory to take it in.

    Unreadable, which says what is wrong, for any other, which is not what it is `called`, in words
    and with an article. With `errors` as for `bytes.decode`.
    """
    if len(data) > MAX_SIZE:
        told = Message(
            "This file is larger than {size} MiB: not {kind}.", size=MAX_SIZE // 2**20, kind=called
        )
        raise Unreadable(told, Rule.SIZE)
    try:
        text = data.decode("utf-8-sig", errors)
    except UnicodeDecodeError:
        told = Message("This is not a text file, and so not {kind}.", kind=called)
        raise Unreadable(told, Rule.UTF_8) from None
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line.removesuffix("\r")) > MAX_LINE:
            told = Message("Line {number} is too long for {kind}.", number=number, kind=called)
            raise Unreadable(told, Rule.LINE_LENGTH)
    if text.count(".") > MAX_DOTS:
        told = Message(
            "This file has more than {number} full stops: not {kind}.", number=MAX_DOTS, kind=called
        )
        raise Unreadable(told, Rule.FULL_STOPS)
    if text.count("[") + text.count("{") > MAX_BRACKETS:
        told = Message(
            "This file has more than {number} brackets: not {kind}.",
            number=MAX_BRACKETS,
            kind=called,
        )
        raise Unreadable(told, Rule.BRACKETS)
    return text


def parse(text: str) -> dict[str, Any]:
    """Return the TOML document in a text within the limits; raises ValueError if it is none.

    It is not to be changed: what a command has just read, it may look at again to say what is
    wrong with it, and takes that long but once.
    """
    found = _parsed(text)
    if isinstance(found, str):
        raise ValueError(found)
    return found


_TOO_DEEP = mark("it is nested too deeply")
_NEWER = mark("it is written in TOML 1.1, and not in TOML 1.0")


@lru_cache(maxsize=1)
def _parsed(text: str) -> dict[str, Any] | str:
    try:
        found = tomllib.loads(text)
        return _NEWER if is_toml_1_1(text) else found
    except ValueError as error:
        # Mostly with "(at line 3, column 5)"; a number with too many digits has no place.
        return str(error)
    except RecursionError:
        return _TOO_DEEP


def clear_parse_cache() -> None:
    """Keep nothing of what was read last: it may be large, and of no use any more."""
    _parsed.cache_clear()


def describe_toml_error(error: ValueError) -> Phrase:
    """What a reader of TOML says is wrong, and where, in a phrase that stands behind a colon."""
    found = re.fullmatch(_AT, str(error))
    if found is None:
        # All else that has no place is a number with too many digits.
        return Message(str(error)) if str(error) in (_TOO_DEEP, _NEWER) else str(error)
    what = found["what"]
    reason = Message.within("TOML", what) if what in _TOML else what
    if found["line"] is None:
        return Message("{reason} (at end of document)", reason=reason)
    line, column = found["line"], found["column"]
    return Message(
        "{reason} (at line {line}, column {column})", reason=reason, line=line, column=column
    )


_AT = r"(?s)(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)"
_TOML = (
    mark_in("TOML", "Cannot overwrite a value"),
    mark_in("TOML", "Expected '=' after a key in a key/value pair"),
    mark_in("TOML", "Expected ']' at the end of a table declaration"),
    mark_in("TOML", "Expected ']]' at the end of an array declaration"),
    mark_in("TOML", "Expected newline or end of document after a statement"),
    mark_in("TOML", "Illegal character '\\n'"),
    mark_in("TOML", "Invalid initial character for a key part"),
    mark_in("TOML", "Invalid statement"),
    mark_in("TOML", "Invalid value"),
    mark_in("TOML", "Unclosed array"),
    mark_in("TOML", "Unescaped '\\' in a string"),
    mark_in("TOML", "Unterminated string"),
)
"""What the reader says most often of a damaged file."""


def fits_limits(data: bytes) -> bool:
    """Whether a file of that content is not refused for its size."""
    brackets = data.count(b"[") + data.count(b"{")
    return len(data) <= MAX_SIZE and data.count(b".") <= MAX_DOTS and brackets <= MAX_BRACKETS

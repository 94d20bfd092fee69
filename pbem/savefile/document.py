"""The TOML document in the bytes of a file, for each kind of file that players exchange.

Changes that mail makes to a text are accepted; documents that would take a reader long are
refused. A file of acres is TOML 1.0. The readers of later Pythons accept TOML 1.1, which other
programs refuse, and anybody who passes a file on could use it, because the signatures do not cover
the layout.

See docs/save-format.md, Reading, and R-1.6.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from typing import Any, NamedTuple

from engine.message import Message, Phrase, mark, mark_in
from pbem.errors import InputError
from pbem.errors.rule import Rule

# --- the dialect


# Without the escapes \e and \x, which TOML 1.1 added.
_STRING = (
    r'"""(?:[^"\\]++|\\[^ex]|"(?!""))*+"{3,5}'
    r"|'''(?:[^']++|'(?!''))*+'{3,5}"
    r'|"(?!"")(?:[^"\\\n]++|\\[^ex\n])*+"'
    r"|'(?!'')[^'\n]*+'"
)
_COMMENT = r"#[^\n]*+"
# Text up to the next inline table; in an inline table, up to the next bracket; and in a list in
# it, in which lines may break and a comma may come last. Each also ends before syntax of TOML 1.1.
_TOP_LEVEL = rf"""(?:[^"'#{{]++|{_STRING}|{_COMMENT})*+"""
_IN_TABLE = rf"""(?:[^"'#{{}}\[\],\n]++|{_STRING}|,(?![ \t]*+}}))*+"""
_IN_LIST = rf"""(?:[^"'#{{}}\[\]]++|{_STRING}|{_COMMENT})*+"""

_NOT_BARE = f"{_STRING}|{_COMMENT}"
_NO_SECONDS = r"(?<![0-9:+-])[0-9]{2}:[0-9]{2}(?!:)"


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    """Return a compiled pattern; patterns are compiled lazily, because every start imports this."""
    return re.compile(pattern, re.S)


def is_toml_1_1(text: str) -> bool:
    r"""Return True if a valid document of TOML 1.1 is not valid TOML 1.0.

    The result for other texts is undefined.

    >>> is_toml_1_1("step = {kind = 'draw', count = 5}")
    False
    >>> is_toml_1_1("step = {kind = 'draw', count = 5,}")
    True
    """
    return _has_newer_form(text) or _has_newer_time(text)


def _has_newer_form(text: str) -> bool:
    r"""Return True if a string has \e or \x, or an inline table a line break or a final comma."""
    at, within = 0, ""
    while at <= len(text):
        part = (_IN_LIST if within[-1] == "[" else _IN_TABLE) if within else _TOP_LEVEL
        match = _compile(part).match(text, at)
        at = match.end() if match else at
        sign = text[at : at + 1]
        if sign and sign in "{[":
            within += sign
        elif sign and sign in "}]":
            within = within[:-1]
        elif sign:
            return True
        at += 1
    return False


def _has_newer_time(text: str) -> bool:
    """Return True for a time without seconds.

    Outside of strings and comments only times have colons.
    """
    return bool(
        _compile(_NO_SECONDS).search(text)
        and _compile(_NO_SECONDS).search(_compile(_NOT_BARE).sub("''", text))
    )


# --- documents


MAX_SIZE = 2 * 1024 * 1024
"""The maximum size of a file, in bytes."""
MAX_DOTS = 65536
"""The maximum number of full stops in a file, more than in any game.

The time that the TOML reader needs for dotted keys is proportional to the dots in the file times
the dots in the line.
"""
MAX_BRACKETS = 65536
"""The maximum number of brackets in a file, more than in any game.

The TOML reader takes a kilobyte for each table and each list.
"""
MAX_LINE = 120
"""The maximum length of a line, in characters: mail may lengthen lines of 76 characters."""

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
"""The sentence about a file of an unknown format."""


class WrongFormatError(InputError):
    """Raised if a file is of another kind; `format` is the value of its key `format`."""

    def __init__(self, sentence: Phrase, format: str) -> None:
        super().__init__(sentence, Rule.FORMAT)
        self.format = format


class FileKind(NamedTuple):
    r"""A kind of file: its format and version, its name with an article, and its top-level keys.

    `label` is a marked message.

    >>> kind = FileKind("acres-save", 1, "a save file", frozenset({"format", "version"}))
    >>> kind.read(b'format = "acres-save"\r\nversion = 1\r\n')
    {'format': 'acres-save', 'version': 1}
    >>> kind.read(b'format = "acres-save"\nversion = 2\n')
    Traceback (most recent call last):
    pbem.errors.InputError: This file was made by a newer acres: update yours to read it.
    >>> try:
    ...     kind.read(b'format = "acres-fork"\nversion = 1\n')
    ... except WrongFormatError as error:
    ...     error.format
    'acres-fork'
    """

    format: str
    version: int
    label: str
    keys: frozenset[str]

    def read(self, data: bytes) -> dict[str, Any]:
        """Return the document in a file of this kind. Raises InputError for anything else (R-1).

        Lines may end with LF or CRLF, and the file may begin with a byte-order mark.
        """
        document = self._document(data)
        format, version = document.get("format"), document.get("version")
        if format != self.format:
            other = format if isinstance(format, str) else ""
            message = Message(_KNOWN.get(other, _OTHER), kind=Message(self.label))
            raise WrongFormatError(message, other)
        if type(version) is int and version > self.version:
            raise InputError(
                "This file was made by a newer acres: update yours to read it.", Rule.VERSION
            )
        if version != self.version or type(version) is not int:
            raise InputError(
                "This file has no valid version: acres knows version {number}.",
                Rule.VERSION,
                number=self.version,
            )
        for key in document.keys() - self.keys:
            raise InputError(
                "This file has a key that is not known here, {key}.",
                Rule.FILE_KEYS,
                key=ascii(key[:40]),
            )
        return document

    def _document(self, data: bytes) -> dict[str, Any]:
        kind = Message(self.label)
        text = decode_within_limits(data, kind)
        try:
            return parse(text)
        except ValueError as error:
            message = Message(
                "This is not {kind}, or it is damaged: {reason}.",
                kind=kind,
                reason=describe_toml_error(error),
            )
            raise InputError(message, Rule.TOML) from None


def decode_within_limits(data: bytes, label: Phrase, *, errors: str = "strict") -> str:
    """Return the text in a file if it is within the limits on the work of a TOML reader.

    Raises InputError if it is not (R-1.1 to R-1.5); `label` is the kind of the file, with its
    article. See `bytes.decode` for `errors`.

    >>> decode_within_limits(b"version = 1", "a save file")
    'version = 1'
    >>> decode_within_limits(b"#" * 121, "a save file")
    Traceback (most recent call last):
    pbem.errors.InputError: Line 1 is too long for a save file.
    """
    if len(data) > MAX_SIZE:
        message = Message(
            "This file is larger than {size} MiB: not {kind}.", size=MAX_SIZE // 2**20, kind=label
        )
        raise InputError(message, Rule.SIZE)
    try:
        text = data.decode("utf-8-sig", errors)
    except UnicodeDecodeError:
        message = Message("This is not a text file, and so not {kind}.", kind=label)
        raise InputError(message, Rule.UTF_8) from None
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line.removesuffix("\r")) > MAX_LINE:
            message = Message("Line {number} is too long for {kind}.", number=number, kind=label)
            raise InputError(message, Rule.LINE_LENGTH)
    if text.count(".") > MAX_DOTS:
        message = Message(
            "This file has more than {number} full stops: not {kind}.", number=MAX_DOTS, kind=label
        )
        raise InputError(message, Rule.FULL_STOPS)
    if text.count("[") + text.count("{") > MAX_BRACKETS:
        message = Message(
            "This file has more than {number} brackets: not {kind}.",
            number=MAX_BRACKETS,
            kind=label,
        )
        raise InputError(message, Rule.BRACKETS)
    return text


def parse(text: str) -> dict[str, Any]:
    """Return the TOML document in a text within the limits. Raises ValueError if it is none.

    The document must not be changed: the last one is cached, for commands that read it twice.

    >>> parse("version = 1")
    {'version': 1}
    """
    document = _cached_parse(text)
    if isinstance(document, str):
        raise ValueError(document)
    return document


_TOO_DEEP = mark("it is nested too deeply")
_NEWER = mark("it is written in TOML 1.1, and not in TOML 1.0")


@lru_cache(maxsize=1)
def _cached_parse(text: str) -> dict[str, Any] | str:
    try:
        document = tomllib.loads(text)
        return _NEWER if is_toml_1_1(text) else document
    except ValueError as error:
        # Usually ends with "(at line 3, column 5)", except for a number with too many digits.
        return str(error)
    except RecursionError:
        return _TOO_DEEP


def clear_parse_cache() -> None:
    """Drop the document that `parse` caches, which may be large."""
    _cached_parse.cache_clear()


def describe_toml_error(error: ValueError) -> Phrase:
    """Return the reason and the position of a TOML error, as a phrase to follow a colon.

    >>> try:
    ...     parse("version = ")
    ... except ValueError as error:
    ...     str(describe_toml_error(error))
    'Invalid value (at end of document)'
    """
    match = re.fullmatch(_ERROR, str(error), re.DOTALL)
    if match is None:
        # The only other error without a position is a number with too many digits.
        return Message(str(error)) if str(error) in (_TOO_DEEP, _NEWER) else str(error)
    problem = match["problem"]
    reason = Message.within("TOML", problem) if problem in _TOML_PROBLEMS else problem
    if match["line"] is None:
        return Message("{reason} (at end of document)", reason=reason)
    line, column = match["line"], match["column"]
    return Message(
        "{reason} (at line {line}, column {column})", reason=reason, line=line, column=column
    )


_ERROR = r"(?P<problem>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)"
_TOML_PROBLEMS = (
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
"""The errors that the TOML reader reports most often for a damaged file."""


def fits_limits(data: bytes) -> bool:
    """Return True if a file with this content is not refused for its size (R-1.1, R-1.4, R-1.5).

    >>> fits_limits(b"version = 1"), fits_limits(b"[" * 65537)
    (True, False)
    """
    brackets = data.count(b"[") + data.count(b"{")
    return len(data) <= MAX_SIZE and data.count(b".") <= MAX_DOTS and brackets <= MAX_BRACKETS

"""From bytes to the TOML document that they hold, for each kind of file that players exchange.

Whatever mail may do to a text is allowed, and nothing that would take a reader long.

docs/save-format.md, Reading.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pbem.errors import Unreadable

MAX_SIZE = 2 * 1024 * 1024
# More than any game has. The time that the TOML reader takes for dotted keys grows with the number
# of dots in all, times those in a line.
MAX_DOTS = 65536
# Likewise: each table and each list takes it a kilobyte.
MAX_BRACKETS = 65536
# Roomy for lines of 76 that went through mail.
MAX_LINE = 120

_KNOWN = {
    "acres-save": "a save file",
    "acres-fork": "an evidence file, which acres audit checks",
    "acres-identity": "an identity file, which is nobody's business but its owner's",
}


class OtherFormat(Unreadable):
    """A file that can be read but says that it is of another kind; `format` is what it says."""

    def __init__(self, sentence: str, format: str) -> None:
        super().__init__(sentence)
        self.format = format


@dataclass(frozen=True)
class Kind:
    """A kind of file: what it is `called`, with its article, and which `keys` it may have."""

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
            but = f", but {_KNOWN[other]}" if other in _KNOWN else ""
            raise OtherFormat(f"This is not {self.called} of acres{but}.", other)
        if type(version) is int and version > self.version:
            raise Unreadable("This file was made by a newer acres: update yours to read it.")
        if version != self.version or type(version) is not int:
            raise Unreadable(f"This file has no proper version: {self.version} is known.")
        for key in document.keys() - self.keys:
            raise Unreadable(f"This file has a key that is not known here, {key[:40]!a}.")
        return document

    def _document(self, data: bytes) -> dict[str, Any]:
        text = text_within_limits(data, self.called)
        try:
            return parse(text)
        except ValueError as error:
            raise Unreadable(f"This is not {self.called}, or it is damaged: {error}.") from None


def text_within_limits(data: bytes, called: str, *, errors: str = "strict") -> str:
    """The text in a file, if no TOML reader takes long or much memory to take it in.

    Unreadable, which says what is wrong, for any other, which is not what it is `called`. With
    `errors` as for `bytes.decode`.
    """
    if len(data) > MAX_SIZE:
        raise Unreadable(f"This file is larger than {MAX_SIZE // 2**20} MiB: not {called}.")
    try:
        text = data.decode("utf-8-sig", errors)
    except UnicodeDecodeError:
        raise Unreadable(f"This is not a text file, and so not {called}.") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line.removesuffix("\r")) > MAX_LINE:
            raise Unreadable(f"Line {number} is too long for {called}.")
    if text.count(".") > MAX_DOTS:
        raise Unreadable(f"This file has more than {MAX_DOTS} full stops: not {called}.")
    if text.count("[") + text.count("{") > MAX_BRACKETS:
        raise Unreadable(f"This file has more than {MAX_BRACKETS} brackets: not {called}.")
    return text


def parse(text: str) -> dict[str, Any]:
    """The TOML document in a text within the limits; ValueError, which says why, if it is none.

    It is not to be changed: what a command has just read, it may look at again to say what is
    wrong with it, and takes that long but once.
    """
    found = _parsed(text)
    if isinstance(found, str):
        raise ValueError(found)
    return found


@lru_cache(maxsize=1)
def _parsed(text: str) -> dict[str, Any] | str:
    try:
        return tomllib.loads(text)
    except ValueError as error:
        # Mostly with "(at line 3, column 5)"; a number with too many digits has no place.
        return str(error)
    except RecursionError:
        return "it is nested too deeply"


def fits(data: bytes) -> bool:
    """Whether a file of that content is not refused for its size."""
    brackets = data.count(b"[") + data.count(b"{")
    return len(data) <= MAX_SIZE and data.count(b".") <= MAX_DOTS and brackets <= MAX_BRACKETS

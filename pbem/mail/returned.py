"""Letters about a game that bring no file: reports on the delivery of a letter, mere replies.

Both name letters of a thread, and are told where it is that of a known game. Anybody can write
them: they are told as what they are, and decide nothing. What is looked at is their text, as far
as it may be long, and no part of it is decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

from engine.message import Said
from pbem.mail.filing import Filed, Kind
from pbem.mail.parts import Envelope, envelope_of
from pbem.mail.thread import DOMAIN, Name, names_in

if TYPE_CHECKING:
    from pbem.library import Library, Listed, Post

MOST_READ = 256 * 1024
"""So many bytes of a letter are looked at; a report stands before what is returned."""
MOST_FIELDS = 200
"""So many header fields are read of each block of lines, and so many blocks."""
_LONGEST_FIELD = 2000
MOST_NAMED = 40
"""So many names of letters are looked up for one."""

_FOLDED = re.compile(r"\r?\n[ \t]+")
_BLANK = re.compile(r"\r?\n(?:\r?\n)+")
_ADDRESS = re.compile(r"[^\s<>;,]{1,64}@[^\s<>;,]{1,255}")
_REPLY = re.compile(r"(?<![0-9.])[45][0-9][0-9][ -][^\r\n]{1,300}")
"""What a server said that did not take a letter (RFC 5321, 4.2)."""
_DAEMON = re.compile(r"mailer-daemon|postmaster|mail delivery (?:sub)?system", re.IGNORECASE)

_T = TypeVar("_T")


class Outcome(Enum):
    """What became of a letter, as a report has it."""

    FAILED = "failed"
    DELAYED = "delayed"
    DELIVERED = "delivered"
    UNCLEAR = "unclear"
    """It is a report, and says it in words for people."""


_ACTIONS = {
    "failed": Outcome.FAILED,
    "delayed": Outcome.DELAYED,
    "delivered": Outcome.DELIVERED,
    "relayed": Outcome.DELIVERED,
    "expanded": Outcome.DELIVERED,
}
"""RFC 3464, 2.3.3."""


@dataclass(frozen=True)
class Returned:
    """A report on an own letter, that with the record `record` as its last.

    `to` is the address it went to, empty where neither this computer nor the report knows it;
    `said` is what the report quotes of a server.
    """

    listed: Listed
    record: int
    outcome: Outcome
    to: str
    said: str
    envelope: Envelope


@dataclass(frozen=True)
class WithoutFile:
    """A reply in the thread of a game without a file that can be read.

    `hint` says what to do where there may be one after all.
    """

    listed: Listed
    hint: Said
    envelope: Envelope


class Threads:
    """The threads of the games that are known, of the player with that address."""

    def __init__(self, library: Library, post: Post, address: str) -> None:
        self._library = library
        self._post = post
        self._address = address.casefold()

    def told(
        self, message: bytes, news: list[_T], hint: Said = ""
    ) -> list[_T | Returned | WithoutFile]:
        """What is to be told of a message in which that was found.

        `hint` says what to do with one without a file where there may be one after all.
        A report may have the letter with it, whole or cut off; that is no news then.
        """
        found: list[_T | Returned | WithoutFile] = [*news]
        filed = [each for each in news if isinstance(each, Filed)]
        if DOMAIN.encode() not in message[:MOST_READ] or any(_is_new(each) for each in filed):
            return found
        letter = _Letter(message)
        report = self._report(letter)
        if report:
            return [report, *filed]
        reply = None if news else self._reply(letter, hint)
        return [reply] if reply else found

    def _report(self, letter: _Letter) -> Returned | None:
        outcome = letter.outcome
        own = self._first_own(letter.returned) if outcome else None
        if outcome is None or own is None:
            return None
        listed, name = own
        dispatch = self._post.dispatch(listed.id, self._hash(listed, name) or b"")
        sent_to = dispatch.to if dispatch else ""
        to = sent_to or letter.recipient or listed.game.email
        return Returned(listed, name.number, outcome, to, letter.said, letter.envelope)

    def _reply(self, letter: _Letter, hint: Said) -> WithoutFile | None:
        if self._address in letter.headers.get("from", "").casefold():
            return None
        known = (self._listed(name) for name in letter.answered)
        listed = next((each for each in known if each), None)
        if listed is None:
            return None
        return WithoutFile(listed, hint, letter.envelope)

    def _first_own(self, names: Iterable[Name]) -> tuple[Listed, Name] | None:
        """The first of these letters that the player wrote, and its game."""
        for name in names:
            listed = self._listed(name)
            if listed and self._hash(listed, name):
                return listed, name
        return None

    def _listed(self, name: Name) -> Listed | None:
        games = self._library.games()
        return next((each for each in games if each.id.startswith(name.game)), None)

    def _hash(self, listed: Listed, name: Name) -> bytes | None:
        """The hash of the player's record that a letter of that name brings."""
        signed = self._library.hashes(listed.id).get(name.number, b"")
        return signed if signed.startswith(name.record) else None


def is_report(message: bytes) -> bool:
    """Whether a message is a report on a letter of a game, whoever wrote that."""
    letter = _Letter(message)
    return letter.outcome is not None and any(letter.returned)


def _is_new(filed: Filed) -> bool:
    return filed.kind is not Kind.OWN


# --- the text of a letter


class _Letter:
    """A letter, as far as its headers, and those that it quotes, can be read as they stand."""

    def __init__(self, message: bytes) -> None:
        self._message = message
        text = message[:MOST_READ].decode("utf-8", "replace")
        head, *blocks = _BLANK.split(text.lstrip("\r\n"), MOST_FIELDS)
        self._body = text[len(head) :]
        self.headers = _fields(head)
        self._quoted = [_fields(block) for block in blocks]

    @property
    def envelope(self) -> Envelope:
        """What its headers say, decoded."""
        return envelope_of(self._message)

    @property
    def outcome(self) -> Outcome | None:
        """What became of a letter, if this is a report on one."""
        status = self._status
        if status:
            return _ACTIONS.get(status["action"].partition(" ")[0].lower())
        has_returned = any("message-id" in fields for fields in self._quoted)
        is_by_server = bool(_DAEMON.search(self.headers.get("from", "")))
        is_sent_by_nobody = self.headers.get("return-path", "").strip() == "<>"
        if is_by_server or (is_sent_by_nobody and has_returned):
            return Outcome.UNCLEAR
        return None

    @property
    def returned(self) -> Iterator[Name]:
        """The letters it may report on, the likeliest first."""
        quoted = (fields.get("message-id", "") for fields in self._quoted)
        return _names(*quoted, self.headers.get("in-reply-to", ""), self._references)

    @property
    def answered(self) -> Iterator[Name]:
        """The letters it answers, the nearest first."""
        return _names(self.headers.get("in-reply-to", ""), self._references)

    @property
    def _references(self) -> str:
        return " ".join(reversed(self.headers.get("references", "").split()))

    @property
    def recipient(self) -> str:
        """To whom the letter was to go, as a report says; empty if it does not."""
        status = self._status
        found = (status.get(each, "") for each in ("original-recipient", "final-recipient"))
        addresses = map(_ADDRESS.search, [*found, self.headers.get("x-failed-recipients", "")])
        return next((address[0] for address in addresses if address), "")

    @property
    def said(self) -> str:
        """What the server said for which a report was written; empty if it does not say so."""
        status = self._status
        said = status.get("diagnostic-code", "").rpartition("smtp;")[2] or status.get("status", "")
        if status:
            return said.strip()
        found = _REPLY.search(self._body)
        return found[0] if found else ""

    @property
    def _status(self) -> dict[str, str]:
        """What a report says of the first to whom the letter was to go (RFC 3464, 2.3)."""
        needed = {"action", "final-recipient"}
        return next((fields for fields in self._quoted if needed <= fields.keys()), {})


def _fields(block: str) -> dict[str, str]:
    """The header fields in some lines, by their names in small letters: the first of each."""
    fields: dict[str, str] = {}
    for line in _FOLDED.sub(" ", block).split("\n", MOST_FIELDS)[:MOST_FIELDS]:
        name, colon, value = line.partition(":")
        if colon and name.isascii() and " " not in name:
            fields.setdefault(name.lower(), value[:_LONGEST_FIELD].strip())
    return fields


def _names(*texts: str) -> Iterator[Name]:
    """The first of the names of letters in these texts."""
    return islice(chain.from_iterable(map(names_in, texts)), MOST_NAMED)

"""Letters about a game that bring no file: delivery reports, and mere replies.

Both name letters of a thread, and are told where it is that of a known game. Anybody can write
them: they are told as what they are, and decide nothing. What is looked at is their text, as far
as it may be long, and no part of it is decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import chain, islice
from typing import Any

from engine.message import NOTHING, Message, Said, labelled, mark, sentences
from pbem.foreign import clean, mailbox
from pbem.library import Library, Listed, Post
from pbem.mail.found import Envelope
from pbem.mail.header import Header, header_at, headers_in
from pbem.mail.parts import envelope_of
from pbem.mail.sayings import is_full, said
from pbem.mail.thread import DOMAIN, Name, names_in
from pbem.mail.ways_out import WayOut, WaysOut
from pbem.view.games import listed_facts
from pbem.words.games.listing import game_called

MOST_READ = 256 * 1024
"""How many bytes of a letter are looked at; a report stands before what is returned."""
MOST_NAMED = 40
"""How many names of letters are looked up for one."""

_ADDRESS = re.compile(r"[^\s<>;,]{1,64}@[^\s<>;,]{1,255}")
_REPLY = re.compile(r"(?<![0-9.])[45][0-9][0-9][ -][^\r\n]{1,300}")
"""What a server said that did not take a letter (RFC 5321, 4.2)."""
_DAEMON = re.compile(r"mailer-daemon|postmaster|mail delivery (?:sub)?system", re.IGNORECASE)


class Delivery(Enum):
    """What became of a letter, as a report has it."""

    FAILED = "failed"
    DELAYED = "delayed"
    DELIVERED = "delivered"
    UNCLEAR = "unclear"
    """It is a report, and says it in words for people."""


_ACTIONS = {
    "failed": Delivery.FAILED,
    "delayed": Delivery.DELAYED,
    "delivered": Delivery.DELIVERED,
    "relayed": Delivery.DELIVERED,
    "expanded": Delivery.DELIVERED,
}
"""RFC 3464, 2.3.3."""
_OUTCOMES = {
    # Translators: {said} is empty, or “ (it said: …)” with a space before it. So too in the next
    # ones.
    Delivery.FAILED: mark(
        "A message from {sender} says that your message with record {record} did not reach "
        "{address}{said}."
    ),
    Delivery.DELAYED: mark(
        "A message from {sender} says that your message with record {record} has not reached "
        "{address} yet{said}, and that it will be tried again."
    ),
    Delivery.DELIVERED: mark(
        "A message from {sender} says that your message with record {record} was passed on to "
        "{address}."
    ),
    Delivery.UNCLEAR: mark(
        "A message from {sender} is a delivery report on your message with record {record}, which "
        "may not have reached {address}{said}: read it in your mail program."
    ),
}


@dataclass(frozen=True)
class Returned:
    """A report on a letter of the player's, that with the record `record` as its last.

    `to` is the address it went to, empty where neither this computer nor the report knows it;
    `said` is what the report quotes of a server.
    """

    listed: Listed
    record: int
    outcome: Delivery
    to: str
    said: str
    envelope: Envelope

    def told(self, ways: WaysOut) -> Message:
        """What it says, and what to do about it in these ways."""
        says = Message(
            _OUTCOMES[self.outcome],
            sender=self.envelope.who,
            record=self.record,
            address=mailbox(self.to or "?"),
            said=said(self.said),
        )
        return labelled(game_called(self.listed), sentences(says, self._to_do(ways)))

    def _to_do(self, ways: WaysOut) -> Message:
        if self.outcome is Delivery.DELIVERED:
            return NOTHING
        if self.outcome is Delivery.DELAYED:
            return Message("There is nothing to do.")
        if self.listed.game.records - 1 > self.record:
            return Message("It has been answered since, so it arrived: there is nothing to do.")
        file = self.listed.file_out
        if is_full(self.said) and file is not None:
            return Message(
                "The mailbox is full: tell your opponent another way, and send it again later: "
                "{command}",
                command=ways.send(file, again=True),
            )
        to_check = Message(
            "Check that address; if it is wrong, ask your opponent for another one, which is given "
            "with {option}.",
            option=ways.options[WayOut.OTHER_ADDRESS],
        )
        if file is None:
            return sentences(to_check, Message("Then send the file again."))
        again = ways.send(file, again=True)
        return sentences(to_check, Message("To send it again: {command}", command=again))

    def facts(self, now: str) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "what": "report",
            "game": self.listed.id.hex(),
            "record": self.record,
            "outcome": self.outcome.value,
            "to": clean(self.to),
            "said": clean(self.said),
            "listed": listed_facts(self.listed, now),
            **self.envelope.facts(),
        }


@dataclass(frozen=True)
class WithoutFile:
    """A reply in the thread of a game without a file that can be read.

    `hint` says what to do where there may be one after all.
    """

    listed: Listed
    hint: Said
    envelope: Envelope

    def told(self, ways: WaysOut) -> Message:
        """What it is, and what to do."""
        who, game = self.envelope.who, game_called(self.listed)
        if self.envelope.is_automatic and not self.hint:
            nothing = Message(
                "An automatic reply from {sender} has no file in it: there is nothing to do.",
                sender=who,
            )
            return labelled(game, nothing)
        told = Message("A message from {sender} has no file in it that can be read.", sender=who)
        to_do = Message("If it was meant to bring a turn, ask for the file to be attached.")
        return labelled(game, sentences(told, self.hint or to_do))

    def facts(self, now: str) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "what": "without file",
            "game": self.listed.id.hex(),
            "reason": clean(str(self.hint)) or None,
            "automatic": self.envelope.is_automatic,
            "listed": listed_facts(self.listed, now),
            **self.envelope.facts(),
        }


class Threads:
    """The threads of the games that are known, of the player with that address."""

    def __init__(self, library: Library, post: Post, address: str) -> None:
        self._library = library
        self._post = post
        self._address = address.casefold()

    def letter(
        self, message: bytes, hint: Said = "", *, is_empty: bool = True
    ) -> Returned | WithoutFile | None:
        """What a message is to a game without bringing anything new to it: a report, or a reply.

        A report may have its letter with it, whole or cut off; only one that `is_empty` is a reply.
        `hint` says what to do with one without a file where there may be one after all.
        """
        if DOMAIN.encode() not in message[:MOST_READ]:
            return None
        letter, games = _Letter(message), self._library.games()
        report = self._report(letter, games) if letter.outcome else None
        if report or not is_empty or self._address in letter.value(b"from").casefold():
            return report
        known = (self._listed(name, games) for name in letter.answered)
        listed = next(filter(None, known), None)
        return WithoutFile(listed, hint, letter.envelope) if listed else None

    def _report(self, letter: _Letter, games: list[Listed]) -> Returned | None:
        """A report on the first of the letters it may be about that the player wrote."""
        for name in letter.returned:
            listed = self._listed(name, games)
            signed = self._library.hashes(listed.id).get(name.number, b"") if listed else b""
            if listed and letter.outcome and signed.startswith(name.record) and signed:
                dispatch = self._post.dispatch(listed.id, signed)
                sent_to = dispatch.to if dispatch else ""
                to = sent_to or letter.recipient or listed.game.email
                outcome, said = letter.outcome, letter.said
                return Returned(listed, name.number, outcome, to, said, letter.envelope)
        return None

    def _listed(self, name: Name, games: list[Listed]) -> Listed | None:
        return next((each for each in games if each.id.startswith(name.game)), None)


def is_report(message: bytes) -> bool:
    """Whether a message is a report on a letter of a game, whoever wrote that."""
    letter = _Letter(message)
    return letter.outcome is not None and any(letter.returned)


class _Letter:
    """A letter, as far as its headers, and those that it quotes, can be read as they stand."""

    def __init__(self, message: bytes) -> None:
        self._message = message
        text = message[:MOST_READ].lstrip(b"\r\n")
        self._header, begin = header_at(text, 0, len(text))
        self._body = text[begin:]
        self._quoted = list(headers_in(self._body))

    def value(self, name: bytes) -> str:
        """What one of its headers says, on one line."""
        return _on_one_line(self._header, name)

    @property
    def envelope(self) -> Envelope:
        """What its headers say, decoded."""
        return envelope_of(self._message)

    @cached_property
    def outcome(self) -> Delivery | None:
        """What became of a letter, if this is a report on one."""
        if self._status:
            action = _on_one_line(self._status, b"action")
            return _ACTIONS.get(action.partition(" ")[0].lower())
        has_returned = any(b"message-id" in header for header in self._quoted)
        is_by_server = bool(_DAEMON.search(self.value(b"from")))
        if is_by_server or (self.value(b"return-path") == "<>" and has_returned):
            return Delivery.UNCLEAR
        return None

    @property
    def returned(self) -> Iterator[Name]:
        """The letters it may report on, the likeliest first."""
        quoted = [_on_one_line(header, b"message-id") for header in self._quoted]
        return self._names(*quoted)

    @property
    def answered(self) -> Iterator[Name]:
        """The letters it answers, the nearest first."""
        return self._names()

    def _names(self, *texts: str) -> Iterator[Name]:
        """The first of the names of letters in these texts, and in what it answers."""
        references = " ".join(reversed(self.value(b"references").split()))
        named = map(names_in, (*texts, self.value(b"in-reply-to"), references))
        return islice(chain.from_iterable(named), MOST_NAMED)

    @property
    def recipient(self) -> str:
        """To whom the letter was to go, as a report says; empty if it does not."""
        found = [
            _on_one_line(self._status, name) if self._status else ""
            for name in (b"original-recipient", b"final-recipient")
        ]
        addresses = map(_ADDRESS.search, [*found, self.value(b"x-failed-recipients")])
        return next((address[0] for address in addresses if address), "")

    @property
    def said(self) -> str:
        """What the server said for which a report was written; empty if it does not say so."""
        if self._status:
            diagnostic = _on_one_line(self._status, b"diagnostic-code").rpartition("smtp;")[2]
            return diagnostic.strip() or _on_one_line(self._status, b"status")
        found = _REPLY.search(self._body.decode("utf-8", "replace"))
        return found[0] if found else ""

    @cached_property
    def _status(self) -> Header | None:
        """What a report says of the first to whom the letter was to go (RFC 3464, 2.3)."""
        found = (h for h in self._quoted if b"action" in h and b"final-recipient" in h)
        return next(found, None)


def _on_one_line(header: Header, name: bytes) -> str:
    return " ".join(header.value(name).split())

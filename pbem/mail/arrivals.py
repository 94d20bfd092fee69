"""News from the mailbox, as values: save files that were put away or refused, and replies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from engine.message import Message, Said, labelled, mark, message_of, sentences
from pbem.errors import DeckError, NotProved, Unreadable
from pbem.foreign import clean, mailbox, named
from pbem.library import Listed, Recognised
from pbem.mail.found import Envelope, Found
from pbem.mail.parts import LetterUnreadable
from pbem.protocol.match import Match
from pbem.view.games import listed_facts, recognised_facts
from pbem.words.games.listing import game_called
from pbem.words.history.standing import ahead_told
from pbem.words.proof.finding import explained
from pbem.words.proof.recollection import has_learnt_of_you


class Kind(Enum):
    """Kinds of save files, as the player sees them to whom they came."""

    NEW = "new"
    """It goes on with one of the player's games."""
    AGAIN = "again"
    """It is the newest known file, again."""
    OLDER = "older"
    """All that is in it is in the newest file that is known, which goes on from it."""
    OWN = "own"
    """So too, and the player wrote it."""
    OTHER = "other"
    """One of the player's games has gone on differently, as far as is known."""
    INVITATION = "invitation"
    """The player may join."""
    FOREIGN = "foreign"
    """It is a game of others."""


_ARRIVED = {
    Kind.NEW: mark("A turn has arrived (record {record} of game {game})."),
    Kind.AGAIN: mark("A turn that you already have came again (record {record} of game {game})."),
    Kind.OLDER: mark(
        "A turn has come late (record {record} of game {game}): your newest file has it."
    ),
    Kind.OTHER: mark(
        "The file that came for game {game} does not match what you have: record {record}, or one "
        "before it, differs from your file. It was kept beside your file:"
    ),
    Kind.INVITATION: mark("{player} invites you to a game, {game}:"),
    Kind.FOREIGN: mark(
        "A message from {sender} with the subject “{subject}” was left in the mailbox: it holds a "
        "file of game {game}, in which you do not play."
    ),
}


@dataclass(frozen=True)
class Filed:
    """A save file that holds, and where it lies; `path` is None where it was not kept.

    `listed` is its game as it is known now. `other_address` is the one in the game, where the file
    came from another. `was_learnt` says that what the player signed in it was not remembered, and
    is known from this file. `opponent` is by which key the other player was known, before it came.
    """

    found: Found
    match: Match
    kind: Kind
    path: Path | None
    listed: Listed | None = None
    other_address: str = ""
    was_learnt: bool = False
    opponent: Recognised | None = None

    @property
    def sentence(self) -> Message:
        """A sentence that says what has come."""
        envelope = self.found.envelope
        return Message(
            _ARRIVED[self.kind],
            game=self.match.id.hex()[:8],
            record=self.match.last.index,
            player=named(self.match.invite.name),
            sender=envelope.who,
            subject=envelope.about,
        )

    def warnings(self, now: str) -> Iterator[Message]:
        """Yield the warnings about it."""
        if self.found.cut:
            yield self.found.cut
        ahead = ahead_told(self.match, now)
        if ahead and self.kind is not Kind.FOREIGN:
            yield ahead
        if self.was_learnt:
            yield has_learnt_of_you()
        if self.other_address:
            yield Message(
                "It came from {sender} and not from {address}, the address in the game. The "
                "signature says who wrote it, and it is valid.",
                sender=self.found.envelope.who,
                address=mailbox(self.other_address),
            )

    def facts(self, now: str) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "what": self.kind.value,
            "game": self.match.id.hex(),
            "record": len(self.found.records) - 1,
            "file": None if self.path is None else str(self.path),
            "other_address": self.other_address or None,
            "opponent": recognised_facts(self.opponent) if self.opponent else None,
            "listed": listed_facts(self.listed, now) if self.listed else None,
            **self.found.envelope.facts(),
        }


@dataclass(frozen=True)
class Refused:
    """A save file that does not hold, or is damaged, or a message that cannot be read, and why.

    `envelope` is that of its message, `data` is the file, where it was one, and `is_as_sent` is as
    in a `Found`.
    """

    reason: NotProved | DeckError | Unreadable
    envelope: Envelope
    data: bytes = b""
    is_as_sent: bool = True

    def told(self, command: str) -> Message:
        """Return that it was left, and why, and what to do; the program is called by `command`."""
        about = {"sender": self.envelope.who, "subject": self.envelope.about}
        if isinstance(self.reason, Unreadable):
            # Translators: {reason} is a whole sentence.
            return Message(
                "A message from {sender} with the subject “{subject}” was left in the mailbox. "
                "{reason}",
                **about,
                reason=self.reason,
            )
        left = Message(
            "A message from {sender} with the subject “{subject}” was left in the mailbox, because "
            "the file in it is not valid.",
            **about,
        )
        why = message_of(self.reason)
        if isinstance(self.reason, NotProved):
            why = explained(self.reason, self.data, is_as_sent=self.is_as_sent).said
        how_to_go_on = Message(
            "To look into it, save that message in your mail program: {command} MESSAGE",
            command=f"{command} audit",
        )
        return sentences(left, why, how_to_go_on)

    @property
    def what(self) -> str:
        """The word for what is wrong, in the data."""
        if isinstance(self.reason, LetterUnreadable):
            return "unreadable"
        return "damaged" if isinstance(self.reason, Unreadable) else "does not verify"

    def facts(self, now: str) -> dict[str, Any]:
        """Return it as plain data."""
        reason = clean(str(self.reason))
        return {"what": self.what, "reason": reason, **self.envelope.facts()}


@dataclass(frozen=True)
class TooLarge:
    """A message that was not read, of that many bytes."""

    size: int

    def told(self, command: str) -> Message:
        """Return what it is, and why it was left."""
        return Message(
            "A message of {size} MiB was left alone: no file of a game is that large.",
            size=f"{self.size / 2**20:.0f}",
        )

    def facts(self, now: str) -> dict[str, Any]:
        """Return it as plain data."""
        return {"what": "too large", "bytes": self.size}


@dataclass(frozen=True)
class WithoutFile:
    """A reply in the thread of a game without a file that can be read.

    `hint` says what to do where there may be one after all.
    """

    listed: Listed
    hint: Said
    envelope: Envelope

    def told(self, command: str) -> Message:
        """Return what it is, and what to do."""
        who, game = self.envelope.who, game_called(self.listed)
        if self.envelope.is_automatic and not self.hint:
            return labelled(
                game,
                Message(
                    "An automatic reply from {sender} has no file in it: your mail program shows "
                    "what it says.",
                    sender=who,
                ),
            )
        told = Message("A message from {sender} has no file in it that can be read.", sender=who)
        to_do = Message("If it was meant to bring a turn, ask for the file to be attached.")
        return labelled(game, sentences(told, self.hint or to_do))

    def facts(self, now: str) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "what": "without file",
            "game": self.listed.id.hex(),
            "reason": clean(str(self.hint)) or None,
            "automatic": self.envelope.is_automatic,
            "listed": listed_facts(self.listed, now),
            **self.envelope.facts(),
        }


News = Filed | Refused | TooLarge | WithoutFile


# --- of each game the newest


def newest(news: Iterable[News]) -> list[Filed]:
    """Of all that came of a game what has most records, in the order in which it came."""
    best: dict[tuple[bytes, bool], Filed] = {}
    for each in (each for each in news if isinstance(each, Filed)):
        # What contradicts the game is told beside it.
        place = each.match.id, each.kind is Kind.OTHER
        before = best.get(place, each)
        # What came twice at once came the first time.
        better = each if len(each.match.records) > len(before.match.records) else before
        was_learnt = each.was_learnt or before.was_learnt
        best[place] = replace(better, was_learnt=was_learnt)
    return list(best.values())


class Telling:
    """Tells the news, and keeps no more of it than is still to be told.

    `say` tells what was found in one message, and `stand` how the games stand of which it came.
    """

    def __init__(
        self, say: Callable[[list[News]], None], stand: Callable[[list[Filed]], None]
    ) -> None:
        self._say = say
        self._stand = stand
        self._waiting: list[Filed] = []
        self._games: set[bytes] = set()
        self.has_any = self.has_refused = False

    def tell(self, news: list[News]) -> None:
        """Tell what was found in one message."""
        if news:
            self._say(news)
        self._waiting = newest([*self._waiting, *news])
        self._games |= {each.match.id for each in news if isinstance(each, Filed)}
        self.has_any |= bool(news)
        self.has_refused |= any(isinstance(each, Refused) for each in news)

    def settle(self) -> None:
        """Tell how the games stand of which something came since this was told last."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._stand(waiting)

    def new_in(self, news: Iterable[News]) -> list[News]:
        """Return what of this did not come before: what came twice, came once."""
        return [
            each
            for each in news
            if not isinstance(each, Filed)
            or each.kind not in (Kind.AGAIN, Kind.OLDER)
            or each.match.id not in self._games
        ]

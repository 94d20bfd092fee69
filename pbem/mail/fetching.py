"""Fetching mail: a mailbox is searched, and each save file put where it belongs.

First files are written, then the library is told, then the player, and only then, a few at a time,
are messages marked and skipped: whatever happens in between, the next time finds what was not
reported. docs/mail.md.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from engine.message import Message, labelled, message_of, sentences
from pbem.errors import DeckError, NotProved, Unreadable
from pbem.foreign import clean
from pbem.library import Library, Listed, Looked, Post
from pbem.mail.account import Account
from pbem.mail.draft import games_named_in
from pbem.mail.imap import Mailbox, opened
from pbem.mail.password import Login
from pbem.play.inbox.filing import Filed, Kind, file_away
from pbem.play.inbox.message import (
    Envelope,
    FileDamaged,
    Found,
    MessageUnreadable,
    envelope_of,
    files_of,
)
from pbem.play.new_files import MAX_MESSAGE
from pbem.play.own_library import OwnLibrary
from pbem.view.games import listed_facts
from pbem.words.games.arrivals import filed_facts
from pbem.words.games.listing import game_called
from pbem.words.proof.finding import explained

AT_A_TIME = 50
"""How many messages are looked through before it is noted how far."""
FIRST_DAYS = 30
"""How many days back the first look into a mailbox goes."""
MOST_NAMED = 40
"""How many games are looked up for one reply."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A save file that does not hold or is damaged, or a message that cannot be read, and why.

    `envelope` is that of its message, `data` the file, if it was one.
    """

    reason: NotProved | DeckError | Unreadable
    envelope: Envelope
    data: bytes = b""

    def told(self, command: str) -> Message:
        """Return that it was left, why, and what to do; the program is called by `command`."""
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
            why = explained(self.reason, self.data).said
        look_into_it = Message(
            "To look into it, save that message in your mail program: {command} MESSAGE",
            command=f"{command} audit",
        )
        return sentences(left, why, look_into_it)

    def facts(self, now: str) -> dict[str, Any]:
        """Return it as plain data."""
        what = "damaged" if isinstance(self.reason, Unreadable) else "does not verify"
        if isinstance(self.reason, MessageUnreadable):
            what = "unreadable"
        return {"what": what, "reason": clean(str(self.reason)), **self.envelope.facts()}


@dataclass(frozen=True, slots=True)
class TooLarge:
    """A message that was not read, of that many bytes."""

    size: int

    def told(self, command: str) -> Message:
        """Return why it was left."""
        return Message(
            "A message of {size} MiB was left alone: no file of a game is that large.",
            size=f"{self.size / 2**20:.0f}",
        )

    def facts(self, now: str) -> dict[str, Any]:
        """Return it as plain data."""
        return {"what": "too large", "bytes": self.size}


@dataclass(frozen=True, slots=True)
class WithoutFile:
    """A reply in the thread of a game without a file that can be read."""

    listed: Listed
    envelope: Envelope

    def told(self, command: str) -> Message:
        """Return what it is, and what to do."""
        if self.envelope.is_automatic:
            told = Message(
                "An automatic reply from {sender} has no file in it: your mail program shows what "
                "it says.",
                sender=self.envelope.who,
            )
        else:
            told = sentences(
                Message(
                    "A message from {sender} has no file in it that can be read.",
                    sender=self.envelope.who,
                ),
                Message("If it was meant to bring a turn, ask for the file to be attached."),
            )
        return labelled(game_called(self.listed), told)

    def facts(self, now: str) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "what": "without file",
            "game": self.listed.id.hex(),
            "reason": None,
            "automatic": self.envelope.is_automatic,
            "listed": listed_facts(self.listed, now),
            **self.envelope.facts(),
        }


News = Filed | Refused | TooLarge | WithoutFile


def facts_of(news: News, now: str) -> dict[str, Any]:
    """Return what came as plain data."""
    return filed_facts(news, now) if isinstance(news, Filed) else news.facts(now)


class Fetched(NamedTuple):
    """News from one message; `more` messages are left to be looked through.

    With `is_last` it is the last before those that were told are marked and passed over.
    """

    news: list[News]
    more: int
    is_last: bool


def fetched(
    own: OwnLibrary, account: Account, login: Login, *, days: int | None = None
) -> Generator[Fetched, None, None]:
    """File what came into the mailbox of an account since the last look, message by message.

    With `days` it is all that came in these. What is found in a message has to be told before the
    next one is asked for. Raises MailFailed, LibraryFailed, and WrongUse if a file cannot be
    written.
    """
    assert account.imap is not None
    name = f"{account.imap.user}@{account.imap.host}/{account.mailbox}"
    folder, library, post = account.folder or Path.cwd(), own.open(), own.post()
    # Servers go by their own clock, and the day of the sender.
    back = timedelta(days=(days or FIRST_DAYS) + 1)
    first = datetime.fromisoformat(own.clock()).date() - back

    def take(message: bytes) -> list[News]:
        return news_in(message, library, folder, account.address)

    with opened(account, login) as mailbox:
        yield from look_through(mailbox, name, post, first, take, anew=days is not None)


def look_through(
    mailbox: Mailbox,
    name: str,
    post: Post,
    first: date,
    take: Callable[[bytes], list[News]],
    *,
    anew: bool = False,
) -> Iterator[Fetched]:
    """Yield what came into a mailbox since the last look, message by message.

    If it never was looked through, or with `anew`, that is what came since the day `first`. `take`
    files what is in a message. Raises as `fetched`.
    """
    looked = post.looked(name)
    if anew or looked is None or looked.validity != mailbox.validity:
        uids = mailbox.since(first)
    else:
        uids = mailbox.after(looked.uid)
    for start in range(0, len(uids), AT_A_TIME):
        some = uids[start : start + AT_A_TIME]
        sizes, marks = mailbox.sizes(some), []
        for number, uid in enumerate(some, start + 1):
            news = _news_of(mailbox, uid, sizes.get(uid), take)
            kinds = {each.kind for each in news if isinstance(each, Filed)}
            if kinds - {Kind.FOREIGN, Kind.OWN}:
                marks.append(uid)
            # What the player wrote is no news to them.
            told = [e for e in news if not (isinstance(e, Filed) and e.kind is Kind.OWN)]
            yield Fetched(told, len(uids) - number, uid == some[-1])
        for uid in marks:
            mailbox.mark(uid)
        post.look(name, Looked(mailbox.validity, some[-1]))


def _news_of(
    mailbox: Mailbox, uid: int, size: int | None, take: Callable[[bytes], list[News]]
) -> list[News]:
    """Return the news in a message of that size, which is None if it is gone by now."""
    if size is None:
        return []
    if size > MAX_MESSAGE:
        return [TooLarge(size)]
    try:
        message = mailbox.read(uid, size)
    except Unreadable as error:
        return [Refused(error, Envelope())]
    return [] if message is None else take(message)


def news_in(message: bytes, library: Library, folder: Path, address: str) -> list[News]:
    """File what is in a message, or find out which game it is about; `address` is the player's."""
    try:
        found = [each for each in files_of(message) if not each.is_evidence]
    except (FileDamaged, MessageUnreadable) as error:
        return [Refused(error, envelope_of(message))]
    if found:
        return [_filed(each, library, folder) for each in found]
    # Anybody can write a reply: it decides nothing.
    envelope = envelope_of(message)
    named = games_named_in(envelope.references)[:MOST_NAMED]
    if not named or envelope.address.casefold() == address.casefold():
        return []
    games = library.games()
    known = (each for game in named for each in games if each.id.startswith(game))
    listed = next(known, None)
    return [WithoutFile(listed, envelope)] if listed else []


def _filed(found: Found, library: Library, folder: Path) -> News:
    try:
        return file_away(found, library, folder)
    except (NotProved, DeckError, Unreadable) as error:
        return Refused(error, found.envelope, found.data)


# --- of each game the newest


def newest(news: Iterable[News]) -> list[Filed]:
    """Return what has most records of all that came of each game, in the order in which it came."""
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

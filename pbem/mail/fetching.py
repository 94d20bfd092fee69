"""Looking through a mailbox for files of games, message by message.

First files are written, then the library is told, then the player, and only then, a few at a time,
are messages marked and passed over: whatever happens in between, the next time finds what was not
told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from engine.message import Said, message_of
from pbem.errors import DeckError, NotProved, Unreadable
from pbem.library import LibraryFailed, Looked
from pbem.mail.door import LetterUnreadable
from pbem.mail.filing import Filed, Kind
from pbem.mail.finding import FileDamaged, save_files
from pbem.mail.parts import MAX_MESSAGE, Envelope, envelope_of
from pbem.mail.returned import Returned, WithoutFile

if TYPE_CHECKING:
    from pbem.library import Post
    from pbem.mail.finding import Found
    from pbem.mail.mailbox import Mailbox
    from pbem.mail.returned import Threads

AT_A_TIME = 50
"""So many messages are looked through before it is noted how far."""
LEFT_ALONE = (Kind.FOREIGN, Kind.OWN)
"""Messages with such files are not marked."""


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


@dataclass(frozen=True)
class TooLarge:
    """A message that was not read, of so many bytes."""

    size: int


News = Filed | Refused | TooLarge | Returned | WithoutFile


@dataclass(frozen=True)
class Seen:
    """What was found in a message; `more` are left to be looked through.

    With `is_last` it is the last before those that were told are marked and passed over.
    """

    news: list[News]
    more: int
    is_last: bool


def look_through(
    mailbox: Mailbox,
    name: str,
    post: Post,
    first: date,
    take: Callable[[Found], Filed],
    threads: Threads,
    *,
    anew: bool = False,
) -> Iterator[Seen]:
    """What came into a mailbox since it was last looked through, message by message.

    Where it never was, or with `anew`, that is what came since the day `first`. What is found in
    one has to be told before the next one is asked for: then it may be marked. `take` files a save
    file, and `threads` knows what to tell of a message without one. Raises MailFailed, WrongUse and
    LibraryFailed.
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
            found = _news_of(mailbox, uid, sizes.get(uid), take, threads)
            if any(isinstance(each, Filed) and each.kind not in LEFT_ALONE for each in found):
                marks.append(uid)
            # What the player wrote is no news to them.
            news = [each for each in found if not _is_filed(each, Kind.OWN)]
            yield Seen(news, len(uids) - number, uid == some[-1])
        for uid in marks:
            mailbox.mark(uid)
        post.look(name, Looked(mailbox.validity, some[-1]))


def _is_filed(news: News, kind: Kind) -> bool:
    return isinstance(news, Filed) and news.kind is kind


def _news_of(
    mailbox: Mailbox,
    uid: int,
    size: int | None,
    take: Callable[[Found], Filed],
    threads: Threads,
) -> list[News]:
    """What is in a message of that size; None is the size of one that is gone by now."""
    if size is None:
        return []
    if size > MAX_MESSAGE:
        return [TooLarge(size)]
    try:
        message = mailbox.read(uid)
    except Unreadable as error:
        return [Refused(error, Envelope())]
    return [] if message is None else _in_threads(message, *_news_in(message, take), threads)


def _in_threads(message: bytes, news: list[News], hint: Said, threads: Threads) -> list[News]:
    try:
        return threads.told(message, news, hint)
    except LibraryFailed:
        raise
    except Exception:
        # A letter that anybody may have written, of which nothing is needed.
        return news


def _news_in(message: bytes, take: Callable[[Found], Filed]) -> tuple[list[News], Said]:
    """What a message holds; where that is nothing, what to do if it should hold a file."""
    try:
        found = save_files(message)
    except (FileDamaged, LetterUnreadable) as error:
        return [Refused(error, envelope_of(message))], ""
    except Unreadable as error:
        # Most messages are about something else; there need be no file here.
        return [], message_of(error)
    return [_taken(each, take) for each in found], ""


def _taken(found: Found, take: Callable[[Found], Filed]) -> News:
    try:
        return take(found)
    except (NotProved, DeckError, Unreadable) as error:
        return Refused(error, found.envelope, found.data, found.is_as_sent)

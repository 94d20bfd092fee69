"""Looking through a mailbox for files of games, a few messages at a time.

First files are written, then the library is told, then the player, and only then are messages
marked and passed over: whatever happens in between, the next time finds what was not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from language import phrase
from pbem.errors import DeckError, NotProved, Unreadable
from pbem.library import Looked
from pbem.mail.filing import Filed, Kind
from pbem.mail.finding import FileDamaged, save_files
from pbem.mail.parts import MAX_MESSAGE, Envelope, parts_of

if TYPE_CHECKING:
    from pbem.library import Post
    from pbem.mail.finding import Found
    from pbem.mail.mailbox import Mailbox

AT_A_TIME = 50
"""So many messages are looked through before it is noted how far."""
LEFT_ALONE = (Kind.FOREIGN, Kind.OWN)
"""Messages with such files are not marked."""


@dataclass(frozen=True)
class Refused:
    """A save file that does not hold, or is damaged, and why; `envelope` is that of its message.

    `data` is the file, where it was one.
    """

    reason: NotProved | DeckError | Unreadable
    envelope: Envelope
    data: bytes = b""


@dataclass(frozen=True)
class TooLarge:
    """A message that was not read, of so many bytes."""

    size: int


News = Filed | Refused | TooLarge


@dataclass
class Batch:
    """What was found in some messages; `more` are left to be looked through."""

    more: int
    news: list[News] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)


def look_through(
    mailbox: Mailbox,
    name: str,
    post: Post,
    first: date,
    take: Callable[[Found], Filed],
    *,
    anew: bool = False,
) -> Iterator[Batch]:
    """What came into a mailbox since it was last looked through, batch by batch.

    Where it never was, or with `anew`, that is what came since the day `first`. What a batch says
    has to be told before the next one is asked for: then its messages are marked. `take` files a
    save file. Raises MailFailed, WrongUse and LibraryFailed.
    """
    looked = post.looked(name)
    if anew or looked is None or looked.validity != mailbox.validity:
        uids = mailbox.since(first)
    else:
        uids = mailbox.after(looked.uid)
    for start in range(0, len(uids), AT_A_TIME):
        some = uids[start : start + AT_A_TIME]
        batch = Batch(len(uids) - start - len(some))
        for uid, size in mailbox.sizes(some).items():
            if size > MAX_MESSAGE:
                batch.news.append(TooLarge(size))
                continue
            found = _news_of(mailbox, uid, take)
            # What the player wrote is no news to them.
            batch.news += [each for each in found if not _is_filed(each, Kind.OWN)]
            if any(isinstance(each, Filed) and each.kind not in LEFT_ALONE for each in found):
                batch.marks.append(uid)
        yield batch
        for uid in batch.marks:
            mailbox.mark(uid)
        post.look(name, Looked(mailbox.validity, some[-1]))


def _is_filed(news: News, kind: Kind) -> bool:
    return isinstance(news, Filed) and news.kind is kind


def _news_of(mailbox: Mailbox, uid: int, take: Callable[[Found], Filed]) -> list[News]:
    try:
        message = mailbox.read(uid)
    except Unreadable as error:
        return [Refused(error, Envelope())]
    return [] if message is None else _news_in(message, take)


def _news_in(message: bytes, take: Callable[[Found], Filed]) -> list[News]:
    try:
        found = save_files(message)
    except FileDamaged as error:
        return [Refused(error, parts_of(message)[0])]
    except Unreadable:
        # Most messages are about something else; it need not be readable here.
        return []
    except Exception as error:
        # Whatever is wrong with reading one, it must not keep those behind it from arriving.
        reason = phrase("It cannot be read ({error}).", error=type(error).__name__)
        return [Refused(Unreadable(reason), Envelope())]
    return [_taken(each, take) for each in found]


def _taken(found: Found, take: Callable[[Found], Filed]) -> News:
    try:
        return take(found)
    except (NotProved, DeckError, Unreadable) as error:
        envelope = Envelope(
            found.sender, found.subject, found.date, found.message_id, found.is_automatic
        )
        return Refused(error, envelope, found.data)

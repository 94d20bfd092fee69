"""Fetching mail: a mailbox is searched, and each save file put where it belongs.

First files are written, then the library is told, then the player, and only then, a few at a time,
are messages marked and skipped: whatever happens in between, the next time finds what was not
reported. docs/mail.md.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Unreadable
from pbem.mail.account import Account
from pbem.mail.imap import Mailbox, opened
from pbem.mail.password import Login
from pbem.play.inbox.filing import Filed, Kind, News, Refused, TooLarge, news_in
from pbem.play.inbox.given import Envelope
from pbem.play.new_files import MAX_MESSAGE
from pbem.play.store import Looked, Store

AT_A_TIME = 50
"""How many messages are looked through before it is noted how far."""
FIRST_DAYS = 30
"""How many days back the first look into a mailbox goes."""


class Fetched(NamedTuple):
    """News from one message; `more` messages are left to be looked through.

    With `is_last` it is the last before those that were told are marked and passed over.
    """

    news: list[News]
    more: int
    is_last: bool


def fetched(
    own: Store, account: Account, login: Login, *, days: int | None = None
) -> Generator[Fetched, None, None]:
    """File what came into the mailbox of an account since the last look, message by message.

    With `days` it is all that came in these. What is found in a message has to be told before the
    next one is asked for. Raises MailFailed, LibraryFailed, and WrongUse if a file cannot be
    written.
    """
    assert account.imap is not None
    name = f"{account.imap.user}@{account.imap.host}/{account.mailbox}"
    folder = account.folder or Path.cwd()
    # Servers go by their own clock, and the day of the sender.
    back = timedelta(days=(days or FIRST_DAYS) + 1)
    first = datetime.fromisoformat(own.time()).date() - back

    def take(message: bytes) -> list[News]:
        return news_in(message, own, folder, account.address)

    with opened(account, login) as mailbox:
        yield from look_through(mailbox, name, own, first, take, anew=days is not None)


def look_through(
    mailbox: Mailbox,
    name: str,
    own: Store,
    first: date,
    take: Callable[[bytes], list[News]],
    *,
    anew: bool = False,
) -> Iterator[Fetched]:
    """Yield what came into a mailbox since the last look, message by message.

    If it never was looked through, or with `anew`, that is what came since the day `first`. `take`
    files what is in a message. Raises as `fetched`.
    """
    looked = own.looked(name)
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
        own.note_looked(name, Looked(mailbox.validity, some[-1]))


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

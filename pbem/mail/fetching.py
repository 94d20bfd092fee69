"""Fetching mail: a mailbox is searched, and each save file put where it belongs.

First files are written, then the library is told, then the player, and only then, a few at a time,
are messages marked and skipped: whatever happens in between, the next time finds what was not
reported. docs/mail.md.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Unreadable
from pbem.mail.account import Account
from pbem.mail.exchange import Login
from pbem.mail.imap import Mailbox, opened
from pbem.play.inbox import Arrival, ArrivalKind, Inbox
from pbem.play.incoming import MAX_MESSAGE, IncomingFile
from pbem.play.store import Looked

AT_A_TIME = 50
"""How many messages are looked through before it is noted how far."""
FIRST_DAYS = 30
"""How many days back the first look into a mailbox goes."""


class Fetched(NamedTuple):
    """The findings in one message; `more` messages are left to be looked through.

    With `is_last` it is the last before those that were told are marked and passed over.
    """

    arrivals: list[Arrival]
    more: int
    is_last: bool


def fetched(
    inbox: Inbox, account: Account, login: Login, *, days: int | None = None
) -> Generator[Fetched, None, None]:
    """File what came into the mailbox of an account since the last look, message by message.

    With `days` it is all that came in these; at the first look, all of `FIRST_DAYS`. What is found
    in a message has to be told before the next one is asked for. Raises MailFailed, LibraryFailed,
    and WrongUse if a file cannot be written.
    """
    assert account.imap is not None
    own, name = inbox.own, f"{account.imap.user}@{account.imap.host}/{account.mailbox}"
    # Servers go by their own clock, and the day of the sender.
    back = timedelta(days=(days or FIRST_DAYS) + 1)
    add = partial(inbox.add, folder=account.folder or Path.cwd(), address=account.address)
    with opened(account, login) as mailbox:
        looked = own.looked(name)
        if days is not None or looked is None or looked.validity != mailbox.validity:
            uids = mailbox.since(datetime.fromisoformat(own.time()).date() - back)
        else:
            uids = mailbox.after(looked.uid)
        for start in range(0, len(uids), AT_A_TIME):
            some = uids[start : start + AT_A_TIME]
            sizes, marks = mailbox.sizes(some), []
            for number, uid in enumerate(some, start + 1):
                found = _arrivals_in(mailbox, uid, sizes.get(uid), add)
                kinds = {each.kind for each in found if each.match is not None}
                if kinds - {ArrivalKind.FOREIGN, ArrivalKind.OWN}:
                    marks.append(uid)
                # What the player wrote is no news to them.
                told = [each for each in found if each.kind is not ArrivalKind.OWN]
                yield Fetched(told, len(uids) - number, uid == some[-1])
            for uid in marks:
                mailbox.mark(uid)
            own.note_looked(name, Looked(mailbox.validity, some[-1]))


def _arrivals_in(
    mailbox: Mailbox, uid: int, size: int | None, add: Callable[[bytes], list[Arrival]]
) -> list[Arrival]:
    """Return what is in a message of that size, which is None if it is gone by now."""
    if size is None:
        return []
    if size > MAX_MESSAGE:
        return [Arrival(ArrivalKind.TOO_LARGE, IncomingFile(b""), size=size)]
    try:
        message = mailbox.read(uid, size)
    except Unreadable as error:
        return [Arrival.refused(error, IncomingFile(b""))]
    return [] if message is None else add(message)

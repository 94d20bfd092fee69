"""Fetch mail: search a mailbox for messages with save files, and add those files to the inbox.

Files are written first, then recorded in the library, then shown to the player. After that,
messages are marked as read and recorded as fetched, a batch at a time. If the program is stopped in
between, the next fetch finds every message that was not shown. docs/mail.md describes
this for players.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pbem.errors import InputError
from pbem.mail.account import Account
from pbem.mail.imap import Mailbox, open_mailbox
from pbem.mail.login import Login
from pbem.play.inbox import Arrival, ArrivalKind, Inbox
from pbem.play.incoming import MAX_MESSAGE, IncomingFile
from pbem.play.store import MailboxPosition

BATCH_SIZE = 50
"""The number of messages after which the progress is recorded in the library."""
FIRST_DAYS = 30
"""The age in days of the oldest messages that the first fetch reads."""


class FetchedMessage(NamedTuple):
    """The save files in one message.

    `remaining` is the number of messages that have not been read yet. `is_last` is true for the
    last message of a batch.
    """

    arrivals: list[Arrival]
    remaining: int
    is_last: bool


def fetch_mail(
    inbox: Inbox, account: Account, login: Login, *, days: int | None = None
) -> Generator[FetchedMessage, None, None]:
    """Add the save files in new messages to the inbox, and yield each message that was read.

    Messages are new if they arrived after the last fetch. The first fetch reads the messages of
    `FIRST_DAYS`, and a fetch with `days` reads all messages of so many days. The caller shows the
    files of a message to the player before it requests the next message. Raises MailError,
    StoreError, and UsageError if a file cannot be written.
    """
    assert account.imap is not None
    store, name = inbox.store, f"{account.imap.user}@{account.imap.host}/{account.mailbox}"
    # One day more, because servers have clocks of their own and use the sender's date.
    period = timedelta(days=(days or FIRST_DAYS) + 1)
    add = partial(inbox.add, folder=account.folder or Path.cwd(), address=account.address)
    with open_mailbox(account, login) as mailbox:
        position = store.mailbox_position(name)
        if days is not None or position is None or position.validity != mailbox.validity:
            uids = mailbox.find_since(datetime.fromisoformat(store.time()).date() - period)
        else:
            uids = mailbox.find_after(position.uid)
        for start in range(0, len(uids), BATCH_SIZE):
            batch = uids[start : start + BATCH_SIZE]
            sizes, useful = mailbox.fetch_sizes(batch), []
            for number, uid in enumerate(batch, start + 1):
                arrivals = _add_files(mailbox, uid, sizes.get(uid), add)
                kinds = {arrival.kind for arrival in arrivals if arrival.match is not None}
                if kinds - {ArrivalKind.FOREIGN, ArrivalKind.OWN}:
                    useful.append(uid)
                others = [arrival for arrival in arrivals if arrival.kind is not ArrivalKind.OWN]
                yield FetchedMessage(others, len(uids) - number, uid == batch[-1])
            for uid in useful:
                mailbox.mark(uid)
            store.note_mailbox_position(name, MailboxPosition(mailbox.validity, batch[-1]))


def _add_files(
    mailbox: Mailbox, uid: int, size: int | None, add: Callable[[bytes], list[Arrival]]
) -> list[Arrival]:
    """Add the save files in a message to the inbox, and return an arrival for each.

    `size` is None if the message has been deleted in the meantime.
    """
    if size is None:
        return []
    if size > MAX_MESSAGE:
        return [Arrival(ArrivalKind.TOO_LARGE, IncomingFile(b""), size=size)]
    try:
        message = mailbox.fetch_message(uid, size)
    except InputError as error:
        return [Arrival.refused(error, IncomingFile(b""))]
    return [] if message is None else add(message)

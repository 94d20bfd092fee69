"""Hearing of what comes into a mailbox as it comes, while its server says so.

The connection on which it says so may be dead without anybody knowing: after this computer slept,
changed its address, or the server was started again. So a waiting program looks now and then all
the same, and nothing depends on what is heard.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from types import TracebackType

from pbem.mail.account import Account
from pbem.mail.login import Login
from pbem.mail.mailbox import Mailbox, opened
from pbem.mail.wire import MailFailed

PULSE = 60.0
"""In seconds: so often it is asked whether the connection is still there."""
APART = 3.0
"""In seconds: so much lies between two looks at least, whatever a server says."""


class Bell:
    """Waits between two looks into a mailbox, and not longer than until something comes.

    Whoever lets it go closes its connection.
    """

    def __init__(self, account: Account, login: Login) -> None:
        self._account = account
        self._login = login
        self._mailbox: Mailbox | None = None
        self._rings = True
        self._rang = -APART
        self._connection = ExitStack()

    def __enter__(self) -> Bell:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        failure: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.hang_up(failure)

    def is_for(self, account: Account, login: Login) -> bool:
        """Whether it is the bell of that account, opened with that login."""
        return (account, login) == (self._account, self._login)

    def wait(self, seconds: float) -> None:
        """Wait so long, or until it is worth a look; raises nothing where a server fails."""
        end = time.monotonic() + seconds
        try:
            if self._rings and self._has_rung(end):
                time.sleep(max(0.0, self._rang + APART - time.monotonic()))
                self._rang = time.monotonic()
                return
        except MailFailed as failure:
            self.hang_up(failure)
        left = end - time.monotonic()
        if left > 0:
            time.sleep(left)

    def _has_rung(self, end: float) -> bool:
        if self._mailbox is None:
            mailbox = self._connection.enter_context(opened(self._account, self._login))
            self._rings = mailbox.tells
            if not self._rings:
                self.hang_up()
                return False
            self._mailbox = mailbox
            # What came since the last look was not heard.
            return True
        began = time.monotonic()
        try:
            while (left := end - time.monotonic()) > 0:
                if self._mailbox.has_news() or self._mailbox.wait(min(left, PULSE)):
                    return True
        except MailFailed as failure:
            self.hang_up(failure)
            # One that was there for a while has broken off, perhaps long ago; one that breaks off
            # each time is not to be looked into each time.
            return time.monotonic() - began >= PULSE
        return False

    def hang_up(self, failure: BaseException | None = None) -> None:
        """Close the connection, without a farewell after a failure; the next time another opens."""
        self._mailbox = None
        connection, self._connection = self._connection, ExitStack()
        connection.__exit__(type(failure) if failure else None, failure, None)

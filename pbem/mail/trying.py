"""Trying whether a login works, before an account is kept or when it is doubted."""

from __future__ import annotations

from pbem.mail.account import Account, Server
from pbem.mail.login import Login
from pbem.mail.mailbox import opened
from pbem.mail.outbox import outgoing


def try_login(account: Account, server: Server, login: Login | None) -> None:
    """Log in at one of its servers, and leave; raises MailFailed where that fails."""
    if server.kind == "smtp":
        with outgoing(account, login):
            return
    assert login is not None
    with opened(account, login):
        return

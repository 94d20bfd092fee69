"""Another front end can send and fetch with `pbem.mail` and `pbem.play`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.errors import UsageError
from pbem.mail.account import Account
from pbem.mail.fetching import fetch_mail
from pbem.mail.sending import Mailer, SendCommands
from pbem.play.home import Home
from pbem.play.inbox import ArrivalKind, Inbox
from pbem.play.session import Session
from pbem.play.signing import unsent_files
from pbem.protocol.match import Match
from tests.mail.players import Player


def make_mailer(
    player: Player, ways: SendCommands, draw: Callable[[Match], bytes] | None = None
) -> tuple[Session, Mailer]:
    """Return a session of a player, and a mailer of messages in French."""
    home = Home(player.home, library_path=player.home / "library.sqlite3")
    session = Session.open(home)
    account = Account.load(home.config_path, "acres", "smtp", "imap")
    return session, Mailer(session.store, "fr", ways, account, draw)


def test_turn_is_sent_fetched_and_answered(anna: Player, bela: Player) -> None:
    session, sender = make_mailer(bela, SendCommands("acres", "[TO]", "[AGAIN]"))
    outgoing = sender.prepare(session.read(bela.file), bela.file, bela.file.name)
    sent = sender.send_one(outgoing, lambda: bela.login)
    assert str(sent.sentence).startswith("Sent to anna@example.org: game-001.toml (record 1 of ")
    assert not list(unsent_files(session.store))
    with pytest.raises(UsageError, match=r"was already sent.*: \[AGAIN\]"):
        sender.send_one(outgoing, lambda: bela.login)

    session, sender = make_mailer(anna, SendCommands("acres", "--to", "--again"))
    assert sender.account is not None
    letters = list(fetch_mail(Inbox(session.store, anna.folder), sender.account, anna.login))
    (came,) = (arrival for letter in letters for arrival in letter.arrivals)
    assert came.path is not None
    assert (came.kind, came.path) == (ArrivalKind.NEW, anna.folder / "game-001.toml")
    with pytest.raises(UsageError, match="it is yours to answer"):
        sender.prepare(session.read(came.path), came.path, came.path.name)

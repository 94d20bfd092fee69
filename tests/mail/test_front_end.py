"""A front end of one's own: with the mail room and the door of play it sends and fetches."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pbem.errors import WrongUse
from pbem.mail.account import Account
from pbem.mail.arrivals import Filed, Kind
from pbem.mail.fetching import fetched
from pbem.mail.login import Login
from pbem.mail.sending import Sender, unsent_files
from pbem.mail.ways_out import WayOut, WaysOut
from pbem.play.config import Config
from pbem.play.home import Home
from pbem.play.session import Session
from tests.cli.using import ROOT, environment
from tests.mail.players import Player

BUTTONS = WaysOut("acres", {each: f"[{each.name}]" for each in WayOut})


def at_home(player: Player) -> tuple[Session, Account]:
    home = Home(player.home, library_path=player.home / "library.sqlite3")
    account = Account.of(Config.read(home.config_path))
    assert account is not None
    return Session.open(home), account


def test_a_turn_is_sent_fetched_and_answered(anna: Player, bela: Player, joined: Path) -> None:
    session, account = at_home(bela)
    sender, login = Sender(session.library, "fr", BUTTONS, account), Login(bela.password)
    parcel = sender.parcel(session.read(joined), joined, joined.name)
    (sent,) = sender.send(login, [parcel], lambda parcel, may_have_left: None)
    assert str(sent.sentence).startswith("Sent to anna@example.org: game-001.toml (record 1 of ")
    assert not list(unsent_files(session.library))
    # Who sends it again is told.
    with pytest.raises(WrongUse, match=r"was already sent.*: \[AGAIN\]"):
        parcel.check_unsent(session.library.post(), BUTTONS)

    session, account = at_home(anna)
    letters = list(fetched(session.library, account, Login(anna.password)))
    (filed,) = (each for letter in letters for each in letter.news)
    assert isinstance(filed, Filed)
    assert filed.kind is Kind.NEW
    assert filed.path == anna.folder / "game-001.toml"
    # What is the other player's to send is not sent.
    sender = Sender(session.library, "en", BUTTONS, account)
    with pytest.raises(WrongUse, match="it is yours to answer"):
        sender.parcel(session.read(filed.path), filed.path, filed.path.name)


def test_nothing_of_a_terminal_is_needed() -> None:
    rooms = "pbem.mail.fetching, pbem.mail.sending, pbem.mail.collection"
    code = f"import {rooms}, sys; print(*sys.modules)"
    words = [sys.executable, "-c", code]
    done = subprocess.run(
        words, cwd=ROOT, env=environment(), capture_output=True, text=True, check=True
    )
    assert not {"typer", "rich", "prompt_toolkit", "pbem.cli"} & set(done.stdout.split())

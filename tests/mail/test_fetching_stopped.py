"""`acres mail fetch`, stopped or unable to write, loses no message and no report."""

from __future__ import annotations

import pkgutil
import shutil
import signal
from pathlib import Path
from time import sleep

import pytest

from pbem.mail.imap import Mailbox
from tests.cli.commands import run_python
from tests.mail.messages import FETCHED_FLAGS, flags, letter
from tests.mail.players import Player, begin_game
from tests.sample import sample

READ, WRITE = "pbem.mail.imap.Mailbox.fetch_message", "pbem.play.inbox.write_new"
NOTE, SAY = "pbem.play.store.Store.note", "pbem.cli.mail.fetch_command.say_arrival"
MARK, LOOK = "pbem.mail.imap.Mailbox.mark", "pbem.play.store.Store.note_mailbox_position"


def check_arrived(anna: Player, joined: Path, *, is_told: bool = True) -> None:
    """Check that the turn arrived complete, and is reported once."""
    assert ("your move since" in anna.do("mail", "fetch").out) == is_told
    assert anna.files == ["game-000.toml", "game-001.toml"]
    assert (anna.folder / "game-001.toml").read_bytes() == joined.read_bytes()
    assert flags(anna) == [FETCHED_FLAGS]
    assert "your move since" in anna.do("games").out
    assert anna.do("mail", "fetch").out == "No turn has arrived.\n"


@pytest.mark.parametrize("place", [READ, WRITE, NOTE, SAY, MARK, LOOK])
@pytest.mark.parametrize("when", sample(["before", "after"], first=1))
def test_interrupted_fetch_loses_nothing(anna: Player, joined: Path, place: str, when: str) -> None:
    anna.office.deliver(anna.address, letter(joined.read_bytes()))
    with pytest.MonkeyPatch.context() as patch:
        whole = pkgutil.resolve_name(place)

        def stop(*arguments: object, **named: bool) -> None:
            if when == "after":
                whole(*arguments, **named)
            raise KeyboardInterrupt

        patch.setattr(place, stop)
        assert anna.run("mail", "fetch").status == 130
    check_arrived(anna, joined, is_told=(place, when) != (LOOK, "after"))


KILLED = """
import os, pkgutil, signal, sys
place, *words = sys.argv[1:]
module, _, name = place.rpartition(".")
owner, whole = pkgutil.resolve_name(module), pkgutil.resolve_name(place)

def die(*arguments, **named):
    whole(*arguments, **named)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(owner, name, die)
from pbem.cli.main import main
main(words)
"""


@pytest.mark.parametrize("place", sample([NOTE, WRITE, MARK, SAY], first=1))
def test_fetch_killed_at_any_moment_loses_nothing(anna: Player, joined: Path, place: str) -> None:
    anna.office.deliver(anna.address, letter(joined.read_bytes()))
    fetch = ("--home", anna.home, "mail", "fetch")
    result = run_python(KILLED, place, *fetch, ACRES_MAIL_PASSWORD=anna.password)
    assert result.status == -signal.SIGKILL, result.err
    check_arrived(anna, joined)


def test_concurrent_fetches_run_one_after_the_other(
    anna: Player, bela: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages that were not reported are reported by the next fetch."""
    for name in ("game", "other", "third"):
        file = bela.file if name == "game" else begin_game(anna.home, bela.home, bela.folder, name)
        anna.office.deliver(anna.address, letter(file.read_bytes()))
    read, reads = Mailbox.fetch_message, []

    def breaks_off(box: Mailbox, uid: int, size: int) -> bytes | None:
        reads.append(uid)
        if len(reads) == 3:
            raise KeyboardInterrupt
        return read(box, uid, size)

    with monkeypatch.context() as patch:
        patch.setattr(Mailbox, "fetch_message", breaks_off)
        stopped = anna.run("mail", "fetch")
    text = stopped.out
    assert (stopped.status, text.count("A turn has arrived"), text.count("your move since")) == (
        130, 2, 2,
    )  # fmt: skip
    assert FETCHED_FLAGS not in flags(anna)
    again = anna.do("mail", "fetch").out
    assert (again.count("You already have this turn"), again.count("A turn has arrived")) == (2, 1)
    assert flags(anna) == [FETCHED_FLAGS] * 3


def test_unwritable_folder_loses_no_turn(anna: Player, joined: Path) -> None:
    shutil.rmtree(anna.folder)
    anna.folder.write_text("in the way")
    anna.office.deliver(anna.address, letter(joined.read_bytes()))
    assert anna.run("mail", "fetch").status == 2
    assert flags(anna) == [set()]
    anna.folder.unlink()
    anna.folder.mkdir()
    assert "your move since" in anna.do("mail", "fetch").out


def test_new_mailbox_or_library_is_searched_from_the_start(anna: Player, joined: Path) -> None:
    anna.office.deliver(anna.address, letter(joined.read_bytes()))
    anna.do("mail", "fetch")
    (message,) = anna.inbox()
    maildir = anna.office.dovecot.maildir(anna.address)
    for path in maildir.rglob("dovecot*"):
        path.unlink()
    for name in ("cur", "new"):
        shutil.rmtree(maildir / name)
    # Dovecot numbers a new mailbox by the second.
    sleep(1.1)
    anna.office.deliver(anna.address, message)
    assert "You already have this turn" in anna.do("mail", "fetch").out
    assert anna.files == ["game-000.toml", "game-001.toml"]
    (anna.home / "library.sqlite3").unlink()
    anna.do("mail", "fetch")
    assert "against Bela" in anna.do("games").out

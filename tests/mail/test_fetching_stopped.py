"""`acres mail fetch`, stopped and kept from writing: nothing is lost, and nothing told away."""

import pkgutil
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from tests.cli.using import ROOT, environment
from tests.mail.arriving import MARKED, flags, letter
from tests.mail.players import Player
from tests.mail.servers import PostOffice
from tests.sample import sample


@pytest.mark.parametrize(
    "place",
    [
        "pbem.mail.mailbox.Mailbox.read",
        "pbem.mail.filing.write_new",
        "pbem.library.Library.note",
        "pbem.cli.mail.fetch_command.say_arrivals",
        "pbem.mail.mailbox.Mailbox.mark",
        "pbem.library.Post.look",
    ],
)
@pytest.mark.parametrize("when", sample(["before", "after"], first=1))
def test_a_stop_at_any_moment_loses_nothing(
    office: PostOffice, anna: Player, bela: Player, joined: Path, place: str, when: str
) -> None:
    bela.do("mail", "send", joined)
    with pytest.MonkeyPatch.context() as patch:
        whole = pkgutil.resolve_name(place)

        def stop(*arguments: object, **named: bool) -> None:
            if when == "after":
                whole(*arguments, **named)
            raise KeyboardInterrupt

        patch.setattr(place, stop)
        assert anna.run("mail", "fetch").status == 130
    again = anna.do("mail", "fetch")
    was_passed = place.endswith("look") and when == "after"
    assert ("your move since" in again.out) != was_passed
    assert anna.files == ["game-000.toml", "game-001.toml"]
    assert (anna.folder / "game-001.toml").read_bytes() == joined.read_bytes()
    assert flags(anna) == [MARKED]
    assert "your move since" in anna.do("games").out
    assert anna.do("mail", "fetch").out == "No turn has arrived.\n"


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


@pytest.mark.parametrize(
    "place",
    sample(
        [
            "pbem.library.Library.note",
            "pbem.mail.filing.write_new",
            "pbem.mail.mailbox.Mailbox.mark",
            "pbem.cli.mail.fetch_command.say_arrivals",
        ],
        first=1,
    ),
)
def test_a_kill_at_any_moment_loses_nothing(
    office: PostOffice, anna: Player, joined: Path, place: str
) -> None:
    office.deliver(anna.address, letter(joined.read_bytes()))
    done = subprocess.run(
        [sys.executable, "-c", KILLED, place, "--home", anna.home, "mail", "fetch"],
        cwd=ROOT,
        env=environment(ACRES_MAIL_PASSWORD=anna.password),
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert "your move since" in anna.do("mail", "fetch").out
    assert anna.files == ["game-000.toml", "game-001.toml"]
    assert (anna.folder / "game-001.toml").read_bytes() == joined.read_bytes()
    assert flags(anna) == [MARKED]
    assert anna.do("mail", "fetch").out == "No turn has arrived.\n"


def test_a_folder_that_cannot_be_written_passes_nothing_over(
    office: PostOffice, anna: Player, joined: Path, tmp_path: Path
) -> None:
    shutil.rmtree(anna.folder)
    (tmp_path / "Anna").write_text("in the way")
    office.deliver(anna.address, letter(joined.read_bytes()))
    assert anna.run("mail", "fetch").status == 2
    assert flags(anna) == [set()]
    (tmp_path / "Anna").unlink()
    anna.folder.mkdir()
    assert "your move since" in anna.do("mail", "fetch").out


def test_a_mailbox_that_was_made_anew_is_looked_through_again(
    office: PostOffice, anna: Player, joined: Path
) -> None:
    office.deliver(anna.address, letter(joined.read_bytes()))
    anna.do("mail", "fetch")
    messages = anna.inbox()
    maildir = office.dovecot.maildir(anna.address)
    for path in maildir.rglob("dovecot*"):
        path.unlink()
    shutil.rmtree(maildir / "cur")
    shutil.rmtree(maildir / "new")
    # Dovecot numbers a new mailbox by the second.
    sleep(1.1)
    office.deliver(anna.address, messages[0])
    assert "came again" in anna.do("mail", "fetch").out
    assert anna.files == ["game-000.toml", "game-001.toml"]


def test_a_lost_library_is_made_anew(office: PostOffice, anna: Player, joined: Path) -> None:
    office.deliver(anna.address, letter(joined.read_bytes()))
    anna.do("mail", "fetch")
    (anna.home / "library.sqlite3").unlink()
    anna.do("mail", "fetch")
    assert "against Bela" in anna.do("games").out

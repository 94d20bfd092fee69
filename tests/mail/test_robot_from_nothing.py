"""The robot by mail as docs/mail.md begins it: the account first, before its home is there."""

import stat
from pathlib import Path

import pytest

from pbem.keys import keyfile
from tests.cli.using import Result, acres
from tests.mail.arriving import letter
from tests.mail.players import Player
from tests.mail.servers import PostOffice

ROBOT = "new-robot@example.org"
PASSWORD = "a password of the robot"


@pytest.fixture
def home(office: PostOffice, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where the robot will be at home."""
    office.open_account(ROBOT, PASSWORD)
    office.clear(ROBOT)
    monkeypatch.setenv("ACRES_MAIL_PASSWORD", PASSWORD)
    return tmp_path / "somewhere" / "robot"


def set_up(office: PostOffice, home: Path, *options: object) -> Result:
    return acres(
        "mail", "setup", "--address", ROBOT, "--smtp", f"localhost:{office.smtps}",
        "--imap", f"localhost:{office.imaps}", "--security", "tls",
        "--ca", office.authority.certificate, *options, home=home,
    )  # fmt: skip


@pytest.mark.parametrize("is_there", [False, True])
def test_each_step_goes_well(office: PostOffice, anna: Player, home: Path, is_there: bool) -> None:
    if is_there:
        home.mkdir(parents=True)
    done = set_up(office, home)
    assert (done.status, done.err) == (0, "")
    assert "mail check" in done.out
    assert acres("mail", "check", home=home).status == 0
    office.deliver(ROBOT, letter((anna.folder / "game-000.toml").read_bytes(), anna.address))
    served = acres("serve-robot", "--once", "--lists", 2, "--only", anna.address, home=home)
    assert (served.status, served.err) == (0, "")
    assert "A robot was made" in served.out
    assert "Sent to anna@example.org" in served.out
    identity = keyfile.load(home / "identity.toml", lambda: "")
    assert (identity.name, identity.email) == ("Robot", ROBOT)
    assert list((home / "games").glob("*.toml"))
    assert "your move since" in anna.do("mail", "fetch").out


def test_the_new_home_is_for_its_owner_alone(office: PostOffice, home: Path) -> None:
    assert set_up(office, home).status == 0
    for path in (home, home / "config.toml"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_nothing_is_made_where_the_login_fails(
    office: PostOffice, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACRES_MAIL_PASSWORD", "wrong")
    assert set_up(office, home).status == 2
    assert not home.parent.exists()


def test_a_person_may_begin_with_the_account_too(office: PostOffice, home: Path) -> None:
    assert set_up(office, home).status == 0
    done = acres("init", "--name", "Zoe", "--email", ROBOT, home=home)
    assert (done.status, done.err) == (0, "")
    assert acres("mail", "fetch", home=home).out == "No turn has arrived.\n"


def test_before_there_is_a_player_fetching_says_what_to_do(office: PostOffice, home: Path) -> None:
    assert set_up(office, home).status == 0
    done = acres("mail", "fetch", home=home)
    assert done.status == 2
    assert "init" in done.err

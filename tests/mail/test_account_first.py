"""The account first, before there is a home."""

import stat
from pathlib import Path

import pytest

from tests.cli.using import Result, acres
from tests.mail.servers import PostOffice

ZOE = "zoe@example.org"
PASSWORD = "a password of Zoe"


@pytest.fixture
def home(office: PostOffice, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where Zoe will be at home."""
    office.open_account(ZOE, PASSWORD)
    office.clear(ZOE)
    monkeypatch.setenv("ACRES_MAIL_PASSWORD", PASSWORD)
    return tmp_path / "somewhere" / "home"


def set_up(office: PostOffice, home: Path, *options: object) -> Result:
    return acres(
        "mail", "setup", "--address", ZOE, "--smtp", f"localhost:{office.smtps}",
        "--imap", f"localhost:{office.imaps}", "--security", "tls",
        "--ca", office.authority.certificate, *options, home=home,
    )  # fmt: skip


@pytest.mark.parametrize("is_there", [False, True])
def test_each_step_goes_well(office: PostOffice, home: Path, is_there: bool) -> None:
    if is_there:
        home.mkdir(parents=True)
    done = set_up(office, home)
    assert (done.status, done.err) == (0, "")
    assert "mail check" in done.out
    assert acres("mail", "check", home=home).status == 0


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


def test_the_player_is_made_in_that_home(office: PostOffice, home: Path) -> None:
    assert set_up(office, home).status == 0
    done = acres("init", "--name", "Zoe", "--email", ZOE, home=home)
    assert (done.status, done.err) == (0, "")
    assert acres("mail", "fetch", home=home).out == "No turn has arrived.\n"


def test_before_there_is_a_player_fetching_says_what_to_do(office: PostOffice, home: Path) -> None:
    assert set_up(office, home).status == 0
    done = acres("mail", "fetch", home=home)
    assert done.status == 2
    assert "init" in done.err

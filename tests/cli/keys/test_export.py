"""A home on another device: `acres key export`, and `acres key restore` of its file."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.cli.commands import do
from tests.cli.keys.passphrases import SECRET, read_seed, refuse, seal

FILE = "acres-home.sealed"


@pytest.fixture
def with_passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACRES_PASSPHRASE", SECRET)


@pytest.mark.usefixtures("with_passphrase")
def test_exported_home_is_restored(cwd: Path) -> None:
    do("key", "export", FILE, home="zoe")
    assert stat.S_IMODE((cwd / FILE).stat().st_mode) == 0o600
    assert "Zoé" in do("key", "restore", FILE, home="new").out
    assert read_seed("new") == read_seed("zoe")
    assert stat.S_IMODE((cwd / "new/identity.toml").stat().st_mode) == 0o600


def test_passphrase_of_the_key_seals_the_home(cwd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seal(monkeypatch)
    monkeypatch.setenv("ACRES_PASSPHRASE", SECRET)
    do("key", "export", FILE, home="zoe")
    monkeypatch.setenv("ACRES_PASSPHRASE", "something else")
    assert "The passphrase is wrong" in refuse("key", "restore", FILE, home="new")
    assert not (cwd / "new/identity.toml").exists()


@pytest.mark.usefixtures("with_passphrase")
def test_file_and_key_that_are_there_are_not_replaced(cwd: Path) -> None:
    (cwd / FILE).write_text("something else")
    assert "already a file" in refuse("key", "export", FILE, home="zoe")
    assert (cwd / FILE).read_text() == "something else"
    do("key", "export", "other.sealed", home="zoe")
    do("init", "--name", "Ida", home="ida")
    before = (cwd / "ida/identity.toml").read_bytes()
    assert "another identity" in refuse("key", "restore", "other.sealed", home="ida")
    assert (cwd / "ida/identity.toml").read_bytes() == before


def test_export_needs_a_passphrase(cwd: Path) -> None:
    assert "ACRES_PASSPHRASE" in refuse("key", "export", FILE, home="zoe")
    assert not (cwd / FILE).exists()


@pytest.mark.usefixtures("with_passphrase")
def test_damaged_file_is_refused(cwd: Path) -> None:
    (cwd / FILE).write_bytes(b"acres home 1\n\0\1")
    assert "The passphrase is wrong" in refuse("key", "restore", FILE, home="new")


@pytest.mark.parametrize("option", [("--seal",), ("--replace",), ("--name", "Eve")])
@pytest.mark.usefixtures("with_passphrase")
def test_options_that_a_sealed_file_cannot_follow_are_refused(
    cwd: Path, option: tuple[str, ...]
) -> None:
    do("key", "export", FILE, home="zoe")
    assert "leave out --name" in refuse("key", "restore", FILE, *option, home="phone")
    assert not (cwd / "phone").exists()

"""Keys in tests: two passphrases, and the command where trying one costs little."""

import sys
from pathlib import Path
from typing import Any

import pytest

from pbem.play import keyfile
from tests.cli.screen import Terminal
from tests.cli.using import acres, do, snapshot

SECRET, OTHER = "xyzzy of the woods", "plugh of the lakes"
QUICK = """
import sys
from pbem.play import keyfile, recovery
from pbem.cli.main import main
from pbem.play.keyfile import Cost
keyfile.USUAL = recovery.USUAL = Cost(2**14, 1, 1)
sys.exit(main())
"""
COMMAND = [sys.executable, "-c", QUICK]
"""The command, in a process in which a try of a passphrase costs as little as it may."""


def seed_of(home: str, passphrase: str = SECRET) -> bytes:
    return keyfile.load(Path(home) / "identity.toml", lambda: passphrase).seed


def is_sealed(home: str = "zoe") -> bool:
    return keyfile.read(Path(home) / "identity.toml").is_sealed


def seal(monkeypatch: pytest.MonkeyPatch, home: str = "zoe", passphrase: str = SECRET) -> None:
    """Seal a key from the environment, which then gives no passphrase any more."""
    with monkeypatch.context() as given:
        given.setenv("ACRES_NEW_PASSPHRASE", passphrase)
        do("key", "passphrase", home=home)


def refused(*arguments: str, home: str = "zoe", status: int = 2) -> str:
    """What a command says when it refuses, in one sentence, having written nothing."""
    before = snapshot(Path())
    done = acres(*arguments, home=home).fails(status)
    assert snapshot(Path()) == before
    return done.err


def backup(*options: str, home: str = "zoe") -> str:
    return acres("key", "backup", *options, home=home).succeeds_quietly().out


def typing(*arguments: str, folder: Path, home: str = "zoe", **options: Any) -> Terminal:
    return Terminal([*COMMAND, "--home", home, *arguments], folder=folder, **options)

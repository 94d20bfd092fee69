"""Helpers for keys: two passphrases, and the command with a low cost of passphrases."""

import sys
from pathlib import Path
from typing import Any

import pytest

from pbem.play import keyfile
from tests.cli.commands import acres, do, snapshot
from tests.cli.screen import Terminal

SECRET, OTHER = "xyzzy of the woods", "plugh of the lakes"
QUICK = """
import sys
from pbem.play import keyfile, recovery
from pbem.cli.main import main
from pbem.play.keyfile import Cost
keyfile.DEFAULT_COST = recovery.DEFAULT_COST = Cost(2**14, 1, 1)
sys.exit(main())
"""
COMMAND = [sys.executable, "-c", QUICK]
"""The command in a process with the lowest allowed cost of passphrases."""


def read_seed(home: str, passphrase: str = SECRET) -> bytes:
    return keyfile.load(Path(home) / "identity.toml", lambda: passphrase).seed


def is_sealed(home: str = "zoe") -> bool:
    return keyfile.read(Path(home) / "identity.toml").is_sealed


def seal(monkeypatch: pytest.MonkeyPatch, home: str = "zoe", passphrase: str = SECRET) -> None:
    """Seal a key with a passphrase from the environment."""
    with monkeypatch.context() as context:
        context.setenv("ACRES_NEW_PASSPHRASE", passphrase)
        do("key", "passphrase", home=home)


def refuse(*arguments: str, home: str = "zoe", status: int = 2) -> str:
    """Return the error sentence of a command that fails and writes nothing."""
    before = snapshot(Path())
    result = acres(*arguments, home=home).fails(status)
    assert snapshot(Path()) == before
    return result.err


def print_backup(*options: str, home: str = "zoe") -> str:
    return acres("key", "backup", *options, home=home).succeeds_quietly().out


def type_at(*arguments: str, folder: Path, home: str = "zoe", **options: Any) -> Terminal:
    return Terminal([*COMMAND, "--home", home, *arguments], folder=folder, **options)

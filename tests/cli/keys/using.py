"""Keys in tests: two passphrases, and the command where trying one costs little."""

import sys
from pathlib import Path

import pytest

from pbem.keys import keyfile
from tests.cli.screen import Terminal
from tests.cli.using import acres, is_one_sentence, snapshot

SECRET, OTHER = "xyzzy of the woods", "plugh of the lakes"
QUICK = """
import sys
from pbem.keys import keyfile, recovery
from pbem.cli.main import main
from pbem.keys.passphrase import Cost
keyfile.USUAL = recovery.USUAL = Cost(2**14, 1, 1)
sys.exit(main())
"""
COMMAND = [sys.executable, "-c", QUICK]
"""The command, in a process in which a try of a passphrase costs as little as it may."""


def seed_of(home, passphrase=SECRET):
    return keyfile.load(Path(home) / "identity.toml", lambda: passphrase).seed


def is_sealed(home="zoe"):
    return keyfile.read(Path(home) / "identity.toml").is_sealed


def seal(monkeypatch: pytest.MonkeyPatch, home="zoe", passphrase=SECRET) -> None:
    """Seal a key from the environment, which then gives no passphrase any more."""
    with monkeypatch.context() as given:
        given.setenv("ACRES_NEW_PASSPHRASE", passphrase)
        done = acres("key", "passphrase", home=home)
    assert done.status == 0, done.err


def refused(*arguments, home="zoe", status=2):
    """What a command says when it refuses, in one sentence, having written nothing."""
    before = snapshot(Path())
    done = acres(*arguments, home=home)
    assert (done.status, is_one_sentence(done.err)) == (status, True), done.err
    assert snapshot(Path()) == before
    return done.err


def backup(*options, home="zoe"):
    done = acres("key", "backup", *options, home=home)
    assert (done.status, done.err) == (0, "")
    return done.out


def typing(*arguments, folder, home="zoe", **options):
    return Terminal([*COMMAND, "--home", home, *arguments], folder=folder, **options)

"""The player's home: the folder with the identity, and beside it what was signed with it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pbem.cli import console
from pbem.cli.paths import exists, quoted, reaching
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from pbem.identity import Identity

HOME_VARIABLE = "ACRES_HOME"
PASSPHRASE_VARIABLE = "ACRES_PASSPHRASE"
TRIES = 3
"""How often a passphrase may be typed."""


class NoPassphrase(WrongUse):
    """The identity is sealed and there is no way to ask for its passphrase."""


def home_of(context: typer.Context) -> Path:
    """The home folder that the command line, the environment or the platform names."""
    chosen: Path | None = context.find_root().obj
    return chosen or Path(typer.get_app_dir("acres"))


def program() -> str:
    """How to call the program: by its name where the shell finds that, else as it was called."""
    from shutil import which

    called = Path(sys.argv[0])
    return quoted(called) if called.name == "acres" and which("acres") is None else "acres"


def command_of(context: typer.Context) -> str:
    """How to call the program again for the same home."""
    chosen: Path | None = context.find_root().obj
    if chosen is None or str(chosen) == os.environ.get(HOME_VARIABLE):
        return program()
    return f"{program()} --home {quoted(chosen)}"


def identity_path(home: Path) -> Path:
    """Where the identity lies in a home folder."""
    return home / "identity.toml"


def library_path(home: Path) -> Path:
    """Where the library of what was signed lies in a home folder."""
    return home / "library.sqlite3"


def load_identity(context: typer.Context) -> Identity:
    """The player's identity; WrongUse where there is none, or no way to its passphrase."""
    from pbem import keyfile

    home = home_of(context)
    path = identity_path(home)
    tries = TRIES if console.is_terminal() and not given_passphrase() else 1
    with reaching(path):
        while True:
            tries -= 1
            try:
                return keyfile.load(path, _ask_passphrase)
            except FileNotFoundError:
                raise WrongUse(
                    f"You have no identity in {home} yet. Make one with: {command_of(context)} init"
                ) from None
            except WrongUse as error:
                if not tries:
                    raise
                console.say(f"{error} Please try again.")


def has_identity(context: typer.Context) -> bool:
    """Whether there is an identity file in the home folder."""
    return exists(identity_path(home_of(context)))


def own_key(context: typer.Context) -> bytes | None:
    """The public key of the player, sealed or not; None where there is none to be read.

    It is what the identity file says, for hints alone: nothing is proved by it.
    """
    import tomllib

    from pbem.encoding import decode_bytes

    try:
        table = tomllib.loads(identity_path(home_of(context)).read_text("utf-8"))
        return decode_bytes(table["key"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def given_passphrase() -> str:
    """The passphrase that the environment gives; empty where it gives none."""
    return os.environ.get(PASSPHRASE_VARIABLE, "")


def _ask_passphrase() -> str:
    given = given_passphrase()
    if given:
        return given
    if not console.is_terminal():
        raise NoPassphrase(
            f"Your identity has a passphrase: run this at a terminal or set {PASSPHRASE_VARIABLE}."
        )
    return console.ask_secret("Passphrase: ")

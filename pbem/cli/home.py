"""The player's home: the folder with the identity, and where the library of the games lies."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from engine.message import Message, mark, message_of, sentences
from pbem.cli import console
from pbem.cli.passphrases import opened
from pbem.cli.paths import quoted
from pbem.errors import WrongUse
from pbem.play.home import Home, now, usual_home
from pbem.savefile.disk import exists, reaching

if TYPE_CHECKING:
    from pbem.keys.keyfile import KeyFile
    from pbem.protocol.identity import Identity

HOME_VARIABLE = "ACRES_HOME"
_NO_WAY = mark("Your identity has a passphrase: run this at a terminal or set {variable}.")


def home_of(context: typer.Context) -> Path:
    """The home folder that the command line, the environment or the platform names."""
    chosen: Path | None = context.find_root().obj
    return chosen or usual_home()


def at_home(context: typer.Context) -> Home:
    """The player's home, at this computer's time."""
    return Home(home_of(context), clock=lambda: now())


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


def load_identity(context: typer.Context) -> Identity:
    """The player's identity; WrongUse where there is none, or no way to its passphrase."""
    return open_key(context, key_file(context))[0]


def open_key(context: typer.Context, kept: KeyFile) -> tuple[Identity, str | None]:
    """The identity in that file, and the passphrase under which it is sealed; None if it is not.

    Raises WrongUse where there is no way to the passphrase.
    """
    from pbem.keys.passphrase import WrongPassphrase

    try:
        return opened(context, kept.open, no_way=_NO_WAY, prompt=Message("Passphrase: "))
    except WrongPassphrase as error:
        from pbem.cli.lost_keys import forgotten_passphrase

        raise WrongPassphrase(sentences(message_of(error), forgotten_passphrase(context))) from None


def key_file(context: typer.Context) -> KeyFile:
    """The file with the player's identity, still sealed; WrongUse where there is none.

    Warns where others on this computer can read it.
    """
    from pbem.keys import keyfile
    from pbem.savefile.unfinished import clear_away

    path = at_home(context).identity_path
    # A process that was stopped may have left a file, with a key in it.
    clear_away(path.parent)
    with reaching(path):
        try:
            kept = keyfile.read(path)
        except FileNotFoundError:
            from pbem.cli.lost_keys import no_identity

            raise WrongUse(no_identity(context)) from None
    if keyfile.is_open_to_others(path) and not kept.is_published:
        console.warn(
            Message(
                "Others on this computer may be able to read your key, and so your cards. To keep "
                "it to yourself: chmod 600 {file}",
                file=quoted(path),
            )
        )
    return kept


def has_identity(context: typer.Context) -> bool:
    """Whether there is an identity file in the home folder."""
    return exists(at_home(context).identity_path)


def has_library(context: typer.Context) -> bool:
    """Whether something was signed from the home folder, or may have been."""
    path = at_home(context).library_path
    if not exists(path):
        return False
    from pbem.library import is_blank

    return not is_blank(path)


def own_key(context: typer.Context) -> bytes | None:
    """The public key of the player, as the identity file has it: for hints alone."""
    from pbem.keys.hint import public_key_in

    return public_key_in(at_home(context).identity_path)

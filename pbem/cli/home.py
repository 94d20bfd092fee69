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
from pbem.cli.paths import exists, quoted, reaching
from pbem.errors import Unreadable, WrongUse

if TYPE_CHECKING:
    from pbem.keys.keyfile import KeyFile
    from pbem.protocol.identity import Identity

HOME_VARIABLE = "ACRES_HOME"
_LIBRARY = "library.sqlite3"
_NO_WAY = mark("Your identity has a passphrase: run this at a terminal or set {variable}.")


def home_of(context: typer.Context) -> Path:
    """The home folder that the command line, the environment or the platform names."""
    chosen: Path | None = context.find_root().obj
    return chosen or usual_home()


def usual_home() -> Path:
    """The home folder where nothing else is said."""
    return Path(typer.get_app_dir("acres"))


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


def config_path(home: Path) -> Path:
    """Where the settings lie in a home folder."""
    return home / "config.toml"


def library_path(home: Path) -> Path:
    """Where the library of a player's games lies.

    In the usual home, however it is named, it lies where the platform keeps the data of programs,
    unless it was begun beside the identity; in any other home it lies beside the identity.
    """
    beside = home / _LIBRARY
    is_usual = os.path.realpath(home) == os.path.realpath(usual_home())
    if not is_usual or os.path.exists(beside):  # noqa: PTH110 - which may raise
        return beside
    return _data_folder() / _LIBRARY


def _data_folder() -> Path:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "acres"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "acres"
    data = Path(os.environ.get("XDG_DATA_HOME", ""))
    # A relative path there is to be ignored, by the specification.
    return (data if data.is_absolute() else Path.home() / ".local" / "share") / "acres"


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

    path = identity_path(home_of(context))
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
    return exists(identity_path(home_of(context)))


def has_library(context: typer.Context) -> bool:
    """Whether something was signed from the home folder, or may have been."""
    path = library_path(home_of(context))
    if not exists(path):
        return False
    from pbem.library import is_blank

    return not is_blank(path)


def own_key(context: typer.Context) -> bytes | None:
    """The public key of the player, sealed or not; None where there is none to be read.

    It is what the identity file says, for hints alone: nothing is proved by it.
    """
    import tomllib

    from pbem.protocol.encoding import decode_bytes
    from pbem.savefile.files import read_file

    try:
        table = tomllib.loads(read_file(identity_path(home_of(context))).decode())
        return decode_bytes(table["key"])
    except (Unreadable, ValueError, KeyError, TypeError, RecursionError):
        return None

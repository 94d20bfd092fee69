"""The player's home: the identity and the library in it, and how the program is called for it.

The library is a reason to fail only for what cannot be done without: `own_games`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

import typer

from engine.message import Message, mark, message_of, sentences
from pbem.cli import console
from pbem.cli.passphrases import opened
from pbem.errors import WrongUse, reaching
from pbem.foreign import quoted
from pbem.keys import keyfile
from pbem.keys.keyfile import KeyFile
from pbem.keys.passphrase import WrongPassphrase
from pbem.library import LibraryFailed
from pbem.play.home import HOME_VARIABLE, Home, now, usual_home
from pbem.play.look import Spectator, only_looks
from pbem.play.own_library import OwnLibrary
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.savefile.disk import clear_away
from pbem.words.proof.lost_keys import forgotten_passphrase, no_identity, not_a_player
from pbem.words.proof.recollection import has_learnt_of_you, no_games, unusable

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
    try:
        return opened(context, kept.open, no_way=_NO_WAY, prompt=Message("Passphrase: "))
    except WrongPassphrase as error:
        forgotten = forgotten_passphrase(command_of(context))
        raise WrongPassphrase(sentences(message_of(error), forgotten)) from None


def key_file(context: typer.Context) -> KeyFile:
    """The file with the player's identity, still sealed; WrongUse where there is none.

    Warns where others on this computer can read it.
    """
    path = at_home(context).identity_path
    # A process that was stopped may have left a file, with a key in it.
    clear_away(path.parent)
    with reaching(path):
        try:
            kept = keyfile.read(path)
        except FileNotFoundError:
            raise without_identity(context) from None
    if keyfile.is_open_to_others(path) and not kept.is_published:
        console.warn(
            Message(
                "Others on this computer may be able to read your key, and so your cards. To keep "
                "it to yourself: chmod 600 {file}",
                file=quoted(path),
            )
        )
    return kept


def without_identity(context: typer.Context) -> WrongUse:
    """The error for whoever has no identity, where nothing is known of a game."""
    home = at_home(context)
    return WrongUse(no_identity(home.folder, command_of(context), has_played=home.has_played))


def check_plays(context: typer.Context, match: Match) -> None:
    """Raise WrongUse where the player has no key, or another than those the game is played with.

    That can be told before a passphrase is asked for.
    """
    home = at_home(context)
    if why := only_looks(home, match):
        key = home.own_key if why is Spectator.OTHER_KEY else None
        raise WrongUse(not_a_player(match, key, home.folder, command_of(context)))


# --- the library


def warn_of_library(own: OwnLibrary) -> None:
    """Warn that the library cannot be used, unless that was done."""
    failure = own.take_failure()
    if failure is not None:
        console.warn(unusable(own.path, failure, program()))


def own_library(context: typer.Context) -> OwnLibrary | None:
    """The library of the player whose home this is; None where there is no identity."""
    key = at_home(context).own_key
    return None if key is None else library_of(context, key)


def library_of(context: typer.Context, key: bytes) -> OwnLibrary:
    """The library of the player with that key; it is the same throughout a command."""
    root = context.find_root()
    kept: dict[bytes, OwnLibrary] = root.meta.setdefault(__name__, {})
    if key not in kept:
        home = at_home(context)
        kept[key] = OwnLibrary(home.library_path, key, home.clock)
        root.call_on_close(lambda: end_library(kept[key]))
    return kept[key]


def end_library(own: OwnLibrary) -> None:
    """Note what is still to be noted, and tell what was learnt by it."""
    if own.end():
        console.warn(has_learnt_of_you())


def session_of(context: typer.Context, identity: Identity) -> Session:
    """The session of a player during a command."""
    own = library_of(context, identity.public_key)
    return Session(at_home(context), identity, own, told=console.note_file)


@contextmanager
def own_games(context: typer.Context) -> Iterator[OwnLibrary]:
    """The library of the player; WrongUse where there is no identity, or it cannot be used."""
    own = library_of(context, at_home(context).own_key or key_file(context).public_key)
    try:
        yield own
    except LibraryFailed as error:
        raise no_games(own.path, error, command_of(context)) from None

"""The player's home: identity and library, and how the program is called for it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from shutil import which

from engine.message import NOTHING, Message, Said, mark, message_of, sentences
from pbem.cli import console
from pbem.cli.passphrases import opened
from pbem.cli.running import current
from pbem.errors import WrongUse, check_exists, reaching
from pbem.foreign import quoted
from pbem.play.home import HOME_VARIABLE, Home, usual_home
from pbem.play.identity import keyfile
from pbem.play.identity.keyfile import KeyFile, WrongPassphrase
from pbem.play.look import Spectator
from pbem.play.session import only_looks
from pbem.play.store import LibraryFailed, Store
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.savefile.disk import clear_away
from pbem.sources import now
from pbem.text.history.standing import not_a_player
from pbem.text.proof.library_warnings import (
    forgotten_passphrase,
    has_learnt_of_you,
    home_beside,
    home_of_the_game,
    no_games,
    no_identity,
    no_such_home,
    unusable,
)

SINGLE_FILE = ".pyz"
"""How the name of a file ends that is the whole program: Python runs it."""
_NO_WAY = mark("Your identity has a passphrase: run this at a terminal or set {variable}.")


def home_folder() -> Path:
    """Return the home folder that the command line, the environment or the platform names.

    Raises WrongUse if none does.
    """
    chosen: Path | None = current().find_root().obj
    home = chosen or usual_home()
    if home is None:
        raise WrongUse(
            "Your system does not know who you are: with --home, name the folder that keeps your "
            "identity."
        )
    return home


def at_home() -> Home:
    """Return the player's home, at this computer's time."""
    return Home(home_folder(), clock=now)


def program() -> str:
    """How to call the program: by its name where the shell finds that, else as it was called."""
    called = Path(sys.argv[0])
    if called.suffix == SINGLE_FILE:
        return f"{_python()} {quoted(called)}"
    return quoted(called) if called.name == "acres" and which("acres") is None else "acres"


def _python() -> str:
    """How to call this Python: by its name where the shell finds that, else by where it lies."""
    name = Path(sys.executable).name
    return name if which(name) else quoted(Path(sys.executable))


def own_command() -> str:
    """How to call the program again for the same home."""
    chosen: Path | None = current().find_root().obj
    if chosen is None or str(chosen) == os.environ.get(HOME_VARIABLE):
        return program()
    return f"{program()} --home {quoted(chosen)}"


def load_identity() -> Identity:
    """Return the player's identity; WrongUse if there is none, or no way to its passphrase."""
    return open_key(key_file())[0]


def open_key(kept: KeyFile) -> tuple[Identity, str | None]:
    """Return the identity in a file, and the passphrase that seals it; None if it is not sealed.

    Raises WrongUse if there is no way to the passphrase.
    """
    try:
        return opened(kept.open, no_way=_NO_WAY, prompt=Message("Passphrase: "))
    except WrongPassphrase as error:
        forgotten = forgotten_passphrase(f"{own_command()} key restore --replace")
        raise WrongPassphrase(sentences(message_of(error), forgotten)) from None


def key_file() -> KeyFile:
    """Return the file with the player's identity, still sealed; WrongUse if there is none.

    Warns where others on this computer can read it.
    """
    path = at_home().identity_path
    # A process that was stopped may have left a file, with a key in it.
    clear_away(path.parent)
    with reaching(path):
        try:
            kept = keyfile.read(path)
        except FileNotFoundError:
            raise without_identity() from None
    if keyfile.is_open_to_others(path) and not kept.is_published:
        console.warn(
            Message(
                "Others on this computer may be able to read your key, and so your cards. To keep "
                "it to yourself: chmod 600 {file}",
                file=quoted(path),
            )
        )
    return kept


def without_identity() -> WrongUse:
    """Return the error for whoever has no identity, where nothing is known of a game."""
    home, command = at_home(), own_command()
    if misspelt := misspelt_home():
        return misspelt
    is_named = command != program()
    if not is_named and not home.has_played and (beside := next(homes_in(Path()), None)):
        return WrongUse(home_beside(home.folder, _at(beside), f"{command} init"))
    making, restoring = f"{command} init", f"{command} key restore"
    return WrongUse(no_identity(home.folder, making, restoring, has_played=home.has_played))


_OWN = f"{__name__}.own"
"""Under this the key of the player is kept throughout a command."""


# --- the games: the library is a reason to fail only for what cannot be done without


def check_plays(match: Match, *beside: Path) -> None:
    """Raise WrongUse if the player has no key, or another than those the game is played with.

    That can be told before a passphrase is asked for. A home of a player that lies in the current
    folder, or in one of those `beside`, is named.
    """
    home = at_home()
    if why := only_looks(home, match):
        if misspelt := misspelt_home():
            raise misspelt
        # Whose key is gone had the right home.
        other: Said = "" if why is Spectator.KEY_GONE else home_for_game(match, *beside)
        key = home.own_key if why is Spectator.OTHER_KEY else None
        told = not_a_player(match, key, home.folder, own_command(), "--home")
        raise WrongUse(sentences(other, told))


def warn_of_library(own: Store) -> None:
    """Warn that the library cannot be used, unless that was done."""
    failure = own.take_failure()
    if failure is not None:
        console.warn(unusable(own.path, failure, program()))


def own_library() -> Store | None:
    """Return the library of the player whose home this is; None if there is no identity."""
    meta = current().meta
    # The file is read once: no command that has a use for the library changes the key in it.
    if meta.get(_OWN) is None:
        meta[_OWN] = at_home().own_key
    key: bytes | None = meta[_OWN]
    return None if key is None else library_of(key)


def library_of(key: bytes) -> Store:
    """Return the library of the player with that key; it is the same throughout a command."""
    root = current().find_root()
    kept: dict[bytes, Store] = root.meta.setdefault(__name__, {})
    if key not in kept:
        home = at_home()
        # It is closed behind what is called then.
        kept[key] = root.with_resource(Store(home.library_path, key, home.clock))
        root.call_on_close(lambda: end_library(kept[key]))
    return kept[key]


def end_library(own: Store) -> None:
    """Note what is still to be noted, and tell what was learnt by it."""
    if own.end():
        console.warn(has_learnt_of_you())


@contextmanager
def own_games() -> Iterator[Store]:
    """Yield the library of the player; WrongUse if there is no identity, or it cannot be used."""
    own = library_of(at_home().own_key or key_file().public_key)
    try:
        yield own
    except LibraryFailed as error:
        raise no_games(own.path, error, own_command()) from None


# --- other homes: hints only, since only a signature shows what a key in an identity file is worth

MOST_SEEN = 500
"""How many entries of a folder are looked at."""


def homes_in(folder: Path) -> Iterator[Home]:
    """Yield the homes with an identity right below a folder, by name; none if it is unreadable."""
    try:
        for each in sorted(islice(folder.iterdir(), MOST_SEEN)):
            home = Home(each)
            if home.identity_path.is_file():
                yield home
    except OSError:
        return


def misspelt_home() -> WrongUse | None:
    """Return the error for a home that is missing and named like one beside it; None if neither."""
    folder = at_home().folder
    if check_exists(folder):
        return None
    # Imported here because only a mistyped name needs it.
    from difflib import get_close_matches

    homes = {home.folder.name: home for home in homes_in(folder.parent)}
    near = get_close_matches(folder.name, homes, n=1)
    if not near:
        return None
    return WrongUse(no_such_home(folder, _at(homes[near[0]]), f"{own_command()} init"))


def home_for_game(match: Match, *beside: Path) -> Message:
    """Tell of a home in the current folder, or in one of these, that plays a match; else nothing.

    It is for somebody who has no part in that match.
    """
    keys = {entrant.key for entrant in match.entrants.values()}
    homes = (home for folder in dict.fromkeys((Path(), *beside)) for home in homes_in(folder))
    found = next((home for home in homes if home.own_key in keys), None)
    return home_of_the_game(_at(found)) if found else NOTHING


def _at(home: Home) -> str:
    """Return how to call the program for a home."""
    return f"{program()} --home {quoted(home.folder)}"

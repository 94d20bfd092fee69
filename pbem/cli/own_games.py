"""The player's games: the library, and whether a game is theirs.

The library is a reason to fail only for what cannot be done without: `own_games`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from engine.message import Said, sentences
from pbem.cli import console
from pbem.cli.own_home import (
    at_home,
    command_of,
    home_for_game,
    key_file,
    misspelt_home,
    program,
)
from pbem.errors import WrongUse
from pbem.library import LibraryFailed
from pbem.play.look import Spectator, only_looks
from pbem.play.own_library import OwnLibrary
from pbem.protocol.match import Match
from pbem.words.history.standing import not_a_player
from pbem.words.proof.recollection import has_learnt_of_you, no_games, unusable

_OWN = f"{__name__}.own"
"""Under this the key of the player is kept throughout a command."""


def check_plays(context: typer.Context, match: Match, *beside: Path) -> None:
    """Raise WrongUse where the player has no key, or another than those the game is played with.

    That can be told before a passphrase is asked for. A home of a player that lies in the current
    folder, or in one of those `beside`, is named.
    """
    home = at_home(context)
    if why := only_looks(home, match):
        if misspelt := misspelt_home(context):
            raise misspelt
        # Whose key is gone had the right home.
        other: Said = "" if why is Spectator.KEY_GONE else home_for_game(match, *beside)
        key = home.own_key if why is Spectator.OTHER_KEY else None
        told = not_a_player(match, key, home.folder, command_of(context), "--home")
        raise WrongUse(sentences(other, told))


def warn_of_library(own: OwnLibrary) -> None:
    """Warn that the library cannot be used, unless that was done."""
    failure = own.take_failure()
    if failure is not None:
        console.warn(unusable(own.path, failure, program()))


def own_library(context: typer.Context) -> OwnLibrary | None:
    """The library of the player whose home this is; None where there is no identity."""
    meta = context.find_root().meta
    # The file is read once: no command that has a use for the library changes the key in it.
    if meta.get(_OWN) is None:
        meta[_OWN] = at_home(context).own_key
    key: bytes | None = meta[_OWN]
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


@contextmanager
def own_games(context: typer.Context) -> Iterator[OwnLibrary]:
    """The library of the player; WrongUse where there is no identity, or it cannot be used."""
    own = library_of(context, at_home(context).own_key or key_file(context).public_key)
    try:
        yield own
    except LibraryFailed as error:
        raise no_games(own.path, error, command_of(context)) from None

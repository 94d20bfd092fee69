"""What can still be done where a key is lost, foreign, or sealed under a forgotten passphrase."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from pbem.cli import console
from pbem.cli.home import (
    command_of,
    has_identity,
    has_library,
    home_of,
    own_key,
)
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from pbem.match import Match


def no_identity(context: typer.Context) -> str:
    """What to do without an identity, where nothing is known of a game."""
    home, command = home_of(context), command_of(context)
    if has_library(context):
        return (
            f"Your identity is gone from {home}, though you have played with it. Bring it back "
            f"with: {command} key restore. A new one, made with: {command} init, cannot go on with "
            "those games."
        )
    return f"You have no identity in {home} yet. Make one with: {command} init"


def forgotten_passphrase(context: typer.Context) -> str:
    """What to do when the passphrase is forgotten."""
    return (
        "Without it nobody can open your key; if you wrote a recovery text, it brings the key "
        f"back: {command_of(context)} key restore --replace"
    )


def check_plays(context: typer.Context, match: Match) -> None:
    """Raise WrongUse where the player has no key, or another than those the game is played with.

    That can be told before a passphrase is asked for.
    """
    restore = f"{command_of(context)} key restore"
    if not has_identity(context):
        raise WrongUse(
            f"You have no identity in {home_of(context)}, and this game goes on only with the keys "
            f"of {_players(match)}. If one of these is yours, bring it back with: {restore}"
        )
    own = own_key(context)
    if own is None or any(entrant.key == own for entrant in match.entrants.values()):
        return
    from pbem.cli.words import fingerprint

    raise WrongUse(
        f"You are not one of the players of this game: your key is another one "
        f"({fingerprint(own)}) than those of {_players(match)}. If one of these is yours, say with "
        f"--home in which folder it is, or bring it back from its recovery text, with --home and "
        "the name of a new folder: key restore"
    )


def _players(match: Match) -> str:
    from pbem.cli.words import fingerprint

    first, second = (
        f"{console.named(entrant.name)} ({fingerprint(entrant.key)})"
        for entrant in match.entrants.values()
    )
    return f"{first} and {second}"

"""What can still be done where a key is lost, foreign, or sealed under a forgotten passphrase."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from engine.message import Message, Run
from pbem.cli import console
from pbem.cli.home import command_of, has_identity, has_library, home_of, own_key
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from pbem.protocol.match import Match


def no_identity(context: typer.Context) -> Message:
    """What to do without an identity, where nothing is known of a game."""
    home, command = home_of(context), command_of(context)
    if has_library(context):
        return Message(
            "Your identity is gone from {folder}, though you have played with it. Bring it back "
            "with: {command} key restore. A new one, made with: {command} init, cannot go on with "
            "those games.",
            folder=home,
            command=command,
        )
    return Message(
        "You have no identity in {folder} yet. Make one with: {command} init",
        folder=home,
        command=command,
    )


def forgotten_passphrase(context: typer.Context) -> Message:
    """What to do when the passphrase is forgotten."""
    return Message(
        "Without it nobody can open your key; if you wrote a recovery text, it brings the key "
        "back: {command} key restore --replace",
        command=command_of(context),
    )


def check_plays(context: typer.Context, match: Match) -> None:
    """Raise WrongUse where the player has no key, or another than those the game is played with.

    That can be told before a passphrase is asked for.
    """
    first, second = _players(match)
    if not has_identity(context):
        raise WrongUse(
            "You have no identity in {folder}, and this game goes on only with the keys of "
            "{first} and {second}. If one of these is yours, bring it back with: {command} key "
            "restore",
            folder=home_of(context),
            first=first,
            second=second,
            command=command_of(context),
        )
    own = own_key(context)
    if own is None or any(entrant.key == own for entrant in match.entrants.values()):
        return
    from pbem.words.phrases import fingerprint

    raise WrongUse(
        "You are not one of the players of this game: your key is another one ({key}) than "
        "those of {first} and {second}. If one of these is yours, say with --home in which "
        "folder it is, or bring it back from its recovery text, with --home and the name of a "
        "new folder: key restore",
        key=fingerprint(own),
        first=first,
        second=second,
    )


def _players(match: Match) -> tuple[Message, Message]:
    from pbem.words.phrases import fingerprint

    first, second = (
        Run((console.named(entrant.name), " (", fingerprint(entrant.key), ")"))
        for entrant in match.entrants.values()
    )
    return first, second

"""What can still be done where a key is missing, foreign, or sealed; who only looks on, and why."""

from __future__ import annotations

from pathlib import Path

from engine.message import Message, Run
from pbem.foreign import named
from pbem.protocol.match import Match
from pbem.words.phrases import fingerprint


def no_identity(home: Path, command: str, *, has_played: bool) -> Message:
    """What to do without an identity in that folder, where nothing is known of a game."""
    if has_played:
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


def forgotten_passphrase(command: str) -> Message:
    """What to do when the passphrase is forgotten."""
    return Message(
        "Without it nobody can open your key; if you wrote a recovery text, it brings the key "
        "back: {command} key restore --replace",
        command=command,
    )


def not_a_player(match: Match, own_key: bytes | None, home: Path, command: str) -> Message:
    """What to do for whoever has no key at home, or another than those a game is played with."""
    first, second = (
        Run((named(entrant.name), " (", fingerprint(entrant.key), ")"))
        for entrant in match.entrants.values()
    )
    if own_key is None:
        return Message(
            "You have no identity in {folder}, and this game goes on only with the keys of "
            "{first} and {second}. If one of these is yours, bring it back with: {command} key "
            "restore",
            folder=home,
            first=first,
            second=second,
            command=command,
        )
    return Message(
        "You are not one of the players of this game: your key is another one ({key}) than "
        "those of {first} and {second}. If one of these is yours, say with --home in which "
        "folder it is, or bring it back from its recovery text, with --home and the name of a "
        "new folder: key restore",
        key=fingerprint(own_key),
        first=first,
        second=second,
    )

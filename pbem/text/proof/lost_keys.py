"""What can still be done where a key is missing, foreign, or sealed; who only looks on, and why."""

from __future__ import annotations

from pathlib import Path

from engine.message import Message


def no_identity(home: Path, making: str, restoring: str, *, has_played: bool) -> Message:
    """What to do without an identity in that folder, where nothing is known of a game.

    By `making` it a new one is had, by `restoring` it the old one.
    """
    if has_played:
        return Message(
            "Your identity is gone from {folder}, though you have played with it. Bring it back "
            "with: {restoring}. A new one, made with: {making}, cannot go on with those games.",
            folder=home,
            restoring=restoring,
            making=making,
        )
    return Message(
        "You have no identity in {folder} yet. Make one with: {making}",
        folder=home,
        making=making,
    )


def no_such_home(home: Path, command: str, making: str) -> Message:
    """That the home that was named is not there, and by which `command` one beside it is named.

    By `making` a new one is had there.
    """
    return Message(
        "There is no folder {folder}. Did you mean {command}? To make a new identity: {making}",
        folder=home,
        command=command,
        making=making,
    )


def home_beside(home: Path, command: str, making: str) -> Message:
    """That somebody's home lies near, where that one has no identity; `command` names it."""
    return Message(
        "You have no identity in {folder} yet, but there is one here. To use it: {command}. To "
        "make a new one: {making}",
        folder=home,
        command=command,
        making=making,
    )


def home_of_the_game(command: str) -> Message:
    """That a player of the game has a home near; `command` names it."""
    return Message(
        "The identity of a player of this game is nearby: to use it, say {command}.",
        command=command,
    )


def forgotten_passphrase(restoring: str) -> Message:
    """What to do when the passphrase is forgotten; the recovery text is typed by `restoring`."""
    return Message(
        "Without it nobody can open your key; if you wrote a recovery text, it brings the key "
        "back: {restoring}",
        restoring=restoring,
    )

"""What can still be done where a key is missing, foreign, or sealed; who only looks on, and why."""

from __future__ import annotations

from pathlib import Path

from engine.message import Message


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

"""Losses, and what can still be done: of what was signed, and of keys."""

from __future__ import annotations

from pathlib import Path

from engine.message import Message, Said, mark, sentences
from pbem.errors import WrongUse
from pbem.play.store import LibraryFailed


def proof() -> Message:
    """Return what no player should let happen."""
    return Message("Two different answers to one file are proof of cheating.")


def up_to_you() -> Message:
    """Return what is up to a player of whom not everything signed may be remembered."""
    care = Message(
        "Before you answer a file, make sure that it is the newest of its game, and that you have "
        "not answered it before."
    )
    return sentences(care, proof())


def has_learnt_of_you() -> Message:
    """Return that a file has just brought back what was signed, which was not remembered."""
    learnt = Message(
        "This computer did not remember your part in this game, and has learnt it from this file."
    )
    return sentences(learnt, up_to_you())


def not_looked_up(path: Path, reason: Said, *, may_pass: bool) -> Message:
    """Return that what was signed cannot be looked up, for the moment or at all."""
    told = mark("The library of what you signed, {file}, cannot be used: {reason}.")
    if may_pass:
        told = mark("The library of what you signed, {file}, cannot be used just now: {reason}.")
    return Message(told, file=path, reason=reason)


def unusable(path: Path, failure: LibraryFailed, command: str) -> Message:
    """Return that the library is unusable, and what to do; `command` calls the program."""
    told = not_looked_up(path, failure.said, may_pass=bool(failure.remedy))
    return sentences(told, failure.remedy or _anew(command))


def no_games(path: Path, failure: LibraryFailed, command: str) -> WrongUse:
    """Return the error for games that cannot be looked up."""
    told = mark("The library of your games, {file}, cannot be used: {reason}.")
    if failure.remedy:
        told = mark("The library of your games, {file}, cannot be used just now: {reason}.")
    sentence = Message(told, file=path, reason=failure)
    return WrongUse(sentences(sentence, failure.remedy or _anew(command)))


def _anew(command: str) -> Message:
    """Return how to go on where a library cannot be used."""
    return Message(
        "No game is lost: move the library away, and {command} games add FOLDER makes a new one "
        "from your files.",
        command=command,
    )


def forgets(path: Path, reason: Said) -> Message:
    """Return that a file is written, and that this computer will not remember it."""
    return Message(
        "The library of what you signed, {file}, cannot be written: {reason}. Your file is "
        "not affected, but this computer will not remember it: it is up to you not to "
        "answer the same file twice.",
        file=path,
        reason=reason,
    )


# --- a key that is missing, foreign, or sealed


def no_identity(home: Path, making: str, restoring: str, *, has_played: bool) -> Message:
    """Return what to do without an identity in that folder, if no game is known.

    By `making` it a new one is had, by `restoring` it the old one.
    """
    told = mark("You have no identity in {folder} yet. Make one with: {making}")
    if has_played:
        told = mark(
            "Your identity is gone from {folder}, though you have played with it. Bring it back "
            "with: {restoring}. A new one, made with: {making}, cannot go on with those games."
        )
    return Message(told, folder=home, restoring=restoring, making=making)


def no_such_home(home: Path, command: str, making: str) -> Message:
    """Return that the home that was named is not there; `command` names one beside it.

    By `making` a new one is had there.
    """
    return Message(
        "There is no folder {folder}. Did you mean {command}? To make a new identity: {making}",
        folder=home,
        command=command,
        making=making,
    )


def home_beside(home: Path, command: str, making: str) -> Message:
    """Return that somebody's home lies near, where that one has no identity; `command` names it."""
    return Message(
        "You have no identity in {folder} yet, but there is one here. To use it: {command}. To "
        "make a new one: {making}",
        folder=home,
        command=command,
        making=making,
    )


def home_of_the_game(command: str) -> Message:
    """Return that a player of the game has a home near; `command` names it."""
    return Message(
        "The identity of a player of this game is nearby: to use it, say {command}.",
        command=command,
    )


def forgotten_passphrase(restoring: str) -> Message:
    """Return what to do if the passphrase is forgotten; `restoring` types the recovery text."""
    return Message(
        "Without it nobody can open your key; if you wrote a recovery text, it brings the key "
        "back: {restoring}",
        restoring=restoring,
    )

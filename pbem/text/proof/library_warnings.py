"""What this computer remembers of what was signed: learnt, or not to be looked up, in sentences."""

from __future__ import annotations

from pathlib import Path

from engine.message import Message, Said, sentences
from pbem.errors import WrongUse
from pbem.play.store import LibraryFailed


def proof() -> Message:
    """What no player should let happen."""
    return Message("Two different answers to one file are proof of cheating.")


def up_to_you() -> Message:
    """What is up to a player of whom not everything signed may be remembered."""
    care = Message(
        "Before you answer a file, make sure that it is the newest of its game, and that you have "
        "not answered it before."
    )
    return sentences(care, proof())


def has_learnt_of_you() -> Message:
    """That a file has just brought back what was signed, which was not remembered."""
    learnt = Message(
        "This computer did not remember your part in this game, and has learnt it from this file."
    )
    return sentences(learnt, up_to_you())


def not_looked_up(path: Path, reason: Said, *, may_pass: bool) -> Message:
    """That what was signed cannot be looked up, for the moment or at all."""
    if may_pass:
        return Message(
            "The library of what you signed, {file}, cannot be used just now: {reason}.",
            file=path,
            reason=reason,
        )
    return Message(
        "The library of what you signed, {file}, cannot be used: {reason}.",
        file=path,
        reason=reason,
    )


def unusable(path: Path, failure: LibraryFailed, command: str) -> Message:
    """The same, and what to do about it; `command` is how the program is called."""
    told = not_looked_up(path, failure.said, may_pass=bool(failure.remedy))
    return sentences(told, failure.remedy or _anew(command))


def no_games(path: Path, failure: LibraryFailed, command: str) -> WrongUse:
    """The error for games that cannot be looked up."""
    if failure.remedy:
        sentence = Message(
            "The library of your games, {file}, cannot be used just now: {reason}.",
            file=path,
            reason=failure,
        )
        return WrongUse(sentences(sentence, failure.remedy))
    sentence = Message(
        "The library of your games, {file}, cannot be used: {reason}.", file=path, reason=failure
    )
    return WrongUse(sentences(sentence, _anew(command)))


def _anew(command: str) -> Message:
    """How to go on where a library cannot be used."""
    return Message(
        "No game is lost: move the library away, and {command} games add FOLDER makes a new one "
        "from your files.",
        command=command,
    )


def forgets(path: Path, reason: Said) -> Message:
    """That a file is written, and that this computer will not remember it."""
    return Message(
        "The library of what you signed, {file}, cannot be written: {reason}. Your file is "
        "not affected, but this computer will not remember it: it is up to you not to "
        "answer the same file twice.",
        file=path,
        reason=reason,
    )

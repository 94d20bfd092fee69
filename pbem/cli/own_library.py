"""The library of whoever runs a command: asked and told by it.

It is a reason to fail only for what cannot be done without: `own_games`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from engine.message import Message, sentences
from pbem.cli import console
from pbem.cli.home import at_home, command_of, key_file, own_key, program
from pbem.cli.paths import note_written
from pbem.errors import WrongUse
from pbem.play.home import now

if TYPE_CHECKING:
    from pbem.play.own_library import OwnLibrary
    from pbem.play.session import Session
    from pbem.protocol.identity import Identity


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


class NotNow(WrongUse):
    """The library cannot be used just now, but soon again: nothing is to be signed till then."""


def warn_of_library(own: OwnLibrary) -> None:
    """Warn that the library cannot be used, unless that was done."""
    from pbem.library import LibraryBlocked

    failure = own.take_failure()
    if isinstance(failure, LibraryBlocked):
        console.warn(sentences(not_now(own.path, failure), failure.remedy))
    elif failure is not None:
        console.warn(sentences(not_at_all(own.path, failure), made_anew(program())))


def not_now(path: Path, reason: object) -> Message:
    """That what was signed cannot be looked up for the moment."""
    return Message(
        "The library of what you signed, {file}, cannot be used just now: {reason}.",
        file=path,
        reason=reason,
    )


def not_at_all(path: Path, reason: object) -> Message:
    """That what was signed cannot be looked up."""
    return Message(
        "The library of what you signed, {file}, cannot be used: {reason}.",
        file=path,
        reason=reason,
    )


def made_anew(command: str) -> Message:
    """How to go on where a library cannot be used; `command` is how the program is called."""
    return Message(
        "No game is lost: move the library away, and {command} games add FOLDER makes a new one of "
        "your files.",
        command=command,
    )


def own_library(context: typer.Context) -> OwnLibrary | None:
    """The library of the player whose home this is; None where there is no identity."""
    key = own_key(context)
    return None if key is None else library_of(context, key)


def library_of(context: typer.Context, key: bytes) -> OwnLibrary:
    """The library of the player with that key; it is the same throughout a command."""
    from pbem.play.own_library import OwnLibrary

    root = context.find_root()
    name = f"{__name__} {key.hex()}"
    if name not in root.meta:
        library = OwnLibrary(at_home(context).library_path, key, now)
        root.meta[name] = library
        root.call_on_close(lambda: end_library(library))
    return cast("OwnLibrary", root.meta[name])


def end_library(own: OwnLibrary) -> None:
    """Note what is still to be noted, and tell what was learnt by it."""
    if own.end():
        console.warn(has_learnt_of_you())


def session_of(context: typer.Context, identity: Identity) -> Session:
    """The session of a player during a command."""
    from pbem.play.session import Session

    own = library_of(context, identity.public_key)
    return Session(at_home(context), identity, own, told=note_written)


@contextmanager
def own_games(context: typer.Context) -> Iterator[OwnLibrary]:
    """The library of the player; WrongUse where there is no identity, or it cannot be used."""
    from pbem.library import LibraryBlocked, LibraryFailed

    key = own_key(context) or key_file(context).public_key
    own = library_of(context, key)
    try:
        yield own
    except LibraryBlocked as error:
        sentence = Message(
            "The library of your games, {file}, cannot be used just now: {reason}.",
            file=own.path,
            reason=error,
        )
        raise NotNow(sentences(sentence, error.remedy)) from None
    except LibraryFailed as error:
        sentence = Message(
            "The library of your games, {file}, cannot be used: {reason}.",
            file=own.path,
            reason=error,
        )
        raise WrongUse(sentences(sentence, made_anew(command_of(context)))) from None

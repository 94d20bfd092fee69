"""The library of whoever runs a command: asked and told by it.

It is a reason to fail only for what cannot be done without: `own_games`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from engine.message import Message, sentences
from pbem.cli import console
from pbem.cli.home import command_of, home_of, key_file, library_path, own_key, program
from pbem.cli.moment import now
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from pbem.library import Library, LibraryBlocked, LibraryFailed, Players, Post, Seen
    from pbem.protocol.match import Match
    from pbem.protocol.verified import Known


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
    return sentences(learnt, str(up_to_you()))


class NotNow(WrongUse):
    """The library cannot be used just now, but soon again: nothing is to be signed till then."""


class OwnLibrary:
    """The library of the player with that key, during one command.

    A library that cannot be used is warned of, once, and then left alone. `seen` is the file that
    the command has read last; it is noted when the command ends, unless that was done by then.
    """

    def __init__(self, path: Path, key: bytes) -> None:
        self.path = path
        self.key = key
        self.is_usable = True
        self.seen: Seen | None = None

    def open(self, *, is_learning: bool = False) -> Library:
        """The library itself, whose methods raise LibraryFailed.

        Who `is_learning` of old games does not take the present for when their records came.
        """
        from pbem.library import Library

        return Library(self.path, self.key, None if is_learning else now)

    def arrival(self, game: bytes, record: bytes) -> str:
        """When the record of that hash came here, by the clock here; empty if nobody knows."""
        from pbem.library import LibraryFailed

        # What is not known is told by the signed times.
        with suppress(LibraryFailed):
            return self.open().arrival(game, record)
        return ""

    def post(self) -> Post:
        """What went by mail, whose methods raise LibraryFailed."""
        from pbem.library import Post

        return Post(self.path, self.key)

    def players(self) -> Players:
        """Who is who, whose methods raise LibraryFailed."""
        from pbem.library import Players

        return Players(self.path, self.key)

    def known(self, game: bytes) -> Known:
        """The records of a game that were verified before."""
        from pbem.library import LibraryBlocked, LibraryFailed

        try:
            return self.open().known(game)
        except LibraryBlocked:
            # Whoever signs is told; to look at a game takes longer without it, and no more.
            return ()
        except LibraryFailed as error:
            self.warn(error)
            return ()

    def keep(self, match: Match, path: Path | None) -> None:
        """Have the file at that path, which holds this match, noted when the command ends.

        There is no path to what came out of a mailbox.
        """
        from pbem.library import Seen

        self.seen = Seen.of(match, self.key, path)

    def end(self) -> None:
        """Note what is still to be noted."""
        seen, self.seen = self.seen, None
        if seen is None or not self.is_usable:
            return
        from pbem.library import LibraryFailed

        try:
            has_learnt = self.open().note(seen)
        except LibraryFailed:
            # A folder that is read-only, a command that signs: what is not noted costs time only.
            return
        if has_learnt and not seen.game.is_finished:
            console.warn(has_learnt_of_you())

    def warn(self, error: LibraryFailed) -> None:
        """Warn that it cannot be used."""
        from pbem.library import LibraryBlocked

        if self.is_usable and isinstance(error, LibraryBlocked):
            console.warn(sentences(self.not_now(error), error.remedy))
        elif self.is_usable:
            console.warn(sentences(self.not_at_all(error), made_anew(program())))
        self.is_usable = False

    def not_now(self, error: LibraryBlocked) -> Message:
        """That what was signed cannot be looked up for the moment."""
        return Message(
            "The library of what you signed, {file}, cannot be used just now: {reason}.",
            file=self.path,
            reason=error,
        )

    def not_at_all(self, error: LibraryFailed) -> Message:
        """That what was signed cannot be looked up."""
        return Message(
            "The library of what you signed, {file}, cannot be used: {reason}.",
            file=self.path,
            reason=error,
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
    root = context.find_root()
    path = library_path(home_of(context))
    name = f"{__name__} {key.hex()}"
    if name not in root.meta:
        library = root.meta[name] = OwnLibrary(path, key)
        root.call_on_close(library.end)
    return cast(OwnLibrary, root.meta[name])


def begin_library(context: typer.Context, key: bytes) -> None:
    """Have the library know that it has all that a key signed, because that key is new.

    Warns where the library cannot be used.
    """
    from pbem.library import LibraryFailed

    own = library_of(context, key)
    try:
        own.open().complete()
    except LibraryFailed as error:
        own.warn(error)


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

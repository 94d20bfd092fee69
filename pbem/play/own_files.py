"""Files that are the player's to send: which are left, and why another is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from engine.message import Message
from pbem.errors import WrongUse
from pbem.foreign import named, quoted
from pbem.play.memory import holds
from pbem.play.questions import Standing, earlier
from pbem.play.store import LibraryFailed, Listed, Store
from pbem.protocol.match import Match
from pbem.protocol.record import author_key


def unsent_files(own: Store) -> Iterator[tuple[Listed, Path]]:
    """Yield the last files of all games that are own and not sent; raises LibraryFailed."""
    for listed in own.games():
        file, last = listed.file_out, listed.game.last
        if file is not None and not own.dispatch(listed.id, last) and holds(file, last):
            yield listed, file


def check_own(match: Match, own: Store, file: Path, command: str) -> None:
    """Raise WrongUse unless the file with this match is one that the player has to send.

    A file with a record of the player's other than the one this computer remembers must not leave
    it: both together would prove cheating. If that cannot be looked up, `own` has failed.
    """
    if author_key(match.last, match.records[:-1]) != own.key:
        raise WrongUse(_whose(match, file, command))
    if own.failure is not None:
        return
    try:
        before = earlier(own, match.records)
    except LibraryFailed as error:
        own.failure = error
        return
    if before is not None and before.standing is Standing.OTHER_OWN:
        raise WrongUse(
            "This file holds a record {record} in your name that differs from the one this "
            "computer signed: send the file with that one. Two different answers to one file are "
            "proof of cheating.",
            record=before.record.index,
        )


def _whose(match: Match, file: Path, command: str) -> Message:
    """Return why a file of the other player is not to be sent, and what to do."""
    if not match.is_joined:
        return Message(
            "{player} wrote this invitation. To accept it: {command}",
            player=named(match.invite.name),
            command=f"{command} join {quoted(file)}",
        )
    other = named(next(e.name for s, e in match.entrants.items() if s == match.last.side))
    if match.next_side is None:
        return Message(
            "{player} wrote this file, and it closes the game: there is nothing left to send.",
            player=other,
        )
    return Message(
        "{player} wrote this file, and it is yours to answer. To answer: {command}",
        player=other,
        command=f"{command} turn apply {quoted(file)}",
    )

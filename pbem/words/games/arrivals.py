"""Files that came, in sentences and as data: what each brings, and what to mind about it.

docs/mail.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.message import Message, Said, labelled, mark, sentences
from pbem.foreign import mailbox, named, shown
from pbem.play.inbox.filing import Filed, Kind
from pbem.play.inbox.folders import Came
from pbem.view.games import listed_facts, recognised_facts
from pbem.words.games.listing import game_called, standing
from pbem.words.history.standing import ahead_told
from pbem.words.proof.recollection import has_learnt_of_you

_ARRIVED = {
    Kind.NEW: mark("A turn has arrived (record {record} of game {game})."),
    Kind.AGAIN: mark("A turn that you already have came again (record {record} of game {game})."),
    Kind.OLDER: mark(
        "A turn has come late (record {record} of game {game}): your newest file has it."
    ),
    Kind.OTHER: mark(
        "The file that came for game {game} does not match what you have: record {record}, or one "
        "before it, differs from your file. It was kept beside your file:"
    ),
    Kind.INVITATION: mark("{player} invites you to a game, {game}:"),
    Kind.FOREIGN: mark(
        "A message from {sender} with the subject “{subject}” was left in the mailbox: it holds a "
        "file of game {game}, in which you do not play."
    ),
}


def arrived(filed: Filed) -> Message:
    """Return a sentence that says what has come."""
    envelope = filed.found.envelope
    return Message(
        _ARRIVED[filed.kind],
        game=filed.match.id.hex()[:8],
        record=filed.match.last.index,
        player=named(filed.match.invite.name),
        sender=envelope.who,
        subject=envelope.about,
    )


def warnings(filed: Filed, now: str) -> Iterator[Message]:
    """Yield the warnings about a file that came."""
    if filed.found.cut:
        yield filed.found.cut
    ahead = ahead_told(filed.match, now)
    if ahead and filed.kind is not Kind.FOREIGN:
        yield ahead
    if filed.was_learnt:
        yield has_learnt_of_you()
    if filed.other_address:
        yield Message(
            "It came from {sender} and not from {address}, the address in the game. The signature "
            "says who wrote it, and it is valid.",
            sender=filed.found.envelope.who,
            address=mailbox(filed.other_address),
        )


def filed_facts(filed: Filed, now: str) -> dict[str, Any]:
    """Return a file that came as plain data."""
    return {
        "what": filed.kind.value,
        "game": filed.match.id.hex(),
        "record": len(filed.found.records) - 1,
        "file": None if filed.path is None else str(filed.path),
        "other_address": filed.other_address or None,
        "opponent": recognised_facts(filed.opponent) if filed.opponent else None,
        "listed": listed_facts(filed.listed, now) if filed.listed else None,
        **filed.found.envelope.facts(),
    }


def told_of(came: Came, now: str) -> Said:
    """Return what came into a folder, in a sentence or two."""
    if came.listed is not None:
        return labelled(game_called(came.listed), standing(came.listed, now))
    if came.filed is not None and came.filed.path is not None:
        return sentences(arrived(came.filed), shown(came.filed.path))
    return came.told


def everything_of(came: Came, now: str) -> Iterator[Said]:
    """Yield what came into a folder, and the warnings about it."""
    yield told_of(came, now)
    if came.filed is not None:
        yield from warnings(came.filed, now)

"""The list of the players who were met, in words and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.message import Message, Run, joined_with_semicolons, labelled
from pbem.cli import console
from pbem.cli.players import recognising
from pbem.words.dates import day
from pbem.words.phrases import fingerprint, games_counted

if TYPE_CHECKING:
    from pbem.library import Acquaintance, Person


def say_players(met: Sequence[Acquaintance], command: str) -> None:
    """Print who was met, by which key; `command` is how the program is called."""
    if not met:
        console.say(
            Message(
                "You have met nobody yet: players are listed here once you have signed a turn in a "
                "game with them."
            )
        )
        return
    for one in met:
        console.item(described(one))
        console.item(_met(one), indent=4)
        if one.passes_for:
            console.item(_doubt(one.passes_for), "bold", indent=4)
            console.say_whole(Run(("    ", recognising.how_to_vouch(one.key, command))))


def described(one: Acquaintance) -> Message:
    """A player as they are called, and as they call themselves."""
    names = joined_with_semicolons(map(recognising.described, one.people))
    return labelled(console.named(one.nickname), names) if one.nickname else names


def _met(one: Acquaintance) -> Message:
    if not one.since:
        games = games_counted(one.games)
        # Translators: such as “key 0001 0203 0405 0607, 2 games”.
        return Message("{key}, {games}", key=fingerprint(one.key), games=games)
    # Translators: {key} is such as “key 0001 0203 0405 0607”.
    return Message.counted(
        "{key}, {count} game since {date}",
        "{key}, {count} games since {date}",
        one.games,
        key=fingerprint(one.key),
        date=day(one.since),
    )


def _doubt(other: Person) -> Message:
    return Message(
        "You know {other} by {key}: this may be somebody else in their name.",
        other=recognising.described(other),
        key=fingerprint(other.key),
    )


def facts(one: Acquaintance) -> dict[str, Any]:
    """The same of one player as plain data."""
    return {
        "key": one.key.hex(),
        "people": [{"name": person.name, "email": person.email or None} for person in one.people],
        "nickname": one.nickname or None,
        "since": one.since or None,
        "games": one.games,
        "passes_for": one.passes_for.key.hex() if one.passes_for else None,
    }

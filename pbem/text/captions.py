"""The drawn board in words: what its signs mean, what a location is, what a picture shows."""

from __future__ import annotations

from engine.catalogue import Catalogue
from engine.message import Message, Said, sentences
from engine.sides import Side
from pbem.protocol.match import Match
from pbem.text.board import place_told
from pbem.text.facts.scenes import RaidMade, Scene
from pbem.text.facts.shape import LocationFacts, SideFacts, SiegeFacts
from pbem.text.phrases import Name, against, player
from pbem.text.position import counts, siege_heading, siege_standing, standing_told
from pbem.text.rules.editions import game_line
from pbem.text.tables import entry, keys

SIGNS = "signs"
"""The table of what the signs beside a location say about it."""
LEGEND = "legend"
"""The table of everything else that is drawn, and what it means."""


def location_told(catalogue: Catalogue, seen: LocationFacts) -> Message:
    """Everything drawn at a location, in sentences: how it stands, and what is printed there."""
    printed = catalogue.locations[seen["location"]]
    signs = {
        "settler": printed.settler,
        "ships": printed.ships_in_siege,
        "defence": printed.defence > 0,
    }
    facts = [entry(SIGNS, sign, number=printed.defence) for sign, is_so in signs.items() if is_so]
    return sentences(place_told(catalogue, seen), *facts)


def legend_told() -> dict[str, Message]:
    """What each thing means that is drawn on the board, by its key, in the order of the legend."""
    return {key: entry(LEGEND, key) for key in keys(LEGEND)}


def raid_told(catalogue: Catalogue, raid: RaidMade) -> Message:
    """What the arrow of a raid says."""
    side, place = raid.side.label, catalogue.locations[raid.way[-1]].label
    if raid.blocked:
        return Message("A {side} raid on {place}, blocked.", side=side, place=place)
    return Message("A {side} raid on {place}.", side=side, place=place)


# --- beside a picture


def moment_told(scene: Scene, match: Match) -> Message:
    """Which moment of a game a scene is, and who plays; for the last one, how the game stands."""
    if not scene.number:
        when = Message("Before the first turn.")
    elif scene.is_under_way:
        when = Message("In turn {number}.", number=scene.number)
    else:
        when = Message("After turn {number}.", number=scene.number)
    if scene.is_last:
        return sentences(when, standing_told(match))
    return sentences(when, Message("The {side} play.", side=Side(scene.facts["active"]).label))


def game_told(match: Match) -> tuple[Message, Message]:
    """Who plays whom, and by which rules."""
    return against(*(player(match, side) for side in match.entrants)), game_line(match)


def side_counted(has: SideFacts) -> list[tuple[Message, Said]]:
    """What is counted for a side: what it is, as the head of a column, and how much."""
    return [(entry("columns", key), number) for key, number in counts(has).items()]


def siege_named(siege: SiegeFacts, name: Name) -> Message:
    """A siege in one line: where it is, whose it is, how it stands and who is winning it."""
    return sentences(siege_heading(siege, name) + ".", siege_standing(siege))

"""The board in words: everything on the table for people who cannot see it, and what is drawn."""

from __future__ import annotations

from collections.abc import Iterator

from engine.catalogue import Catalogue
from engine.message import Message, Phrase, Speaker, comma_list, mark, sentences, sort_key
from engine.sides import Side
from engine.state import State
from pbem.protocol.match import Match
from pbem.text.facts.position_facts import (
    LocationFacts,
    PositionFacts,
    RaidFacts,
    Scene,
    location_facts,
)
from pbem.text.language import Line, Tone
from pbem.text.naming import names_of, neighbours
from pbem.text.phrases import Name, capitalize, entry, keys, points_counted
from pbem.text.piles import cards_under_titles
from pbem.text.position import counts_text, endings_text, siege_text, standing_text

_OWNERS = [*Side, None]


def position_text(
    speaker: Speaker, state: State, facts: PositionFacts, name: Name
) -> Iterator[Line]:
    """Yield everything on the table in words only, one thing after another: for a screen reader."""
    yield from cards_under_titles(facts, name)
    yield Line(Message("The board"), Tone.HEAD)
    yield from map(Line, tell_map(speaker, state))
    sieges = [line for siege in facts.sieges for line in siege_text(siege, name)]
    if sieges:
        yield from (Line(), *sieges)
    yield Line()
    for side in Side:
        told = counts_text(facts.sides[side])
        yield Line(Message("{side}: {counts}.", side=capitalize(side.label), counts=told))
    if endings := endings_text(facts, name):
        yield Line(sentences(*endings))


def tell_map(speaker: Speaker, state: State) -> Iterator[Phrase]:
    """Yield the board in words, one location per line: whose it is, what it counts, where it leads.

    First the British locations, then the French, then the neutral ones, each by name. That all
    locations on the sea are next to each other is said once.
    """
    catalogue = state.ruleset.catalogue
    yield Message("All locations on the sea are connected to each other.")
    yield Message(
        "A neutral location counts these points for a village, and twice as many for a town."
    )

    def order(place: LocationFacts) -> tuple[int, str]:
        label = catalogue.locations[place.location].label
        return _OWNERS.index(place.owner), sort_key(speaker.say(label))

    for seen in sorted(location_facts(state), key=order):
        yield sentences(place_text(catalogue, seen), *_leads(catalogue, seen.location))


def place_text(catalogue: Catalogue, seen: LocationFacts) -> Message:
    """Return a sentence with all that is true of a location: `Boston: British town, 4 points`."""
    place = catalogue.locations[seen.location]
    facts = comma_list(_facts(seen, on_sea=place.sea))
    # Translators: {facts} is all that is true of a location, such as “French town, fortified”.
    return Message("{place}: {facts}.", place=place.label, facts=facts)


def _facts(seen: LocationFacts, *, on_sea: bool) -> list[Phrase]:
    """Return all that is true of a location."""
    facts: list[Phrase] = [Message.within("location, told", "neutral")]
    if seen.owner is not None:
        side = seen.owner.label
        town = Message.within("location, told", "{side} town", side=side)
        village = Message.within("location, told", "{side} village", side=side)
        facts = [town if seen.piece == "town" else village]
    if seen.fortified:
        facts.append(Message.within("location, told", "fortified"))
    if seen.besieger:
        besieger = seen.besieger.label
        facts.append(Message.within("location, told", "besieged by the {side}", side=besieger))
    if seen.owner is not None and not seen.supplied:
        facts.append(Message.within("location, told", "without supply"))
    facts.append(points_counted(seen.value if seen.owner is None else seen.points))
    if on_sea:
        facts.append(Message.within("location, told", "on the sea"))
    return facts


def _leads(catalogue: Catalogue, location: str) -> list[Phrase]:
    """Return where a location leads by each kind of connection: `By river to Albany`."""
    found = {kind: neighbours(location, kind, catalogue) for kind in keys("leads")}
    return [
        entry("leads", kind, places=names_of(ends, catalogue))
        for kind, ends in found.items()
        if ends
    ]


# --- what is drawn


def location_text(catalogue: Catalogue, seen: LocationFacts) -> Message:
    """Everything drawn at a location, in sentences: how it stands, and what is printed there."""
    printed = catalogue.locations[seen.location]
    signs = {
        "settler": printed.settler,
        "ships": printed.ships_in_siege,
        "defence": printed.defence > 0,
    }
    facts = [entry("signs", sign, number=printed.defence) for sign, is_so in signs.items() if is_so]
    return sentences(place_text(catalogue, seen), *facts)


def legend_text() -> dict[str, Message]:
    """Return the meaning of each thing drawn on the board, by its key, in legend order."""
    return {key: entry("legend", key) for key in keys("legend")}


def raid_text(catalogue: Catalogue, raid: RaidFacts) -> Message:
    """Return what the arrow of a raid says."""
    side, place = raid.side.label, catalogue.locations[raid.way[-1]].label
    blocked, told = mark("A {side} raid on {place}, blocked."), mark("A {side} raid on {place}.")
    return Message(blocked if raid.blocked else told, side=side, place=place)


# --- beside a picture


def moment_text(scene: Scene, match: Match) -> Message:
    """Return the moment of a game that a scene is, and who plays; at last, how the game stands."""
    if not scene.number:
        when = Message("Before the first turn.")
    elif scene.is_under_way:
        when = Message("In turn {number}.", number=scene.number)
    else:
        when = Message("After turn {number}.", number=scene.number)
    if scene.is_last:
        return sentences(when, standing_text(match))
    return sentences(when, Message("The {side} play.", side=scene.facts.active.label))

"""The board, and everything on the table, in words for people who cannot see it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.catalogue import Catalogue
from engine.message import Message, Said, Speaker, alphabetical, commas, sentences
from engine.sides import Side
from engine.state import State
from pbem.text.components import names_of, neighbours
from pbem.text.facts.position_facts import location_facts
from pbem.text.facts.shape import LocationFacts, PositionFacts
from pbem.text.lines import Line, Tone
from pbem.text.phrases import Name, capital, points_counted
from pbem.text.piles import cards_under_titles
from pbem.text.position import counts_told, endings_told, siege_told
from pbem.text.tables import entry, keys

_OWNERS = [*(side.value for side in Side), None]


def position_told(
    speaker: Speaker, state: State, facts: PositionFacts, name: Name
) -> Iterator[Line]:
    """Everything on the table in words only, one thing after another: for a screen reader."""
    yield from cards_under_titles(facts, name)
    yield Line(Message("The board"), Tone.HEAD)
    yield from map(Line, tell_map(speaker, state))
    sieges = [line for siege in facts["sieges"] for line in siege_told(siege, name)]
    if sieges:
        yield from (Line(), *sieges)
    yield Line()
    for side in Side:
        told = counts_told(facts["sides"][side.value])
        yield Line(Message("{side}: {counts}.", side=capital(side.label), counts=told))
    if endings := endings_told(facts, name):
        yield Line(sentences(*endings))


def tell_map(speaker: Speaker, state: State) -> list[Said]:
    """The board in words, one location per line: whose it is, what it counts, where it leads.

    First the British locations, then the French, then the neutral ones, each by name. That all
    locations on the sea are next to each other is said once.
    """
    catalogue = state.ruleset.catalogue
    lines: list[Said] = [
        Message("All locations on the sea are connected to each other."),
        Message(
            "A neutral location counts these points for a village, and twice as many for a town."
        ),
    ]

    def order(place: LocationFacts) -> tuple[int, str]:
        label = catalogue.locations[place["location"]].label
        return _OWNERS.index(place["owner"]), alphabetical(speaker.say(label))

    for seen in sorted(location_facts(state), key=order):
        lines.append(sentences(place_told(catalogue, seen), *_leads(catalogue, seen["location"])))
    return lines


def place_told(catalogue: Catalogue, seen: LocationFacts) -> Message:
    """All that is true of a location, as a sentence: `Boston: British town, 4 points, ...`."""
    place = catalogue.locations[seen["location"]]
    facts = commas(_facts(seen, on_sea=place.sea))
    # Translators: {facts} is all that is true of a location, such as “French town, fortified”.
    return Message("{place}: {facts}.", place=place.label, facts=facts)


def _facts(seen: LocationFacts, *, on_sea: bool) -> list[Said]:
    """All that is true of a location."""
    facts: list[Said] = [Message.within("location, told", "neutral")]
    if seen["owner"] is not None:
        side = Side(seen["owner"]).label
        town = Message.within("location, told", "{side} town", side=side)
        village = Message.within("location, told", "{side} village", side=side)
        facts = [town if seen["piece"] == "town" else village]
    if seen["fortified"]:
        facts.append(Message.within("location, told", "fortified"))
    if seen["besieger"]:
        besieger = Side(seen["besieger"]).label
        facts.append(Message.within("location, told", "besieged by the {side}", side=besieger))
    if seen["owner"] is not None and not seen["supplied"]:
        facts.append(Message.within("location, told", "without supply"))
    facts.append(points_counted(seen["value"] if seen["owner"] is None else seen["points"]))
    if on_sea:
        facts.append(Message.within("location, told", "on the sea"))
    return facts


def _leads(catalogue: Catalogue, location: str) -> list[Said]:
    """Where a location leads by each kind of connection: `By river to Albany`."""
    found = {kind: neighbours(location, kind, catalogue) for kind in keys("leads")}
    return [
        entry("leads", kind, places=names_of(ends, catalogue))
        for kind, ends in found.items()
        if ends
    ]

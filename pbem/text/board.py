"""The board in words, for players who cannot see it, and captions for the drawn board."""

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
from pbem.text.naming import names_text, neighbours
from pbem.text.phrases import Name, capitalize, keys, point_count, row_text
from pbem.text.piles import cards_under_titles
from pbem.text.position import counts_text, endings_text, siege_text, standing_text

_OWNER_ORDER = [*Side, None]


def position_text(
    speaker: Speaker, state: State, facts: PositionFacts, name: Name
) -> Iterator[Line]:
    """Yield the whole position in words, in reading order for a screen reader."""
    yield from cards_under_titles(facts, name)
    yield Line(Message("The board"), Tone.HEAD)
    yield from map(Line, map_text(speaker, state))
    sieges = [line for siege in facts.sieges for line in siege_text(siege, name)]
    if sieges:
        yield from (Line(), *sieges)
    yield Line()
    for side in Side:
        counts = counts_text(facts.sides[side])
        yield Line(Message("{side}: {counts}.", side=capitalize(side.label), counts=counts))
    if endings := endings_text(facts, name):
        yield Line(sentences(*endings))


def map_text(speaker: Speaker, state: State) -> Iterator[Phrase]:
    """Yield a line for each location: its owner and piece, its points, and its connections.

    British locations come first, then French, then neutral ones, each by name. A first line says
    that all locations on the sea are connected to each other.
    """
    catalogue = state.ruleset.catalogue
    yield Message("All locations on the sea are connected to each other.")
    yield Message(
        "A neutral location counts these points for a village, and twice as many for a town."
    )

    def position(place: LocationFacts) -> tuple[int, str]:
        label = catalogue.locations[place.location].label
        return _OWNER_ORDER.index(place.owner), sort_key(speaker.say(label))

    for facts in sorted(location_facts(state), key=position):
        yield sentences(place_text(catalogue, facts), *_connection_lines(catalogue, facts.location))


def place_text(catalogue: Catalogue, location: LocationFacts) -> Message:
    """Return all facts about a location as a sentence: `Boston: British town, 4 points`."""
    place = catalogue.locations[location.location]
    phrases = comma_list(_location_phrases(location, on_sea=place.sea))
    # Translators: {facts} is, for example, “French town, fortified”.
    return Message("{place}: {facts}.", place=place.label, facts=phrases)


def _location_phrases(location: LocationFacts, *, on_sea: bool) -> list[Phrase]:
    """Return the phrases that describe a location."""
    facts: list[Phrase] = [Message.within("location, told", "neutral")]
    if location.owner is not None:
        side = location.owner.label
        town = Message.within("location, told", "{side} town", side=side)
        village = Message.within("location, told", "{side} village", side=side)
        facts = [town if location.piece == "town" else village]
    if location.fortified:
        facts.append(Message.within("location, told", "fortified"))
    if location.besieger:
        besieger = location.besieger.label
        facts.append(Message.within("location, told", "besieged by the {side}", side=besieger))
    if location.owner is not None and not location.supplied:
        facts.append(Message.within("location, told", "without supply"))
    facts.append(point_count(location.value if location.owner is None else location.points))
    if on_sea:
        facts.append(Message.within("location, told", "on the sea"))
    return facts


def _connection_lines(catalogue: Catalogue, location: str) -> list[Phrase]:
    """Return a sentence for each kind of connection from a location: `By river to Albany`."""
    neighbours_by_kind = {kind: neighbours(location, kind, catalogue) for kind in keys("leads")}
    return [
        row_text("leads", kind, places=names_text(ends, catalogue))
        for kind, ends in neighbours_by_kind.items()
        if ends
    ]


# --- captions of the drawn board


def location_text(catalogue: Catalogue, location: LocationFacts) -> Message:
    """Return the caption of a drawn location: its state, and the symbols printed there."""
    place = catalogue.locations[location.location]
    signs = {"settler": place.settler, "ships": place.ships_in_siege, "defence": place.defence > 0}
    texts = [row_text("signs", k, number=place.defence) for k in signs if signs[k]]
    return sentences(place_text(catalogue, location), *texts)


def legend_text() -> dict[str, Message]:
    """Return the meaning of each symbol on the board, by its key, in legend order."""
    return {key: row_text("legend", key) for key in keys("legend")}


def raid_text(catalogue: Catalogue, raid: RaidFacts) -> Message:
    """Return the caption of a raid's arrow."""
    side, place = raid.side.label, catalogue.locations[raid.path[-1]].label
    blocked, success = mark("A {side} raid on {place}, blocked."), mark("A {side} raid on {place}.")
    return Message(blocked if raid.blocked else success, side=side, place=place)


# --- captions of scenes


def moment_text(scene: Scene, match: Match) -> Message:
    """Return a scene's turn and the side to play, or for the last scene the state of the game."""
    if not scene.number:
        when = Message("Before the first turn.")
    elif scene.is_under_way:
        when = Message("In turn {number}.", number=scene.number)
    else:
        when = Message("After turn {number}.", number=scene.number)
    if scene.is_last:
        return sentences(when, standing_text(match))
    return sentences(when, Message("The {side} play.", side=scene.facts.active.label))

"""A game turn by turn, each with the position that it led to, for drawing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from engine.events import RaidBlocked
from engine.orders import Raid
from engine.position import raid_ways
from engine.sides import Side
from engine.state import State
from pbem.play.look import Look
from pbem.protocol.hand import positions
from pbem.protocol.table import Deed
from pbem.text.facts.chronicle import Chronicle, PlayedTurn, dropped_in
from pbem.text.facts.position_facts import PositionFacts, position_facts


class RaidMade(NamedTuple):
    """A raid of `side`: the locations that it passed, from its own to the one raided."""

    side: Side
    way: tuple[str, ...]
    blocked: bool


class Scene(NamedTuple):
    """A game as somebody sees it after a turn; that after turn 0, the setup, is the first.

    `raids` were made in the turn, in their order. `state` is the viewer's view, `facts` tell it,
    and `before` the scene before. `is_last` is the scene of the game as it stands, of which the
    turn may still be under way.
    """

    turn: PlayedTurn
    state: State
    facts: PositionFacts
    before: PositionFacts | None
    raids: tuple[RaidMade, ...] = ()
    is_last: bool = False
    is_under_way: bool = False

    @property
    def number(self) -> int:
        """The number of the turn."""
        return self.turn.number


def scenes(chronicle: Chronicle) -> list[Scene]:
    """Return a scene for each turn, the setup included, as the viewer of the chronicle sees it."""
    match = chronicle.match
    has_raid = any(isinstance(deed.order, Raid) for deed in match.deeds)
    # The way of a raid is seen before it; to have each position takes a replay.
    found = (state for _, state in positions(match)) if has_raid else ()
    raids = _raids(zip(found, match.deeds[1:], strict=False))
    made: list[Scene] = []
    for turn in chronicle.turns:
        state = chronicle.view(turn.number)
        facts = position_facts(state, chronicle.viewer, also=chronicle.also)
        before = made[-1].facts if made else None
        made.append(Scene(turn, state, facts, before, tuple(raids[turn.number - 1])))
    made[-1] = made[-1]._replace(is_last=True, is_under_way=chronicle.is_under_way)
    return made


def scene_now(look: Look) -> Scene:
    """Return the game as it stands for a viewer, without replaying any of it.

    What it marks is what has changed since the file was written, such as by what is ordered so far.
    """
    match, arrived = look.match, look.whole
    was = arrived.state.copy()
    if look.own is not None:
        look.own.reveal(was)
    record = arrived.last.index
    deeds = match.deeds_since(record)
    # Of a raid from where the order before it has led, nobody sees here how it went.
    raids = _raids((was, deed) for deed in deeds)[match.state.turn]
    turn = PlayedTurn(
        number=match.turn,
        side=match.state.active,
        time=arrived.last.time,
        records=range(record, len(match.records)),
        deeds=deeds,
        dropped=dropped_in(match, [record + 1]),
        state=match.state,
    )
    return Scene(
        turn=turn,
        state=look.state,
        facts=position_facts(look.state, look.viewer, look.ahead, look.also),
        before=position_facts(was, look.viewer, also=look.also),
        raids=tuple(raid for raid in raids if len(raid.way) > 1),
        is_last=True,
        is_under_way=look.is_to_write,
    )


def _raids(found: Iterable[tuple[State, Deed]]) -> dict[int, list[RaidMade]]:
    """Return the raids among deeds, each with the position that it found, by the turn."""
    raids: dict[int, list[RaidMade]] = defaultdict(list)
    for state, deed in found:
        made = raids[deed.turn]
        if isinstance(deed.order, Raid):
            way = _way(state, deed.side, deed.order.place)
            made.append(RaidMade(deed.side, way, blocked=False))
        elif made and deed.caused(RaidBlocked):
            made[-1] = made[-1]._replace(blocked=True)
    return raids


def _way(state: State, side: Side, raided: str) -> tuple[str, ...]:
    """Return a shortest way of a raid to a location, as `engine.position.raid_ways` counts it."""
    distances = raid_ways(state, side)
    paths = state.ruleset.catalogue.raid_paths
    way = [raided]
    while left := distances.get(way[-1], 0):
        way.append(min(p for p in paths[way[-1]] if distances.get(p) == left - 1))
    return tuple(reversed(way))

"""A whole game turn by turn, in sentences and as data. Nothing is printed here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.events import GameOver
from engine.message import Message, sentences
from engine.orders import Start
from engine.scoring import score
from engine.sides import Side
from pbem.cli.telling import Teller, tell_dropped
from pbem.protocol.hand import positions
from pbem.view.history import DeedFacts, deed_facts, dropped_facts

if TYPE_CHECKING:
    from pbem.protocol.follow_ups import Dropped
    from pbem.protocol.hand import HiddenCards
    from pbem.protocol.match import Match
    from pbem.protocol.table import Deed


class Turn(NamedTuple):
    """A turn of a game: its number (0 is the first), whose it is, and when it was begun, in UTC.

    `dropped` came to nothing in it; `points` are the victory points after it.
    """

    number: int
    side: Side
    time: str
    deeds: list[Deed]
    dropped: list[Dropped]
    points: dict[Side, int]


class Chronicle:
    """What happened in a match, as `viewer` may hear it; the cards that `known` know are named.

    `setup` are the deeds before the first turn.
    """

    def __init__(self, match: Match, viewer: Side | None, known: Iterable[HiddenCards]) -> None:
        self.match = match
        self.viewer = viewer
        self.known = {cards.side: cards for cards in known}
        self.setup = list(takewhile(_sets_up, match.deeds))
        self._teller = Teller(match.state, viewer, self.known.values())
        points = {
            deed.turn: {side: score(state, side).total for side in Side}
            for deed, state in positions(match)
        }
        played = match.deeds[len(self.setup) :]
        self.turns = [
            self._turn(number, list(deeds), points[number])
            for number, deeds in groupby(played, key=lambda deed: deed.turn)
        ]

    def _turn(self, number: int, deeds: list[Deed], points: dict[Side, int]) -> Turn:
        side = owner(number)
        begun = next((deed for deed in deeds if deed.order and deed.side is side), deeds[0])
        records = {deed.record for deed in deeds}
        # What followed an attack is dropped in the record that answers it, in the attacker's turn.
        dropped = [d for d in self.match.dropped if d.side is side and d.record in records]
        return Turn(number, side, self.match.records[begun.record].time, deeds, dropped, points)

    @property
    def secrets_of(self) -> Side | None:
        """The player of whom it tells cards that nobody else knows; None for what all may know."""
        return None if self.viewer in self.match.secrets else self.viewer

    # --- in sentences

    def setup_told(self) -> Message:
        """How the game was set up, in a line; empty before it was."""
        return sentences(
            *(
                line
                for side, deeds in groupby(self.setup, key=lambda deed: deed.side)
                for line in self._teller.lines(list(deeds), side.opponent)
            )
        )

    def told(self, turn: Turn) -> list[Message]:
        """What happened in a turn, in lines of sentences, under a heading that names its side."""
        lines: list[Message] = []
        rest = turn.deeds
        for dropped in turn.dropped:
            before = [deed for deed in rest if deed.record <= dropped.record]
            rest = rest[len(before) :]
            lines += self._teller.lines(before, turn.side)
            lines.append(tell_dropped(self.match, dropped, self.viewer))
        return lines + self._teller.lines(rest, turn.side)

    # --- as data

    def plain(self, turn: Turn) -> dict[str, Any]:
        """A turn as plain data: ids and orders as the file has them, numbers from 1."""
        return {
            "turn": turn.number + 1,
            "side": turn.side.value,
            "time": turn.time,
            "deeds": self.plain_deeds(turn.deeds),
            "dropped": [dropped_facts(dropped) for dropped in turn.dropped],
            "points": {side.value: total for side, total in turn.points.items()},
        }

    def plain_deeds(self, deeds: Sequence[Deed]) -> list[DeedFacts]:
        """Deeds as plain data, with the cards drawn where whoever looks may know them."""
        return [deed_facts(deed, self.known.get(deed.side)) for deed in deeds]


def owner(turn: int) -> Side:
    """Whose turn it is, by its number: the British play first."""
    return Side.FRENCH if turn % 2 else Side.BRITISH


def _sets_up(deed: Deed) -> bool:
    """Whether a deed belongs to the setup, as long as all before it do."""
    by_chance = deed.order is None and not deed.caused(GameOver)
    return by_chance or isinstance(deed.order, Start)

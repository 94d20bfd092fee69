"""A whole game turn by turn, in sentences: for a screen, a page or a forum."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from engine.message import NOTHING, Message, Said, sentences
from pbem.foreign import named
from pbem.play.game_file import what_for
from pbem.protocol.match import Match
from pbem.view.chronicle import Chronicle, PlayedTurn
from pbem.words.dates import day
from pbem.words.history.report import Section, Teller, tell_dropped
from pbem.words.phrases import against, points_told, with_side
from pbem.words.rules.editions import game_line


class Log:
    """A log of a game; `called` spells the names of players."""

    def __init__(self, chronicle: Chronicle, called: Callable[[str], Said] = named) -> None:
        match = chronicle.match
        self._chronicle = chronicle
        self._teller = Teller(match.state, chronicle.viewer, chronicle.known.values())
        self._players = {
            side: with_side(called(entrant.name), side, chronicle.viewer)
            for side, entrant in match.entrants.items()
        }

    @property
    def title(self) -> Message:
        """Which game it is."""
        return game_line(self._chronicle.match)

    @property
    def players(self) -> Message:
        """Who plays whom."""
        return against(*self._players.values())

    @property
    def warning(self) -> Message:
        """That it tells what is not for the other side, as a sentence; empty where it does not."""
        side = self._chronicle.secrets_of
        if side is None:
            return NOTHING
        return Message(
            "This log tells cards that only {player} knows: it is not for the other side before "
            "the game is closed.",
            player=self._players[side],
        )

    def sections(self, first: int = 1) -> Iterator[Section]:
        """What happened in each turn from that one on; before the first turn, how it was set up."""
        if first == 1:
            yield self._setup()
        yield from map(self._turn, self._chronicle.turns[first - 1 :])

    def _setup(self) -> Section:
        begun = self._chronicle.match.records[1].time
        each = (
            line
            for side, deeds in groupby(self._chronicle.setup, key=lambda deed: deed.side)
            for line in self._teller.lines(list(deeds), side.opponent)
        )
        return Section(Message("Setup, {day}", day=day(begun)), [sentences(*each)])

    def _turn(self, turn: PlayedTurn) -> Section:
        heading = Message(
            "Turn {number}: {player}, {day}",
            number=turn.number,
            player=self._players[turn.side],
            day=day(turn.time),
        )
        lines: list[Message] = []
        rest = turn.deeds
        for dropped in turn.dropped:
            before = [deed for deed in rest if deed.record <= dropped.record]
            rest = rest[len(before) :]
            lines += self._teller.lines(before, turn.side)
            lines.append(tell_dropped(self._chronicle.match, dropped, self._chronicle.viewer))
        lines += self._teller.lines(rest, turn.side)
        # Translators: {points} is such as “British 12, French 14”.
        lines.append(Message("Points: {points}.", points=points_told(turn.points)))
        return Section(heading, lines)

    def standing(self) -> Section:
        """How the game ended, or who is to write."""
        match = self._chronicle.match
        heading = Message("The end") if match.is_over else Message("Now")
        return Section(heading, [_standing(match)])


def _standing(match: Match) -> Message:
    outcome, side = match.state.outcome, match.next_side
    if outcome is None:
        assert side is not None
        what = what_for(match.state, side)
        return Message("The {side} write next: {what}.", side=side.label, what=what)
    winner = outcome.winner.label
    won = Message("The {side} won, because {reason}.", side=winner, reason=outcome.reason)
    if side is None:
        return sentences(won, Message("Both sides have closed the game."))
    return sentences(won, Message("The {side} close the game.", side=side.label))

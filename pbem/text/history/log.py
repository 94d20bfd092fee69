"""A whole game turn by turn, in sentences: for a screen, a page or a forum."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate, groupby, pairwise

from engine.message import NOTHING, Message, Phrase, sentences
from engine.sides import Side
from pbem.foreign import display_name
from pbem.text.facts.chronicle import Chronicle, PlayedTurn
from pbem.text.history.report import (
    Reporter,
    ReportLine,
    Section,
    dropped_text,
    find_lead,
    more_orders_text,
    reply_notice,
    report,
)
from pbem.text.phrases import day, opponents_text, points_text, with_side
from pbem.text.position import standing_text
from pbem.text.rules.editions import game_line


class Log:
    """The log of a game: its `title`, players and turns; `name` formats players' names."""

    def __init__(self, chronicle: Chronicle, name: Callable[[str], Phrase] = display_name) -> None:
        match = chronicle.match
        self.title = game_line(match)
        self._chronicle = chronicle
        self._reporter = Reporter(match.state, chronicle.viewer, chronicle.known_cards.values())
        self._players = {
            side: with_side(name(entrant.name), side, chronicle.viewer)
            for side, entrant in match.entrants.items()
        }
        self.players = opponents_text(*self._players.values())

    @property
    def warning(self) -> Message:
        """A warning that the log shows one side's secrets; empty if it does not.

        Pages for the same viewer show it too.
        """
        side = self._chronicle.secrets_of
        if side is None:
            return NOTHING
        return Message(
            "This shows cards that only {player} knows: it is not for the other side before the "
            "game is closed.",
            player=self._players[side],
        )

    def sections(self, first: int = 1) -> Iterator[Section]:
        """Yield a section for each turn from `first` on, and for the setup if `first` is 1."""
        index = 0 if first <= 1 else first
        yield from map(self.section, self._chronicle.turns[index:])

    def section(self, turn: PlayedTurn) -> Section:
        """Return the moves of a turn, or the setup."""
        return self._setup(turn) if turn.side is None else self._turn(turn, turn.side)

    def _setup(self, turn: PlayedTurn) -> Section:
        lines = (
            line
            for side, moves in groupby(turn.moves, key=lambda move: move.side)
            for line in self._reporter.lines(list(moves), side.opponent)
        )
        return Section(Message("Setup, {day}", day=day(turn.time)), [sentences(*lines)])

    def _turn(self, turn: PlayedTurn, side: Side) -> Section:
        who, when = self._players[side], day(turn.time)
        title = Message("Turn {number}: {player}, {day}", number=turn.number, player=who, day=when)
        steps: list[ReportLine] = []
        remaining = turn.moves
        for dropped in turn.dropped:
            moves = [move for move in remaining if move.record <= dropped.record]
            remaining = remaining[len(moves) :]
            steps += self._reporter.steps(moves, side)
            text = dropped_text(self._chronicle.match, dropped, self._chronicle.viewer)
            steps.append(ReportLine(text, []))
        steps += self._reporter.steps(remaining, side)
        ends = accumulate((len(step.moves) for step in steps), initial=self._chronicle.start(turn))
        # Translators: {points} is, for example, “British 12, French 14”.
        points = Message("Points: {points}.", points=points_text(turn.points))
        return Section(
            title,
            [*(step.text for step in steps), points],
            self._reporter.headline(turn.moves),
            find_lead(steps),
            [range(*span) for span in pairwise(ends)],
            more_orders_text(steps),
        )

    def latest(self) -> dict[int, Section]:
        """Return the turns since the viewer's last order, newest first, by number.

        The last turn is always among them; the setup never is.
        """
        chronicle = self._chronicle
        turns = {turn.number: turn for turn in reversed(chronicle.turns[1:])}
        older = (n for n, turn in turns.items() if chronicle.start(turn) <= chronicle.seen_moves)
        first = next(older, 1)
        return {n: self.section(turn) for n, turn in turns.items() if n >= first}

    def notices(self) -> list[Message]:
        """Return the reply and the orders that are awaited, if there are any."""
        match, viewer = self._chronicle.match, self._chronicle.viewer
        awaited = [reply_notice(match, viewer), report(match, [], viewer).announced]
        return [notice for notice in awaited if notice]

    def standing(self) -> Section:
        """Return the result of the game, or the side that writes next."""
        match = self._chronicle.match
        heading = Message("The end") if match.is_over else Message("Now")
        return Section(heading, [standing_text(match)])

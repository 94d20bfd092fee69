"""What a player may order before the other side has answered, and what may come of it.

The worlds are the positions to which the answers may lead, as the player sees them. An order is
given if it is legal in one of them; where it is not legal in all, it may come to nothing.

docs/protocol.md, Follow-ups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine import game
from engine.actions.action import IllegalOrder
from engine.chance import Draw, Shuffle
from engine.foresight import after_answer
from engine.order import Order
from engine.state import Decision, State

FOLLOWING = (Decision.TURN, Decision.LOSERS_CARD)
"""What can be decided before the other side has answered."""


class Asked(NamedTuple):
    """What a turn asks of chance: a draw of `amount` cards, or a shuffle of the discard pile."""

    decision: Decision
    amount: int
    discard: tuple[str, ...]


class Risk(NamedTuple):
    """A follow-up that comes to nothing after some of the answers.

    `interruption` is the order before it whose answer decides that, None where it takes more than
    one to tell; `if_least` says whether the follow-up is carried out after the answer that changes
    least (a raid is blocked, no card given up). Where `only_cards` the order itself is safe, but
    not what is shuffled or drawn after it.
    """

    order: Order
    interruption: Order | None
    if_least: bool
    only_cards: bool


class _World(NamedTuple):
    """A position, and by which answers it is reached: for each interruption some, by number."""

    state: State
    answers: tuple[frozenset[int], ...] = ()

    def answered(self) -> Iterator[_World]:
        """The worlds to which the answers to its interruption lead; it stays where it has none."""
        states = after_answer(self.state) if self.state.is_interrupted else [self.state]
        for number, state in enumerate(states):
            yield _World(state, (*self.answers, frozenset([number])))


class Foresight:
    """The worlds of a player whose turn is interrupted, and what is ordered for them.

    `view` is the position as that player sees it after `interruption`, an order that has to be
    answered; `public` are the cards of the hand that everybody knows, `opened` says of how many own
    shuffles the lists have been opened. `worlds` are those in which all that was ordered is carried
    out, the likeliest first; `risks` tell of the orders that are not in all worlds, `interruptions`
    are all that have to be answered.
    """

    def __init__(
        self, view: State, interruption: Order, public: Iterable[str] = (), *, opened: int
    ) -> None:
        self.side = view.active
        self._opened = opened
        self._worlds = list(_World(view).answered())
        self.interruptions = [interruption]
        self.risks: list[Risk] = []
        # Without those that an earlier follow-up has spoken for.
        self._public = Counter(public)

    @property
    def worlds(self) -> list[State]:
        """The positions in which all that was ordered is carried out, the likeliest first."""
        return [world.state for world in self._worlds]

    @property
    def is_awaiting_orders(self) -> bool:
        """Whether the turn goes on in the first world, by a decision that can be a follow-up."""
        decision, side, *_ = self.worlds[0].awaiting
        return side is self.side and decision in FOLLOWING

    def missing(self, order: Order) -> Counter[str]:
        """The cards that the order plays and the public does not know to be in hand.

        Raises IllegalOrder where the order is legal in no world.
        """
        world = self._legal_in(order)[0].state
        return Counter(game.plays(world, order)) - self._public

    def order(self, order: Order) -> list[Asked]:
        """Carry an order out in every world that allows it; return what must then be asked.

        Raises IllegalOrder, with nothing changed, where the order is legal in no world.
        """
        before, legal = self._worlds, self._legal_in(order)
        likeliest = legal[0].state
        played = Counter(game.plays(likeliest, order))
        kept = Counter(likeliest.players[self.side].hand) - played
        for world in legal:
            game.apply(world.state, order)
        came = Counter(likeliest.players[self.side].hand) - kept
        self._public = self._public - played + came
        self._worlds = legal
        asked = [list(self._ask(world.state)) for world in legal]
        alike = [world for world, cards in zip(legal, asked, strict=True) if cards == asked[0]]
        if len(legal) < len(before):
            self._note_risk(order, legal, before, only_cards=False)
        elif len(alike) < len(legal):
            self._note_risk(order, alike, before, only_cards=True)
        if likeliest.is_interrupted and likeliest.awaiting.decision is not Decision.SHUFFLE:
            self.interruptions.append(order)
            self._worlds = _distinct(after for world in legal for after in world.answered())
        return asked[0]

    def _note_risk(
        self, order: Order, safe: list[_World], worlds: list[_World], *, only_cards: bool
    ) -> None:
        """Note that an order, or what it draws, is as foreseen in the `safe` worlds only."""
        others = [world for world in worlds if not any(world is one for one in safe)]
        decisive = [
            place
            for place in range(len(self.interruptions))
            if not _answers(safe, place) & _answers(others, place)
        ]
        if len(decisive) == 1:
            (place,) = decisive
            if_least = 0 in _answers(safe, place)
            risk = Risk(order, self.interruptions[place], if_least, only_cards)
        else:
            risk = Risk(order, None, safe[0] is worlds[0], only_cards)
        self.risks.append(risk)

    def _legal_in(self, order: Order) -> list[_World]:
        """The worlds that allow an order; raises IllegalOrder where there is none."""
        legal, refusal = [], IllegalOrder("your turn is over.")
        for world in self._worlds:
            try:
                game.check(world.state, order)
            except IllegalOrder as error:
                refusal = error
            else:
                legal.append(world)
        if not legal:
            raise refusal
        return legal

    def _ask(self, world: State) -> Iterator[Asked]:
        """What a world asks of chance now, up to a draw that has to be answered."""
        while world.awaiting.side is self.side and world.awaiting.decision.is_chance:
            decision, _, _, amount, _, resume, _ = world.awaiting
            player = world.players[self.side]
            is_open = len(player.unseen) <= self._opened
            if decision is Decision.SHUFFLE:
                if not is_open:
                    # The pile that has run out was shuffled not long ago: its lists come first.
                    return
                yield Asked(decision, 0, tuple(sorted(player.discard)))
                game.apply(world, Shuffle(self.side))
                continue
            yield Asked(decision, amount, ())
            at_once = is_open and amount == len(player.draw_pile)
            if not at_once and (resume is not None or not is_open):
                return
            game.apply(world, Draw(self.side, tuple(player.draw_pile[:amount])))
            if not at_once:
                return


def _distinct(worlds: Iterable[_World]) -> list[_World]:
    """Each position once, where it comes first, with all answers that lead to it."""
    found: dict[tuple[object, ...], _World] = {}
    for world in worlds:
        first = found.setdefault(world.state.key(), world)
        both = tuple(one | other for one, other in zip(first.answers, world.answers, strict=True))
        found[world.state.key()] = first._replace(answers=both)
    return list(found.values())


def _answers(worlds: Sequence[_World], place: int) -> frozenset[int]:
    """By which answers to the interruption at a place some worlds are reached."""
    return frozenset[int]().union(*(world.answers[place] for world in worlds))

"""What a player may order before the other side has answered, and what may come of it.

The worlds are the positions to which the answers may lead, as the player sees them. An order is
given if it is legal in one of them; where it is not legal in all, it may come to nothing.

docs/protocol.md, Follow-ups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine import game
from engine.actions.action import IllegalOrder
from engine.chance import Draw, Shuffle
from engine.foresight import after_answer
from engine.orders import Order
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

    `interruption` is the last order before it that has to be answered; `if_least` says whether it
    is carried out after the answer that changes least (a raid is blocked, no card given up). Where
    `only_cards` the order itself is safe, but not what is shuffled or drawn after it.
    """

    order: Order
    interruption: Order
    if_least: bool
    only_cards: bool


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
        self.worlds = after_answer(view)
        self.interruptions = [interruption]
        self.risks: list[Risk] = []
        # Without those that an earlier follow-up has spoken for.
        self._public = Counter(public)

    @property
    def at_risk(self) -> list[Order]:
        """The orders that may come to nothing."""
        return [risk.order for risk in self.risks]

    @property
    def is_awaiting_orders(self) -> bool:
        """Whether the turn goes on in the first world, by a decision that can be a follow-up."""
        decision, side, *_ = self.worlds[0].awaiting
        return side is self.side and decision in FOLLOWING

    def missing(self, order: Order) -> Counter[str]:
        """The cards that the order plays and the public does not know to be in hand.

        Raises IllegalOrder where the order is legal in no world.
        """
        world = self._legal_in(order)[0]
        return Counter(game.plays(world, order)) - self._public

    def order(self, order: Order) -> list[Asked]:
        """Carry an order out in every world that allows it; return what must then be asked.

        Raises IllegalOrder, with nothing changed, where the order is legal in no world.
        """
        legal = self._legal_in(order)
        if_least, in_all = legal[0] is self.worlds[0], len(legal) == len(self.worlds)
        played = Counter(game.plays(legal[0], order))
        before = Counter(legal[0].players[self.side].hand) - played
        for world in legal:
            game.apply(world, order)
        came = Counter(legal[0].players[self.side].hand) - before
        self._public = self._public - played + came
        self.worlds = legal
        asked = [list(self._ask(world)) for world in legal]
        if not in_all or any(other != asked[0] for other in asked):
            self.risks.append(Risk(order, self.interruptions[-1], if_least, in_all))
        if self.worlds[0].is_interrupted:
            self.interruptions.append(order)
            self.worlds = _distinct(after for w in self.worlds for after in after_answer(w))
        return asked[0]

    def _legal_in(self, order: Order) -> list[State]:
        """The worlds that allow an order; raises IllegalOrder where there is none."""
        legal, refusal = [], IllegalOrder("your turn is over.")
        for world in self.worlds:
            try:
                game.check(world, order)
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
            if decision is Decision.SHUFFLE:
                yield Asked(decision, 0, tuple(sorted(player.discard)))
                game.apply(world, Shuffle(self.side))
                continue
            yield Asked(decision, amount, ())
            is_open = len(player.unseen) <= self._opened
            at_once = is_open and amount == len(player.draw_pile)
            if not at_once and (resume is not None or not is_open):
                return
            game.apply(world, Draw(self.side, tuple(player.draw_pile[:amount])))
            if not at_once:
                return


def _distinct(worlds: Iterator[State]) -> list[State]:
    found = {world.key(): world for world in reversed(list(worlds))}
    return list(reversed(found.values()))

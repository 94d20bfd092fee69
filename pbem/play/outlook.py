"""What comes of the orders of a turn: how many files it needs, and whether fewer would do.

A turn that the other side has to answer in its middle goes on in the next file of its author, or is
carried on by the answer, as far as its author has ordered ahead. docs/protocol.md, Follow-ups.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, permutations
from typing import NamedTuple

from engine import game
from engine.actions.action import IllegalOrder
from engine.chance import Draw, Shuffle
from engine.order import Order
from engine.orders import End
from engine.sides import Side
from engine.state import Decision, Slot, State
from pbem.play.foresight import Foresight, Risk
from pbem.protocol.deck import Deck
from pbem.protocol.hand import HiddenCards

MOST_ORDERS = 5
"""So many orders are tried in other sequences; more are not worth the time."""
MOST_TRIES = 200
ONE_FILE = (1, 1)
"""What `Course.files` says of a turn that needs one file of its author, whatever the answers."""


class Course(NamedTuple):
    """What comes of the orders of a turn.

    `interruptions` are those that have to be answered; `left` is the position in which the turn
    stops, where the answers change least; `ends` says whether nothing is left to decide in it.
    """

    interruptions: tuple[Order, ...]
    risks: tuple[Risk, ...]
    left: State
    ends: bool

    @property
    def files(self) -> tuple[int, int]:
        """How many files of its author the turn needs, at least and at most; 2 for more than 1."""
        return (1 if self.ends else 2, 1 if self.ends and not self.risks else 2)


def course_of(side: Side, state: State, foresight: Foresight | None) -> Course:
    """What comes of a turn of `side` that stops in a state, or goes on as foreseen from there."""
    if foresight is None:
        return Course((), (), state, not _goes_on(state, side))
    left = foresight.worlds[0]
    ends = not _goes_on(left, side)
    return Course(tuple(foresight.interruptions), tuple(foresight.risks), left, ends)


class Outlook(NamedTuple):
    """A turn before its first order in a record: the author's `view`, own `deck` and `cards`."""

    view: State
    deck: Deck
    cards: HiddenCards

    def course(self, orders: Sequence[Order]) -> Course:
        """What comes of these orders; raises IllegalOrder where one is legal after no answer."""
        state, deck, foresight = self.view.copy(), self.deck.copy(), None
        for order in orders:
            if foresight is None:
                game.apply(state, order)
                self._draw_at_once(state, deck)
                if state.is_interrupted:
                    foresight = Foresight(state, order, opened=deck.opened)
            elif foresight.is_awaiting_orders:
                foresight.order(order)
            else:
                raise IllegalOrder("your turn is over.")
        return course_of(self.view.active, state, foresight)

    def better(self, orders: Sequence[Order]) -> tuple[Order, ...] | None:
        """The same orders in a sequence that needs one file whatever the answers, if any does.

        None too where they do so as they are, and where there are too many to try.
        """
        given = self.course(orders)
        ends = [number for number, order in enumerate(orders) if isinstance(order, End)]
        body = orders[: ends[0]] if ends else orders
        if given.files == ONE_FILE or len(body) > MOST_ORDERS:
            return None
        for other in islice(permutations(body), 1, MOST_TRIES):
            tried = (*other, *orders[len(body) :])
            try:
                course = self.course(tried)
            except IllegalOrder:
                continue
            if course.files == ONE_FILE:
                return tried
        return None

    def _draw_at_once(self, state: State, deck: Deck) -> None:
        """Shuffle, and draw and look at what comes without an answer."""
        side = self.view.active
        while state.awaiting.side is side and state.awaiting.decision.is_chance:
            decision, _, _, amount, card, *_ = state.awaiting
            if decision is Decision.SHUFFLE:
                # Who shuffled what is of no account here.
                deck.shuffle(deck.next_epoch, sorted(state.players[side].discard), b"")
                game.apply(state, Shuffle(side))
                continue
            slots = deck.ask(amount, from_ahead=card is not None)
            if not slots:
                return
            game.apply(state, Draw(side, tuple(Slot(*slot) for slot in slots)))
            self.cards.reveal(state)


def _goes_on(state: State, side: Side) -> bool:
    """Whether that side's turn, which stops in a position, goes on there with something of its own.

    If it draws, once it has the cards: it may have to make good a shuffle then, or make another.
    """
    decision, awaited, _, amount, *_ = state.awaiting
    if awaited is side and decision is Decision.DRAW:
        state = state.copy()
        game.apply(state, Draw(side, tuple(state.players[side].draw_pile[:amount])))
    return state.outcome is None and state.active is side and state.awaiting.side is side

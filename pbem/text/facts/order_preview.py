"""What an order costs and does, before it is given: tried on a copy of the position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from engine import game
from engine.choices import Choices
from engine.events import (
    CardConverted,
    CardGivenUp,
    CardsReturned,
    Event,
    Reinforced,
    Reserved,
    SupportCalled,
)
from engine.foresight import after_answer
from engine.order import Order
from engine.scoring import score
from engine.sides import Side
from engine.siege import siege_strength, standing_winner
from engine.state import Decision, State
from pbem.play.outlook import Risk
from pbem.play.turn import Turn

KEPT = (Reinforced, Reserved, CardsReturned, CardGivenUp, CardConverted, SupportCalled)
"""What becomes of cards from hand that are not discarded, or not yet."""


class Difference(NamedTuple):
    """A number before an order and after it."""

    before: int
    after: int


class SiegeChange(NamedTuple):
    """How a siege stands for the besieger before an order and after it; None: there is none.

    `winner` is who wins it as it stands after the order.
    """

    location: str
    besieger: Side
    before: int | None
    after: int | None
    winner: Side | None


class Preview(NamedTuple):
    """What an order of `side` does: the position `before` and `after` it, and the `events` between.

    `is_certain` says whether it is legal whatever is answered before it. What the other side learns
    of the hand are the cards `shown`; `interruption` says that it has to be answered, or its cards
    have to come, before the turn goes on; `risks` are what it adds to those of the turn.
    """

    order: Order
    side: Side
    before: State
    after: State
    events: tuple[Event, ...]
    cost: int
    is_free: bool
    is_certain: bool
    shown: Sequence[str] = ()
    interruption: bool = False
    risks: Sequence[Risk] = ()

    @property
    def in_turn(self) -> bool:
        """Whether it is given in the player's own turn, and takes an action unless it is free."""
        return self.before.awaiting.decision is Decision.TURN

    def money(self, side: Side) -> Difference:
        """The money of a side."""
        return Difference(*(state.players[side].money for state in (self.before, self.after)))

    def points(self, side: Side) -> Difference:
        """The victory points of a side."""
        return Difference(*(score(state, side).total for state in (self.before, self.after)))

    @property
    def points_at_best(self) -> int:
        """The points that it brings its side where the answer to it is the best."""
        state = self.after
        is_answered = state.is_interrupted and not state.awaiting.decision.is_chance
        worlds = [state, *(after_answer(state) if is_answered else ())]
        return max(score(s, self.side).total for s in worlds) - self.points(self.side).before

    @property
    def sieges(self) -> list[SiegeChange]:
        """The sieges that it changes."""
        changes = []
        for besieger in Side:
            before, after = (s.sieges.get(besieger) for s in (self.before, self.after))
            siege = after or before
            old = siege_strength(self.before, besieger) if before else None
            new = siege_strength(self.after, besieger) if after else None
            winner = standing_winner(self.after, besieger) if after else None
            if siege and old != new:
                changes.append(SiegeChange(siege.location, besieger, old, new, winner))
        return changes

    @property
    def played(self) -> tuple[str, ...]:
        """The cards that it takes from hand, also those that go without saying in it."""
        return game.plays(self.before, self.order, self.side)

    @property
    def also_played(self) -> list[str]:
        """Those that its cards do not name."""
        named = self.order.cards
        return sorted((Counter(self.played) - Counter(named)).elements()) if named else []

    @property
    def discarded(self) -> list[str]:
        """Those of the cards it takes from hand that go to the player's discard pile at once."""
        kept: Counter[str] = Counter()
        for event in self.events:
            if isinstance(event, KEPT) and event.side is self.side:
                facts = vars(event)
                kept.update(facts.get("cards") or [facts["card"]])
        return sorted((Counter(self.played) - kept).elements())

    @property
    def cards_to_come(self) -> int:
        """The number of cards that it draws in the middle of the turn."""
        decision, side, _, amount, _, resume, more = self.after.awaiting
        draws = decision.is_chance and side is self.side and resume is not None
        return amount + more if draws else 0


def glance(choices: Choices, order: Order) -> Preview:
    """What a legal order does, without what can be told only in the whole of the turn."""
    before = choices.world_of(order)
    after, side = before.copy(), before.awaiting.side
    events = tuple(game.apply(after, order))
    cost, certain = game.cost(before, order), choices.is_certain(order)
    return Preview(order, side, before, after, events, cost, is_free(before, order), certain)


def is_free(state: State, order: Order) -> bool:
    """Whether an order of a turn takes no action in it."""
    return state.awaiting.decision is Decision.TURN and game.is_free(state, order)


def preview(answer: Turn, choices: Choices, order: Order) -> Preview:
    """What a legal order does, given next in an answer."""
    known, course = answer.course, answer.course_with(order)
    interruptions, risks = (len(known.interruptions), len(known.risks)) if known else (0, 0)
    return glance(choices, order)._replace(
        shown=answer.would_show(order),
        interruption=course is not None and len(course.interruptions) > interruptions,
        risks=course.risks[risks:] if course else (),
    )

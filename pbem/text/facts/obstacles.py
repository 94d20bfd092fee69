"""Which rules forbid an order, and what is legal instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine import game
from engine.actions import ACTIONS
from engine.actions.action import HAND, Objection, missing_from_hand
from engine.message import Message, mark
from engine.order import MANY, Order
from engine.orders import Besiege, Develop, End, Fortify, Lose, Merchant, Settle
from engine.ruleset import ACTIONS_A_TURN
from engine.sides import Side
from engine.state import Awaiting, Decision, State
from engine.ways import Begun, Ways
from pbem.text.facts.whereabouts import elsewhere

MOST_NEAR = 3


@dataclass(frozen=True)
class Explanation:
    """What stands in the way of an order in the position `state`, as its player sees it.

    `said` is the order, which may have too few cards, or too many. `is_for_later` says that
    something else has to be decided now, and that a turn of the player is assumed instead, if
    orders of that kind belong to one at all.
    """

    said: Begun
    state: State
    side: Side
    objections: tuple[Objection, ...]
    is_for_later: bool = False
    nearest: tuple[Order, ...] = ()

    @property
    def order(self) -> Order | None:
        """The order; None with a wrong number of cards."""
        return self.said.whole()

    @property
    def is_legal(self) -> bool:
        """Whether the order can be given now."""
        return not self.objections and not self.is_for_later

    @property
    def belongs_to_a_turn(self) -> bool:
        """Whether orders of that kind are given in a turn, and not in answer to something."""
        return Decision.TURN in ACTIONS[self.said.kind].decisions

    def where(self) -> dict[str, dict[Message, int]]:
        """Where else the copies are of each card that is missing in hand, by its id."""
        if all(objection.about != HAND for objection in self.objections):
            return {}
        order, cards = self.order, self.said.cards
        plays = game.plays(self.state, order, self.side) if order else cards
        missing = missing_from_hand(self.state.players[self.side], plays)
        return {card: elsewhere(self.state, self.side, card) for card in missing}


def explained(worlds: Sequence[State], side: Side, said: Begun) -> Explanation:
    """What stands in the way of that order, in the likeliest of the worlds."""
    due = [world for world in worlds if world.decides(side)]
    answered = [world for world in due if game.may_answer(world, said.kind)]
    supposed = [_supposed(world, side, said.kind) for world in worlds]
    found = [(_objections(world, side, said), world) for world in answered or supposed]
    objections, state = min(found, key=lambda pair: len(pair[0]))
    near = _nearest(state, said) if objections else ()
    return Explanation(said, state, side, tuple(objections), not answered, near)


def _objections(state: State, side: Side, said: Begun) -> list[Objection]:
    """What stands in the way of an order; for an incomplete one, what more cards cannot mend."""
    order = said.whole()
    if order is not None:
        return game.objections(state, order)
    missing = said.kind.fewest - len(said.cards)
    filled = (said.whole(*[card] * missing) for card in state.ruleset.catalogue.cards[side])
    first, *others = [game.objections(state, order) for order in filled if order] or [[]]
    always = [objection for objection in first if all(objection in other for other in others)]
    return [Objection(takes(said.kind)), *always]


def takes(kind: type[Order]) -> Message:
    """What an order of a kind has to name, as a sentence."""
    verb = kind.words()
    if kind in _PARTS:
        return Message(_PARTS[kind], verb=verb)
    if kind.most == 0:
        return kind.takes(Message("“{word}”", word=verb))
    if kind.most == MANY:
        return Message.counted(
            "“{verb}” names {count} card or more.",
            "“{verb}” names {count} cards or more.",
            kind.fewest,
            verb=verb,
        )
    if kind.fewest < kind.most:
        return Message.counted(
            "“{verb}” names {fewest} or {count} card.",
            "“{verb}” names {fewest} or {count} cards.",
            kind.most,
            fewest=kind.fewest,
            verb=verb,
        )
    return Message.counted(
        "“{verb}” names {count} card.", "“{verb}” names {count} cards.", kind.most, verb=verb
    )


_PARTS: dict[type[Order], str] = {
    Settle: mark(
        "“{verb}” names the card that leads there, then the transport, and last a settler "
        "where the location needs one."
    ),
    Develop: mark(
        "“{verb}” names a card with a settler; the location's own card is played with it."
    ),
    Fortify: mark(
        "“{verb}” names a Fortification card; the location's own card is played with it."
    ),
    Besiege: mark(
        "“{verb}” names the card that leads there, then the transport, and last a card for "
        "the siege."
    ),
    Merchant: mark("“{verb}” names a ship card, then the cards whose money it carries."),
}
"""What orders have to name if their cards serve different purposes."""


def _supposed(state: State, side: Side, kind: type[Order]) -> State:
    """The position in which an order of a kind that is not for now would be given."""
    is_used_up = state.awaiting.decision is Decision.TURN and not state.actions_left
    if kind is not Lose or not is_used_up:
        return in_own_turn(state, side)
    # The loser's card is chosen after the end of the turn.
    after = state.copy()
    game.apply(after, End())
    return after


def _nearest(state: State, said: Begun) -> tuple[Order, ...]:
    """The legal orders of the same kind that are most alike.

    Those at the same place; or else those that share most cards; or else some.
    """
    wanted = set(said.cards)

    def likeness(other: Order) -> tuple[int, int]:
        return len(wanted & set(other.cards)), -len(other.cards)

    may_answer = game.may_answer(state, said.kind)
    legal = list(Ways([state]).some(Begun(said.kind))) if may_answer else []
    there = [other for other in legal if said.location and other.location == said.location]
    sharing = [other for other in legal if wanted & set(other.cards)]
    return tuple(sorted(there or sharing or legal, key=likeness, reverse=True)[:MOST_NEAR])


def in_own_turn(state: State, side: Side) -> State:
    """The position if `side`, whose view it is, could act now; itself where that is so."""
    if state.decides(side) and state.awaiting.decision is Decision.TURN and state.actions_left:
        return state
    supposed = state.copy()
    supposed.active, supposed.outcome, supposed.refilled = side, None, False
    supposed.awaiting, supposed.actions_left = Awaiting(Decision.TURN, side), ACTIONS_A_TURN
    return supposed

"""The game: what is legal in a state, and what an input makes of it.

>>> from engine.chance import Shuffle
>>> from engine.state import new_game
>>> state = new_game()
>>> state.awaiting.decision
<Decision.SHUFFLE: 'shuffle'>
>>> events = apply(state, Shuffle(Side.BRITISH))
>>> state.awaiting.decision, state.awaiting.amount
(<Decision.DRAW: 'draw'>, 5)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from engine import orders
from engine.actions import ACTIONS
from engine.actions.action import (
    HAND,
    MONEY,
    TURN,
    Hand,
    IllegalOrder,
    Objection,
    missing_from_hand,
    name,
)
from engine.chance import Chance
from engine.events import Event
from engine.message import Message, message_of
from engine.order import Order
from engine.sides import Side
from engine.state import Decision, PlayerState, State
from engine.turn import apply_chance, continue_after_order, finish, outcome_of_resigning

if TYPE_CHECKING:
    # A program that draws has it imported; starting the command does without.
    from random import Random

_BEFORE_ACTIONS = (Decision.SIEGE_SPOILS, Decision.EXCHANGE)
"""What the active side may have to decide before its actions."""


def legal_orders(state: State, but: Collection[type[Order]] = ()) -> list[Order]:
    """Every order that the awaited player may give, as far as the hand is known.

    Complete: `check` accepts an order exactly when it is in this list. Empty where chance is
    awaited or the game is over. Kinds of order in `but` are left out.
    """
    return [order for order, _ in priced_orders(state, but)]


def priced_orders(state: State, but: Collection[type[Order]] = ()) -> list[tuple[Order, int]]:
    """Each of the `legal_orders` with its `cost`, which listing them has found out."""
    return _listed(Hand(state, state.awaiting.side), _asked(state, frozenset(but)))


def random_order(state: State, random: Random) -> Order:
    """One of `legal_orders`, drawn without listing the others.

    It is for programs that play many random games; the players in `engine.players` judge instead.
    First a kind of order is drawn, then an order of it, so each kind of which one is legal is as
    likely as another. Raises ValueError where nobody decides: chance is awaited, or the game over.
    """
    asked, hand = list(_asked(state)), Hand(state, state.awaiting.side)
    while asked:
        one = asked.pop(int(random.random() * len(asked)))
        if listed := _listed(hand, (one,)):
            return listed[int(random.random() * len(listed))][0]
    raise ValueError(f"no player decides now: {state.awaiting.decision}")


def _listed(hand: Hand, asked: Iterable[tuple[type[Order], bool]]) -> list[tuple[Order, int]]:
    """The legal orders of some of the kinds that are `_asked` for, each with its cost."""
    state, side, money = hand.state, hand.side, hand.player.money
    listed = []
    for kind, only_free in asked:
        action = ACTIONS[kind]
        for order in action.candidates(hand):
            price = action.cost(state, side, order)
            if price <= money and (not only_free or action.is_free(state, side, order)):
                listed.append((order, price))
    return listed


def check(state: State, order: Order) -> None:
    """Raise IllegalOrder, with the rule in a player's words, unless the order is legal now."""
    for objection in _objections(state, order):
        raise IllegalOrder(objection.reason)


def is_legal(state: State, order: Order) -> bool:
    """Whether an order is legal now."""
    return next(_objections(state, order), None) is None


def objections(state: State, order: Order) -> list[Objection]:
    """Every reason why the order is not legal now, that of `check` first; empty where it is.

    If one leaves nothing else to check, such as a card that is not in the game, it is the only one.
    """
    return list(dict.fromkeys(_objections(state, order)))


def _objections(state: State, order: Order) -> Iterator[Objection]:
    decision, side = state.awaiting.decision, state.awaiting.side
    kind, answers = type(order), _answers(state)
    action, player = ACTIONS[kind], state.players[side]
    if kind not in answers:
        yield _not_awaited(decision, order)
        return
    unknown = list(_unknown(state, side, order))
    if unknown:
        yield from unknown
        return
    try:
        plays = action.plays(state, side, order)
    except IllegalOrder as error:
        # Without the card that the order is made with there is nothing else to ask.
        yield Objection(message_of(error))
        return
    if answers[kind] and not action.is_free(state, side, order):
        if decision is Decision.TURN:
            yield Objection("You have no actions left this turn.", TURN)
        else:
            reason = Message("Only free actions can be taken while a siege is resolved.")
            yield Objection(reason, TURN)
    for card in missing_from_hand(player, plays):
        yield _missing(state, player, card)
    yield from action.objections(state, side, order)
    price = action.cost(state, side, order)
    if price > player.money:
        yield Objection(
            "That costs {price} money, and you have {money}.",
            MONEY,
            price=price,
            money=player.money,
        )


def _missing(state: State, player: PlayerState, card: str) -> Objection:
    label = name(state, card)
    if card in player.hand:
        reason = Message("You have no other {card} in your hand.", card=label)
    else:
        reason = Message("{card} is not in your hand.", card=label)
    return Objection(reason, HAND, card)


def may_answer(state: State, kind: type[Order]) -> bool:
    """Whether orders of a kind can answer what is awaited."""
    return kind in _answers(state)


def _answers(state: State) -> Mapping[type[Order], bool]:
    """The kinds of order that can answer what is awaited, each with whether it has to be free."""
    decision, any_time = state.awaiting.decision, state.ruleset.free_actions_any_time
    return _answers_to(decision, any_time, not state.actions_left)


def _asked(
    state: State, but: frozenset[type[Order]] = frozenset()
) -> Sequence[tuple[type[Order], bool]]:
    """Those of them that can have a legal order: no kind that has to be free and never is.

    Kinds in `but` are left out.
    """
    decision, any_time = state.awaiting.decision, state.ruleset.free_actions_any_time
    return _asked_at(decision, any_time, not state.actions_left, but)


@cache
def _answers_to(decision: Decision, any_time: bool, used_up: bool) -> Mapping[type[Order], bool]:
    answers = {}
    before = any_time and decision in _BEFORE_ACTIONS
    for kind, action in ACTIONS.items():
        if decision in action.decisions:
            answers[kind] = decision is Decision.TURN and used_up
        elif before and action.may_be_free and kind not in (orders.End, orders.Refill):
            answers[kind] = True
    return answers


@cache
def _asked_at(
    decision: Decision, any_time: bool, used_up: bool, but: frozenset[type[Order]]
) -> Sequence[tuple[type[Order], bool]]:
    answers = _answers_to(decision, any_time, used_up).items()
    asked = [each for each in answers if each[0] not in but]
    return [each for each in asked if ACTIONS[each[0]].may_be_free or not each[1]]


def _not_awaited(decision: Decision, order: Order) -> Objection:
    """That orders of that kind do not answer what is awaited."""
    if decision is Decision.OVER:
        return Objection("The game is over.")
    if decision.is_chance:
        return Objection("Cards are being drawn; no order can be given now.", TURN)
    reason = Message(
        "“{verb}” does not answer what is asked: {awaited}.",
        verb=order.words(),
        awaited=decision.label,
    )
    return Objection(reason, TURN)


def _unknown(state: State, side: Side, order: Order) -> Iterator[Objection]:
    """What an order of `side` names although it is not in the game."""
    catalogue = state.ruleset.catalogue
    if order.location is not None and order.location not in catalogue.locations:
        yield Objection("There is no location called “{name}”.", name=order.location)
    for card in order.cards:
        if card not in catalogue.cards[side]:
            yield Objection("The {side} have no card called “{name}”.", side=side.label, name=card)


def check_names(state: State, side: Side, order: Order) -> None:
    """Raise IllegalOrder if an order of `side` names something that is not in the game."""
    for objection in _unknown(state, side, order):
        raise IllegalOrder(objection.reason)


def plays(state: State, order: Order, side: Side | None = None) -> tuple[str, ...]:
    """The cards that the order takes from the hand of `side`: the one it is awaited from, if None.

    For a shown hand these are none: the caller reveals every hidden slot first.
    """
    return ACTIONS[type(order)].plays(state, side or state.awaiting.side, order)


def cost(state: State, order: Order) -> int:
    """The money that the order costs."""
    return ACTIONS[type(order)].cost(state, state.awaiting.side, order)


def is_free(state: State, order: Order) -> bool:
    """Whether the order costs none of the turn's actions."""
    return ACTIONS[type(order)].is_free(state, state.awaiting.side, order)


def apply(state: State, given: Order | Chance, *, known_legal: bool = False) -> list[Event]:
    """Advance the state by one input, in place, and return what happened.

    Raises IllegalOrder or ImpossibleChance, with the state unchanged, if it cannot. An order that
    is `known_legal`, because a program has chosen it in this very state, is not checked again.
    """
    state.events.clear()
    if isinstance(given, Order):
        if not known_legal:
            check(state, given)
        action, before = ACTIONS[type(given)], state.awaiting
        if before.decision is Decision.TURN and not action.is_free(state, before.side, given):
            state.actions_left -= 1
        state.pay(before.side, action.cost(state, before.side, given))
        action.perform(state, before.side, given)
        continue_after_order(state, before, ended=isinstance(given, orders.End))
    else:
        apply_chance(state, given)
    return state.events.copy()


def resign(state: State, side: Side) -> list[Event]:
    """End the game: `side` gives it up. Raises IllegalOrder if it is already over."""
    if state.outcome is not None:
        raise IllegalOrder("The game is over.")
    state.events.clear()
    finish(state, outcome_of_resigning(side))
    return state.events.copy()

"""The game: the orders that are legal in a state, and the effect of an input on it.

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
    IllegalOrderError,
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
    # Imported for types only, so that the command starts faster.
    from random import Random

_BEFORE_ACTIONS = (Decision.SIEGE_SPOILS, Decision.EXCHANGE)
"""The decisions that the active side may have to make before its actions."""


def legal_orders(state: State, ignoring: Collection[type[Order]] = ()) -> list[Order]:
    """Return all legal orders of the awaited player, as far as the hand is known.

    The list is complete: `check` accepts an order if and only if it is in the list. The list is
    empty if chance is awaited or the game is over. It omits the kinds of order in `ignoring`.

    >>> from engine.state import new_game
    >>> from engine.turn import begin_turn
    >>> begin_turn(state := new_game())
    >>> state.players[Side.BRITISH].hand = ["norfolk"]
    >>> [order.notation() for order in legal_orders(state, ignoring=[orders.Draft])]
    ['take norfolk', 'discard norfolk', 'pass']
    """
    return [order for order, _ in priced_orders(state, ignoring)]


def priced_orders(state: State, ignoring: Collection[type[Order]] = ()) -> list[tuple[Order, int]]:
    """Return each of the `legal_orders` with its cost in money.

    >>> from engine.state import new_game
    >>> from engine.turn import begin_turn
    >>> begin_turn(state := new_game())
    >>> max(price for order, price in priced_orders(state))
    8
    """
    return _list_orders(Hand(state, state.awaiting.side), _kinds_to_list(state, ignoring))


def random_order(state: State, random: Random) -> Order:
    """Return a random legal order, without listing all the others.

    This serves programs that play many random games. A kind of order is drawn first, then an order
    of it, so that every kind with a legal order is equally likely. Raises ValueError
    if no player decides, because chance is awaited or the game is over.

    >>> from random import Random
    >>> from engine.state import new_game
    >>> from engine.turn import begin_turn
    >>> begin_turn(state := new_game())
    >>> random_order(state, Random(1759)) in legal_orders(state)
    True
    """
    kinds, hand = list(_kinds_to_list(state)), Hand(state, state.awaiting.side)
    while kinds:
        kind = kinds.pop(int(random.random() * len(kinds)))
        if priced := _list_orders(hand, (kind,)):
            return priced[int(random.random() * len(priced))][0]
    raise ValueError(f"no player decides now: {state.awaiting.decision}")


def _list_orders(hand: Hand, kinds: Iterable[tuple[type[Order], bool]]) -> list[tuple[Order, int]]:
    """Return the legal orders of some kinds, as listed by `_kinds_to_list`, each with its cost."""
    state, side, money = hand.state, hand.side, hand.player.money
    pairs = []
    for kind, must_be_free in kinds:
        action = ACTIONS[kind]
        for order in action.candidates(hand):
            price = action.cost(state, side, order)
            if price <= money and (not must_be_free or action.is_free(state, side, order)):
                pairs.append((order, price))
    return pairs


def check(state: State, order: Order) -> None:
    """Raise IllegalOrderError, with the rule in words for players, unless the order is legal now.

    >>> from engine.state import new_game
    >>> from engine.turn import begin_turn
    >>> begin_turn(state := new_game())
    >>> check(state, orders.Draft(cards=("militia",)))
    >>> check(state, orders.Take(cards=("boston",)))
    Traceback (most recent call last):
    engine.actions.action.IllegalOrderError: Boston is not in your hand.
    """
    for objection in _objections(state, order):
        raise IllegalOrderError(objection.reason)


def is_legal(state: State, order: Order) -> bool:
    """Return True if an order is legal now.

    >>> from engine.state import new_game
    >>> is_legal(new_game(), orders.Pass())
    False
    """
    return next(_objections(state, order), None) is None


def objections(state: State, order: Order) -> list[Objection]:
    """Return all reasons why an order is not legal now; the first is the reason of `check`.

    The list is empty if the order is legal. It has a single reason if nothing else can be checked,
    for example because a card is not in the game.

    >>> from engine.state import new_game
    >>> from engine.turn import begin_turn
    >>> begin_turn(state := new_game())
    >>> for objection in objections(state, orders.Fortify("deerfield", ("fortification",))):
    ...     print(objection.reason)
    Deerfield is not in your hand.
    Fortification is not in your hand.
    You do not control Deerfield.
    """
    return list(dict.fromkeys(_objections(state, order)))


def _objections(state: State, order: Order) -> Iterator[Objection]:
    decision, side = state.awaiting.decision, state.awaiting.side
    kind, answers = type(order), _answers(state)
    action, player = ACTIONS[kind], state.players[side]
    if kind not in answers:
        yield _decision_objection(decision, order)
        return
    unknown = list(_name_objections(state, side, order))
    if unknown:
        yield from unknown
        return
    try:
        played = action.cards_played(state, side, order)
    except IllegalOrderError as error:
        # Without the card that carries out the order nothing else can be checked.
        yield Objection(message_of(error))
        return
    if answers[kind] and not action.is_free(state, side, order):
        if decision is Decision.TURN:
            yield Objection("You have no actions left this turn.", TURN)
        else:
            reason = Message("Only free actions can be taken while a siege is resolved.")
            yield Objection(reason, TURN)
    for card in missing_from_hand(player, played):
        yield _missing_card(state, player, card)
    yield from action.objections(state, side, order)
    price = action.cost(state, side, order)
    if price > player.money:
        yield Objection(
            "That costs {price} money, and you have {money}.",
            MONEY,
            price=price,
            money=player.money,
        )


def _missing_card(state: State, player: PlayerState, card: str) -> Objection:
    label = name(state, card)
    if card in player.hand:
        reason = Message("You have no other {card} in your hand.", card=label)
    else:
        reason = Message("{card} is not in your hand.", card=label)
    return Objection(reason, HAND, card)


def may_answer(state: State, kind: type[Order]) -> bool:
    """Return True if orders of a kind can answer the decision that is awaited.

    >>> from engine.state import new_game
    >>> from engine.turn import begin_turn
    >>> begin_turn(state := new_game())
    >>> may_answer(state, orders.Raid), may_answer(state, orders.Block)
    (True, False)
    """
    return kind in _answers(state)


def _answers(state: State) -> Mapping[type[Order], bool]:
    """Return the kinds of order that can be given now; the value is True for free actions only."""
    decision, any_time = state.awaiting.decision, state.ruleset.free_actions_any_time
    return _answers_to(decision, any_time, not state.actions_left)


def _kinds_to_list(
    state: State, ignoring: Collection[type[Order]] = ()
) -> Sequence[tuple[type[Order], bool]]:
    """Return the kinds, not ignored, that can have a legal order; True for free actions only."""
    decision, any_time = state.awaiting.decision, state.ruleset.free_actions_any_time
    return _kinds_to_list_at(decision, any_time, not state.actions_left, frozenset(ignoring))


@cache
def _answers_to(decision: Decision, any_time: bool, only_free: bool) -> Mapping[type[Order], bool]:
    answers = {}
    accepts_free = any_time and decision in _BEFORE_ACTIONS
    for kind, action in ACTIONS.items():
        if decision in action.decisions:
            answers[kind] = decision is Decision.TURN and only_free
        elif accepts_free and action.may_be_free and kind not in (orders.End, orders.Refill):
            answers[kind] = True
    return answers


@cache
def _kinds_to_list_at(
    decision: Decision, any_time: bool, only_free: bool, ignoring: frozenset[type[Order]]
) -> Sequence[tuple[type[Order], bool]]:
    answers = _answers_to(decision, any_time, only_free).items()
    kinds = [(kind, must_be_free) for kind, must_be_free in answers if kind not in ignoring]
    return [(kind, free) for kind, free in kinds if ACTIONS[kind].may_be_free or not free]


def _decision_objection(decision: Decision, order: Order) -> Objection:
    """Return the objection if an order's kind is not awaited."""
    if decision is Decision.OVER:
        return Objection("The game is over.")
    if decision.is_chance:
        return Objection("Cards are being drawn; no order can be given now.", TURN)
    reason = Message(
        "“{verb}” does not answer what is asked: {awaited}.",
        verb=order.verb_label(),
        awaited=decision.label,
    )
    return Objection(reason, TURN)


def _name_objections(state: State, side: Side, order: Order) -> Iterator[Objection]:
    """Yield an objection to each name in an order of `side` that does not exist in the game."""
    catalogue = state.ruleset.catalogue
    if order.location is not None and order.location not in catalogue.locations:
        yield Objection("There is no location “{name}”.", name=order.location)
    for card in order.cards:
        if card not in catalogue.cards[side]:
            yield Objection("The {side} have no card called “{name}”.", side=side.label, name=card)


def check_names(state: State, side: Side, order: Order) -> None:
    """Raise IllegalOrderError if an order of `side` contains a name that is not in the game.

    >>> from engine.state import new_game
    >>> check_names(new_game(), Side.FRENCH, orders.Take(cards=("rangers",)))
    Traceback (most recent call last):
    engine.actions.action.IllegalOrderError: The French have no card called “rangers”.
    """
    for objection in _name_objections(state, side, order):
        raise IllegalOrderError(objection.reason)


def cards_played(state: State, order: Order, side: Side | None = None) -> tuple[str, ...]:
    """Return the cards that an order takes from the hand of `side`, by default the awaited side.

    An order that shows the hand takes no cards.

    >>> from engine.state import new_game
    >>> cards_played(new_game(), orders.Develop("albany", ("boston",)))
    ('albany', 'boston')
    """
    return ACTIONS[type(order)].cards_played(state, side or state.awaiting.side, order)


def cost(state: State, order: Order) -> int:
    """Return the money that an order costs.

    >>> from engine.state import new_game
    >>> cost(new_game(), orders.Draft(cards=("militia",)))
    2
    """
    return ACTIONS[type(order)].cost(state, state.awaiting.side, order)


def is_free(state: State, order: Order) -> bool:
    """Return True if an order costs none of the actions of the turn.

    >>> from engine.state import new_game
    >>> is_free(new_game(), orders.Retrieve()), is_free(new_game(), orders.Pass())
    (True, False)
    """
    return ACTIONS[type(order)].is_free(state, state.awaiting.side, order)


def apply(state: State, move: Order | Chance, *, known_legal: bool = False) -> list[Event]:
    """Advance the state by one input, in place, and return the events that it caused.

    Raises IllegalOrderError or ImpossibleChanceError if the input is not possible, with the state
    unchanged. An order is not checked if it is `known_legal`, because a program chose it in this
    very state.

    >>> from engine.state import new_game
    >>> from engine.turn import begin_turn
    >>> begin_turn(state := new_game())
    >>> apply(state, orders.Draft(cards=("militia",)))
    [Paid(side=british, money=2), Drafted(side=british, card=militia)]
    >>> state.actions_left
    0
    """
    state.events.clear()
    if isinstance(move, Order):
        if not known_legal:
            check(state, move)
        action, previous = ACTIONS[type(move)], state.awaiting
        if previous.decision is Decision.TURN and not action.is_free(state, previous.side, move):
            state.actions_left -= 1
        state.pay(previous.side, action.cost(state, previous.side, move))
        action.perform(state, previous.side, move)
        continue_after_order(state, previous, is_end=isinstance(move, orders.End))
    else:
        apply_chance(state, move)
    return state.events.copy()


def resign(state: State, side: Side) -> list[Event]:
    """End the game by resignation of `side`. Raises IllegalOrderError if it is already over.

    >>> from engine.state import new_game
    >>> state = new_game()
    >>> resign(state, Side.FRENCH)
    [GameOver(side=british)]
    >>> state.outcome.winner
    <Side.BRITISH: 'british'>
    """
    if state.outcome is not None:
        raise IllegalOrderError("The game is over.")
    state.events.clear()
    finish(state, outcome_of_resigning(side))
    return state.events.copy()

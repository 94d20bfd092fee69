"""Orders that cannot be given, and why not, in a player's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import game
from engine.actions.action import IllegalOrder
from engine.message import Message, message_of
from engine.orders import Lose, UnreadableOrder
from engine.ways import Ways
from pbem.cli import console
from pbem.cli.choices import awaited
from pbem.cli.words import names
from pbem.errors import WrongUse
from pbem.words.reading import read

if TYPE_CHECKING:
    from engine.orders import Order
    from pbem.play.answer import Answer


class OutOfPlace(WrongUse):
    """An order that is for another moment: what can be done instead is said by `to_decide`."""


def give_order(answer: Answer, text: str) -> None:
    """Give the order that a text means now; raises WrongUse, with nothing changed, if none is."""
    if answer.is_complete and not answer.may_follow_up:
        raise WrongUse(nothing_more(answer))
    try:
        meant = read(console.language(), text, *answer.worlds)
    except UnreadableOrder as error:
        raise WrongUse(message_of(error)) from None
    try:
        answer.order(meant)
    except IllegalOrder as error:
        if _is_out_of_place(answer, meant):
            raise OutOfPlace(Message("“{verb}” is not possible now.", verb=meant.words())) from None
        raise WrongUse(message_of(error)) from None


def to_decide(answer: Answer) -> Message:
    """What has to be decided next, as a sentence."""
    return awaited(answer.view(), answer.seat.side, after_answer=answer.may_follow_up)


def nothing_more(answer: Answer) -> Message:
    """Why no order can follow those that were given, as a sentence."""
    match = answer.match
    if answer.game.match.is_over:
        return Message("The game is over: the next file closes it, and takes no orders.")
    if not answer.orders:
        return Message("There is nothing for you to decide: this file takes no orders.")
    last = answer.orders[-1].text(names(match.state))
    if match.is_over:
        return Message("With “{order}” the game is over: nothing more can be ordered.", order=last)
    if answer.course is None:
        # All that was ordered answers the other player, whose turn it still is.
        return Message(
            "After “{order}” the turn goes back to {player}: "
            "nothing more can be ordered in this file.",
            order=last,
            player=console.named(match.entrants[answer.seat.side.opponent].name),
        )
    return Message(
        "After “{order}” your turn is over: nothing more can be ordered in this file.", order=last
    )


def _is_out_of_place(answer: Answer, order: Order) -> bool:
    """Whether no order of that kind can be given now, because something else is to be decided."""
    decision = answer.view().awaiting.decision
    loses = isinstance(order, Lose) and answer.is_turn_used_up
    if decision in game.ACTIONS[type(order)].decisions or loses:
        return False
    return type(order) not in Ways(answer.worlds).kinds()

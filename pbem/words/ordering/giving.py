"""What is typed to decide something: the order that is meant, given to an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.actions import ACTIONS
from engine.actions.action import IllegalOrder
from engine.message import Message, Said, commas, message_of, sentences
from engine.order import Order, UnreadableOrder
from engine.orders import Lose
from engine.ways import Ways
from pbem.errors import WrongUse
from pbem.play.answer import Answer
from pbem.words.language import Language
from pbem.words.ordering.decision import nothing_more, to_decide
from pbem.words.ordering.led_turn import meant
from pbem.words.ordering.reading import read


class OutOfPlace(WrongUse):
    """An order that is for another moment: what can be done instead is said by `to_decide`."""


def give_order(language: Language, answer: Answer, text: str) -> None:
    """Give the order that a text means now; raises WrongUse, with nothing changed, if none is."""
    if answer.takes_no_order:
        raise WrongUse(nothing_more(answer))
    try:
        order = read(language, text, *answer.worlds)
    except UnreadableOrder as error:
        raise WrongUse(message_of(error)) from None
    try:
        answer.order(order)
    except IllegalOrder as error:
        if _is_out_of_place(answer, order):
            raise OutOfPlace("“{verb}” is not possible now.", verb=order.words()) from None
        raise WrongUse(message_of(error)) from None


def give_orders(
    language: Language, answer: Answer, texts: Iterable[str], waiting: str = ""
) -> None:
    """Give these orders, all of them; raises WrongUse at the first that cannot be given.

    `waiting` is what the front end calls it to leave the rest of the turn for after an answer, if
    that can be said to it.
    """
    for number, text in enumerate(texts, start=1):
        try:
            give_order(language, answer, text)
        except WrongUse as error:
            more: Said = to_decide(answer) if isinstance(error, OutOfPlace) else ""
            if waiting and "wait" in meant(language, text):
                more = Message(
                    "To leave the rest of the turn for after the answer, say {option}.",
                    option=waiting,
                )
            told = Message(
                "Order {number}, “{order}”: {sentence}",
                number=number,
                order=text,
                sentence=error.said,
            )
            raise WrongUse(sentences(told, more)) from None


def give_all(
    language: Language,
    answer: Answer,
    texts: Sequence[str],
    *,
    waits: bool,
    waiting: str,
    listing: str,
) -> None:
    """Give the orders of a whole answer, and end its turn if they used it up.

    With `waits` the turn is not ended, but goes on after the other player's answer; `waiting` is as
    for `give_orders`. Raises WrongUse where the orders are not enough; `listing` is the command
    that lists what can be ordered.
    """
    give_orders(language, answer, texts, waiting)
    if not waits:
        answer.end_turn()
    if answer.is_complete:
        return
    told = Message("An order is needed, so nothing was written.")
    if texts:
        told = Message("More orders are needed, so nothing was written.")
    verbs = commas(kind.words() for kind in Ways(answer.worlds).kinds())
    raise WrongUse(
        sentences(
            told,
            Message("There is no answer for {option} to wait for.", option=waiting)
            if waits
            else "",
            to_decide(answer),
            Message("You can: {verbs}.", verbs=verbs),
            Message("Without any order, at a terminal, you are asked for them."),
            Message("To see all that is possible: {command}", command=listing),
        )
    )


def _is_out_of_place(answer: Answer, order: Order) -> bool:
    """Whether no order of that kind can be given now, because something else is to be decided."""
    decision = answer.view().awaiting.decision
    loses = isinstance(order, Lose) and answer.is_turn_used_up
    if decision in ACTIONS[type(order)].decisions or loses:
        return False
    return type(order) not in Ways(answer.worlds).kinds()

"""Deciding by typing: the order that is meant, given to an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.actions import ACTIONS
from engine.actions.action import IllegalOrder
from engine.choices import Choices, Parts, Prefix
from engine.message import Message, Phrase, comma_list, message_of, sentences
from engine.order import Order, UnreadableOrder
from engine.orders import Lose, WrongNumber
from pbem.errors import WrongUse
from pbem.play.turn import Turn
from pbem.text.language import Language, Line
from pbem.text.naming import did_you_mean
from pbem.text.ordering.guided_turn import nothing_more, to_decide, typed_words
from pbem.text.ordering.reading import other_readings, read
from pbem.text.phrases import card_list, names


class OutOfPlace(WrongUse):
    """An order for another moment: `to_decide` says what can be done instead."""


def give_order(language: Language, answer: Turn, text: str) -> None:
    """Give the order that a text means now; raises WrongUse, with nothing changed, if none is."""
    if answer.takes_no_order:
        raise WrongUse(nothing_more(answer))
    try:
        order = read(language, text, *answer.worlds)
    except WrongNumber as error:
        # `give` alone: first it is said whether it is for now, then what it takes.
        if _is_out_of_place(answer, error.kind):
            raise _out_of_place(error.kind) from None
        raise WrongUse(_incomplete(language, answer, error)) from None
    except UnreadableOrder as error:
        raise WrongUse(message_of(error)) from None
    try:
        answer.order(order)
    except IllegalOrder as error:
        if _is_out_of_place(answer, type(order)):
            raise _out_of_place(type(order)) from None
        others = other_readings(language, text, order, *answer.worlds)
        told = [Prefix.of(other).text(names(answer.match.state)) for other in others]
        raise WrongUse(message_of(error) + did_you_mean(told)) from None


def give_orders(language: Language, answer: Turn, texts: Sequence[str], waiting: str = "") -> None:
    """Give these orders, all of them; raises WrongUse at the first that cannot be given.

    `waiting` is what the front end calls it to leave the rest of the turn for after an answer, if
    that can be said to it.
    """
    for number, text in enumerate(texts, start=1):
        try:
            give_order(language, answer, text)
        except WrongUse as error:
            more: Phrase = to_decide(answer) if isinstance(error, OutOfPlace) else ""
            if waiting and "wait" in typed_words(language, text):
                more = Message(
                    "To leave the rest of the turn for after the answer, add {option}.",
                    option=waiting,
                )
            elif broken := _broken(language, answer, texts, number - 1):
                more = broken
            told = Message(
                "Order {number}, “{order}”, cannot be given. {sentence}",
                number=number,
                order=text,
                sentence=error.message,
            )
            raise WrongUse(sentences(told, more)) from None


def _broken(language: Language, answer: Turn, texts: Sequence[str], at: int) -> Phrase:
    """Return that an order and the one before or behind it are one, where they are; else empty.

    A mail program breaks long lines, and a shell divides words that are in no quotes.
    """
    choices = answer.choices
    for first, second in pairwise(texts[max(0, at - 1) : at + 2]):
        whole = f"{first} {second}"
        if _may_be(language, choices, whole) and not _may_be(
            language, choices, second, is_legal=True
        ):
            return Message(
                "It may be part of one order, “{order}”: write that on one line, or in quotes.",
                order=whole,
            )
    return ""


def check_enough(
    answer: Turn, *, has_orders: bool, waits: bool, waiting: str, listing: str
) -> None:
    """Raise WrongUse if a turn needs orders that were not given.

    `waits` says that its author wants to leave the rest for after the other player's answer, with
    the option `waiting`; `listing` is the command that lists what can be ordered.
    """
    if answer.is_complete:
        return
    told = Message("An order is needed, so nothing was written.")
    if has_orders:
        told = Message("More orders are needed, so nothing was written.")
    no_answer = Message("There is no answer for {option} to wait for.", option=waiting)
    verbs = comma_list(kind.words() for kind in answer.choices.kinds())
    raise WrongUse(
        sentences(
            told,
            no_answer if waits else "",
            to_decide(answer),
            Message("Orders you can give: {verbs}.", verbs=verbs),
            Message("At a terminal, give no order and you will be asked for them."),
            Message("To see all that is possible: {command}", command=listing),
        )
    )


def _may_be(language: Language, choices: Choices, text: str, *, is_legal: bool = False) -> bool:
    """Return True if a text can be read as an order, which `is_legal` now where that is asked."""
    try:
        order = read(language, text, *choices.worlds)
    except UnreadableOrder:
        return False
    return not is_legal or choices.is_legal(order)


def _is_out_of_place(answer: Turn, kind: type[Order]) -> bool:
    """Return True if no order of a kind can be given now: something else is to be decided."""
    decision = answer.view().awaiting.decision
    ends_turn = kind is Lose and answer.is_turn_used_up
    may_be_now = decision in ACTIONS[kind].decisions or ends_turn
    return not may_be_now and kind not in answer.choices.kinds()


def _out_of_place(kind: type[Order]) -> OutOfPlace:
    return OutOfPlace("“{verb}” is not possible now.", verb=kind.words())


def _incomplete(language: Language, answer: Turn, error: WrongNumber) -> Phrase:
    """Return what an order with a wrong number of cards takes, or why it cannot be made whole."""
    begun = Prefix(error.kind, error.location, error.cards)
    if len(begun.cards) >= begun.kind.fewest:
        return message_of(error)
    choices = answer.choices
    if parts := choices.parts(begun):
        cards = card_list(parts, names(answer.match.state))
        return sentences(message_of(error), Message("You can choose from {names}.", names=cards))
    reasons = [line.text for line in why_none_begins(language, answer, begun)]
    return sentences(*reasons) if reasons else message_of(error)


def why_none_begins(language: Language, answer: Turn, begun: Prefix) -> Iterator[Line]:
    """Yield why no order that begins so can be given, as sentences."""
    # Imported here because few orders fail this way, and finding out why takes most of these
    # modules.
    from pbem.text.ordering.explanation import why_not_text

    *others, last = Parts(begun.kind, begun.location, tuple(sorted(begun.cards))).keys
    choices, asked = answer.choices, Parts.of([last])
    return why_not_text(language, choices, answer.side, Parts.of(others), asked)

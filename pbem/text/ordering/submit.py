"""Typed orders, given to a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.actions import ACTIONS
from engine.actions.action import IllegalOrderError
from engine.choices import Choices, Parts, Prefix
from engine.message import Message, Phrase, comma_list, message_of, sentences
from engine.order import Order, UnreadableOrderError
from engine.orders import CardCountError, Lose
from pbem.errors import UsageError
from pbem.play.turn import Turn
from pbem.text.language import Language, Line
from pbem.text.naming import suggestions
from pbem.text.ordering.guided_turn import next_decision_text, no_orders_notice, parse_words
from pbem.text.ordering.reading import other_readings, read
from pbem.text.phrases import card_list, names


class OutOfPlaceError(UsageError):
    """The error for an order of another moment; `next_decision_text` describes the present one."""


def give_order(language: Language, answer: Turn, text: str) -> None:
    """Give the order that a text means; raises UsageError, with no change, for an illegal one."""
    if answer.takes_no_order:
        raise UsageError(no_orders_notice(answer))
    try:
        order = read(language, text, *answer.worlds)
    except CardCountError as error:
        # `give` alone: first it is said whether it is for now, then what it takes.
        if _is_out_of_place(answer, error.kind):
            raise _out_of_place_error(error.kind) from None
        raise UsageError(_incomplete_order_text(language, answer, error)) from None
    except UnreadableOrderError as error:
        raise UsageError(message_of(error)) from None
    try:
        answer.order(order)
    except IllegalOrderError as error:
        if _is_out_of_place(answer, type(order)):
            raise _out_of_place_error(type(order)) from None
        others = other_readings(language, text, order, *answer.worlds)
        names_of_others = [Prefix.of(other).text(names(answer.match.state)) for other in others]
        raise UsageError(message_of(error) + suggestions(names_of_others)) from None


def give_orders(language: Language, answer: Turn, texts: Sequence[str], waiting: str = "") -> None:
    """Give these orders; raises UsageError at the first that cannot be given.

    `waiting` is the front end's option to leave the rest of the turn for after an answer, if any.
    """
    for number, text in enumerate(texts, start=1):
        try:
            give_order(language, answer, text)
        except UsageError as error:
            more: Phrase = next_decision_text(answer) if isinstance(error, OutOfPlaceError) else ""
            if waiting and "wait" in parse_words(language, text):
                more = Message(
                    "To leave the rest of the turn for after the answer, add {option}.",
                    option=waiting,
                )
            elif broken := _broken_order_hint(language, answer, texts, number - 1):
                more = broken
            refusal = Message(
                "Order {number}, “{order}”, cannot be given. {sentence}",
                number=number,
                order=text,
                sentence=error.message,
            )
            raise UsageError(sentences(refusal, more)) from None


def _broken_order_hint(language: Language, turn: Turn, texts: Sequence[str], index: int) -> Phrase:
    """Return the hint that an order and a neighbouring text may be one; empty if they are not.

    Mail programs break long lines, and shells divide unquoted words.
    """
    choices = turn.choices
    for first, second in pairwise(texts[max(0, index - 1) : index + 2]):
        whole = f"{first} {second}"
        if _may_be(language, choices, whole) and not _may_be(
            language, choices, second, is_legal=True
        ):
            return Message(
                "It may be part of one order, “{order}”: write that on one line, or in quotes.",
                order=whole,
            )
    return ""


def check_enough(turn: Turn, *, has_orders: bool, waits: bool, waiting: str, listing: str) -> None:
    """Raise UsageError if a turn needs more orders.

    `waits`: the player leaves the rest for after the other player's answer. `waiting`: the option
    for this. `listing`: the command that lists possible orders.
    """
    if turn.is_complete:
        return
    text = Message("An order is needed, so nothing was written.")
    if has_orders:
        text = Message("More orders are needed, so nothing was written.")
    no_answer = Message("There is no answer for {option} to wait for.", option=waiting)
    verbs = comma_list(kind.verb_label() for kind in turn.choices.kinds())
    raise UsageError(
        sentences(
            text,
            no_answer if waits else "",
            next_decision_text(turn),
            Message("Orders you can give: {verbs}.", verbs=verbs),
            Message("At a terminal, give no order and you will be asked for them."),
            Message("To see all that is possible: {command}", command=listing),
        )
    )


def _may_be(language: Language, choices: Choices, text: str, *, is_legal: bool = False) -> bool:
    """Return True if a text can be read as an order, and as a legal one if `is_legal`."""
    try:
        order = read(language, text, *choices.worlds)
    except UnreadableOrderError:
        return False
    return not is_legal or choices.is_legal(order)


def _is_out_of_place(answer: Turn, kind: type[Order]) -> bool:
    """Return True if no order of a kind can be given now: something else is to be decided."""
    decision = answer.view().awaiting.decision
    ends_turn = kind is Lose and answer.is_turn_used_up
    may_be_now = decision in ACTIONS[kind].decisions or ends_turn
    return not may_be_now and kind not in answer.choices.kinds()


def _out_of_place_error(kind: type[Order]) -> OutOfPlaceError:
    return OutOfPlaceError("“{verb}” is not possible now.", verb=kind.verb_label())


def _incomplete_order_text(language: Language, answer: Turn, error: CardCountError) -> Phrase:
    """Return the parts that an incomplete order needs, or why it cannot be completed."""
    begun = Prefix(error.kind, error.location, error.cards)
    if len(begun.cards) >= begun.kind.min_cards:
        return message_of(error)
    choices = answer.choices
    if parts := choices.parts(begun):
        cards = card_list(parts, names(answer.match.state))
        return sentences(message_of(error), Message("You can choose from {names}.", names=cards))
    reasons = [line.text for line in no_order_reasons(language, answer, begun)]
    return sentences(*reasons) if reasons else message_of(error)


def no_order_reasons(language: Language, answer: Turn, begun: Prefix) -> Iterator[Line]:
    """Yield the reasons why no order with a prefix can be given, as sentences."""
    # Imported here because few orders fail this way, and finding out why takes most of these
    # modules.
    from pbem.text.ordering.explanation import why_not_text

    *others, last = Parts(begun.kind, begun.location, tuple(sorted(begun.cards))).keys
    choices, part = answer.choices, Parts.of([last])
    return why_not_text(language, choices, answer.side, Parts.of(others), part)

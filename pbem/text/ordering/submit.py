"""Adding typed orders to a turn."""

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
    """Raised if an order does not answer the decision due: see `next_decision_text`."""


def give_order(language: Language, turn: Turn, text: str) -> None:
    """Give the order that a text means. Raises UsageError, with no change, for an illegal one."""
    if turn.takes_no_order:
        raise UsageError(no_orders_notice(turn))
    try:
        order = read(language, text, *turn.worlds)
    except CardCountError as error:
        # If an incomplete order such as `give` cannot be given now, that is reported first.
        if _is_out_of_place(turn, error.kind):
            raise _out_of_place_error(error.kind) from None
        raise UsageError(_incomplete_order_text(language, turn, error)) from None
    except UnreadableOrderError as error:
        raise UsageError(message_of(error)) from None
    try:
        turn.order(order)
    except IllegalOrderError as error:
        if _is_out_of_place(turn, type(order)):
            raise _out_of_place_error(type(order)) from None
        others = other_readings(language, text, order, *turn.worlds)
        names_of_others = [Prefix.of(other).text(names(turn.match.state)) for other in others]
        raise UsageError(message_of(error) + suggestions(names_of_others)) from None


def give_orders(language: Language, turn: Turn, texts: Sequence[str], wait_flag: str = "") -> None:
    """Give the orders in `texts`, one per line. Raises UsageError at the first that is impossible.

    `wait_flag` is the front end's option that leaves the rest of the turn until the answer has
    come, if there is one.
    """
    texts = [*filter(None, map(str.strip, "\n".join(texts).splitlines()))]
    for number, text in enumerate(texts, start=1):
        try:
            give_order(language, turn, text)
        except UsageError as error:
            hint: Phrase = next_decision_text(turn) if isinstance(error, OutOfPlaceError) else ""
            if wait_flag and "wait" in parse_words(language, text):
                hint = Message(
                    "To leave the rest of the turn for after the answer, add {option}.",
                    option=wait_flag,
                )
            elif merge_hint := _broken_order_hint(language, turn, texts, number - 1):
                hint = merge_hint
            refusal = Message(
                "Order {number}, “{order}”, cannot be given. {sentence}",
                number=number,
                order=text,
                sentence=error.message,
            )
            raise UsageError(sentences(refusal, hint)) from None


def _broken_order_hint(language: Language, turn: Turn, texts: Sequence[str], index: int) -> Phrase:
    """Return a hint that an order and a neighbouring text may be one order, if they may.

    Mail programs break long lines, and shells split unquoted words.
    """
    choices = turn.choices
    for first, second in pairwise(texts[max(0, index - 1) : index + 2]):
        whole = f"{first} {second}"
        if _can_read(language, choices, whole) and not _can_read(
            language, choices, second, is_legal=True
        ):
            return Message(
                "It may be part of one order, “{order}”: write that on one line, or in quotes.",
                order=whole,
            )
    return ""


def check_enough(
    turn: Turn, *, has_orders: bool, is_waiting: bool, wait_flag: str, list_command: str
) -> None:
    """Raise UsageError if a turn needs more orders.

    `is_waiting`: the player leaves the rest until the other player has answered. `wait_flag`: the
    option for this. `list_command`: the command that lists possible orders.
    """
    if turn.is_complete:
        return
    text = Message("An order is needed, so nothing was written.")
    if has_orders:
        text = Message("More orders are needed, so nothing was written.")
    no_answer = Message("There is no answer for {option} to wait for.", option=wait_flag)
    verbs = comma_list(kind.verb_label() for kind in turn.choices.kinds())
    raise UsageError(
        sentences(
            text,
            no_answer if is_waiting else "",
            next_decision_text(turn),
            Message("Orders you can give: {verbs}.", verbs=verbs),
            Message("At a terminal, give no order and you will be asked for them."),
            Message("To see all that is possible: {command}", command=list_command),
        )
    )


def _can_read(language: Language, choices: Choices, text: str, *, is_legal: bool = False) -> bool:
    """Return True if a text can be read as an order, and as a legal one if `is_legal`."""
    try:
        order = read(language, text, *choices.worlds)
    except UnreadableOrderError:
        return False
    return not is_legal or choices.is_legal(order)


def _is_out_of_place(turn: Turn, kind: type[Order]) -> bool:
    """Return True if no order of a kind can be given now, because another decision is due."""
    decision = turn.view().awaiting.decision
    ends_turn = kind is Lose and turn.is_turn_used_up
    may_be_now = decision in ACTIONS[kind].decisions or ends_turn
    return not may_be_now and kind not in turn.choices.kinds()


def _out_of_place_error(kind: type[Order]) -> OutOfPlaceError:
    return OutOfPlaceError("“{verb}” is not possible now.", verb=kind.verb_label())


def _incomplete_order_text(language: Language, turn: Turn, error: CardCountError) -> Phrase:
    """Return the parts that an incomplete order needs, or the reasons why none can be added."""
    prefix = Prefix(error.kind, error.location, error.cards)
    if len(prefix.cards) >= prefix.kind.min_cards:
        return message_of(error)
    choices = turn.choices
    if parts := choices.parts(prefix):
        cards = card_list(parts, names(turn.match.state))
        return sentences(message_of(error), Message("You can choose from {names}.", names=cards))
    reasons = [line.text for line in no_order_reasons(language, turn, prefix)]
    return sentences(*reasons) if reasons else message_of(error)


def no_order_reasons(language: Language, turn: Turn, prefix: Prefix) -> Iterator[Line]:
    """Yield the reasons why no order with a prefix can be given, as sentences."""
    # Imported lazily: few orders fail this way, and the reasons need many modules.
    from pbem.text.ordering.explanation import missing_order_text

    *others, last = Parts(prefix.kind, prefix.location, tuple(sorted(prefix.cards))).keys
    choices, part = turn.choices, Parts.of([last])
    return missing_order_text(language, choices, turn.side, Parts.of(others), part)

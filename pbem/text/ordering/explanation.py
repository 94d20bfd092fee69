"""The rules that forbid a typed order, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import game
from engine.actions.action import Objection
from engine.choices import Choices, Parts, Prefix
from engine.message import Concat, Message, Phrase, message_of, sentences
from engine.order import Order, UnreadableOrderError
from engine.orders import CardCountError
from engine.sides import Side
from engine.state import State
from pbem.errors import UsageError
from pbem.play.turn import Turn
from pbem.protocol.match import Match
from pbem.text.facts.game_facts import rules_facts
from pbem.text.facts.why_not import (
    MAX_NEAREST,
    Explanation,
    explain_order,
    explain_part,
    in_own_turn,
)
from pbem.text.language import Language, Line, item
from pbem.text.narration import detailed_order_text
from pbem.text.ordering.preview import preview, preview_text
from pbem.text.ordering.reading import other_readings, read
from pbem.text.phrases import names
from pbem.text.rules.in_position import lacks_text
from pbem.text.rules.topic import topics

MAX_WAYS, MAX_PLACES = 3, 3
"""The maximum numbers of alternatives for missing cards, and of different reasons, in a list."""


# --- a typed order


def explain_typed_order(
    language: Language, worlds: Sequence[State], side: Side, text: str
) -> Explanation:
    """Return the explanation of a typed order. Raises UsageError if the text is not an order.

    The order may have a wrong number of cards.
    """
    own_worlds = [world if world.can_decide(side) else in_own_turn(world, side) for world in worlds]
    others: list[Order] = []
    try:
        order = read(language, text, *own_worlds)
        prefix, others = Prefix.of(order), other_readings(language, text, order, *own_worlds)
    except CardCountError as error:
        prefix = Prefix(error.kind, error.location, error.cards)
    except UnreadableOrderError as error:
        raise UsageError(message_of(error)) from None
    result = explain_order(worlds, side, prefix)
    return result._replace(nearest=(*others, *result.nearest)[:MAX_NEAREST]) if others else result


def verdict(result: Explanation) -> Message:
    """Return a sentence that says whether the order is possible."""
    order, verb = (result.prefix.text(names(result.state)), result.prefix.kind.verb_label())
    if result.is_premature and not result.belongs_to_a_turn:
        return Message("“{verb}” is an answer, and no such answer is asked for now.", verb=verb)
    if result.objections and result.is_premature:
        return Message("“{order}” would not be possible in a turn of yours either:", order=order)
    if result.objections:
        return Message("“{order}” is not possible:", order=order)
    if result.is_premature:
        return Message(
            "“{order}” would be possible in a turn of yours, with these cards.", order=order
        )
    return Message("“{order}” is possible.", order=order)


def objections_text(result: Explanation) -> Iterator[tuple[Objection, Phrase]]:
    """Yield each objection with its reason, and the place of a missing card if it has only one."""
    where = result.copies_elsewhere()
    for objection in result.objections:
        places = where.get(objection.missing, {})
        # Translators: {place} is, for example, “in the reserve” or “in the discard pile”.
        notes = [Message("It is {place}.", place=place) for place in places if len(places) == 1]
        yield objection, sentences(objection.reason, *notes)


def explanation_text(result: Explanation, turn: Turn | None, command: str) -> Iterator[Line]:
    """Yield all reasons for or against an order; `command` calls the program.

    `turn` is the turn in which the order could be given, or None if it is not the player's move.
    """
    name, all_topics, verb = (names(result.state), topics(), result.prefix.kind.verb_label())
    is_late = result.is_premature and not result.belongs_to_a_turn
    yield Line(verdict(result))
    for objection, reason in () if is_late else objections_text(result):
        topic = all_topics.get(objection.topic)
        # The ids of house rules are not translated.
        topic_command = Concat((command, " rules ", topic.word if topic else objection.topic))
        text = Concat((reason, " (", topic_command, ")")) if objection.topic else reason
        yield Line(text, label="  - ")
    if result.nearest and not is_late:
        yield Line(Message("The closest possible orders:"))
        for order in result.nearest:
            yield item(detailed_order_text(Prefix.of(order), name))
    elif result.objections and not result.is_premature:
        yield Line(Message("No “{verb}” is possible now.", verb=verb))
    if result.is_legal and turn is not None and result.order is not None:
        effect = preview(turn, result.order)
        yield from map(item, preview_text(turn, effect, name))
        if not effect.is_certain:
            doubt = Message("Whether it can be carried out depends on the answer that comes first.")
            yield item(doubt)
    yield Line(Message("To read more: {command}", command=Concat((command, " rules ", verb))))


def explanation_facts(match: Match, side: Side, result: Explanation) -> dict[str, object]:
    """Return an explanation for `side` as facts; docs/json.md has the keys."""
    order, verb = result.order, result.prefix.kind.english_verb()
    return rules_facts(match) | {
        "turn": match.state.turn + 1,
        "side": side,
        "order": order,
        "text": result.prefix.text(names(result.state)),
        "legal": result.is_legal,
        "for_later": result.is_premature,
        "cost": game.cost(result.state, order) if order and not result.objections else None,
        "objections": [
            {"reason": objection.reason, "topic": objection.topic or verb}
            for objection in result.objections
        ],
        "nearest": result.nearest,
    }


# --- a part that cannot be chosen


def missing_order_text(
    language: Language, choices: Choices, side: Side, selection: Parts, part: Parts
) -> Iterator[Line]:
    """Yield the reasons why a part cannot be chosen; several are listed under their orders."""
    explanations = explain_part(choices, side, selection, part)
    for result in explanations:
        if result.is_premature:
            yield Line(verdict(result))
        if result.is_premature and not result.belongs_to_a_turn:
            continue
        if result.lacks:
            yield from _lacks_text(language, result)
            continue
        reasons = [reason for _, reason in objections_text(result)]
        is_alone = len(explanations) == 1 and not result.is_example
        if is_alone or result.is_premature or not reasons:
            yield from map(Line, reasons)
        else:
            yield Line(verdict(result))
            yield from map(item, reasons)


def _lacks_text(language: Language, result: Explanation) -> Iterator[Line]:
    name, verb = names(result.state), result.prefix.kind.verb_label()
    yield Line(Message("Missing in your hand for “{verb}”, at least:", verb=verb))
    texts = lacks_text(language, result.lacks, name, MAX_WAYS)
    for places, cards in texts[:MAX_PLACES]:
        # Translators: the locations for which cards are missing, and these cards.
        yield item(Message("for {places}: {cards}", places=places, cards=cards))
    if (omitted := len(texts) - MAX_PLACES) > 0:
        yield item(Message.counted("and {count} more", "and {count} more", omitted))

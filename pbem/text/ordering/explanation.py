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
from pbem.text.facts.why_not import MAX_NEAR, Explanation, explain_order, in_own_turn, why_not
from pbem.text.language import Language, Line, item
from pbem.text.narration import detailed_order_text
from pbem.text.ordering.preview import preview, preview_text
from pbem.text.ordering.reading import other_readings, read
from pbem.text.phrases import names
from pbem.text.rules.in_position import lack_text
from pbem.text.rules.topic import topics

MAX_WAYS, MAX_PLACES = 3, 3
"""The most ways to make up for missing cards at a location, and the most locations, in a list."""


# --- one order


def explain_text(language: Language, worlds: Sequence[State], side: Side, text: str) -> Explanation:
    """Return the explanation of the order that a text means; raises UsageError if it means none.

    The order may have a wrong number of cards.
    """
    own_worlds = [world if world.can_decide(side) else in_own_turn(world, side) for world in worlds]
    instead: list[Order] = []
    try:
        order = read(language, text, *own_worlds)
        prefix, instead = Prefix.of(order), other_readings(language, text, order, *own_worlds)
    except CardCountError as error:
        prefix = Prefix(error.kind, error.location, error.cards)
    except UnreadableOrderError as error:
        raise UsageError(message_of(error)) from None
    result = explain_order(worlds, side, prefix)
    return result._replace(nearest=(*instead, *result.nearest)[:MAX_NEAR]) if instead else result


def verdict(why: Explanation) -> Message:
    """Return a sentence that says if the order is possible."""
    order, verb = why.prefix.text(names(why.state)), why.prefix.kind.verb_label()
    if why.is_for_later and not why.belongs_to_a_turn:
        return Message("“{verb}” is an answer, and no such answer is asked for now.", verb=verb)
    if why.objections and why.is_for_later:
        return Message("“{order}” would not be possible in a turn of yours either:", order=order)
    if why.objections:
        return Message("“{order}” is not possible:", order=order)
    if why.is_for_later:
        return Message(
            "“{order}” would be possible in a turn of yours, with these cards.", order=order
        )
    return Message("“{order}” is possible.", order=order)


def objections_text(why: Explanation) -> Iterator[tuple[Objection, Phrase]]:
    """Yield each objection with its reason, and the only place of a missing card, if any."""
    where = why.copies_elsewhere()
    for objection in why.objections:
        places = where.get(objection.missing, {})
        # Translators: {place} is such as "in the reserve" or "in the discard pile".
        lies = [Message("It is {place}.", place=place) for place in places if len(places) == 1]
        yield objection, sentences(objection.reason, *lies)


def why_text(why: Explanation, answer: Turn | None, command: str) -> Iterator[Line]:
    """Yield all reasons for or against an order; `command` calls the program.

    `answer` is the turn in which it could be given; None if it is not the player's move.
    """
    name, all_topics, verb = names(why.state), topics(), why.prefix.kind.verb_label()
    awaited_later = why.is_for_later and not why.belongs_to_a_turn
    yield Line(verdict(why))
    for objection, reason in () if awaited_later else objections_text(why):
        topic = all_topics.get(objection.topic)
        # A house rule has its id in every language.
        about = Concat((command, " rules ", topic.word if topic else objection.topic))
        text = Concat((reason, " (", about, ")")) if objection.topic else reason
        yield Line(text, label="  - ")
    if why.nearest and not awaited_later:
        yield Line(Message("The closest possible orders:"))
        for order in why.nearest:
            yield item(detailed_order_text(Prefix.of(order), name))
    elif why.objections and not why.is_for_later:
        yield Line(Message("No “{verb}” is possible now.", verb=verb))
    if why.is_legal and answer is not None and why.order is not None:
        effect = preview(answer, why.order)
        yield from map(item, preview_text(answer, effect, name))
        if not effect.is_certain:
            yield item(
                Message("Whether it can be carried out depends on the answer that comes first.")
            )
    yield Line(Message("To read more: {command}", command=Concat((command, " rules ", verb))))


def why_facts(match: Match, side: Side, why: Explanation) -> dict[str, object]:
    """Return an explanation to `side` in a match as facts; docs/json.md has the keys."""
    order, verb = why.order, why.prefix.kind.english_verb()
    return rules_facts(match) | {
        "turn": match.state.turn + 1,
        "side": side,
        "order": order,
        "text": why.prefix.text(names(why.state)),
        "legal": why.is_legal,
        "for_later": why.is_for_later,
        "cost": game.cost(why.state, order) if order and not why.objections else None,
        "objections": [
            {"reason": one.reason, "topic": one.topic or verb} for one in why.objections
        ],
        "nearest": why.nearest,
    }


# --- a part that cannot be chosen


def why_not_text(
    language: Language, choices: Choices, side: Side, chosen: Parts, part: Parts
) -> Iterator[Line]:
    """Yield the reasons why a part cannot be chosen; several are listed under their orders."""
    explanations = why_not(choices, side, chosen, part)
    for why in explanations:
        if why.is_for_later:
            yield Line(verdict(why))
        if why.is_for_later and not why.belongs_to_a_turn:
            continue
        if why.lacks:
            yield from _lacks_text(language, why)
            continue
        reasons = [reason for _, reason in objections_text(why)]
        is_alone = len(explanations) == 1 and not why.is_for_some
        if is_alone or why.is_for_later or not reasons:
            yield from map(Line, reasons)
        else:
            yield Line(verdict(why))
            yield from map(item, reasons)


def _lacks_text(language: Language, why: Explanation) -> Iterator[Line]:
    name = names(why.state)
    yield Line(Message("For “{verb}” your hand lacks at least:", verb=why.prefix.kind.verb_label()))
    for lack in why.lacks[:MAX_PLACES]:
        yield item(lack_text(language, lack, name, MAX_WAYS))
    if (more := len(why.lacks) - MAX_PLACES) > 0:
        yield item(Message.counted("and {count} more", "and {count} more", more))

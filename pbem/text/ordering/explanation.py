"""Which rules forbid an order that was typed, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import game
from engine.actions.action import Objection
from engine.choices import Choices, Parts, Prefix
from engine.message import Concat, Message, Phrase, message_of, sentences
from engine.order import Order, UnreadableOrder
from engine.orders import WrongNumber
from engine.sides import Side
from engine.state import State
from pbem.errors import WrongUse
from pbem.play.turn import Turn
from pbem.protocol.match import Match
from pbem.text.facts.game_facts import rules_facts
from pbem.text.facts.why_not import MOST_NEAR, Explanation, explain_order, in_own_turn, why_not
from pbem.text.language import Language, Line, item
from pbem.text.narration import order_with_parts
from pbem.text.ordering.preview import preview, preview_text
from pbem.text.ordering.reading import other_readings, read
from pbem.text.phrases import names
from pbem.text.rules.in_position import lack_text
from pbem.text.rules.topic import topics

MOST_WAYS, MOST_PLACES = 3, 3
"""How many ways are shown to make up for what is missing at a location, and how many locations."""


# --- one order


def explain_text(language: Language, worlds: Sequence[State], side: Side, text: str) -> Explanation:
    """Return what stands in the way of the order that a text means; raises WrongUse if none.

    It may have a wrong number of cards.
    """
    own = [world if world.decides(side) else in_own_turn(world, side) for world in worlds]
    instead: list[Order] = []
    try:
        order = read(language, text, *own)
        said, instead = Prefix.of(order), other_readings(language, text, order, *own)
    except WrongNumber as error:
        said = Prefix(error.kind, error.location, error.cards)
    except UnreadableOrder as error:
        raise WrongUse(message_of(error)) from None
    found = explain_order(worlds, side, said)
    return found._replace(nearest=(*instead, *found.nearest)[:MOST_NEAR]) if instead else found


def verdict(found: Explanation) -> Message:
    """Return whether the order is possible, as a sentence."""
    order, verb = found.prefix.text(names(found.state)), found.prefix.kind.words()
    if found.is_for_later and not found.belongs_to_a_turn:
        return Message("“{verb}” is an answer, and no such answer is asked for now.", verb=verb)
    if found.objections and found.is_for_later:
        return Message("“{order}” would not be possible in a turn of yours either:", order=order)
    if found.objections:
        return Message("“{order}” is not possible:", order=order)
    if found.is_for_later:
        return Message(
            "“{order}” would be possible in a turn of yours, with these cards.", order=order
        )
    return Message("“{order}” is possible.", order=order)


def objections_text(found: Explanation) -> Iterator[tuple[Objection, Phrase]]:
    """Yield each objection with its reason, and where the only copies of a missing card are."""
    where = found.copies_elsewhere()
    for objection in found.objections:
        places = where.get(objection.missing, {})
        # Translators: {place} is such as "in the reserve" or "in the discard pile".
        lies = [Message("It is {place}.", place=place) for place in places if len(places) == 1]
        yield objection, sentences(objection.reason, *lies)


def why_text(found: Explanation, answer: Turn | None, command: str) -> Iterator[Line]:
    """Yield everything there is to say about an order; `command` is how the program is called.

    `answer` is the one in which it could be given, None if none is due.
    """
    name, known, verb = names(found.state), topics(), found.prefix.kind.words()
    awaited_later = found.is_for_later and not found.belongs_to_a_turn
    yield Line(verdict(found))
    for objection, reason in () if awaited_later else objections_text(found):
        topic = known.get(objection.about)
        # A house rule has its id in every language.
        about = Concat((command, " rules ", topic.word if topic else objection.about))
        text = Concat((reason, " (", about, ")")) if objection.about else reason
        yield Line(text, label="  - ")
    if found.nearest and not awaited_later:
        yield Line(Message("The closest possible orders:"))
        for order in found.nearest:
            yield item(order_with_parts(Prefix.of(order), name))
    elif found.objections and not found.is_for_later:
        yield Line(Message("No “{verb}” is possible now.", verb=verb))
    if found.is_legal and answer is not None and found.order is not None:
        seen = preview(answer, found.order)
        yield from map(item, preview_text(answer, seen, name))
        if not seen.is_certain:
            yield item(
                Message("Whether it can be carried out depends on the answer that comes first.")
            )
    yield Line(Message("To read more: {command}", command=Concat((command, " rules ", verb))))


def why_facts(match: Match, side: Side, found: Explanation) -> dict[str, object]:
    """Return the facts of an explanation to `side` in a match, as docs/json.md has them."""
    order, verb = found.order, found.prefix.kind.english()
    return rules_facts(match) | {
        "turn": match.state.turn + 1,
        "side": side,
        "order": order,
        "text": found.prefix.text(names(found.state)),
        "legal": found.is_legal,
        "for_later": found.is_for_later,
        "cost": game.cost(found.state, order) if order and not found.objections else None,
        "objections": [
            {"reason": each.reason, "topic": each.about or verb} for each in found.objections
        ],
        "nearest": found.nearest,
    }


# --- a part that cannot be chosen


def why_not_text(
    language: Language, choices: Choices, side: Side, chosen: Parts, asked: Parts
) -> Iterator[Line]:
    """Yield why a part cannot be chosen: sentences, several of them under what they are about."""
    explanations = why_not(choices, side, chosen, asked)
    for found in explanations:
        if found.is_for_later:
            yield Line(verdict(found))
        if found.is_for_later and not found.belongs_to_a_turn:
            continue
        if found.lacks:
            yield from _lacks_text(language, found)
            continue
        reasons = [reason for _, reason in objections_text(found)]
        is_alone = len(explanations) == 1 and not found.is_for_some
        if is_alone or found.is_for_later or not reasons:
            yield from map(Line, reasons)
        else:
            yield Line(verdict(found))
            yield from map(item, reasons)


def _lacks_text(language: Language, one: Explanation) -> Iterator[Line]:
    name = names(one.state)
    yield Line(Message("For “{verb}” your hand lacks at least:", verb=one.prefix.kind.words()))
    for lack in one.lacks[:MOST_PLACES]:
        yield item(lack_text(language, lack, name, MOST_WAYS))
    if (more := len(one.lacks) - MOST_PLACES) > 0:
        yield item(Message.counted("and {count} more", "and {count} more", more))

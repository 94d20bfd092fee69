"""`acres turn legal --why`: which rules forbid an order, and what is legal instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import game
from engine.actions.action import HAND, Objection, missing_from_hand
from engine.message import NOTHING, Message, Run, Said, mark, message_of, sentences
from engine.orders import (
    MANY,
    Besiege,
    Develop,
    End,
    Fortify,
    Lose,
    Merchant,
    Settle,
    UnreadableOrder,
    WrongNumber,
)
from engine.state import Decision, State
from engine.ways import Begun, Ways, all_of
from pbem.cli import console
from pbem.cli.home import program
from pbem.cli.words import names
from pbem.errors import WrongUse
from pbem.view.own_turn import in_own_turn
from pbem.words.reading import read

if TYPE_CHECKING:
    from engine.orders import Order
    from engine.sides import Side
    from pbem.cli.words import Name
    from pbem.play.answer import Answer

MOST_NEAR = 3


@dataclass(frozen=True)
class Explanation:
    """What stands in the way of an order in the position `state`, as its player sees it.

    `said` is the order, which may have too few cards, or too many.
    `is_for_later` says that something else is to be decided now, and that the position is supposed
    to be a turn of the player, if orders of that kind belong to one at all. `where` tells of each
    card that is missing in hand where its copies are.
    """

    said: Begun
    state: State
    side: Side
    objections: tuple[Objection, ...]
    is_for_later: bool
    nearest: tuple[Order, ...]

    @property
    def verb(self) -> Message:
        """What the order begins with."""
        return self.said.kind.words()

    @property
    def topic(self) -> str:
        """The topic of the rules about orders of that kind."""
        return self.said.kind.english()

    @property
    def order(self) -> Order | None:
        """The order; None with a wrong number of cards."""
        return self.said.whole()

    @property
    def is_legal(self) -> bool:
        """Whether the order can be given now."""
        return not self.objections and not self.is_for_later

    @property
    def belongs_to_a_turn(self) -> bool:
        """Whether orders of that kind are given in a turn, and not in answer to something."""
        return Decision.TURN in game.ACTIONS[self.said.kind].decisions

    def where(self) -> dict[str, dict[Message, int]]:
        """Where else the copies are of each card that is missing in hand, by its id."""
        if all(objection.about != HAND for objection in self.objections):
            return {}
        order, cards = self.order, self.said.cards
        plays = game.plays(self.state, order, self.side) if order else cards
        missing = missing_from_hand(self.state.players[self.side], plays)
        return {card: self._elsewhere(card) for card in missing}

    def _elsewhere(self, card: str) -> dict[Message, int]:
        """Where the copies of a card are that are not in hand, each place with their number."""
        from pbem.view.whereabouts import elsewhere

        return elsewhere(self.state, self.side, card)


def explained(worlds: Sequence[State], side: Side, text: str) -> Explanation:
    """What stands in the way of the order that a text means, in the likeliest of the worlds.

    Raises WrongUse where it means none.
    """
    own = [world if world.decides(side) else in_own_turn(world, side) for world in worlds]
    try:
        said = all_of(read(console.language(), text, *own))
    except WrongNumber as error:
        said = Begun(error.kind, error.location, error.cards)
    except UnreadableOrder as error:
        raise WrongUse(message_of(error)) from None
    due = [world for world in worlds if world.decides(side)]
    answered = [world for world in due if game.may_answer(world, said.kind)]
    supposed = [_supposed(world, side, said.kind) for world in worlds]
    found = [(_objections(world, side, said), world) for world in answered or supposed]
    objections, state = min(found, key=lambda pair: len(pair[0]))
    near = () if not objections else _nearest(state, said)
    return Explanation(said, state, side, tuple(objections), not answered, near)


def _objections(state: State, side: Side, said: Begun) -> list[Objection]:
    """What stands in the way of an order; of one that is not whole, what no more cards can mend."""
    order = said.whole()
    if order is not None:
        return game.objections(state, order)
    first = Objection(_takes(said.kind))
    missing = said.kind.fewest - len(said.cards)
    filled = (said.whole(*[card] * missing) for card in state.ruleset.catalogue.cards[side])
    told = [game.objections(state, order) for order in filled if order is not None]
    return (
        [first, *(o for o in told[0] if all(o in others for others in told))] if told else [first]
    )


def _takes(kind: type[Order]) -> Message:
    """What an order of a kind has to name, as a sentence."""
    verb = kind.words()
    if kind in _PARTS:
        return Message(_PARTS[kind], verb=verb)
    if kind.most == MANY:
        return Message.counted(
            "“{verb}” names {count} card or more.",
            "“{verb}” names {count} cards or more.",
            kind.fewest,
            verb=verb,
        )
    if kind.fewest < kind.most:
        return Message.counted(
            "“{verb}” names {fewest} or {count} card.",
            "“{verb}” names {fewest} or {count} cards.",
            kind.most,
            fewest=kind.fewest,
            verb=verb,
        )
    return Message.counted(
        "“{verb}” names {count} card.", "“{verb}” names {count} cards.", kind.most, verb=verb
    )


_PARTS: dict[type[Order], str] = {
    Settle: mark(
        "“{verb}” names the card that leads there, then the transport, and last a settler "
        "where the location needs one."
    ),
    Develop: mark(
        "“{verb}” names a card with a settler; the location's own card is played with it."
    ),
    Fortify: mark(
        "“{verb}” names a Fortification card; the location's own card is played with it."
    ),
    Besiege: mark(
        "“{verb}” names the card that leads there, then the transport, and last a card for "
        "the siege."
    ),
    Merchant: mark("“{verb}” names a ship card, then the cards whose money it carries."),
}
"""What orders have to name whose cards serve for different things."""


def _supposed(state: State, side: Side, kind: type[Order]) -> State:
    """The position in which an order of a kind that is not for now would be given."""
    is_used_up = state.awaiting.decision is Decision.TURN and not state.actions_left
    if kind is not Lose or not is_used_up:
        return in_own_turn(state, side)
    # The loser's card is chosen after the end of the turn.
    after = state.copy()
    game.apply(after, End())
    return after


def _nearest(state: State, said: Begun) -> tuple[Order, ...]:
    """The legal orders of the same kind that are most alike.

    Those at the same place; or else those that share most cards; or else some.
    """
    kind, wanted = said.kind, set(said.cards)

    def likeness(other: Order) -> tuple[int, int]:
        return len(wanted & set(other.cards)), -len(other.cards)

    legal = list(Ways([state]).some(Begun(kind))) if game.may_answer(state, kind) else []
    there = [other for other in legal if said.location and other.location == said.location]
    sharing = [other for other in legal if wanted & set(other.cards)]
    return tuple(sorted(there or sharing or legal, key=likeness, reverse=True)[:MOST_NEAR])


# --- for people


def say_why(found: Explanation, answer: Answer | None) -> None:
    """Print what is to be said of an order.

    `answer` is the one in which it could be given, None where none is due.
    """
    name = names(found.state)
    order = found.said.text(name)
    if found.is_for_later and not found.belongs_to_a_turn:
        console.say(Message("“{verb}” answers something that is not awaited now.", verb=found.verb))
    elif found.objections:
        if found.is_for_later:
            later = Message(
                "“{order}” would not be possible in a turn of yours either:", order=order
            )
            console.say(later)
        else:
            console.say(Message("“{order}” is not possible:", order=order))
        _say_objections(found)
        _say_nearest(found, name)
    elif found.is_for_later:
        console.say(
            Message(
                "“{order}” would be possible in a turn of yours, with these cards.", order=order
            )
        )
    else:
        console.say(Message("“{order}” is possible.", order=order))
        if answer is not None and found.order is not None:
            _say_effects(answer, found.order, name)
    console.say(Message("To read more: {command}", command=_read(found.verb)))


def _say_objections(found: Explanation) -> None:
    where = found.where()
    for objection in found.objections:
        told = sentences(objection.reason, _lies(where.get(objection.card, {})))
        about = Run((" (", _read(_word(objection.about)), ")")) if objection.about else ""
        console.say_hanging("  - ", told + about)


def _read(word: Said) -> Message:
    """The command that explains what a word stands for."""
    return Run((program(), " rules ", word))


def _word(about: str) -> Said:
    """The word for a topic; a house rule has its id in every language."""
    from pbem.words.topic import topics

    known = topics().get(about)
    return known.word if known else about


def _lies(places: dict[Message, int]) -> Message:
    """Where the only copies are, as a sentence; empty where they are apart."""
    if len(places) != 1:
        return NOTHING
    # Translators: {place} is such as "in the reserve" or "on the discard pile".
    return Message("It is {place}.", place=next(iter(places)))


def _say_nearest(found: Explanation, name: Name) -> None:
    if found.nearest:
        console.say(Message("What is nearest to it and possible:"))
        for order in found.nearest:
            console.item(order.text(name))
    elif not found.is_for_later:
        console.say(Message("No “{verb}” is possible now.", verb=found.verb))


def _say_effects(answer: Answer, order: Order, name: Name) -> None:
    from pbem.cli.leading.preview import preview
    from pbem.cli.leading.words import told

    seen = preview(answer, Ways(answer.worlds), order)
    for sentence in told(answer, seen, name):
        console.item(sentence)
    if not seen.is_certain:
        console.item(
            Message("Whether it can be carried out depends on the answer that comes first.")
        )


# --- for programs


def why_facts(found: Explanation) -> dict[str, Any]:
    """The same as plain data."""
    name = names(found.state)
    return {
        "order": found.order.notation() if found.order else None,
        "text": console.told(found.said.text(name)),
        "legal": found.is_legal,
        "for_later": found.is_for_later,
        "cost": game.cost(found.state, found.order)
        if found.order and not found.objections
        else None,
        "objections": [
            {"reason": console.told(objection.reason), "topic": objection.about or found.topic}
            for objection in found.objections
        ],
        "nearest": [order.notation() for order in found.nearest],
    }

"""The card that the French begin with, where the house rules give them the choice."""

from __future__ import annotations

from engine.actions.action import IllegalOrder
from engine.game import check, legal_orders
from engine.message import Message, alphabetical, message_of
from engine.order import UnreadableOrder
from engine.orders import Start, from_notation
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import State, new_game
from pbem.cli import console
from pbem.errors import WrongUse
from pbem.play.entry import chooses_start_card
from pbem.protocol.record import Record
from pbem.protocol.steps import OrderStep
from pbem.words.orders.reading import read


def choose(ruleset: Ruleset, side: Side | None, named: str | None) -> str | None:
    """The id of the start card of `side`: the one `named`, or what the player answers.

    None where there is none to choose. Raises WrongUse where it has to be named, or is none.
    """
    if not chooses_start_card(ruleset, side):
        if named is not None:
            raise WrongUse("You have no card to choose before this game: leave --start-card out.")
        return None
    state = new_game(ruleset)
    if named is not None:
        return _read(named, state)
    cards = ", ".join(available(state))
    if not console.is_terminal():
        raise WrongUse(
            "The French begin with a card of their choice: --start-card one of {cards}.",
            cards=cards,
        )
    console.say(
        Message("You begin with one more card in your deck. You can choose: {cards}.", cards=cards)
    )
    while True:
        try:
            return _read(console.ask(Message("Which card? ")), state)
        except WrongUse as error:
            console.say(error.said, style="yellow")


def signed_before(record: Record | None) -> str | None:
    """The start card in a record that was signed before, if there is one."""
    given = (step.order for step in record.steps if isinstance(step, OrderStep)) if record else ()
    starts = (order for order in map(from_notation, given) if isinstance(order, Start))
    return next((order.cards[0] for order in starts), None)


def _read(text: str, state: State) -> str:
    """The id of the card that is meant; raises WrongUse where it cannot be chosen."""
    try:
        order = read(console.language(), f"start {text}", state)
        check(state, order)
    except (UnreadableOrder, IllegalOrder) as error:
        raise WrongUse(
            "“{text}” cannot be the start card: {reason}", text=text, reason=message_of(error)
        ) from None
    return order.cards[0]


def available(state: State) -> list[str]:
    """The printed names of the cards that can be chosen."""
    name = state.ruleset.catalogue.name_of
    cards = (console.told(name(order.cards[0])) for order in legal_orders(state))
    return sorted(cards, key=alphabetical)

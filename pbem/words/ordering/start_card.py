"""The card that the French begin with, where the house rules give them the choice."""

from __future__ import annotations

from engine.actions.action import IllegalOrder
from engine.game import check, legal_orders
from engine.message import alphabetical, message_of
from engine.order import UnreadableOrder
from engine.state import State
from pbem.errors import WrongUse
from pbem.words.language import Language
from pbem.words.ordering.reading import read


def start_cards(language: Language, state: State) -> list[str]:
    """The printed names of the cards that can be chosen."""
    name = state.ruleset.catalogue.name_of
    cards = (language.say(name(order.cards[0])) for order in legal_orders(state))
    return sorted(cards, key=alphabetical)


def start_card(language: Language, text: str, state: State) -> str:
    """The id of the card that is meant; raises WrongUse where it cannot be chosen."""
    try:
        order = read(language, f"start {text}", state)
        check(state, order)
    except (UnreadableOrder, IllegalOrder) as error:
        raise WrongUse(
            "“{text}” cannot be the start card: {reason}", text=text, reason=message_of(error)
        ) from None
    return order.cards[0]

"""The card that a player begins with, where the rules let one be chosen: named, or asked for."""

from __future__ import annotations

from engine.message import Message
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import new_game
from pbem.cli import answers, console
from pbem.errors import WrongUse
from pbem.text.ordering.reading import start_card as start_card_meant
from pbem.text.ordering.reading import start_cards


def start_card_chosen(ruleset: Ruleset, side: Side | None, named: str | None) -> str | None:
    """The id of the start card of `side`: the one `named`, or what the player answers.

    None where there is none to choose. Raises WrongUse where it has to be named, or is none.
    """
    if not ruleset.chooses_start_card(side):
        if named is not None:
            raise WrongUse("You have no card to choose before this game: leave --start-card out.")
        return None
    state, language = new_game(ruleset), console.language()
    if named is not None:
        return start_card_meant(language, named, state)
    cards = ", ".join(start_cards(language, state))
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
            return start_card_meant(language, answers.ask(Message("Which card? ")), state)
        except WrongUse as error:
            console.say(error.said, style="yellow")

"""Legal orders as they are listed: chosen by words, and shown with what they cost and bring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from engine import game
from engine.message import Message, Run, Said, commas, joined_with_and
from engine.order import Order
from engine.orders import ORDERS, Draft, Start
from engine.state import State
from engine.ways import Begun, Ways, all_of
from pbem.errors import WrongUse
from pbem.play.answer import Answer
from pbem.protocol.match import Match
from pbem.text.facts.choices import (
    MOST_LISTED,
    Menu,
    MenuItem,
    Offer,
    in_sequence,
    menu_of,
    menu_with,
    offer,
)
from pbem.text.facts.order_preview import glance, is_free
from pbem.text.language import Language
from pbem.text.lines import Line, Tone, item
from pbem.text.naming import meant_by, nearest, normal, spellings
from pbem.text.ordering.preview import remark_on
from pbem.text.ordering.verbs import ways_to_say
from pbem.text.parts import order_told
from pbem.text.phrases import Name, beside, money_counted, names, orders_counted

MOST_FOUND = 20
"""How many orders that are looked for by words are listed by number."""
MOST_CHOICES = 10_000
"""How many choices among cards are looked at for the list of one kind of order.

That is every choice among 13 cards. A hand has seldom more; but each card doubles the number.
"""


# --- chosen by words


class Vocabulary:
    """The words by which the orders of a game can be chosen: in a language, and in English."""

    def __init__(self, language: Language, state: State) -> None:
        self.language = language
        self.state = state
        self._known: dict[object, list[str]] = {}

    def fits(self, order: Order, parts: Sequence[str]) -> bool:
        """Whether each of the parts begins a word of an order."""
        ids = filter(None, (order.location, *order.cards))
        words = [*self.of(type(order)), *(word for id in ids for word in self.of(id))]
        return all(any(word.startswith(part) for word in words) for part in parts)

    def of(self, thing: type[Order] | str) -> list[str]:
        """The words of a verb, or of the location or card of that id."""
        if thing not in self._known:
            if isinstance(thing, str):
                name = self.language.say(self.state.ruleset.catalogue.name_of(thing))
                said = [*spellings(self.language, thing, name)]
            else:
                said = ways_to_say(self.language, thing)
            self._known[thing] = " ".join(said).split()
        return self._known[thing]

    def check(self, parts: Sequence[str]) -> None:
        """Raise WrongUse, with the nearest words, for one that no order of this game has."""
        catalogue, side = self.state.ruleset.catalogue, self.state.awaiting.side
        ids = (*catalogue.locations, *catalogue.cards[side])
        words = {word for kind in ORDERS.values() for word in self.of(kind)}
        known = sorted(words.union(*map(self.of, ids)))
        for part in parts:
            if not any(word.startswith(part) for word in known):
                meant = meant_by(nearest(self.language, part, known))
                raise WrongUse(Message("No order contains the word “{word}”.", word=part) + meant)


def found_menu(language: Language, ways: Ways, words: str, most: int = MOST_FOUND) -> Menu:
    """Orders in which each of the words begins one; of very many choices not all are tried."""
    known, parts = Vocabulary(language, ways.worlds[0]), normal(words).split()
    found = [order for order in ways.some() if known.fits(order, parts)]
    listed = in_sequence(language, ways, found)[:most]
    return menu_with(listed, left_out=len(found) - len(listed))


class Listing(NamedTuple):
    """Legal orders by kind; `shortened` are the kinds of which these are not all.

    Of such a kind the orders with many cards are left out.
    """

    by_kind: dict[type[Order], list[Order]]
    shortened: list[type[Order]]


def legal_in(language: Language, ways: Ways, words: Sequence[str] = ()) -> Listing:
    """The orders in which each of the words begins one, as far as `MOST_CHOICES` goes.

    Raises WrongUse, with the nearest words, for a word that no order of this game has.
    """
    known, parts = Vocabulary(language, ways.worlds[0]), normal(" ".join(words)).split()
    known.check(parts)
    found: dict[type[Order], list[Order]] = {}
    shortened: list[type[Order]] = []
    for kind in ways.kinds():
        orders, is_whole = ways.listed(kind, MOST_CHOICES)
        kept = [order for order in orders if not parts or known.fits(order, parts)]
        if kept:
            found[kind] = in_sequence(language, ways, kept)
        if not is_whole:
            shortened.append(kind)
    return Listing(found, shortened)


def none_with(words: Sequence[str]) -> Message:
    """That no legal order has these words, as a sentence."""
    if len(words) == 1:
        return Message("No order that is legal now contains the word “{word}”.", word=words[0])
    quoted = joined_with_and(Message("“{word}”", word=word) for word in words)
    return Message("No order that is legal now contains the words {words}.", words=quoted)


# --- for people


def line_told(language: Language, ways: Ways, line: MenuItem, name: Name) -> Said:
    """What stands under a number: an order with what it costs and brings, or how many begin so.

    Each card is told with what it is for, where the cards of an order are for different things.
    A card to draft is told with what the rulebook calls it, too.
    """
    begun, remark = line.begun, ""
    if begun.kind in (Draft, Start):
        cards = line.order.cards if line.order else begun.cards
        remark = ", ".join(filter(None, (beside(language, name(card)) for card in cards)))
    if line.order is not None:
        told, begun = remark_on(glance(ways, line.order), name), all_of(line.order)
    else:
        told = offer_told(offer(ways, begun))
    text, remarks = order_told(begun, name), commas((remark, told))
    return Run((text, " (", remarks, ")")) if remarks else text


def offer_told(offered: Offer) -> Said:
    """How many orders there are to choose from, and what they cost."""
    number, least, most = offered
    orders = Message("many orders") if number is None else orders_counted(number)
    if not most:
        return orders
    if number is None:
        price = Message.counted("costs {count} money or more", "costs {count} money or more", least)
    elif least < most:
        price = Message.counted(
            "costs {least} to {count} money", "costs {least} to {count} money", most, least=least
        )
    else:
        price = Message("costs {price}", price=money_counted(most))
    return commas((orders, price))


def listing_told(language: Language, ways: Ways, found: Listing, name: Name) -> Iterator[Line]:
    """Orders by verb, each with what it costs and brings."""
    for kind, orders in found.by_kind.items():
        yield Line(kind.words(), Tone.HEAD)
        for order in orders:
            yield item(line_told(language, ways, MenuItem(all_of(order), order), name))
    # Without any order, it is said that none has the words.
    for kind in found.shortened if found.by_kind else ():
        yield Line(
            Message(
                "There are more ways to “{verb}”, with more cards than those listed.",
                verb=kind.words(),
            )
        )


def told_in_short(
    language: Language, ways: Ways, name: Name, command: str, option: str
) -> Iterator[Line]:
    """What can be ordered: each order, or where they are many, how they begin.

    `command` is the one that lists them, with that `option` all of them. Nothing is listed only to
    be counted.
    """
    many = []
    for kind in ways.kinds():
        begun, verb = Begun(kind), kind.words()
        if ways.orders(begun, MOST_LISTED) is None:
            many.append(verb)
            orders = offer_told(offer(ways, begun))
            yield Line(Message("{verb} ({orders})", verb=verb, orders=orders), Tone.HEAD)
        else:
            yield Line(verb, Tone.HEAD)
        for each in menu_of(language, ways, begun).lines:
            yield item(line_told(language, ways, each, name))
    if many:
        yield Line(Message("To see each order, add {option}, or words such as:", option=option))
        yield Line(Run(("  ", command, " ", many[0])), is_whole=True)


# --- for programs


def legal_facts(language: Language, answer: Answer, words: Sequence[str]) -> dict[str, Any]:
    """What `answer` can order now, with the facts of its game, as plain data."""
    side, view = answer.seat.side, answer.view()
    facts = game_facts(answer.match) | {"side": side.value, "money": view.players[side].money}
    if answer.takes_no_order:
        facts |= {"decision": "nothing", "location": view.awaiting.location}
        return facts | {"actions_left": view.actions_left, "orders": [], "shortened": []}
    ways = Ways(answer.worlds)
    state, found = ways.worlds[0], legal_in(language, ways, words)
    return facts | {
        "decision": state.awaiting.decision.value,
        "location": state.awaiting.location,
        "actions_left": state.actions_left,
        "orders": [
            _order_facts(language, ways, order)
            for orders in found.by_kind.values()
            for order in orders
        ],
        "shortened": [language.say(kind.words()) for kind in found.shortened],
    }


def _order_facts(language: Language, ways: Ways, order: Order) -> dict[str, Any]:
    world = ways.world_of(order)
    return {
        "order": order.notation(),
        "text": language.say(order.text(names(world))),
        "cost": game.cost(world, order),
        "free": is_free(world, order),
        "certain": ways.is_certain(order),
    }


def closed_facts(match: Match) -> dict[str, Any]:
    """The same of a game in which nothing can be ordered by anybody any more."""
    nobody: dict[str, Any] = {"side": None, "money": None, "decision": "over", "location": None}
    return game_facts(match) | nobody | {"actions_left": 0, "orders": [], "shortened": []}


def game_facts(match: Match) -> dict[str, Any]:
    """Which game it is, by which rules, and its turn, as plain data."""
    invitation = match.invite
    return {
        "game": match.id.hex(),
        "edition": invitation.edition,
        "house_rules": sorted(invitation.house_rules),
        "turn": match.state.turn + 1,
    }

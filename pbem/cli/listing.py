"""The legal orders as a list, for people and as data for other programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import game
from engine.message import Message, Run, alphabetical, joined_with_and
from engine.orders import ORDERS
from engine.state import Decision
from engine.ways import Begun, Ways, all_of
from pbem.cli import console
from pbem.cli.leading.menu import MOST_LISTED, Line, menu_of, names_in, offer
from pbem.cli.leading.words import line_told, offer_told
from pbem.cli.words import names
from pbem.errors import WrongUse
from pbem.words.language import Language
from pbem.words.naming import called, nearest, normal
from pbem.words.verbs import meant_by, ways_to_say

if TYPE_CHECKING:
    from engine.orders import Order
    from engine.state import State
    from pbem.cli.words import Name
    from pbem.play.answer import Answer
    from pbem.protocol.match import Match


class Choice(NamedTuple):
    """A legal order with its price; `is_certain` unless it depends on an answer to come."""

    order: Order
    cost: int
    is_free: bool
    is_certain: bool


MOST_CHOICES = 10_000
"""So many choices among cards are looked at for the list of one kind of order.

That is every choice among 13 cards. A hand has seldom more; but each card doubles the number.
"""


class Listing(NamedTuple):
    """Legal orders by kind; `shortened` are the kinds of which these are not all.

    Of such a kind the orders with many cards are left out.
    """

    by_kind: dict[type[Order], list[Choice]]
    shortened: list[type[Order]]

    @property
    def choices(self) -> list[Choice]:
        """All of them, kind by kind."""
        return [choice for listed in self.by_kind.values() for choice in listed]


def legal_in(worlds: Sequence[State], wanted: str = "") -> Listing:
    """The orders that are legal in one of the worlds, as far as `MOST_CHOICES` goes.

    `wanted` keeps those in which each of its words begins one.
    """
    ways, language = Ways(worlds), console.language()
    name = names_in(language, ways)
    parts = normal(wanted).split()
    has = _Words(language, name)
    found: dict[type[Order], list[Choice]] = {}
    shortened: list[type[Order]] = []

    def place(order: Order) -> tuple[int, str]:
        return len(order.cards), alphabetical(language.say(order.text(name)))

    for kind in ways.kinds():
        orders, is_whole = ways.listed(kind, MOST_CHOICES)
        kept = [order for order in orders if not parts or has.all(order, parts)]
        if kept:
            kept.sort(key=place)
            found[kind] = [_choice(ways, order) for order in kept]
        if not is_whole:
            shortened.append(kind)
    return Listing(found, shortened)


class _Words:
    """The words by which orders can be chosen: in a language, and in English."""

    def __init__(self, language: Language, name: Callable[[str], str]) -> None:
        self._language = language
        self._name = name
        self._known: dict[object, list[str]] = {}

    def all(self, order: Order, parts: Sequence[str]) -> bool:
        """Whether each of the parts begins a word of an order."""
        ids = [id for id in (order.location, *order.cards) if id is not None]
        words = [*self.of_kind(type(order)), *(word for id in ids for word in self.of_name(id))]
        return all(any(word.startswith(part) for word in words) for part in parts)

    def of_kind(self, kind: type[Order]) -> list[str]:
        """The words of a verb."""
        if kind not in self._known:
            self._known[kind] = " ".join(ways_to_say(self._language, kind)).split()
        return self._known[kind]

    def of_name(self, id: str) -> list[str]:
        """The words of a location or card."""
        if id not in self._known:
            self._known[id] = " ".join(called(self._language, id, self._name(id))).split()
        return self._known[id]


def _choice(ways: Ways, order: Order) -> Choice:
    world = ways.world_of(order)
    is_free = world.awaiting.decision is Decision.TURN and game.is_free(world, order)
    return Choice(order, game.cost(world, order), is_free, ways.is_certain(order))


def listed_choices(worlds: Sequence[State], words: Sequence[str]) -> Listing:
    """The legal orders in which each of the words begins one, as `legal_in` lists them.

    Raises WrongUse, with the nearest words, for a word that no order of this game has.
    """
    known = _vocabulary(worlds[0])
    for word in normal(" ".join(words)).split():
        if not any(other.startswith(word) for other in known):
            meant = meant_by(nearest(console.language(), word, known))
            raise WrongUse(Message("No order has the word “{word}”.", word=word) + meant)
    return legal_in(worlds, " ".join(words))


def _vocabulary(state: State) -> list[str]:
    """All words of verbs, locations and cards of the side that decides, as they are compared."""
    catalogue, language = state.ruleset.catalogue, console.language()
    words = _Words(language, lambda id: language.say(catalogue.name_of(id)))
    known = {word for kind in ORDERS.values() for word in words.of_kind(kind)}
    ids = (*catalogue.locations, *catalogue.cards[state.awaiting.side])
    return sorted(known.union(*map(words.of_name, ids)))


def none_with(words: Sequence[str]) -> Message:
    """That no legal order has these words, as a sentence."""
    if len(words) == 1:
        return Message("No order that is legal now has the word “{word}”.", word=words[0])
    quoted = joined_with_and(Message("“{word}”", word=word) for word in words)
    return Message("No order that is legal now has the words {words}.", words=quoted)


def say_orders(ways: Ways, found: Listing, name: Name) -> None:
    """Print orders by verb, each with what it costs and brings."""
    for kind, listed in found.by_kind.items():
        console.say(kind.words(), style="bold")
        for choice in listed:
            console.item(line_told(ways, Line(all_of(choice.order), choice.order), name))
    for kind in found.shortened:
        console.say(
            Message(
                "Of “{verb}” there are more, with more cards than those listed.", verb=kind.words()
            )
        )


def say_in_short(ways: Ways, name: Name, command: str) -> None:
    """Print what can be ordered: each order, or where they are many, how they begin.

    `command` is the one that lists them. Nothing is listed only to be counted.
    """
    many = []
    for kind in ways.kinds():
        begun, verb = Begun(kind), kind.words()
        listed = ways.orders(begun, MOST_LISTED)
        if listed is None:
            many.append(verb)
            orders = offer_told(offer(ways, begun))
            console.say(Message("{verb} ({orders})", verb=verb, orders=orders), style="bold")
        else:
            console.say(verb, style="bold")
        for line in menu_of(console.language(), ways, begun).lines:
            console.item(line_told(ways, line, name))
    if many:
        console.say(Message("To see each order, add --all, or words such as:"))
        console.say_whole(Run(("  ", command, " ", many[0])))


def legal_facts(answer: Answer, words: Sequence[str]) -> dict[str, Any]:
    """What `answer` can order now, with the facts of its game, as plain data."""
    facts = game_facts(answer.match) | {"side": answer.seat.side.value}
    facts["money"] = answer.view().players[answer.seat.side].money
    if answer.is_complete and not answer.may_follow_up:
        view = answer.view()
        facts |= {"decision": "nothing", "location": view.awaiting.location}
        return facts | {"actions_left": view.actions_left, "orders": [], "shortened": []}
    worlds = answer.worlds
    state, name = worlds[0], names(worlds[0])
    found = listed_choices(worlds, words)
    return facts | {
        "decision": state.awaiting.decision.value,
        "location": state.awaiting.location,
        "actions_left": state.actions_left,
        "orders": [
            {
                "order": choice.order.notation(),
                "text": console.told(choice.order.text(name)),
                "cost": choice.cost,
                "free": choice.is_free,
                "certain": choice.is_certain,
            }
            for choice in found.choices
        ],
        "shortened": [console.told(kind.words()) for kind in found.shortened],
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

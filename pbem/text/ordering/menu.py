"""The legal orders as they are listed: by numbers, by words, and with what they cost and bring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import NamedTuple

from engine import game
from engine.actions.action import printed
from engine.choices import CHOOSING, Begun, Choices, Following, Parts
from engine.game import legal_orders, plays
from engine.message import (
    Message,
    Run,
    Said,
    Speaker,
    alphabetical,
    commas,
    joined_with_and,
    joined_with_or,
    labelled,
    mark_in,
)
from engine.order import Family, Order
from engine.orders import ORDERS, Ambush, Block, Convert, Draft, End, Start
from engine.sides import Side
from engine.state import Decision, State
from pbem.errors import WrongUse
from pbem.play.turn import Turn
from pbem.protocol.match import Match
from pbem.text.language import Language
from pbem.text.lines import Line, Tone, item
from pbem.text.naming import meant_by, nearest, normal, spellings
from pbem.text.narration import order_told
from pbem.text.ordering.preview import glance, is_free, remark_on
from pbem.text.ordering.verbs import ways_to_say
from pbem.text.phrases import Name, beside, capital, listed, money_counted, names, orders_counted

GROUPS = {
    group: sorted((k for k in ORDERS.values() if k.family is group), key=lambda kind: kind is End)
    for group in Family
}
"""Every kind of order under the heading under which it is offered; the end of a turn comes last."""
NUMBERS = {
    kind: number for number, kind in enumerate((k for kinds in GROUPS.values() for k in kinds), 1)
}
"""The number of every kind of order where the actions of a turn are listed: always the same one."""
MOST_LISTED = 12
"""How many orders are listed one by one; with more, the next place or card is chosen first."""
MOST_COUNTED = 99


class MenuItem(NamedTuple):
    """One thing to choose: an order, or what several orders begin with.

    `number` chooses it, 0 where it stands in no list; `group` is the heading under which it stands,
    in the list of all actions.
    """

    begun: Begun
    order: Order | None = None
    group: str = ""
    number: int = 0


@dataclass(frozen=True)
class Menu:
    """The things that can be chosen now, each under its number.

    `begun` is what was chosen before. `left_out` says how many more there are than listed, if
    known. If it `is_of_turn`, each kind of action has the number that it has in every turn.
    """

    lines: tuple[MenuItem, ...]
    begun: Begun | None = None
    left_out: int = 0
    is_of_turn: bool = False

    def numbered(self, number: int) -> MenuItem | None:
        """Return what a number stands for."""
        return next((line for line in self.lines if line.number == number), None)


class Offer(NamedTuple):
    """The orders that follow a beginning: how many, None for very many, and their prices."""

    number: int | None
    least: int
    most: int


def names_in(speaker: Speaker, choices: Choices) -> Callable[[str], str]:
    """Return the function that gives names of locations and cards, in the words of a speaker."""
    name = choices.worlds[0].ruleset.catalogue.name_of
    return cache(lambda id: speaker.say(name(id)))


def in_sequence(speaker: Speaker, choices: Choices, orders: Iterable[Order]) -> list[Order]:
    """Orders with few cards first, those with as many by what they do, and by their names.

    Of those that do the same, the one that keeps the better cards comes first.
    """
    name, thrift = names_in(speaker, choices), Thrift(choices.worlds[0])

    def written(said: Begun | Order) -> str:
        return alphabetical(speaker.say(said.text(name)))

    return sorted(
        orders,
        key=lambda o: (len(o.cards), written(thing_done(o)), thrift.spent(o), written(o)),
    )


def main_menu(choices: Choices) -> Menu:
    """All that can be done: in a turn by kinds of action, else the few orders themselves."""
    legal = {kind: choices.orders(Begun(kind), MOST_LISTED) for kind in choices.kinds()}
    kinds = sorted(legal, key=NUMBERS.__getitem__)
    lines = [
        MenuItem(Begun(kind), _the_one(legal[kind]), kind.family, NUMBERS[kind]) for kind in kinds
    ]
    if choices.worlds[0].awaiting.decision is Decision.TURN:
        return Menu(tuple(lines), is_of_turn=True)
    listed = [order for kind in kinds for order in legal[kind] or ()]
    if None in legal.values() or len(listed) > MOST_LISTED:
        return Menu(_numbered(lines))
    return menu_with(listed)


def menu_with(orders: Iterable[Order], begun: Begun | None = None, left_out: int = 0) -> Menu:
    """These orders, one by one."""
    return Menu(_numbered(MenuItem(Begun.of(order), order) for order in orders), begun, left_out)


def menu_of(speaker: Speaker, choices: Choices, begun: Begun) -> Menu:
    """How an order goes on: the orders, if they are few, else the places or cards that come next.

    If only one part can come next, it is taken. Cards that are means are sorted by how good they
    are, those better kept last; everything else is sorted by name.
    """
    while (listed := choices.orders(begun, MOST_LISTED)) is None:
        parts, order = choices.parts(begun), choices.order(begun)
        if order is not None or len(parts) != 1:
            onward = [begun.and_then(part) for part in _parts_in_sequence(speaker, choices, begun)]
            lines = [MenuItem(one, _the_one(choices.orders(one, 1))) for one in onward]
            return Menu(_numbered([*([MenuItem(begun, order)] if order else ()), *lines]), begun)
        begun = begun.and_then(parts[0])
    return menu_with(in_sequence(speaker, choices, listed), begun)


def _the_one(orders: Sequence[Order] | None) -> Order | None:
    """Return the only one of some orders; None if they are several, or too many to list."""
    return orders[0] if orders and len(orders) == 1 else None


def _parts_in_sequence(speaker: Speaker, choices: Choices, begun: Begun) -> list[str]:
    name, kind = names_in(speaker, choices), begun.kind
    by_name = sorted(choices.parts(begun), key=lambda part: alphabetical(name(part)))
    is_place = kind.has_location and begun.location is None
    if is_place or not is_means(kind, len(begun.cards)):
        return by_name
    return sorted(by_name, key=Thrift(choices.worlds[0]).worth)


def offer(choices: Choices, begun: Begun) -> Offer:
    """How many orders begin so, and what the cheapest and the dearest of them cost.

    Where they are very many, those with few cards are looked at.
    """
    found = choices.orders(begun, MOST_COUNTED)
    prices = [game.cost(choices.world_of(order), order) for order in found or choices.some(begun)]
    least, most = min(prices, default=0), max(prices, default=0)
    return Offer(None if found is None else len(found), least, most)


def _numbered(lines: Iterable[MenuItem]) -> tuple[MenuItem, ...]:
    """The lines of a list, numbered from 1."""
    return tuple(line._replace(number=number) for number, line in enumerate(lines, start=1))


# --- which of several ways to do one thing keeps the better cards


Worth = tuple[int, ...]
"""How good cards are: how much they serve for now, what they cost to draft, what is on them."""

MEANS = {"connection", "transport", "settler", "fortification", "raiders", "ship"}
"""The parts of orders for which one card serves as well as another."""


def is_means(kind: type[Order], at: int) -> bool:
    """Return True if the card at that place in an order is only a means to do it.

    What is drafted, discarded or sent to a siege is what the order is about.
    """
    return kind in (Ambush, Block, Convert) or kind.part(at) in MEANS


def thing_done(order: Order) -> Begun:
    """An order without the means: two orders with one such do the same."""
    kind = type(order)
    cards = tuple(card for at, card in enumerate(order.cards) if not is_means(kind, at))
    return Begun(kind, order.location, cards)


class Thrift:
    """How good the cards in the hand of the awaited side are, compared with each other.

    A card is better if it can take part in more different things now; then if it is dearer; then if
    more money and strength are printed on it. All this follows from the rules and the box.
    """

    def __init__(self, state: State) -> None:
        self._state = state

    def spent(self, order: Order) -> Worth:
        """How good the means of an order are together: the less, the better are the cards kept."""
        means = (c for at, c in enumerate(order.cards) if is_means(type(order), at))
        return tuple(map(sum, zip(*map(self.worth, means), strict=True)))

    def worth(self, card: str) -> Worth:
        """How good a card is."""
        facts = printed(self._state, self._state.awaiting.side, card)
        return self._uses[card], facts.cost, facts.money + facts.military

    @cached_property
    def _uses(self) -> Counter[str]:
        """In how many things that can be done now each card can take part."""
        state = self._state
        things = {
            (type(order), order.location, card)
            for order in legal_orders(state, but=CHOOSING)
            for card in plays(state, order)
        }
        return Counter(card for _, _, card in things)


# --- chosen by words

MOST_FOUND = 20
"""How many orders that are looked for by words are listed by number."""
MOST_CHOICES = 10_000
"""How many choices among cards are looked at for the list of one kind of order.

That is every choice among 13 cards. A hand has seldom more; but each card doubles the number.
"""


class Vocabulary:
    """The words by which the orders of a game can be chosen: in a language, and in English."""

    def __init__(self, language: Language, state: State) -> None:
        self.language = language
        self.state = state
        self._known: dict[object, list[str]] = {}

    def fits(self, order: Order, parts: Sequence[str]) -> bool:
        """Return True if each of the parts begins a word of an order."""
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


def found_menu(language: Language, choices: Choices, words: str, most: int = MOST_FOUND) -> Menu:
    """Orders in which each of the words begins one; of very many choices not all are tried."""
    known, parts = Vocabulary(language, choices.worlds[0]), normal(words).split()
    found = [order for order in choices.some() if known.fits(order, parts)]
    listed = in_sequence(language, choices, found)[:most]
    return menu_with(listed, left_out=len(found) - len(listed))


class Listing(NamedTuple):
    """Legal orders by kind; `shortened` are the kinds of which these are not all.

    Of such a kind the orders with many cards are left out.
    """

    by_kind: dict[type[Order], list[Order]]
    shortened: list[type[Order]]


def legal_in(language: Language, choices: Choices, words: Sequence[str] = ()) -> Listing:
    """The orders in which each of the words begins one, as far as `MOST_CHOICES` goes.

    Raises WrongUse, with the nearest words, for a word that no order of this game has.
    """
    known, parts = Vocabulary(language, choices.worlds[0]), normal(" ".join(words)).split()
    known.check(parts)
    found: dict[type[Order], list[Order]] = {}
    shortened: list[type[Order]] = []
    for kind in choices.kinds():
        orders, is_whole = choices.listed(kind, MOST_CHOICES)
        kept = [order for order in orders if not parts or known.fits(order, parts)]
        if kept:
            found[kind] = in_sequence(language, choices, kept)
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


def line_told(language: Language, choices: Choices, line: MenuItem, name: Name) -> Said:
    """Return what stands under a number: an order with its price and gain, or how many begin so.

    Each card is told with what it is for, where the cards of an order are for different things.
    A card to draft is told with what the rulebook calls it, too.
    """
    begun, remark = line.begun, ""
    if begun.kind in (Draft, Start):
        cards = line.order.cards if line.order else begun.cards
        remark = ", ".join(filter(None, (beside(language, name(card)) for card in cards)))
    if line.order is not None:
        told, begun = remark_on(glance(choices, line.order), name), Begun.of(line.order)
    else:
        told = offer_told(offer(choices, begun))
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


def listing_told(
    language: Language, choices: Choices, found: Listing, name: Name
) -> Iterator[Line]:
    """Orders by verb, each with what it costs and brings."""
    for kind, orders in found.by_kind.items():
        yield Line(kind.words(), Tone.HEAD)
        for order in orders:
            yield item(line_told(language, choices, MenuItem(Begun.of(order), order), name))
    # Without any order, it is said that none has the words.
    for kind in found.shortened if found.by_kind else ():
        yield Line(
            Message(
                "There are more ways to “{verb}”, with more cards than those listed.",
                verb=kind.words(),
            )
        )


def told_in_short(
    language: Language, choices: Choices, name: Name, command: str, option: str
) -> Iterator[Line]:
    """Yield what can be ordered: each order or, if they are many, how they begin.

    `command` is the one that lists them, with that `option` all of them. Nothing is listed only to
    be counted.
    """
    many = []
    for kind in choices.kinds():
        begun, verb = Begun(kind), kind.words()
        if choices.orders(begun, MOST_LISTED) is None:
            many.append(verb)
            orders = offer_told(offer(choices, begun))
            yield Line(Message("{verb} ({orders})", verb=verb, orders=orders), Tone.HEAD)
        else:
            yield Line(verb, Tone.HEAD)
        for each in menu_of(language, choices, begun).lines:
            yield item(line_told(language, choices, each, name))
    if many:
        yield Line(Message("To see each order, add {option}, or words such as:", option=option))
        yield Line(Run(("  ", command, " ", many[0])), is_whole=True)


# --- chosen part by part, in any sequence


def group_label(group: Family) -> Message:
    """Return the heading under which kinds of order stand."""
    return capital(Message.within("group", group.value))


def kind_label(kind: type[Order]) -> Message:
    """Return the name of a kind of order under which it is chosen."""
    return capital(kind.words())


def chosen_told(chosen: Parts, name: Name) -> Said:
    """Return what is chosen, as an order is written; empty for nothing."""
    if chosen.kind:
        return Begun(chosen.kind, chosen.location, tuple(sorted(chosen.cards))).text(name)
    cards = listed(chosen.cards, name) if chosen.cards else ""
    if not chosen.location:
        return cards
    place = name(chosen.location)
    return labelled(place, cards) if cards else place


def following_told(chosen: Parts, found: Following, name: Name) -> Message:
    """Return what is chosen and what can be chosen next, as a sentence: it is read out."""
    parts = [
        Message.within("choose", text)
        for text, lit in (
            (_ACTION, found.kinds),
            (_LOCATION, found.locations),
            (_CARD, found.cards),
        )
        if lit
    ]
    told, next_one = chosen_told(chosen, name), joined_with_or(parts)
    # Translators: {part} is one or more of: an action, a location, a card.
    if not told:
        return Message("Choose {part}.", part=next_one) if parts else Message("Nothing to choose.")
    if not parts and not found.whole:
        return Message("Chosen: {chosen}. No order has all of this.", chosen=told)
    if not parts:
        return Message("Chosen: {chosen}. Nothing more is needed.", chosen=told)
    if found.whole:
        return Message("Chosen: {chosen}. This will do; or add {part}.", chosen=told, part=next_one)
    return Message("Chosen: {chosen}. Add {part}.", chosen=told, part=next_one)


_ACTION = mark_in("choose", "an action")
_LOCATION = mark_in("choose", "a location")
_CARD = mark_in("choose", "a card")


def orders_heading(chosen: Parts, found: Following) -> Message:
    """Return what stands over the orders that are listed; they may be all or some."""
    if found.is_all and chosen == Parts():
        return Message("All that you can do:")
    if found.is_all:
        return Message("All that you can do with it:")
    return Message("What you can do with just that:")


# --- for programs


class OrderFacts(NamedTuple):
    """An order that can be given: its words, its cost in money, if it is free, if it is certain."""

    order: Order
    text: str
    cost: int
    free: bool
    certain: bool


@dataclass(frozen=True, slots=True)
class LegalFacts:
    """The orders that `side` can give now in a game; docs/json.md has the keys.

    None of it is anybody's if nothing can be ordered any more. The kinds that are `shortened` have
    more orders than are listed.
    """

    game: bytes
    edition: str
    house_rules: Sequence[str]
    turn: int
    side: Side | None = None
    money: int | None = None
    decision: str = Decision.OVER.value
    location: str | None = None
    actions_left: int = 0
    orders: Sequence[OrderFacts] = ()
    shortened: Sequence[str] = ()


def legal_facts(language: Language, answer: Turn, words: Sequence[str]) -> LegalFacts:
    """Return the orders with these words that can be given now in a turn."""
    side, view = answer.side, answer.view()
    facts = replace(
        closed_facts(answer.match), side=side, money=view.players[side].money, decision="nothing"
    )
    if answer.takes_no_order:
        location = view.awaiting.location
        return replace(facts, location=location, actions_left=view.actions_left)
    choices = answer.choices
    state, found = choices.worlds[0], legal_in(language, choices, words)
    return replace(
        facts,
        decision=state.awaiting.decision.value,
        location=state.awaiting.location,
        actions_left=state.actions_left,
        orders=[
            _order_facts(language, choices, order)
            for orders in found.by_kind.values()
            for order in orders
        ],
        shortened=[language.say(kind.words()) for kind in found.shortened],
    )


def _order_facts(language: Language, choices: Choices, order: Order) -> OrderFacts:
    world = choices.world_of(order)
    text, cost = language.say(order.text(names(world))), game.cost(world, order)
    return OrderFacts(order, text, cost, is_free(world, order), choices.is_certain(order))


def closed_facts(match: Match) -> LegalFacts:
    """Return such facts of a game in which nothing can be ordered by anybody any more."""
    rules = match.invite
    turn = match.state.turn + 1
    return LegalFacts(match.id, rules.edition, sorted(rules.house_rules), turn)

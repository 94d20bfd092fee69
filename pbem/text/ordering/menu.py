"""The legal orders as they are listed: by numbers, by words, and with what they cost and bring.

`Menus` makes every list that is chosen from, at the terminal, in a shell and on a page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from engine import game
from engine.actions.action import find_card
from engine.choices import CHOOSING, Choices, NextParts, Parts, Prefix
from engine.game import legal_orders, plays
from engine.message import (
    Concat,
    Message,
    Phrase,
    and_list,
    comma_list,
    mark_in,
    or_list,
    sort_key,
    with_label,
)
from engine.order import Family, Order
from engine.orders import ORDERS, Ambush, Block, Convert, Draft, End, Start
from engine.state import Decision
from pbem.errors import WrongUse
from pbem.play.turn import Turn
from pbem.protocol.match import Match
from pbem.text.facts.game_facts import rules_facts
from pbem.text.language import Language, Line, Tone, item
from pbem.text.naming import did_you_mean, nearest, normal, spellings, ways_to_say
from pbem.text.narration import order_with_parts
from pbem.text.ordering.preview import is_free, quick_preview, remark_on
from pbem.text.phrases import Name, card_list, money_counted, names, orders_counted, translation

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
"""How many orders are counted that begin with what can be chosen."""
MOST_FOUND = 20
"""How many orders that are looked for by words are listed by number."""
MOST_CHOICES = 10_000
"""How many choices among cards are looked at for the list of one kind of order.

That is every choice among 13 cards. A hand has seldom more; but each card doubles the number.
"""
MEANS = {"connection", "transport", "settler", "fortification", "raiders", "ship"}
"""The parts of orders for which one card serves as well as another."""
Worth = tuple[int, ...]
"""How good cards are: how much they serve for now, what they cost to draft, what is on them."""


class Item(NamedTuple):
    """One thing to choose: an `order`, or what several orders begin with.

    `label` is the text that stands there: the order, its price and what it brings, or how many
    orders begin so. `number` chooses it; `group` is the heading under which it stands in the list
    of all actions.
    """

    begun: Prefix
    order: Order | None
    label: Phrase
    number: int = 0
    group: str = ""


class Menu(NamedTuple):
    """The things that can be chosen now.

    `begun` is what was chosen before, by number or name; `heading` stands above them. `left_out`
    says how many more there are than listed, if known. If it `is_of_turn`, each kind of action has
    the number that it has in every turn. Of parts that were chosen in any sequence, `told` says
    what they are and what can follow, and `only` is the one order that is meant.
    """

    items: tuple[Item, ...]
    begun: Prefix | None = None
    heading: Phrase = ""
    left_out: int = 0
    is_of_turn: bool = False
    summary: Phrase = ""
    only: Order | None = None

    def numbered(self, number: int) -> Item | None:
        """Return what a number stands for."""
        return next((item for item in self.items if item.number == number), None)


class Listing(NamedTuple):
    """Legal orders by kind; `shortened` are the kinds of which these are not all.

    Of such a kind the orders with many cards are left out.
    """

    by_kind: dict[type[Order], list[Order]]
    shortened: list[type[Order]]


class Menus:
    """The lists of what can be ordered, in the words of a language."""

    def __init__(self, language: Language, choices: Choices) -> None:
        self.language = language
        self.choices = choices
        self.state = choices.worlds[0]
        self.name = names(self.state)
        self.say = language.say
        self.said = cache(lambda id: language.say(self.name(id)))
        self.words_of = cache(self._words_of)

    # --- the lists

    def main(self) -> Menu:
        """Return all that can be done: in a turn by kinds of action, else the few orders."""
        kinds = sorted(self.choices.kinds(), key=NUMBERS.__getitem__)
        legal = {kind: self.choices.orders(Prefix(kind), MOST_LISTED) for kind in kinds}
        items = [
            self.item(Prefix(kind), _the_one(orders), NUMBERS[kind], kind.family)
            for kind, orders in legal.items()
        ]
        if self.state.awaiting.decision is Decision.TURN:
            return Menu(tuple(items), is_of_turn=True)
        few = [order for orders in legal.values() for order in orders or ()]
        if None in legal.values() or len(few) > MOST_LISTED:
            return Menu(_numbered(items))
        return Menu(self._listed(few))

    def after(self, begun: Prefix) -> Menu:
        """Return how an order goes on: the orders, if they are few, else what comes next.

        If only one part can come next, it is taken. Cards that are means are sorted by how good
        they are, those better kept last; everything else is sorted by name.
        """
        while (orders := self.choices.orders(begun, MOST_LISTED)) is None:
            parts, order = self.choices.parts(begun), self.choices.order(begun)
            if order is not None or len(parts) != 1:
                onward = [begun.with_part(part) for part in self._in_sequence(begun)]
                items = [self.item(one, _the_one(self.choices.orders(one, 1))) for one in onward]
                first = [self.item(begun, order)] if order else []
                return Menu(_numbered([*first, *items]), begun, begun.text(self.name))
            begun = begun.with_part(parts[0])
        return Menu(self._listed(self.sorted(orders)), begun, begun.text(self.name))

    def with_words(self, words: str, most: int = MOST_FOUND) -> Menu:
        """Return orders in which each word begins one; of very many choices not all are tried."""
        parts = normal(words).split()
        found = [order for order in self.choices.some_orders() if self._has_words(order, parts)]
        return Menu(self._listed(self.sorted(found)[:most]), left_out=max(0, len(found) - most))

    def having(self, chosen: Parts) -> Menu:
        """Return the orders with these parts; if none is chosen, all orders where they are few."""
        found, is_nothing = self.choices.next_parts(chosen), chosen == Parts()
        meant = found.complete or (found.orders if found.is_all else ())
        heading = Message("What you can do with just that:")
        if found.is_all:
            heading = Message("All that you can do with it:")
        if found.is_all and is_nothing:
            heading = Message("All that you can do:")
        return Menu(
            self._listed(found.orders if found.is_all or not is_nothing else ()),
            heading=heading,
            summary=following_text(chosen, found, self.name),
            only=None if is_nothing else _the_one(meant),
        )

    def legal(self, words: Sequence[str] = ()) -> Listing:
        """Return the orders in which each word begins one, as far as `MOST_CHOICES` goes.

        Raises WrongUse, with the nearest words, for a word that no order of this game has.
        """
        parts, found, shortened = normal(" ".join(words)).split(), {}, []
        self._check(parts)
        for kind in self.choices.kinds():
            orders, is_whole = self.choices.list_orders(kind, MOST_CHOICES)
            if kept := [order for order in orders if self._has_words(order, parts)]:
                found[kind] = self.sorted(kept)
            if not is_whole:
                shortened.append(kind)
        return Listing(found, shortened)

    # --- what stands in them

    def item(
        self, begun: Prefix, order: Order | None = None, number: int = 0, group: str = ""
    ) -> Item:
        """Return a thing to choose, and its label.

        Each card is told with what it is for, where the cards of an order are for different things.
        A card to draft is told with what the rulebook calls it, too.
        """
        said, remark = Prefix.of(order) if order else begun, ""
        if begun.kind in (Draft, Start):
            named = (translation(self.language, self.name(card)) for card in said.cards)
            remark = ", ".join(filter(None, named))
        if order is not None:
            told = remark_on(quick_preview(self.choices, order), self.name)
        else:
            told = self.offer(begun)
        text, remarks = order_with_parts(said, self.name), comma_list((remark, told))
        label = Concat((text, " (", remarks, ")")) if remarks else text
        return Item(begun, order, label, number, group)

    def offer(self, begun: Prefix) -> Phrase:
        """Return how many orders begin so, and what they cost.

        Of very many, those with few cards are looked at.
        """
        found = self.choices.orders(begun, MOST_COUNTED)
        tried = self.choices.some_orders(begun) if found is None else found
        prices = [game.cost(self.choices.world_of(order), order) for order in tried]
        least, most = min(prices, default=0), max(prices, default=0)
        orders = Message("many orders") if found is None else orders_counted(len(found))
        if not most:
            return orders
        if found is None:
            price = Message.counted(
                "costs {count} money or more", "costs {count} money or more", least
            )
        elif least < most:
            price = Message.counted(
                "costs {least} to {count} money",
                "costs {least} to {count} money",
                most,
                least=least,
            )
        else:
            price = Message("costs {price}", price=money_counted(most))
        return comma_list((orders, price))

    def text(self, said: Prefix | Order) -> str:
        """Return an order, as far as it is said, as it is typed."""
        return self.say(said.text(self.name))

    def _listed(self, orders: Iterable[Order]) -> tuple[Item, ...]:
        return _numbered(self.item(Prefix.of(order), order) for order in orders)

    # --- their sequence

    def sorted(self, orders: Iterable[Order]) -> list[Order]:
        """Return orders with few cards first, those with as many by what they do, and by names.

        Of those that do the same, the one that keeps the better cards comes first.
        """

        def key(order: Order) -> tuple[int, str, Worth, str]:
            means = (c for at, c in enumerate(order.cards) if is_means(type(order), at))
            spent = tuple(map(sum, zip(*map(self._worth, means), strict=True)))
            done, whole = self.text(thing_done(order)), self.text(order)
            return len(order.cards), sort_key(done), spent, sort_key(whole)

        return sorted(orders, key=key)

    def _in_sequence(self, begun: Prefix) -> list[str]:
        """Return the places or cards that come next."""
        kind = begun.kind
        by_name = sorted(self.choices.parts(begun), key=lambda part: sort_key(self.said(part)))
        is_place = kind.has_location and begun.location is None
        if is_place or not is_means(kind, len(begun.cards)):
            return by_name
        return sorted(by_name, key=self._worth)

    def _worth(self, card: str) -> Worth:
        """Return how good a card in hand is, compared with others.

        A card is better if it can take part in more different things now; then if it is dearer;
        then if more money and strength are printed on it.
        """
        facts = find_card(self.state, self.state.awaiting.side, card)
        return self._uses[card], facts.cost, facts.money + facts.military

    @cached_property
    def _uses(self) -> Counter[str]:
        """In how many things that can be done now each card can take part."""
        things = {
            (type(order), order.location, card)
            for order in legal_orders(self.state, but=CHOOSING)
            for card in plays(self.state, order)
        }
        return Counter(card for _, _, card in things)

    # --- the words of orders, in the language and in English

    def _has_words(self, order: Order, parts: Sequence[str]) -> bool:
        """Return True if each of the parts begins a word of an order."""
        ids = filter(None, (order.location, *order.cards))
        words = [word for thing in (type(order), *ids) for word in self.words_of(thing)]
        return all(any(word.startswith(part) for word in words) for part in parts)

    def _words_of(self, thing: type[Order] | str) -> list[str]:
        if isinstance(thing, str):
            return " ".join(spellings(self.language, thing, self.said(thing))).split()
        return " ".join(ways_to_say(self.language, thing)).split()

    def _check(self, parts: Sequence[str]) -> None:
        """Raise WrongUse, with the nearest words, for one that no order of this game has."""
        catalogue, side = self.state.ruleset.catalogue, self.state.awaiting.side
        things = (*ORDERS.values(), *catalogue.locations, *catalogue.cards[side])
        known = sorted({word for thing in things for word in self.words_of(thing)})
        for part in parts:
            if not any(word.startswith(part) for word in known):
                meant = did_you_mean(nearest(self.language, part, known))
                raise WrongUse(Message("No order contains the word “{word}”.", word=part) + meant)


def _the_one(orders: Sequence[Order] | None) -> Order | None:
    """Return the only one of some orders; None if they are several, or too many to list."""
    return orders[0] if orders and len(orders) == 1 else None


def _numbered(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the items of a list, numbered from 1."""
    return tuple(each._replace(number=number) for number, each in enumerate(items, start=1))


def is_means(kind: type[Order], at: int) -> bool:
    """Return True if the card at that place in an order is only a means to do it.

    What is drafted, discarded or sent to a siege is what the order is about.
    """
    return kind in (Ambush, Block, Convert) or kind.part(at) in MEANS


def thing_done(order: Order) -> Prefix:
    """Return an order without the means: two orders with one such do the same."""
    kind = type(order)
    cards = tuple(card for at, card in enumerate(order.cards) if not is_means(kind, at))
    return Prefix(kind, order.location, cards)


# --- the listing of a command


def none_with(words: Sequence[str]) -> Message:
    """Return that no legal order has these words, as a sentence."""
    if len(words) == 1:
        return Message("No order that is legal now contains the word “{word}”.", word=words[0])
    quoted = and_list(Message("“{word}”", word=word) for word in words)
    return Message("No order that is legal now contains the words {words}.", words=quoted)


def listing_text(menus: Menus, words: Sequence[str]) -> Iterator[Line]:
    """Yield every order with these words by verb, each with what it costs and brings."""
    found = menus.legal(words)
    for kind, orders in found.by_kind.items():
        yield Line(kind.words(), Tone.HEAD)
        yield from (item(menus.item(Prefix.of(order), order).label) for order in orders)
    if not found.by_kind:
        yield Line(none_with(words))
        return
    for kind in found.shortened:
        yield Line(
            Message(
                "There are more ways to “{verb}”, with more cards than those listed.",
                verb=kind.words(),
            )
        )


def overview(menus: Menus, command: str, option: str) -> Iterator[Line]:
    """Yield what can be ordered: each order or, if they are many, how they begin.

    `command` is the one that lists them, with that `option` all of them. Nothing is listed only to
    be counted.
    """
    many = []
    for kind in menus.choices.kinds():
        begun, verb = Prefix(kind), kind.words()
        if menus.choices.orders(begun, MOST_LISTED) is None:
            many.append(verb)
            verb = Message("{verb} ({orders})", verb=verb, orders=menus.offer(begun))
        yield Line(verb, Tone.HEAD)
        yield from (item(each.label) for each in menus.after(begun).items)
    if many:
        yield Line(Message("To see each order, add {option}, or words such as:", option=option))
        yield Line(Concat(("  ", command, " ", many[0])), is_whole=True)


# --- chosen part by part, in any sequence


def chosen_text(chosen: Parts, name: Name) -> Phrase:
    """Return what is chosen, as an order is written; empty for nothing."""
    if chosen.kind:
        return Prefix(chosen.kind, chosen.location, tuple(sorted(chosen.cards))).text(name)
    cards = card_list(chosen.cards, name) if chosen.cards else ""
    if not chosen.location:
        return cards
    place = name(chosen.location)
    return with_label(place, cards) if cards else place


def following_text(chosen: Parts, found: NextParts, name: Name) -> Message:
    """Return what is chosen and what can be chosen next, as a sentence: it is read out."""
    lit = {
        mark_in("choose", "an action"): found.kinds,
        mark_in("choose", "a location"): found.locations,
        mark_in("choose", "a card"): found.cards,
    }
    parts = [Message.within("choose", text) for text, can_be in lit.items() if can_be]
    told, next_one = chosen_text(chosen, name), or_list(parts)
    # Translators: {part} is one or more of: an action, a location, a card.
    if not told:
        return Message("Choose {part}.", part=next_one) if parts else Message("Nothing to choose.")
    if not parts and not found.complete:
        return Message("Chosen: {chosen}. No order has all of this.", chosen=told)
    if not parts:
        return Message("Chosen: {chosen}. Nothing more is needed.", chosen=told)
    if found.complete:
        return Message("Chosen: {chosen}. This will do; or add {part}.", chosen=told, part=next_one)
    return Message("Chosen: {chosen}. Add {part}.", chosen=told, part=next_one)


# --- for programs


def legal_facts(language: Language, answer: Turn, words: Sequence[str]) -> dict[str, object]:
    """Return the orders with these words that can be given now, as docs/json.md has them.

    The kinds that are `shortened` have more orders than are listed.
    """
    state = answer.view()
    facts = closed_facts(answer.match) | {
        "side": answer.side,
        "money": state.players[answer.side].money,
        "decision": "nothing" if answer.takes_no_order else state.awaiting.decision,
        "location": state.awaiting.location,
        "actions_left": state.actions_left,
    }
    if answer.takes_no_order:
        return facts
    menus = Menus(language, answer.choices)
    found = menus.legal(words)
    return facts | {
        "orders": [
            _order_facts(menus, order) for orders in found.by_kind.values() for order in orders
        ],
        "shortened": [menus.say(kind.words()) for kind in found.shortened],
    }


def _order_facts(menus: Menus, order: Order) -> dict[str, object]:
    world = menus.choices.world_of(order)
    return {
        "order": order,
        "text": menus.text(order),
        "cost": game.cost(world, order),
        "free": is_free(world, order),
        "certain": menus.choices.is_certain(order),
    }


def closed_facts(match: Match) -> dict[str, object]:
    """Return such facts of a game in which nothing can be ordered by anybody any more."""
    return rules_facts(match) | {
        "turn": match.state.turn + 1,
        "side": None,
        "money": None,
        "decision": Decision.OVER,
        "location": None,
        "actions_left": 0,
        "orders": (),
        "shortened": (),
    }

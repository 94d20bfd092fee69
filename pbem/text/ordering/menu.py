"""Legal orders as lists: numbered, filtered by words, with their costs and effects.

`Menus` makes every list to choose from, at the terminal, in a shell and on a page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import chain
from typing import NamedTuple

from engine import game
from engine.actions.action import find_card
from engine.choices import FREE_CHOICE_KINDS, Choices, NextParts, Parts, Prefix
from engine.game import cards_played, legal_orders
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
from engine.orders import ORDERS, Ambush, Block, Convert, Draft, End, Start, Withdraw
from engine.state import Decision
from pbem.errors import UsageError
from pbem.play.turn import Turn
from pbem.protocol.match import Match
from pbem.text.facts.game_facts import rules_facts
from pbem.text.language import Language, Line, Tone, item
from pbem.text.naming import nearest, normalize, spellings, suggestions, verb_forms
from pbem.text.narration import detailed_order_text
from pbem.text.ordering.preview import is_free, order_words, quick_preview, remark_on
from pbem.text.phrases import Name, card_list, money_amount, names, order_count, translation

LOSSES = [
    *("keep", "exchange", "discard", "drop", "govern", "withdraw", "lose", "forfeit"),
    *("give", "give-from-reserve", "give-from-siege", "show-hand", "leave", "allow"),
    *("pass", "end"),
]
"""The verbs of the orders that give something up; lists show them last, in this sequence."""


def loss(kind: type[Order]) -> int:
    """Return the rank of a kind of order among `LOSSES`; 0 if it gives nothing up."""
    return LOSSES.index(kind.verb) + 1 if kind.verb in LOSSES else 0


GROUPS = {
    group: sorted(
        (kind for kind in ORDERS.values() if kind.family is group),
        key=loss if group is Family.ANSWERS else lambda kind: kind is End,
    )
    for group in Family
}
"""The kinds of order under each heading of a list; the end of a turn comes last."""
NUMBERS = {kind: number for number, kind in enumerate(chain(*GROUPS.values()), 1)}
"""The fixed number of each kind of order in the list of a turn's actions."""
MAX_LISTED = 12
"""The maximum number of orders in a list; if there are more, the next part is chosen first."""
MAX_COUNTED = 99
"""The maximum number of orders that is shown exactly after an item."""
MAX_FOUND = 20
"""The maximum number of orders with certain words in a list."""
MAX_CHOICES = 10_000
"""The maximum number of sets of cards that are considered for one kind of order.

It includes every set of 13 cards. Hands seldom have more, and each card doubles the number.
"""
MEANS_PARTS = {"connection", "transport", "settler", "fortification", "raiders", "ship"}
"""The parts of orders for which all cards have the same effect."""
Worth = tuple[int, ...]
"""The value of cards: their uses now, their price to draft, and the money and strength on them."""


class Item(NamedTuple):
    """An item of a list: an `order`, or the beginning of several orders.

    `label` is its text: the order with its price and effects, or the number of orders. `number`
    selects it; `group` is its heading in the list of all actions.
    """

    prefix: Prefix
    order: Order | None
    label: Phrase
    number: int = 0
    group: str = ""


class Menu(NamedTuple):
    """A list to choose from.

    `prefix`: the parts chosen so far. `heading`: the line above the items. `omitted`: the
    number of matching orders that are not listed. `is_of_turn`: each kind of action has its fixed
    number. For parts chosen in any sequence, `summary` describes them and the possible next parts,
    and `single_order` is the only order that they can mean, if any.
    """

    items: tuple[Item, ...]
    prefix: Prefix | None = None
    heading: Phrase = ""
    omitted: int = 0
    is_of_turn: bool = False
    summary: Phrase = ""
    single_order: Order | None = None

    def numbered(self, number: int) -> Item | None:
        """Return the item with a number."""
        return next((item for item in self.items if item.number == number), None)


class Listing(NamedTuple):
    """Legal orders by kind; for the kinds in `shortened`, orders with many cards are left out."""

    by_kind: dict[type[Order], list[Order]]
    shortened: list[type[Order]]


class Menus:
    """The lists of possible orders, in a language."""

    def __init__(self, language: Language, choices: Choices) -> None:
        self.language = language
        self.choices = choices
        self.state = choices.worlds[0]
        self.name = names(self.state)
        self.say = language.say
        self.word = cache(lambda id: language.say(self.name(id)))
        self.words_of = cache(self._words_of)

    # --- the lists

    def main(self) -> Menu:
        """Return the outermost list: the kinds of action in a turn, otherwise possible orders."""
        kinds = sorted(self.choices.kinds(), key=NUMBERS.__getitem__)
        legal = {kind: self.choices.orders(Prefix(kind), MAX_LISTED) for kind in kinds}
        items = [
            self.item(Prefix(kind), _single_order(orders), NUMBERS[kind], kind.family)
            for kind, orders in legal.items()
        ]
        if self.state.awaiting.decision is Decision.TURN:
            return Menu(tuple(items), is_of_turn=True)
        listed_orders = [order for orders in legal.values() for order in orders or ()]
        listed_orders.sort(key=lambda order: loss(type(order)))
        if None in legal.values() or len(listed_orders) > MAX_LISTED:
            return Menu(_number_items(items))
        return Menu(self._items(listed_orders))

    def orders_after(self, prefix: Prefix) -> Menu:
        """Return the orders with a prefix if they are few, otherwise the possible next parts.

        A part without an alternative is added at once. Cards that are only means are sorted by
        value, the best ones last, and everything else by name.
        """
        while (orders := self.choices.orders(prefix, MAX_LISTED)) is None:
            parts, order = self.choices.parts(prefix), self.choices.order(prefix)
            if order is not None or len(parts) != 1:
                onward = [prefix.with_part(part) for part in self._sorted_parts(prefix)]
                items = [self.item(p, _single_order(self.choices.orders(p, 1))) for p in onward]
                first = [self.item(prefix, order)] if order else []
                return Menu(_number_items([*first, *items]), prefix, prefix.text(self.name))
            prefix = prefix.with_part(parts[0])
        return Menu(self._items(self.sorted(orders)), prefix, prefix.text(self.name))

    def with_words(self, words: str, limit: int = MAX_FOUND) -> Menu:
        """Return the orders that have, for each of the words, a word that begins with it.

        If there are very many orders, only some are considered.
        """
        parts = normalize(words).split()
        orders = [order for order in self.choices.some_orders() if self._has_words(order, parts)]
        return Menu(self._items(self.sorted(orders)[:limit]), omitted=max(0, len(orders) - limit))

    def with_parts(self, selection: Parts) -> Menu:
        """Return the orders with all parts of `selection`; all orders, if few, for no parts."""
        next_parts, is_nothing = self.choices.next_parts(selection), selection == Parts()
        complete = _distinct(next_parts.complete)
        whole = complete or (_distinct(next_parts.orders) if next_parts.is_all else ())
        heading = Message("What you can do with just that:")
        if next_parts.is_all:
            heading = Message("All that you can do with it:")
        if next_parts.is_all and is_nothing:
            heading = Message("All that you can do:")
        orders = _distinct(next_parts.orders) if next_parts.is_all or not is_nothing else ()
        single = _single_order(orders if is_nothing else whole)
        is_only = next_parts.is_all and len(orders) == 1
        is_due = is_only and not isinstance(single, Withdraw)
        if single and loss(type(single)) and not (is_due or selection.kind):
            single = None
        return Menu(
            _number_items(
                self.item(Prefix.of(order), order, in_words=True)
                for order in sorted(orders, key=lambda order: loss(type(order)))
            ),
            heading=heading,
            summary=next_parts_text(
                selection, next_parts, self.name, is_enough=is_only and not is_nothing
            ),
            single_order=single,
        )

    def legal(self, words: Sequence[str] = ()) -> Listing:
        """Return the orders that have, for each of the words, a word that begins with it.

        At most `MAX_CHOICES` sets of cards are considered. Raises UsageError, with similar words,
        for a word that no order of this game contains.
        """
        parts, by_kind, shortened = normalize(" ".join(words)).split(), {}, []
        self._check_words(parts)
        for kind in self.choices.kinds():
            orders, is_whole = self.choices.list_orders(kind, MAX_CHOICES)
            if fitting := [order for order in orders if self._has_words(order, parts)]:
                by_kind[kind] = self.sorted(fitting)
            if not is_whole:
                shortened.append(kind)
        return Listing(by_kind, shortened)

    # --- items

    def item(
        self,
        prefix: Prefix,
        order: Order | None = None,
        number: int = 0,
        group: str = "",
        *,
        in_words: bool = False,
    ) -> Item:
        """Return an item and its label: the order as it can be typed, or `in_words`.

        If the cards of an order have different purposes, each card is followed by its purpose. A
        card to draft is followed by its translated name.
        """
        whole, remark = Prefix.of(order) if order else prefix, ""
        if prefix.kind in (Draft, Start):
            names = (translation(self.language, self.name(card)) for card in whole.cards)
            remark = ", ".join(filter(None, names))
        text: Phrase = detailed_order_text(whole, self.name)
        if order is not None:
            effect = quick_preview(self.choices, order)
            effects = remark_on(effect, self.name, in_words=in_words)
            text = order_words(effect, self.name) if in_words else text
        else:
            effects = self.count_text(prefix)
        remarks = comma_list((remark, effects))
        label = Concat((text, " (", remarks, ")")) if remarks else text
        return Item(prefix, order, label, number, group)

    def count_text(self, prefix: Prefix) -> Phrase:
        """Return the number of orders with a prefix, and their prices.

        If there are very many, only those with few cards are considered.
        """
        known = self.choices.orders(prefix, MAX_COUNTED)
        tried = self.choices.some_orders(prefix) if known is None else known
        prices = [game.cost(self.choices.world_of(order), order) for order in tried]
        min_price, max_price = min(prices, default=0), max(prices, default=0)
        orders = Message("many orders") if known is None else order_count(len(known))
        if not max_price:
            return orders
        if known is None:
            price = Message.counted(
                "costs {count} money or more", "costs {count} money or more", min_price
            )
        elif min_price < max_price:
            price = Message.counted(
                "costs {least} to {count} money",
                "costs {least} to {count} money",
                max_price,
                least=min_price,
            )
        else:
            price = Message("costs {price}", price=money_amount(max_price))
        return comma_list((orders, price))

    def text(self, thing: Prefix | Order) -> str:
        """Return an order or prefix as it is typed."""
        return self.say(thing.text(self.name))

    def _items(self, orders: Iterable[Order]) -> tuple[Item, ...]:
        return _number_items(self.item(Prefix.of(order), order) for order in orders)

    # --- sorting

    def sorted(self, orders: Iterable[Order]) -> list[Order]:
        """Return orders sorted by number of cards, effect and names, after those that lose nothing.

        Among orders with the same effect, those that use less valuable cards come first.
        """

        def key(order: Order) -> tuple[int, int, str, Worth, str]:
            means = (c for at, c in enumerate(order.cards) if is_means(type(order), at))
            spent = tuple(map(sum, zip(*map(self._worth, means), strict=True)))
            effect, whole = self.text(effect_of(order)), self.text(order)
            return loss(type(order)), len(order.cards), sort_key(effect), spent, sort_key(whole)

        return sorted(orders, key=key)

    def _sorted_parts(self, prefix: Prefix) -> list[str]:
        """Return the possible next places or cards, sorted."""
        kind = prefix.kind
        by_name = sorted(self.choices.parts(prefix), key=lambda part: sort_key(self.word(part)))
        is_place = kind.has_location and prefix.location is None
        if is_place or not is_means(kind, len(prefix.cards)):
            return by_name
        return sorted(by_name, key=self._worth)

    def _worth(self, card: str) -> Worth:
        """Return the value of a card in hand, to be compared with others.

        Cards are compared by the number of their uses now, then by price, then by the money and
        strength printed on them.
        """
        facts = find_card(self.state, self.state.awaiting.side, card)
        return self._uses[card], facts.cost, facts.money + facts.military

    @cached_property
    def _uses(self) -> Counter[str]:
        """The number of possible actions that each card can be used for."""
        things = {
            (type(order), order.location, card)
            for order in legal_orders(self.state, ignoring=FREE_CHOICE_KINDS)
            for card in cards_played(self.state, order)
        }
        return Counter(card for _, _, card in things)

    # --- words of orders, in the language and in English

    def _has_words(self, order: Order, parts: Sequence[str]) -> bool:
        """Return True if each of the parts begins a word of an order."""
        ids = filter(None, (order.location, *order.cards))
        words = [word for thing in (type(order), *ids) for word in self.words_of(thing)]
        return all(any(word.startswith(part) for word in words) for part in parts)

    def _words_of(self, thing: type[Order] | str) -> list[str]:
        if isinstance(thing, str):
            return " ".join(spellings(self.language, thing, self.word(thing))).split()
        return " ".join(verb_forms(self.language)[thing.verb]).split()

    def _check_words(self, parts: Sequence[str]) -> None:
        """Raise UsageError, with the nearest words, if no order of this game contains a word."""
        catalogue, side = self.state.ruleset.catalogue, self.state.awaiting.side
        things = (*ORDERS.values(), *catalogue.locations, *catalogue.cards[side])
        words = sorted({word for thing in things for word in self.words_of(thing)})
        for part in parts:
            if not any(word.startswith(part) for word in words):
                hint = suggestions(nearest(self.language, part, words))
                raise UsageError(Message("No order contains the word “{word}”.", word=part) + hint)


def _single_order(orders: Sequence[Order] | None) -> Order | None:
    """Return the order if there is exactly one, otherwise None."""
    return orders[0] if orders and len(orders) == 1 else None


def _number_items(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the items of a list, numbered from 1."""
    return tuple(item._replace(number=number) for number, item in enumerate(items, start=1))


def is_means(kind: type[Order], index: int) -> bool:
    """Return True if the card at position `index` of an order is only a means to carry it out.

    Cards that are drafted, discarded or sent to a siege are not means.
    """
    return kind in (Ambush, Block, Convert) or kind.part_name(index) in MEANS_PARTS


def _distinct(orders: Iterable[Order]) -> list[Order]:
    """Return orders without those that only use the same cards for other purposes."""
    first: dict[tuple[Prefix, tuple[str, ...]], Order] = {}
    for order in orders:
        first.setdefault((effect_of(order), tuple(sorted(order.cards))), order)
    return list(first.values())


def effect_of(order: Order) -> Prefix:
    """Return an order without its means; it is equal for orders with the same effect."""
    kind = type(order)
    cards = tuple(card for at, card in enumerate(order.cards) if not is_means(kind, at))
    return Prefix(kind, order.location, cards)


# --- the list of a command


def no_order_with(words: Sequence[str]) -> Message:
    """Return a sentence that no legal order has all of `words`."""
    if len(words) == 1:
        return Message("No order that is legal now contains the word “{word}”.", word=words[0])
    quoted = and_list(Message("“{word}”", word=word) for word in words)
    return Message("No order that is legal now contains the words {words}.", words=quoted)


def listing_text(menus: Menus, words: Sequence[str]) -> Iterator[Line]:
    """Yield all orders with all of `words` by verb, with costs and effects."""
    listing = menus.legal(words)
    for kind, orders in listing.by_kind.items():
        yield Line(kind.verb_label(), Tone.HEAD)
        yield from (item(menus.item(Prefix.of(order), order).label) for order in orders)
    if not listing.by_kind:
        yield Line(no_order_with(words))
        return
    for kind in listing.shortened:
        yield Line(
            Message(
                "There are more ways to “{verb}”, with more cards than those listed.",
                verb=kind.verb_label(),
            )
        )


def overview(menus: Menus, command: str, option: str) -> Iterator[Line]:
    """Yield the possible orders, or their prefixes if they are many.

    `command` is the command that lists orders, `option` its option for all of them.
    """
    many = []
    for kind in menus.choices.kinds():
        prefix, verb = Prefix(kind), kind.verb_label()
        if menus.choices.orders(prefix, MAX_LISTED) is None:
            many.append(verb)
            verb = Message("{verb} ({orders})", verb=verb, orders=menus.count_text(prefix))
        yield Line(verb, Tone.HEAD)
        yield from (item(entry.label) for entry in menus.orders_after(prefix).items)
    if many:
        yield Line(Message("To see each order, add {option}, or words such as:", option=option))
        yield Line(Concat(("  ", command, " ", many[0])), is_whole=True)


# --- parts chosen in any sequence


def selection_text(selection: Parts, name: Name) -> Phrase:
    """Return the chosen parts in the form of an order; empty without parts."""
    if selection.kind:
        return Prefix(selection.kind, selection.location, tuple(sorted(selection.cards))).text(name)
    cards = card_list(selection.cards, name) if selection.cards else ""
    if not selection.location:
        return cards
    place = name(selection.location)
    return with_label(place, cards) if cards else place


def next_parts_text(
    selection: Parts, next_parts: NextParts, name: Name, *, is_enough: bool = False
) -> Message:
    """Return the chosen parts and the possible next ones as a sentence.

    The parts that are chosen are enough if only one order has them.
    """
    parts_by_label = {
        mark_in("choose", "an action"): next_parts.kinds,
        mark_in("choose", "a location"): next_parts.locations,
        mark_in("choose", "a card"): next_parts.cards,
    }
    parts = [Message.within("choose", text) for text, can_be in parts_by_label.items() if can_be]
    text, next_one = selection_text(selection, name), or_list(parts)
    # Translators: {part} is one or more of: an action, a location, a card.
    if not text:
        return Message("Choose {part}.", part=next_one) if parts else Message("Nothing to choose.")
    if not parts and not next_parts.complete:
        return Message("Chosen: {chosen}. No order has all of this.", chosen=text)
    if is_enough or not parts:
        return Message("Chosen: {chosen}. Nothing more is needed.", chosen=text)
    if next_parts.complete:
        return Message("Chosen: {chosen}. This will do; or add {part}.", chosen=text, part=next_one)
    return Message("Chosen: {chosen}. Add {part}.", chosen=text, part=next_one)


# --- facts


def legal_facts(language: Language, turn: Turn, words: Sequence[str]) -> dict[str, object]:
    """Return the legal orders with all of `words` as facts; docs/json.md has the keys.

    Kinds of order in `shortened` have more orders than are listed.
    """
    state = turn.view()
    facts = closed_facts(turn.match) | {
        "side": turn.side,
        "money": state.players[turn.side].money,
        "decision": "nothing" if turn.takes_no_order else state.awaiting.decision,
        "location": state.awaiting.location,
        "actions_left": state.actions_left,
    }
    if turn.takes_no_order:
        return facts
    menus = Menus(language, turn.choices)
    listing = menus.legal(words)
    return facts | {
        "orders": [
            _order_facts(menus, order) for orders in listing.by_kind.values() for order in orders
        ],
        "shortened": [menus.say(kind.verb_label()) for kind in listing.shortened],
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
    """Return the facts of a game in which no player can give orders any more."""
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

"""Legal orders to choose from: in nested lists, and as completions of a typed line.

A verb comes first, then its location, then cards. Shells get whole orders as soon as few enough
remain, in the player's language, or in English if no order in that language begins as typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from engine import game
from engine.actions import ACTIONS
from engine.choices import Choices, Prefix
from engine.message import Message, Phrase, TranslatableError, sort_key
from engine.order import Family, Order, UnreadableOrderError
from engine.orders import ORDERS
from engine.sides import Side
from engine.state import Decision, State
from pbem.text.language import SOURCE, Language, has_prefix
from pbem.text.naming import (
    find_matches,
    find_names,
    find_verbs,
    is_abbreviation,
    likely_names,
    normalize,
)
from pbem.text.ordering.menu import NUMBERS, Menu, Menus
from pbem.text.ordering.reading import read, verb_alone
from pbem.text.phrases import money_amount

MAX_SIMILAR_ORDERS = 5
"""The maximum number of legal orders shown for a text that may be the beginning of an order."""
MAX_WHOLE = 24
"""The maximum number of whole orders for a shell; if there are more, it gets prefixes."""


class NotPossibleError(TranslatableError):
    """Raised if a verb has no legal order now; `kind` is its kind of order."""

    def __init__(self, kind: type[Order]) -> None:
        super().__init__(Message("No “{verb}” is possible now.", verb=kind.verb_label()))
        self.kind = kind


class Lists:
    """The nested lists that a player has opened; numbers refer to the last one.

    A number or a text leads to another list, which becomes the last, or to an order.
    """

    def __init__(self, language: Language, choices: Choices) -> None:
        self.menus = Menus(language, choices)
        self._open_menus = [self.menus.main()]

    @property
    def last(self) -> Menu:
        """The list shown last."""
        return self._open_menus[-1]

    @property
    def is_inside(self) -> bool:
        """True if there is a list to go back to."""
        return len(self._open_menus) > 1

    def back(self) -> Menu:
        """Close the last list, unless it is the outermost, and return the one before."""
        if self.is_inside:
            self._open_menus.pop()
        return self.last

    def choose(self, number: int) -> Menu | Order | None:
        """Return the list or order with a number in the last list, or None.

        Raises NotPossibleError for the number of an action that has no legal order now.
        """
        item = self.last.numbered(number)
        if item is not None:
            return item.order or self._open(item.prefix)
        kind = next((kind for kind in NUMBERS if NUMBERS[kind] == number), None)
        if self.last.is_of_turn and kind and kind.family is not Family.ANSWERS:
            raise NotPossibleError(kind)
        return None

    def list_orders(self, words: str) -> Menu | None:
        """Open the list of orders that contain `words`, if there are any, and return it."""
        menu = self.menus.with_words(words)
        if menu.items:
            self._open_menus[1:] = [menu]
        return menu if menu.items else None

    def similar_orders(self, text: str) -> Menu:
        """Return a few legal orders with the words of a text, without opening a list."""
        return self.menus.with_words(text, MAX_SIMILAR_ORDERS)

    def understand(self, text: str) -> Menu | Order | None:
        """Return the list or order that a text leads to: a verb, an expected part, or an order.

        Returns None for any other text. Raises NotPossibleError for a verb without a legal order.
        """
        language, choices, prefix = self.menus.language, self.menus.choices, self.last.prefix
        kind = verb_alone(language, text)
        if kind is not None:
            if kind not in choices.kinds():
                raise NotPossibleError(kind)
            return self._open(Prefix(kind))
        forms = [f for k in ORDERS.values() for f in (k.verb, language.say(k.verb_label()))]
        verbs = {*map(normalize, forms)}
        part = extend_prefix(self.menus, prefix, text) if prefix else None
        if part and normalize(text) not in verbs:
            return self._open(part)
        try:
            order = read(language, text, *choices.worlds)
            if choices.is_legal(order):
                return order
        except UnreadableOrderError:
            pass
        prefix = parse_prefix(self.menus, text)
        return self._open(prefix) if prefix else None

    def suggest(self, text: str) -> list[Suggestion]:
        """Return completions of a line: a part that the last list expects, or any order."""
        prefix = self.last.prefix
        parts = part_suggestions(self.menus, prefix, text) if prefix else []
        return [*parts, *suggestions(self.menus, text)]

    def _open(self, prefix: Prefix) -> Menu | Order:
        """Open the list of orders that begin with a prefix, inside the lists that led to it."""
        menu = self.menus.orders_after(prefix)
        if len(menu.items) == 1 and menu.items[0].order:
            return menu.items[0].order
        prefix = menu.prefix or prefix
        outer = [
            outer_menu
            for outer_menu in self._open_menus[1:]
            if outer_menu.prefix
            and outer_menu.prefix != prefix
            and outer_menu.prefix.is_prefix_of(prefix)
        ]
        self._open_menus[1:] = [*outer, menu]
        return menu


# --- completion of a line


class Suggestion(NamedTuple):
    """A completed line, and the part of it that is new."""

    line: str
    part: str


Suggest = Callable[[str], list[Suggestion]]
"""A function that returns completions of a typed line."""


def suggestions(menus: Menus, text: str) -> list[Suggestion]:
    """Return completions of a text: orders with one more part, by name, and then verbs.

    Case, accents and punctuation do not matter, and names may be shortened.
    """

    def position(pair: tuple[Prefix, str]) -> tuple[bool, str]:
        prefix, part = pair
        is_verb = prefix == Prefix(prefix.kind)
        return is_verb, "" if is_verb else sort_key(part)

    pairs = sorted(_prefixes(menus, text), key=position)
    return [Suggestion(_line(menus, prefix), part) for prefix, part in pairs]


def _prefixes(menus: Menus, text: str) -> list[tuple[Prefix, str]]:
    """Return the prefixes that a text can become, each with the added name or verb."""
    typed, normalized = _split(menus, text), normalize(text)
    verbs = [(Prefix(kind), menus.say(kind.verb_label())) for kind in menus.choices.kinds()]
    prefixes = [
        (prefix, verb)
        for prefix, verb in verbs
        if any(normalize(form).startswith(normalized) for form in (verb, prefix.kind.verb))
    ]
    if typed is None:
        return prefixes
    prefix, name = typed
    parts = _find_parts(menus, prefix, name)
    longer = [(prefix.with_part(part), menus.word(part)) for part in parts]
    # `give f` may become `give Fortification`, or `give from reserve`.
    others = [(prefix, verb) for prefix, verb in prefixes if normalize(verb) != normalized]
    return [*longer, *others]


def part_suggestions(menus: Menus, prefix: Prefix, text: str) -> list[Suggestion]:
    """Return the next places or cards that a text may mean."""
    names = sorted(map(menus.word, _find_parts(menus, prefix, text)), key=sort_key)
    return [Suggestion(part, part) for part in names]


def parse_prefix(menus: Menus, text: str) -> Prefix | None:
    """Return the prefix that a text means, or None if no legal order has it."""
    typed = _split(menus, f"{text} ")
    if typed is None:
        return None
    prefix, last = typed
    return extend_prefix(menus, prefix, last) if last else prefix


def extend_prefix(menus: Menus, prefix: Prefix, *texts: str) -> Prefix | None:
    """Return a prefix with more parts, or None if a name means no part or several parts."""
    for text in map(normalize, texts):
        ids = find_names(menus.language, text, _part_names(menus, prefix)) if text else {}
        likely = likely_names(menus.language, text, ids)
        if len(likely) != 1:
            return None
        prefix = prefix.with_part(next(iter(likely)))
    return prefix


def _split(menus: Menus, text: str) -> tuple[Prefix, str] | None:
    """Return the certain prefix of a line, and the name that is still being typed.

    Returns None while the verb is being typed, or if a name fits nothing.
    """
    head, colon, tail = text.partition(":")
    verbs = find_verbs(menus.language, normalize(head).split())
    usable = [verb for verb in verbs if verb.kind in menus.choices.kinds()]
    if not usable or not (usable[0].is_whole or len(usable) == 1):
        return None
    kind, rest = usable[0].kind, _text_after(head, usable[0].word_count)
    if not (colon or rest or text[-1:].isspace() or "," in head):
        return None
    pieces = [rest, *tail.split(",")] if colon else [rest]
    if not kind.has_location:
        pieces = f"{rest} {tail}".split(",")
    *certain, last = pieces
    prefix = extend_prefix(menus, Prefix(kind), *certain)
    return None if prefix is None else (prefix, normalize(last))


def _text_after(head: str, word_count: int) -> str:
    """Return the text after the first `word_count` words."""
    ends = [word.end() for word in re.finditer(r"[^\s_-]+", head) if normalize(word[0])]
    return head[ends[word_count - 1] :].strip(" \t-_")


def _find_parts(menus: Menus, prefix: Prefix, text: str) -> list[str]:
    """Return the next places or cards that a text may mean; all for an empty text."""
    language, parts = menus.language, _part_names(menus, prefix)
    if not text.strip():
        return list(parts)
    # While it is being typed, a full name may also be the beginning of a longer one.
    ids = find_matches(language, text, parts, is_abbreviation) or find_names(language, text, parts)
    return list(likely_names(language, text, ids))


def _part_names(menus: Menus, prefix: Prefix) -> dict[str, str]:
    """Return the names of the next places or cards, by id."""
    return {part: menus.word(part) for part in menus.choices.parts(prefix)}


def _line(menus: Menus, prefix: Prefix) -> str:
    """Return a prefix as it is typed, up to the sign before the next part."""
    text = menus.text(prefix)
    if menus.choices.order(prefix) is not None:
        return text
    if not prefix.cards:
        return f"{text}: " if prefix.location else f"{text} "
    return f"{text}, "


# --- in a shell


class AnyOrders(Choices):
    """Orders that a player with an unknown hand may have, for spectators.

    They answer the awaited decision and name any locations, and any cards of the side.
    """

    def __init__(self, state: State, side: Side) -> None:
        super().__init__(())
        self.worlds = (state,)
        self.state, self.side = state, side

    def kinds(self) -> list[type[Order]]:
        """Return the kinds of order that answer the decision, or follow awaited cards."""
        decision = self.state.awaiting.decision
        awaited = Decision.TURN if decision.is_chance else decision
        return [kind for kind in ORDERS.values() if awaited in ACTIONS[kind].decisions]

    def parts(self, prefix: Prefix) -> list[str]:
        """Return all locations if a location comes next, otherwise all cards."""
        catalogue = self.state.ruleset.catalogue
        if prefix.kind.has_location and prefix.location is None:
            return list(catalogue.locations)
        return list(catalogue.cards[self.side]) if len(prefix.cards) < prefix.kind.max_cards else []

    def order(self, prefix: Prefix) -> Order | None:
        """Return the order if the prefix has all parts that its kind needs."""
        return prefix.to_order()

    def orders(self, prefix: Prefix, limit: int) -> list[Order] | None:
        """Return None, because the orders are too many."""
        return None


def complete_orders(language: Language, choices: Choices, typed: str) -> list[tuple[str, Phrase]]:
    """Return orders that begin with `typed`, each with its cost if it is known.

    They are in `language`, or in English if no order in `language` begins as typed.
    """
    is_known = not isinstance(choices, AnyOrders)
    texts = completions(language, choices, typed) or completions(Language(SOURCE), choices, typed)
    costs = (
        (text, game.cost(choices.worlds[0], order) if order and is_known else 0)
        for text, order in texts
    )
    return [(text, money_amount(cost) if cost else "") for text, cost in costs]


def completions(language: Language, choices: Choices, typed: str) -> list[tuple[str, Order | None]]:
    """Return texts that begin as typed, in any case: whole orders, or prefixes of several."""
    menus = Menus(language, choices)
    front = [p for p, _ in _prefixes(menus, typed) if has_prefix(_line(menus, p), typed)]
    # Shells cannot use orders whose verb was abbreviated.
    verbs = [kind for kind in choices.kinds() if has_prefix(typed, menus.say(kind.verb_label()))]
    front = [prefix for prefix in front if prefix == Prefix(prefix.kind) or prefix.kind in verbs]
    offered: dict[tuple[str, Order | None], None] = {}
    while front:
        lists = [choices.orders(prefix, MAX_WHOLE) for prefix in front]
        whole = [order for orders in lists for order in orders or ()]
        if None not in lists and len(whole) <= MAX_WHOLE:
            texts = [(menus.text(order), order) for order in whole]
            return [*(offered | dict.fromkeys(t for t in texts if has_prefix(t[0], typed)))]
        longer = [(menus.text(prefix), choices.order(prefix)) for prefix in front]
        offered |= dict.fromkeys(pair for pair in longer if len(front) > 1 or pair[1])
        parts = choices.parts(front[0]) if len(front) == 1 else ()
        front = [front[0].with_part(part) for part in parts]
    return [*offered]


def complete_words(language: Language, choices: Choices, typed: str) -> list[str]:
    """Return the words of orders that begin with `typed`, in `language` or else in English."""
    kinds, menus = choices.kinds(), Menus(language, choices)
    places = [Prefix(k, part) for k in kinds if k.has_location for part in choices.parts(Prefix(k))]
    ids = {part for prefix in (*map(Prefix, kinds), *places) for part in choices.parts(prefix)}
    texts = [*(kind.verb_label() for kind in kinds), *map(menus.name, ids)]
    for spoken in (language, Language(SOURCE)):
        words = {word for text in texts for word in normalize(spoken.say(text)).split()}
        if hits := sorted(word for word in words if has_prefix(word, typed)):
            return hits
    return []

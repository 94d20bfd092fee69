"""Legal orders to choose from: in nested lists, and as completions of a typed line.

A verb comes first, then its location, then cards. A shell gets whole orders as soon as few enough
remain: in the player's language, or in English if none in that begins as typed.
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
from pbem.text.naming import find_matches, is_abbreviation, likely_names, meanings, normal, verbs_of
from pbem.text.ordering.menu import NUMBERS, Menu, Menus
from pbem.text.ordering.reading import read, verb_alone
from pbem.text.phrases import money_amount

MAX_MEANT = 5
"""The most legal orders shown for a text that is no order but may begin one."""
MAX_WHOLE = 24
"""The most orders that a shell is offered whole; if there are more, it gets beginnings."""


class NotPossibleError(TranslatableError):
    """The error for a verb without a legal order now; `kind` is its kind of order."""

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
        """Return the list or order with a number in the last list; None if there is none.

        Raises NotPossibleError for the number of an action that has no legal order now.
        """
        item = self.last.numbered(number)
        if item is not None:
            return item.order or self._open(item.begun)
        kind = next((kind for kind in NUMBERS if NUMBERS[kind] == number), None)
        if self.last.is_of_turn and kind and kind.family is not Family.ANSWERS:
            raise NotPossibleError(kind)
        return None

    def find(self, wanted: str) -> Menu | None:
        """Open the list of orders that contain these words; None if no legal order does."""
        menu = self.menus.with_words(wanted)
        if menu.items:
            self._open_menus[1:] = [menu]
        return menu if menu.items else None

    def near(self, text: str) -> Menu:
        """Return a few legal orders that a text may begin; numbers still refer to the last list."""
        return self.menus.with_words(text, MAX_MEANT)

    def understand(self, text: str) -> Menu | Order | None:
        """Return the list or order that a text leads to: a verb, an expected part, or an order.

        None for any other text; raises NotPossibleError for a verb alone without a legal order.
        """
        language, choices, begun = self.menus.language, self.menus.choices, self.last.begun
        kind = verb_alone(language, text)
        if kind is not None:
            if kind not in choices.kinds():
                raise NotPossibleError(kind)
            return self._open(Prefix(kind))
        verbs = {
            normal(verb) for k in ORDERS.values() for verb in (k.verb, language.say(k.verb_label()))
        }
        if begun and normal(text) not in verbs and (part := extend_prefix(self.menus, begun, text)):
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
        begun = self.last.begun
        parts = part_suggestions(self.menus, begun, text) if begun else []
        return [*parts, *suggestions(self.menus, text)]

    def _open(self, begun: Prefix) -> Menu | Order:
        """Open the list of orders that begin with a prefix, inside those that led to it."""
        menu = self.menus.after(begun)
        if len(menu.items) == 1 and menu.items[0].order:
            return menu.items[0].order
        prefix = menu.begun or begun
        outer = [
            outer_menu
            for outer_menu in self._open_menus[1:]
            if outer_menu.begun
            and outer_menu.begun != prefix
            and outer_menu.begun.is_prefix_of(prefix)
        ]
        self._open_menus[1:] = [*outer, menu]
        return menu


# --- how a line goes on


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

    def place(pairs: tuple[Prefix, str]) -> tuple[bool, str]:
        begun, part = pairs
        is_verb = begun == Prefix(begun.kind)
        return is_verb, "" if is_verb else sort_key(part)

    pairs = sorted(_prefixes(menus, text), key=place)
    return [Suggestion(_line(menus, begun), part) for begun, part in pairs]


def _prefixes(menus: Menus, text: str) -> list[tuple[Prefix, str]]:
    """Return the prefixes that a text can become, each with the added name or verb."""
    typed, wanted = _split(menus, text), normal(text)
    verbs = [(Prefix(kind), menus.say(kind.verb_label())) for kind in menus.choices.kinds()]
    begun = [
        (one, verb)
        for one, verb in verbs
        if any(normal(form).startswith(wanted) for form in (verb, one.kind.verb))
    ]
    if typed is None:
        return begun
    before, rest = typed
    longer = [(before.with_part(part), menus.word(part)) for part in _fitting(menus, before, rest)]
    # `give f` may become `give Fortification`, or `give from reserve`.
    return [*longer, *((one, verb) for one, verb in begun if normal(verb) != wanted)]


def part_suggestions(menus: Menus, begun: Prefix, text: str) -> list[Suggestion]:
    """Return the next places or cards that a text may abbreviate."""
    names = sorted(map(menus.word, _fitting(menus, begun, text)), key=sort_key)
    return [Suggestion(part, part) for part in names]


def parse_prefix(menus: Menus, text: str) -> Prefix | None:
    """Return the prefix that a text spells; None if it is not legal."""
    typed = _split(menus, f"{text} ")
    if typed is None:
        return None
    begun, last = typed
    return extend_prefix(menus, begun, last) if last else begun


def extend_prefix(menus: Menus, begun: Prefix, *texts: str) -> Prefix | None:
    """Return a prefix with more parts; None if a name means no part, or several."""
    for text in map(normal, texts):
        ids = meanings(menus.language, text, _parts(menus, begun)) if text else {}
        likely = likely_names(menus.language, text, ids)
        if len(likely) != 1:
            return None
        begun = begun.with_part(next(iter(likely)))
    return begun


def _split(menus: Menus, text: str) -> tuple[Prefix, str] | None:
    """Return the certain prefix of a line, and the name that is still being typed.

    None while the verb is being typed, and if a name fits nothing.
    """
    head, colon, tail = text.partition(":")
    verbs = verbs_of(menus.language, normal(head).split())
    usable = [verb for verb in verbs if verb.kind in menus.choices.kinds()]
    if not usable or not (usable[0].is_whole or len(usable) == 1):
        return None
    kind, rest = usable[0].kind, _behind(head, usable[0].used)
    if not (colon or rest or text[-1:].isspace() or "," in head):
        return None
    pieces = [rest, *tail.split(",")] if colon else [rest]
    if not kind.has_location:
        pieces = f"{rest} {tail}".split(",")
    *certain, last = pieces
    begun = extend_prefix(menus, Prefix(kind), *certain)
    return None if begun is None else (begun, normal(last))


def _behind(head: str, used: int) -> str:
    """Return the text behind the first `used` words."""
    ends = [word.end() for word in re.finditer(r"[^\s_-]+", head) if normal(word[0])]
    return head[ends[used - 1] :].strip(" \t-_")


def _fitting(menus: Menus, begun: Prefix, text: str) -> list[str]:
    """Return the next places or cards that a text may mean; all for an empty text."""
    language, parts = menus.language, _parts(menus, begun)
    if not text.strip():
        return list(parts)
    # While a name is typed, one that is there in full may still become a longer one.
    ids = find_matches(language, text, parts, is_abbreviation) or meanings(language, text, parts)
    return list(likely_names(language, text, ids))


def _parts(menus: Menus, begun: Prefix) -> dict[str, str]:
    """Return the names of the next places or cards, by id."""
    return {part: menus.word(part) for part in menus.choices.parts(begun)}


def _line(menus: Menus, begun: Prefix) -> str:
    """Return a prefix as it is typed, ending with the sign before the next part."""
    text = menus.text(begun)
    if menus.choices.order(begun) is not None:
        return text
    if not begun.cards:
        return f"{text}: " if begun.location else f"{text} "
    return f"{text}, "


# --- in a shell


class AnyOrders(Choices):
    """Orders that a player may have, as far as spectators can tell: the hand is unknown.

    They answer the awaited decision and name locations of the board and cards of the side.
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

    def parts(self, begun: Prefix) -> list[str]:
        """Return all locations if a location comes next, otherwise all cards."""
        catalogue = self.state.ruleset.catalogue
        if begun.kind.has_location and begun.location is None:
            return list(catalogue.locations)
        return list(catalogue.cards[self.side]) if len(begun.cards) < begun.kind.max_cards else []

    def order(self, begun: Prefix) -> Order | None:
        """Return the order if the prefix has all parts that its kind needs."""
        return begun.to_order()

    def orders(self, begun: Prefix, most: int) -> list[Order] | None:
        """Return None, because the orders are too many."""
        return None


def complete_orders(language: Language, choices: Choices, typed: str) -> list[tuple[str, Phrase]]:
    """Return orders that begin with `typed`, each with its cost if it is known.

    They are in `language`, or in English if no order in `language` begins so.
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
    # A shell has no use for an order of which the verb was cut short.
    verbs = [kind for kind in choices.kinds() if has_prefix(typed, menus.say(kind.verb_label()))]
    front = [begun for begun in front if begun == Prefix(begun.kind) or begun.kind in verbs]
    offered: dict[tuple[str, Order | None], None] = {}
    while front:
        lists = [choices.orders(begun, MAX_WHOLE) for begun in front]
        whole = [order for orders in lists for order in orders or ()]
        if None not in lists and len(whole) <= MAX_WHOLE:
            texts = [(menus.text(order), order) for order in whole]
            return [*(offered | dict.fromkeys(t for t in texts if has_prefix(t[0], typed)))]
        longer = [(menus.text(begun), choices.order(begun)) for begun in front]
        offered |= dict.fromkeys(pair for pair in longer if len(front) > 1 or pair[1])
        parts = choices.parts(front[0]) if len(front) == 1 else ()
        front = [front[0].with_part(part) for part in parts]
    return [*offered]


def complete_words(language: Language, choices: Choices, typed: str) -> list[str]:
    """Return words of orders that begin with `typed`, in `language`, or else in English."""
    kinds, menus = choices.kinds(), Menus(language, choices)
    places = [
        Prefix(kind, part)
        for kind in kinds
        for part in choices.parts(Prefix(kind))
        if kind.has_location
    ]
    ids = {part for begun in (*map(Prefix, kinds), *places) for part in choices.parts(begun)}
    texts = [*(kind.verb_label() for kind in kinds), *map(menus.name, ids)]
    for spoken in (language, Language(SOURCE)):
        words = {word for text in texts for word in normal(spoken.say(text)).split()}
        if hits := sorted(word for word in words if has_prefix(word, typed)):
            return hits
    return []

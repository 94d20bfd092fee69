"""Legal orders to choose from: in lists inside one another, and as a line that is typed goes on.

A verb comes first, then its location, then cards.
A shell offers orders whole as soon as few enough remain to be read: in the player's language, and
in English if none in that begins as typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from engine import game
from engine.actions import ACTIONS
from engine.choices import Choices, Prefix
from engine.message import Failure, Message, Phrase, sort_key
from engine.order import Family, Order, UnreadableOrder
from engine.orders import ORDERS
from engine.sides import Side
from engine.state import Decision, State
from pbem.text.language import SOURCE, Language, extends
from pbem.text.naming import abbreviates, find_matches, likelier, meanings, normal, verbs_of
from pbem.text.ordering.menu import NUMBERS, Menu, Menus
from pbem.text.ordering.reading import read, verb_alone
from pbem.text.phrases import money_counted

MOST_MEANT = 5
"""How many legal orders are shown that a text which is none could be the beginning of."""
MOST_WHOLE = 24
"""How many orders a shell is offered whole; with more, first how they begin."""


class NotPossible(Failure):
    """A verb alone with no legal order now: the message says so, `kind` is its kind."""

    def __init__(self, kind: type[Order]) -> None:
        super().__init__(Message("No “{verb}” is possible now.", verb=kind.words()))
        self.kind = kind


class Lists:
    """The lists that a player has opened one inside the other; the numbers of the last hold.

    A number or a text leads to another list, which is the last from then on, or to an order.
    """

    def __init__(self, language: Language, choices: Choices) -> None:
        self.menus = Menus(language, choices)
        self._shown = [self.menus.main()]

    @property
    def last(self) -> Menu:
        """The list that was shown last."""
        return self._shown[-1]

    @property
    def is_inside(self) -> bool:
        """True if there is a list to go back to."""
        return len(self._shown) > 1

    def back(self) -> Menu:
        """Return to the list from which the last was opened; the list of everything stays."""
        if self.is_inside:
            self._shown.pop()
        return self.last

    def choose(self, number: int) -> Menu | Order | None:
        """Return what a number of the last list stands for; None for nothing.

        Raises NotPossible for the number of an action of which no order is legal now.
        """
        item = self.last.numbered(number)
        if item is not None:
            return item.order or self._open(item.begun)
        kind = next((kind for kind in NUMBERS if NUMBERS[kind] == number), None)
        if self.last.is_of_turn and kind and kind.family is not Family.ANSWERS:
            raise NotPossible(kind)
        return None

    def find(self, wanted: str) -> Menu | None:
        """Open the list of orders with these words; None if no legal one has them."""
        menu = self.menus.with_words(wanted)
        if menu.items:
            self._shown[1:] = [menu]
        return menu if menu.items else None

    def near(self, text: str) -> Menu:
        """Return the few legal orders that a text which is none could be the beginning of.

        They are to be read, not chosen from: the numbers of the last list still hold.
        """
        return self.menus.with_words(text, MOST_MEANT)

    def understand(self, text: str) -> Menu | Order | None:
        """Return what a text leads to, as a verb, a place or card that is asked for, or an order.

        None for anything else; raises NotPossible for a verb alone of which no order is legal.
        """
        language, choices, begun = self.menus.language, self.menus.choices, self.last.begun
        kind = verb_alone(language, text)
        if kind is not None:
            if kind not in choices.kinds():
                raise NotPossible(kind)
            return self._open(Prefix(kind))
        verbs = {
            normal(verb) for k in ORDERS.values() for verb in (k.verb, language.say(k.words()))
        }
        if begun and normal(text) not in verbs and (part := begun_with(self.menus, begun, text)):
            return self._open(part)
        try:
            order = read(language, text, *choices.worlds)
            if choices.is_legal(order):
                return order
        except UnreadableOrder:
            pass
        meant = begun_by(self.menus, text)
        return self._open(meant) if meant else None

    def suggest(self, text: str) -> list[Suggestion]:
        """Return what a line can become: a part that the last list asks for, or any order."""
        begun = self.last.begun
        parts = part_suggestions(self.menus, begun, text) if begun else []
        return [*parts, *suggestions(self.menus, text)]

    def _open(self, begun: Prefix) -> Menu | Order:
        """Return how an order goes on; behind that list stand those that have led to it."""
        menu = self.menus.after(begun)
        if len(menu.items) == 1 and menu.items[0].order:
            return menu.items[0].order
        said = menu.begun or begun
        outer = [
            each
            for each in self._shown[1:]
            if each.begun and each.begun != said and each.begun.is_prefix_of(said)
        ]
        self._shown[1:] = [*outer, menu]
        return menu


# --- how a line goes on


class Suggestion(NamedTuple):
    """A whole line that the typed one can become, and the part of it that is new."""

    line: str
    part: str


Suggest = Callable[[str], list[Suggestion]]
"""Finds the lines that a typed one can become."""


def suggestions(menus: Menus, text: str) -> list[Suggestion]:
    """Return what a text can become: orders with one part more, by its name, and then verbs.

    Case, accents and punctuation do not matter, and names may be cut short.
    """

    def place(found: tuple[Prefix, str]) -> tuple[bool, str]:
        begun, part = found
        is_verb = begun == Prefix(begun.kind)
        return is_verb, "" if is_verb else sort_key(part)

    found = sorted(_becomes(menus, text), key=place)
    return [Suggestion(_line(menus, begun), part) for begun, part in found]


def _becomes(menus: Menus, text: str) -> list[tuple[Prefix, str]]:
    """Return the beginnings that a text can become, each with the name or verb that is new."""
    typed, wanted = _taken_apart(menus, text), normal(text)
    verbs = [(Prefix(kind), menus.say(kind.words())) for kind in menus.choices.kinds()]
    begun = [
        (one, verb)
        for one, verb in verbs
        if any(normal(form).startswith(wanted) for form in (verb, one.kind.verb))
    ]
    if typed is None:
        return begun
    before, rest = typed
    longer = [(before.with_part(part), menus.said(part)) for part in _fitting(menus, before, rest)]
    # `give f` may become `give Fortification`, or `give from reserve`.
    return [*longer, *((one, verb) for one, verb in begun if normal(verb) != wanted)]


def part_suggestions(menus: Menus, begun: Prefix, text: str) -> list[Suggestion]:
    """Return the places or cards that come next in what is begun, and that a text is short for."""
    found = sorted(map(menus.said, _fitting(menus, begun, text)), key=sort_key)
    return [Suggestion(part, part) for part in found]


def begun_by(menus: Menus, text: str) -> Prefix | None:
    """Return what a text says of an order that is not finished; None if that is not legal."""
    typed = _taken_apart(menus, f"{text} ")
    if typed is None:
        return None
    begun, last = typed
    return begun_with(menus, begun, last) if last else begun


def begun_with(menus: Menus, begun: Prefix, *said: str) -> Prefix | None:
    """Return a beginning with the parts of these names; None if one means nothing, or several."""
    for text in map(normal, said):
        found = meanings(menus.language, text, _parts(menus, begun)) if text else {}
        meant = likelier(menus.language, text, found)
        if len(meant) != 1:
            return None
        begun = begun.with_part(next(iter(meant)))
    return begun


def _taken_apart(menus: Menus, text: str) -> tuple[Prefix, str] | None:
    """Return what a line says for certain, and the name that is still being typed.

    None while the verb is being typed, and if a name fits nothing.
    """
    head, colon, tail = text.partition(":")
    verbs = verbs_of(menus.language, normal(head).split())
    said = [verb for verb in verbs if verb.kind in menus.choices.kinds()]
    if not said or not (said[0].is_whole or len(said) == 1):
        return None
    kind, rest = said[0].kind, _behind(head, said[0].used)
    if not (colon or rest or text[-1:].isspace() or "," in head):
        return None
    pieces = [rest, *tail.split(",")] if colon else [rest]
    if not kind.has_location:
        pieces = f"{rest} {tail}".split(",")
    *certain, last = pieces
    begun = begun_with(menus, Prefix(kind), *certain)
    return None if begun is None else (begun, normal(last))


def _behind(head: str, used: int) -> str:
    """Return what stands behind that many words of a text."""
    ends = [word.end() for word in re.finditer(r"[^\s_-]+", head) if normal(word[0])]
    return head[ends[used - 1] :].strip(" \t-_")


def _fitting(menus: Menus, begun: Prefix, text: str) -> list[str]:
    """Return the places or cards that can come next and that a text may mean; all if empty."""
    language, parts = menus.language, _parts(menus, begun)
    if not text.strip():
        return list(parts)
    # While a name is typed, one that is there in full may still become a longer one.
    found = find_matches(language, text, parts, abbreviates) or meanings(language, text, parts)
    return list(likelier(language, text, found))


def _parts(menus: Menus, begun: Prefix) -> dict[str, str]:
    """Return the names of the places or cards that can come next, by id."""
    return {part: menus.said(part) for part in menus.choices.parts(begun)}


def _line(menus: Menus, begun: Prefix) -> str:
    """Return a beginning as it is typed, with the sign behind which it has to go on."""
    text = menus.text(begun)
    if menus.choices.order(begun) is not None:
        return text
    if not begun.cards:
        return f"{text}: " if begun.location else f"{text} "
    return f"{text}, "


# --- in a shell


class AnyOrders(Choices):
    """Orders of a player as far as anybody may know them without seeing the hand.

    They answer what is awaited, and name locations of the board and cards of that side.
    """

    def __init__(self, state: State, side: Side) -> None:
        super().__init__(())
        self.worlds = (state,)
        self.state, self.side = state, side

    def kinds(self) -> list[type[Order]]:
        """Return the kinds of order that answer what is awaited, or follow cards that are."""
        decision = self.state.awaiting.decision
        awaited = Decision.TURN if decision.is_chance else decision
        return [kind for kind in ORDERS.values() if awaited in ACTIONS[kind].decisions]

    def parts(self, begun: Prefix) -> list[str]:
        """Return all locations if one has to come next, otherwise all cards."""
        catalogue = self.state.ruleset.catalogue
        if begun.kind.has_location and begun.location is None:
            return list(catalogue.locations)
        return list(catalogue.cards[self.side]) if len(begun.cards) < begun.kind.most else []

    def order(self, begun: Prefix) -> Order | None:
        """Return the order that is said, if it has all that its kind needs."""
        return begun.complete()

    def orders(self, begun: Prefix, most: int) -> list[Order] | None:
        """Return None: they are too many."""
        return None


def orders_begun(language: Language, choices: Choices, typed: str) -> list[tuple[str, Phrase]]:
    """Return orders that begin as typed, each with what it costs, as far as that is known.

    In that language, or else in English.
    """
    is_known = not isinstance(choices, AnyOrders)
    found = going_on(language, choices, typed) or going_on(Language(SOURCE), choices, typed)
    costs = (
        (text, game.cost(choices.worlds[0], order) if order and is_known else 0)
        for text, order in found
    )
    return [(text, money_counted(cost) if cost else "") for text, cost in costs]


def going_on(language: Language, choices: Choices, typed: str) -> list[tuple[str, Order | None]]:
    """Return texts that begin as typed, in any case: whole orders, or how several begin."""
    menus = Menus(language, choices)
    front = [begun for begun, _ in _becomes(menus, typed) if extends(_line(menus, begun), typed)]
    # A shell has no use for an order of which the verb was cut short.
    verbs = [kind for kind in choices.kinds() if extends(typed, menus.say(kind.words()))]
    front = [begun for begun in front if begun == Prefix(begun.kind) or begun.kind in verbs]
    offered: dict[tuple[str, Order | None], None] = {}
    while front:
        lists = [choices.orders(begun, MOST_WHOLE) for begun in front]
        whole = [order for orders in lists for order in orders or ()]
        if None not in lists and len(whole) <= MOST_WHOLE:
            told = [(menus.text(order), order) for order in whole]
            return [*(offered | dict.fromkeys(each for each in told if extends(each[0], typed)))]
        said = [(menus.text(begun), choices.order(begun)) for begun in front]
        offered |= dict.fromkeys(each for each in said if len(front) > 1 or each[1])
        parts = choices.parts(front[0]) if len(front) == 1 else ()
        front = [front[0].with_part(part) for part in parts]
    return [*offered]


def words_begun(language: Language, choices: Choices, typed: str) -> list[str]:
    """Return the words of orders that begin as typed, in that language, or else in English."""
    kinds, menus = choices.kinds(), Menus(language, choices)
    places = [
        Prefix(kind, part)
        for kind in kinds
        for part in choices.parts(Prefix(kind))
        if kind.has_location
    ]
    ids = {part for begun in (*map(Prefix, kinds), *places) for part in choices.parts(begun)}
    texts = [*(kind.words() for kind in kinds), *map(menus.name, ids)]
    for spoken in (language, Language(SOURCE)):
        known = {word for text in texts for word in normal(spoken.say(text)).split()}
        if found := sorted(word for word in known if extends(word, typed)):
            return found
    return []

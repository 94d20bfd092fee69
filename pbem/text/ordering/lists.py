"""Legal orders to choose from: in lists inside one another, and as a line that is typed goes on.

A verb comes first, then its location, then cards.
A shell offers orders whole as soon as few enough remain to be read: in the player's language, and
in English if none in that begins as typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from engine import game
from engine.actions import ACTIONS
from engine.choices import Begun, Choices
from engine.message import Failure, Message, Said, alphabetical
from engine.order import Family, Order, UnreadableOrder
from engine.orders import ORDERS
from engine.sides import Side
from engine.state import Decision, State
from pbem.text.language import SOURCE, Language
from pbem.text.naming import abbreviates, likelier, matching, meanings, normal
from pbem.text.ordering.menu import NUMBERS, Menu, found_menu, main_menu, menu_of, names_in
from pbem.text.ordering.prefix import begins
from pbem.text.ordering.reading import read, verb_alone
from pbem.text.ordering.verbs import verbs_of
from pbem.text.phrases import money_counted, names

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
    """The legal orders now, as lists one inside the other, and which of them was shown last.

    What a number or a text leads to is another list, which is the last from then on, or an order.
    """

    def __init__(self, language: Language, choices: Choices) -> None:
        self.language = language
        self.choices = choices
        self._shown = [main_menu(choices)]

    @property
    def last(self) -> Menu:
        """The list that was shown last, whose numbers hold."""
        return self._shown[-1]

    @property
    def is_inside(self) -> bool:
        """True if there is a list to go back to."""
        return len(self._shown) > 1

    def back(self) -> Menu:
        """The list from which the last was opened; the list of everything stays."""
        if self.is_inside:
            self._shown.pop()
        return self.last

    def choose(self, number: int) -> Menu | Order | None:
        """What a number of the last list stands for; None for nothing.

        Raises NotPossible for the number of an action of which no order is legal now.
        """
        line = self.last.numbered(number)
        if line is not None:
            return line.order or self._open(line.begun)
        kind = next((kind for kind in NUMBERS if NUMBERS[kind] == number), None)
        if self.last.is_of_turn and kind and kind.family is not Family.ANSWERS:
            raise NotPossible(kind)
        return None

    def find(self, wanted: str) -> Menu | None:
        """The orders with these words; None where no legal one has them."""
        return self._show_found(found_menu(self.language, self.choices, wanted))

    def near(self, text: str) -> Menu:
        """The few legal orders that a text which is none could be the beginning of.

        They are to be read, not chosen from: the numbers of the last list still hold.
        """
        return found_menu(self.language, self.choices, text, most=MOST_MEANT)

    def understand(self, text: str) -> Menu | Order | None:
        """What a text leads to: a verb, a place or card that is asked for, or a legal order.

        None for anything else; raises NotPossible for a verb alone of which no order is legal.
        """
        kind, begun = verb_alone(self.language, text), self.last.begun
        if kind is not None:
            if kind not in self.choices.kinds():
                raise NotPossible(kind)
            return self._open(Begun(kind))
        if begun and not self._is_verb(text):
            chosen = begun_with(self.language, self.choices, begun, text)
            if chosen:
                return self._open(chosen)
        order = self._legal(text)
        if order:
            return order
        meant = begun_by(self.language, self.choices, text)
        return self._open(meant) if meant else None

    def suggest(self, text: str) -> list[Suggestion]:
        """What a line can become: a place or card that the last list asks for, or any order."""
        begun = self.last.begun
        parts = part_suggestions(self.language, self.choices, begun, text) if begun else []
        return [*parts, *suggestions(self.language, self.choices, text)]

    def _legal(self, text: str) -> Order | None:
        """The legal order that a text means, if it means one."""
        try:
            order = read(self.language, text, *self.choices.worlds)
        except UnreadableOrder:
            return None
        return order if self.choices.is_legal(order) else None

    def _open(self, begun: Begun) -> Menu | Order:
        """How an order goes on; behind that list stand those that have led to it."""
        menu = menu_of(self.language, self.choices, begun)
        if len(menu.lines) == 1 and menu.lines[0].order:
            return menu.lines[0].order
        self._shown[1:] = [other for other in self._shown[1:] if _leads_to(other, menu)]
        self._shown.append(menu)
        return menu

    def _is_verb(self, text: str) -> bool:
        """Return True if a text is a verb in full, in English or in the player's language."""
        forms = (form for k in ORDERS.values() for form in (k.verb, self.language.say(k.words())))
        return normal(text) in map(normal, forms)

    def _show_found(self, menu: Menu) -> Menu | None:
        if not menu.lines:
            return None
        self._shown[1:] = [menu]
        return menu


def _leads_to(outer: Menu, inner: Menu) -> bool:
    if outer.begun is None or inner.begun is None or outer.begun == inner.begun:
        return False
    return outer.begun.begins(inner.begun)


# --- how a line goes on


class Suggestion(NamedTuple):
    """A whole line that the typed one can become, the part of it that is new, and what it says."""

    line: str
    part: str
    begun: Begun | None = None


Suggest = Callable[[str], list[Suggestion]]
"""Finds the lines that a typed one can become."""


def suggestions(language: Language, choices: Choices, text: str) -> list[Suggestion]:
    """What a text can become: a verb, or an order with one part more.

    Case, accents and punctuation do not matter, and names may be cut short.
    """
    grown, verbs = _becomes(language, choices, text)
    return [*sorted(grown, key=lambda one: alphabetical(one.part)), *verbs]


def _becomes(
    language: Language, choices: Choices, text: str
) -> tuple[list[Suggestion], list[Suggestion]]:
    """Return the orders with one part more that a text can become, and the verbs."""
    typed = _taken_apart(language, choices, text)
    verbs = list(_verbs(language, choices, text))
    if typed is None:
        return [], verbs
    begun, rest = typed
    name, fitting = names_in(language, choices), _fitting(language, choices, begun, rest)
    longer = ((name(part), begun.and_then(part)) for part in fitting)
    grown = [Suggestion(_line(language, choices, one), part, one) for part, one in longer]
    # `give f` may become `give Fortification`, or `give from reserve`.
    return grown, [verb for verb in verbs if normal(verb.part) != normal(text)]


def part_suggestions(
    language: Language, choices: Choices, begun: Begun, text: str
) -> list[Suggestion]:
    """The places or cards, one of which comes next in what is begun, that a text is short for."""
    name, fitting = names_in(language, choices), _fitting(language, choices, begun, text)
    found = sorted(map(name, fitting), key=alphabetical)
    return [Suggestion(part, part) for part in found]


def begun_by(language: Language, choices: Choices, text: str) -> Begun | None:
    """What a text says of an order that is not finished; None if it says none that is legal."""
    typed = _taken_apart(language, choices, f"{text} ")
    if typed is None:
        return None
    begun, rest = typed
    return _grown(language, choices, begun, [rest] if rest else [])


def begun_with(language: Language, choices: Choices, begun: Begun, text: str) -> Begun | None:
    """An order as far as it is said, with the next place or card by its name."""
    return _grown(language, choices, begun, [normal(text)])


def _verbs(language: Language, choices: Choices, text: str) -> Iterator[Suggestion]:
    wanted = normal(text)
    for kind in choices.kinds():
        verb = language.say(kind.words())
        if any(normal(form).startswith(wanted) for form in (verb, kind.verb)):
            yield Suggestion(_line(language, choices, Begun(kind)), verb, Begun(kind))


def _taken_apart(language: Language, choices: Choices, text: str) -> tuple[Begun, str] | None:
    """Return what a line says for certain, and the name that is still being typed.

    None while the verb is being typed, and if a name fits nothing.
    """
    head, colon, tail = text.partition(":")
    said = [
        verb for verb in verbs_of(language, normal(head).split()) if verb.kind in choices.kinds()
    ]
    if not said or not (said[0].is_whole or len(said) == 1):
        return None
    kind, rest = said[0].kind, _behind(head, said[0].used)
    if not (colon or rest or text[-1:].isspace() or "," in head):
        return None
    if kind.has_location:
        pieces = [rest, *tail.split(",")] if colon else [rest]
    else:
        pieces = f"{rest} {tail}".split(",")
    *certain, last = map(normal, pieces)
    begun = _grown(language, choices, Begun(kind), certain)
    return None if begun is None else (begun, last)


def _behind(head: str, used: int) -> str:
    """Return what stands behind that many words of a text."""
    ends = [word.end() for word in re.finditer(r"[^\s_-]+", head) if normal(word[0])]
    return head[ends[used - 1] :].strip(" \t-_")


def _fitting(language: Language, choices: Choices, begun: Begun, text: str) -> list[str]:
    """The places or cards that can come next and that a text may mean; all for an empty one."""
    parts = _names(language, choices, begun)
    if not text.strip():
        return list(parts)
    # While a name is typed, one that is there in full may still become a longer one.
    found = matching(language, text, parts, abbreviates) or meanings(language, text, parts)
    return list(likelier(language, text, found))


def _names(language: Language, choices: Choices, begun: Begun) -> dict[str, str]:
    """The places or cards that can come next, by id."""
    name = names_in(language, choices)
    return {part: name(part) for part in choices.parts(begun)}


def _grown(language: Language, choices: Choices, begun: Begun, said: Sequence[str]) -> Begun | None:
    """A beginning with the parts of these names; None where one means nothing, or several."""
    for text in said:
        meant = meanings(language, text, _names(language, choices, begun)) if text else {}
        meant = likelier(language, text, meant)
        if len(meant) != 1:
            return None
        begun = begun.and_then(next(iter(meant)))
    return begun


def _line(language: Language, choices: Choices, begun: Begun) -> str:
    """A beginning as it is typed, with the sign behind which it goes on where it has to."""
    text = language.say(begun.text(names_in(language, choices)))
    if choices.order(begun) is not None:
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
        """The kinds of order that answer what is awaited, or what follows the cards that are."""
        decision = self.state.awaiting.decision
        awaited = Decision.TURN if decision.is_chance else decision
        return [kind for kind in ORDERS.values() if awaited in ACTIONS[kind].decisions]

    def parts(self, begun: Begun) -> list[str]:
        """All locations if one has to come next, otherwise all cards."""
        catalogue = self.state.ruleset.catalogue
        if begun.kind.has_location and begun.location is None:
            return list(catalogue.locations)
        return list(catalogue.cards[self.side]) if len(begun.cards) < begun.kind.most else []

    def order(self, begun: Begun) -> Order | None:
        """The order that is said, if it has all that its kind needs."""
        return begun.whole()

    def orders(self, begun: Begun, most: int) -> list[Order] | None:
        """None: they are too many."""
        return None


def orders_begun(language: Language, choices: Choices, typed: str) -> list[tuple[str, Said]]:
    """Orders that begin as typed, each with what it costs, as far as that is known."""
    is_known = not isinstance(choices, AnyOrders)
    costs = (
        (text, game.cost(choices.worlds[0], order) if order and is_known else 0)
        for text, order in in_either(language, choices, typed)
    )
    return [(text, money_counted(cost) if cost else "") for text, cost in costs]


def in_either(language: Language, choices: Choices, typed: str) -> list[tuple[str, Order | None]]:
    """Orders as `going_on` has them: in that language, or else in English."""
    return going_on(language, choices, typed) or going_on(Language(SOURCE), choices, typed)


def going_on(language: Language, choices: Choices, typed: str) -> list[tuple[str, Order | None]]:
    """Texts that begin as typed, by case or without: whole orders, or how several begin."""
    name = names_in(language, choices)

    def text(said: Begun | Order) -> str:
        return language.say(said.text(name))

    grown, verbs = _becomes(language, choices, typed)
    # A shell has no use for an order of which the verb was cut short.
    grown = [one for one in grown if one.begun and begins(typed, text(Begun(one.begun.kind)))]
    found = (one for one in (*grown, *verbs) if begins(one.line, typed))
    front = [one.begun for one in found if one.begun]
    offered: dict[tuple[str, Order | None], None] = {}
    while front:
        lists = [choices.orders(begun, MOST_WHOLE) for begun in front]
        whole = [order for orders in lists for order in orders or ()]
        if None not in lists and len(whole) <= MOST_WHOLE:
            told = ((text(order), order) for order in whole)
            return [*(offered | dict.fromkeys(each for each in told if begins(each[0], typed)))]
        said = [(text(begun), choices.order(begun)) for begun in front]
        offered |= dict.fromkeys(each for each in said if len(front) > 1 or each[1])
        parts = choices.parts(front[0]) if len(front) == 1 else ()
        front = [front[0].and_then(part) for part in parts]
    return [*offered]


def words_begun(language: Language, choices: Choices, typed: str) -> list[str]:
    """The words of orders that begin as typed, in that language, or else in English."""
    ids, name = set[str](), names(choices.worlds[0])
    for kind in choices.kinds():
        for part in choices.parts(Begun(kind)):
            ids.add(part)
            if kind.has_location:
                ids.update(choices.parts(Begun(kind, part)))
    texts = [*(kind.words() for kind in choices.kinds()), *map(name, ids)]
    for spoken in (language, Language(SOURCE)):
        known = {word for text in texts for word in normal(spoken.say(text)).split()}
        if found := sorted(word for word in known if begins(word, typed)):
            return found
    return []

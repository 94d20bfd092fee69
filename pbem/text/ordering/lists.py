"""The lists that a player goes through, one inside another, and back again."""

from __future__ import annotations

from engine.choices import Begun, Choices
from engine.message import Failure, Message
from engine.order import Family, Order, UnreadableOrder
from engine.orders import ORDERS
from pbem.text.language import Language
from pbem.text.naming import normal
from pbem.text.ordering.menu import NUMBERS, Menu, found_menu, main_menu, menu_of
from pbem.text.ordering.reading import read, verb_alone
from pbem.text.ordering.suggestion import (
    Suggestion,
    begun_by,
    begun_with,
    part_suggestions,
    suggestions,
)

MOST_MEANT = 5


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
        """Whether there is a list to go back to."""
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
        """Whether a text is a verb in full, in English or in the player's language."""
        verbs = [f for k in ORDERS.values() for f in (k.verb, self.language.say(k.words()))]
        return normal(text) in map(normal, verbs)

    def _show_found(self, menu: Menu) -> Menu | None:
        if not menu.lines:
            return None
        self._shown[1:] = [menu]
        return menu


def _leads_to(outer: Menu, inner: Menu) -> bool:
    if outer.begun is None or inner.begun is None or outer.begun == inner.begun:
        return False
    return outer.begun.begins(inner.begun)

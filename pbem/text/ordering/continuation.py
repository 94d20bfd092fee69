"""How an order being typed on a command line can go on.

A verb comes first, then its location, then cards; as soon as few enough orders remain to be read,
they are offered whole. They are offered in the player's language, and in English if no order in
that begins as typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine import game
from engine.actions import ACTIONS
from engine.choices import Begun, Choices
from engine.message import Said
from engine.order import Order
from engine.orders import ORDERS
from engine.sides import Side
from engine.state import Decision, State
from pbem.text.language import SOURCE, Language
from pbem.text.naming import normal
from pbem.text.ordering.prefix import begins, folded
from pbem.text.phrases import Name, money_counted, names

MOST_WHOLE = 24
"""How many orders are offered whole; with more, first how they begin."""


class AnyOrders(Choices):
    """What anybody may know about a player's orders without seeing the hand.

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
    state = choices.worlds[0]
    found = in_either(language, choices, state.ruleset.catalogue.name_of, typed)
    is_known = not isinstance(choices, AnyOrders)
    costs = [game.cost(state, order) if order and is_known else 0 for _, order in found]
    remarks = (money_counted(cost) if cost else "" for cost in costs)
    return [(text, remark) for (text, _), remark in zip(found, remarks, strict=True)]


def in_either(
    language: Language, choices: Choices, name: Name, typed: str
) -> list[tuple[str, Order | None]]:
    """Orders as `going_on` has them: in that language, or else in English."""
    found = going_on(language, choices, name, typed)
    return found or going_on(Language(SOURCE), choices, name, typed)


def going_on(
    language: Language, choices: Choices, name: Name, typed: str
) -> list[tuple[str, Order | None]]:
    """Texts that begin as typed, by case or without: whole orders, or how several begin."""
    wanted = folded(typed)

    def text(said: Begun | Order) -> str:
        return language.say(said.text(name))

    def is_short(begun: Begun) -> bool:
        """Whether more than that was typed."""
        return len(text(begun)) < len(wanted)

    front = [begun for begun in map(Begun, choices.kinds()) if _fits(text(begun), wanted)]
    while any(map(is_short, front)):
        front = [
            further
            for begun in front
            for further in (_further(choices, begun) if is_short(begun) else [begun])
            if _fits(text(further), wanted)
        ]
    return list(dict.fromkeys(_offered(choices, text, front, wanted)))


def _offered(
    choices: Choices, text: Callable[[Begun | Order], str], front: Sequence[Begun], wanted: str
) -> Iterator[tuple[str, Order | None]]:
    """These whole, if they are few; else as they are, or what follows the only one."""
    while front:
        lists = [choices.orders(begun, MOST_WHOLE) for begun in front]
        whole = [order for orders in lists for order in orders or ()]
        if None not in lists and len(whole) <= MOST_WHOLE:
            told = ((text(order), order) for order in whole)
            yield from ((line, order) for line, order in told if folded(line).startswith(wanted))
            return
        if len(front) > 1:
            yield from ((text(begun), choices.order(begun)) for begun in front)
            return
        order = choices.order(front[0])
        if order is not None:
            yield text(order), order
        front = _further(choices, front[0])


def _further(choices: Choices, begun: Begun) -> list[Begun]:
    return [begun.and_then(part) for part in choices.parts(begun)]


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


def _fits(text: str, wanted: str) -> bool:
    """Whether what is wanted begins a text, or goes on where the text ends between two words."""
    known = folded(text)
    if known.startswith(wanted):
        return True
    return wanted.startswith(known) and wanted[len(known)] in " :,"

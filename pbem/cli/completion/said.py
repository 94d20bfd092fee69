"""How an order goes on that is being typed on the command line.

A verb comes first, then its location, then cards; as soon as the orders that are left are few
enough to be read, they are offered whole. They are offered in the player's language, and in English
where no order in that begins as typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import typer

from engine import game
from engine.orders import ORDERS, Order
from engine.state import Decision
from engine.ways import Begun, Ways
from pbem.cli import console
from pbem.cli.completion.typed import as_typed, begins, folded
from pbem.words.language import SOURCE, Language
from pbem.words.naming import normal

if TYPE_CHECKING:
    from engine.sides import Side
    from engine.state import State
    from pbem.cli.words import Name
    from pbem.play.answer import Answer
    from pbem.play.game_file import GameFile

MOST_WHOLE = 24
"""So many orders are offered whole; of more, first how they begin."""


class Sayable(Protocol):
    """Orders that can be said part by part, as `engine.ways.Ways` has them."""

    def kinds(self) -> list[type[Order]]:
        """The kinds of order."""

    def parts(self, begun: Begun) -> list[str]:
        """The ids of what can come next."""

    def order(self, begun: Begun) -> Order | None:
        """The order that is said, if it is whole."""

    def orders(self, begun: Begun, most: int) -> list[Order] | None:
        """Every order that begins so; None for more than `most`."""


class AnyOrders:
    """What anybody may know of a player's orders, where the hand cannot be seen.

    They answer what is awaited, and name locations of the board and cards of that side.
    """

    def __init__(self, state: State, side: Side) -> None:
        self.state = state
        self.side = side

    def kinds(self) -> list[type[Order]]:
        """The kinds of order that answer what is awaited, or what follows the cards that are."""
        decision = self.state.awaiting.decision
        awaited = Decision.TURN if decision.is_chance else decision
        return [kind for kind in ORDERS.values() if awaited in game.ACTIONS[kind].decisions]

    def parts(self, begun: Begun) -> list[str]:
        """All locations where one has to come, else all cards."""
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


# --- what the shell is told


def orders_said(context: typer.Context, typed: str) -> list[tuple[str, str]]:
    """The orders that can be given and begin as typed, with what they cost.

    Those given before them on the line are given. There are none where the file takes none.
    """
    answer = _answer(context)
    if isinstance(answer, AnyOrders):
        name = answer.state.ruleset.catalogue.name_of
        found = in_either(console.language(), answer, name, typed)
        return [(as_typed(text, typed), "") for text, _ in found]
    if answer.is_complete and not answer.may_follow_up:
        return []
    state = answer.worlds[0]
    name, ways = state.ruleset.catalogue.name_of, Ways(answer.worlds)
    found = in_either(console.language(), ways, name, typed)
    return [(as_typed(text, typed), _price(state, order)) for text, order in found]


def words_said(context: typer.Context, typed: str) -> list[tuple[str, str]]:
    """The words of orders that can be given now."""
    answer = _answer(context)
    if isinstance(answer, AnyOrders):
        ways: Sayable = answer
        state = answer.state
    else:
        ways, state = Ways(answer.worlds), answer.worlds[0]
    name = state.ruleset.catalogue.name_of
    found = _words(console.language(), ways, name, typed)
    found = found or _words(Language(SOURCE), ways, name, typed)
    return [(as_typed(word, typed), "") for word in found]


def _words(language: Language, ways: Sayable, name: Name, typed: str) -> list[str]:
    """The words of orders that begin as typed."""
    ids = set[str]()
    for kind in ways.kinds():
        for part in ways.parts(Begun(kind)):
            ids.add(part)
            if kind.has_location:
                ids.update(ways.parts(Begun(kind, part)))
    texts = [*(kind.words() for kind in ways.kinds()), *map(name, ids)]
    known = sorted({word for text in texts for word in normal(language.say(text)).split()})
    return [word for word in known if begins(word, typed)]


def _price(state: State, order: Order | None) -> str:
    from pbem.cli.words import money_counted

    cost = game.cost(state, order) if order is not None else 0
    return console.told(money_counted(cost)) if cost else ""


# --- how an order goes on


def in_either(
    language: Language, ways: Sayable, name: Name, typed: str
) -> list[tuple[str, Order | None]]:
    """Orders as `going_on` has them: in that language, or else in English."""
    found = going_on(language, ways, name, typed)
    return found or going_on(Language(SOURCE), ways, name, typed)


def going_on(
    language: Language, ways: Sayable, name: Name, typed: str
) -> list[tuple[str, Order | None]]:
    """Texts that begin as typed, by case or without: whole orders, or how several begin."""
    wanted = folded(typed)

    def text(said: Begun | Order) -> str:
        return language.say(said.text(name))

    def is_short(begun: Begun) -> bool:
        """Whether more was typed than that."""
        return len(text(begun)) < len(wanted)

    front = [begun for begun in map(Begun, ways.kinds()) if _fits(text(begun), wanted)]
    while any(map(is_short, front)):
        front = [
            further
            for begun in front
            for further in (_further(ways, begun) if is_short(begun) else [begun])
            if _fits(text(further), wanted)
        ]
    return list(dict.fromkeys(_offered(ways, text, front, wanted)))


def _offered(
    ways: Sayable, text: Callable[[Begun | Order], str], front: Sequence[Begun], wanted: str
) -> Iterator[tuple[str, Order | None]]:
    """These whole, if they are few; else as they are, or what follows the only one."""
    while front:
        lists = [ways.orders(begun, MOST_WHOLE) for begun in front]
        whole = [order for orders in lists for order in orders or ()]
        if None not in lists and len(whole) <= MOST_WHOLE:
            told = ((text(order), order) for order in whole)
            yield from ((line, order) for line, order in told if folded(line).startswith(wanted))
            return
        if len(front) > 1:
            yield from ((text(begun), ways.order(begun)) for begun in front)
            return
        order = ways.order(front[0])
        if order is not None:
            yield text(order), order
        front = _further(ways, front[0])


def _further(ways: Sayable, begun: Begun) -> list[Begun]:
    return [begun.and_then(part) for part in ways.parts(begun)]


def _fits(text: str, wanted: str) -> bool:
    """Whether what is wanted begins a text, or goes on where the text ends between two words."""
    known = folded(text)
    if known.startswith(wanted):
        return True
    return wanted.startswith(known) and wanted[len(known)] in " :,"


# --- the file and the player


def _answer(context: typer.Context) -> Answer | AnyOrders:
    """The answer to the file that the line names, with the orders on the line given.

    Where the player's hand is not to be seen, what is known without. Raises all that a command
    may raise: the shell is then told nothing.
    """
    from pbem.cli.completion.people import go_home
    from pbem.cli.given import take
    from pbem.cli.home import load_identity, own_key
    from pbem.cli.orders import give
    from pbem.cli.own_library import own_library
    from pbem.cli.passphrases import NoPassphrase
    from pbem.play.answer import Answer
    from pbem.play.game_file import GameFile
    from pbem.play.moment import now
    from pbem.protocol.verified import nothing_known

    go_home(context)
    given, library = take(context, _file(context)), own_library(context)
    game_file = GameFile.read(given.data, library.known if library else nothing_known)
    try:
        answer = Answer(game_file, load_identity(context), now())
    except NoPassphrase:
        return _any_orders(game_file, own_key(context))
    give(answer, _given(context))
    return answer


def _any_orders(game_file: GameFile, key: bytes | None) -> AnyOrders:
    from pbem.errors import WrongUse

    match = game_file.match
    side = match.next_side if match.is_joined else None
    if side is None or match.is_over or match.entrants[side].key != key:
        raise WrongUse("nothing can be ordered")
    return AnyOrders(match.state, side)


def _file(context: typer.Context) -> Path:
    """The file that the line names; after an option without its value, typer has not read it."""
    from pbem.errors import WrongUse

    file: str | None = context.params.get("file")
    for path in map(Path, [file] if file else context.args):
        if path.suffix in (".toml", ".eml") and path.is_file():
            return path
    raise WrongUse("no file")


def _given(context: typer.Context) -> list[str]:
    """The orders before the one that is being typed."""
    given = context.params.get("order") or context.params.get("after") or ()
    return list(given)

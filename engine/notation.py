"""Reading orders: strictly, as records store them, and forgivingly, as players type them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator
from itertools import islice, product
from typing import NamedTuple

from engine.catalogue import Catalogue
from engine.game import IllegalOrder, check
from engine.orders import (
    ORDERS,
    Draft,
    GiveFromReserve,
    GiveFromSiege,
    Intendant,
    Lose,
    Order,
    Start,
    Withdraw,
)
from engine.sides import Side
from engine.state import State


class UnreadableOrder(ValueError):
    """A text that is no order, or that could be more than one; the message says which."""


def from_notation(notation: str) -> Order:
    """The order whose notation this is, to the letter; raises UnreadableOrder for anything else.

    >>> from_notation("settle deerfield: new-haven, st-marys, boston").cards
    ('new-haven', 'st-marys', 'boston')
    """
    verb, _, rest = notation.partition(" ")
    kind = ORDERS.get(verb)
    if kind is None:
        raise UnreadableOrder(f"There is no order “{verb}”.")
    location: str | None = None
    if kind.has_location:
        location, _, rest = rest.partition(": ")
    order = _made(kind, location, tuple(rest.split(", ")) if rest else ())
    if order.notation() != notation:
        raise UnreadableOrder(f"“{notation}” is not written as “{order.notation()}”.")
    return order


def read(text: str, state: State, *others: State) -> Order:
    """The order that the awaited player means.

    Case, accents and punctuation do not matter, and any word may be cut short. Names of cards the
    player holds go before all others. Where more than one reading is left, it is the only one that
    is legal, in `state` or in one of the `others`. Raises UnreadableOrder, with the nearest names,
    where nothing fits, and with those that are legal where more than one thing does.
    """
    head, colon, tail = text.strip().partition(":")
    kinds = _verbs(head)
    worlds = (state, *others)
    if len(kinds) == 1:
        return _meant(_phrase(*kinds[0], colon, tail, state), worlds)
    found = {kind: _legal_of(kind, rest, colon, tail, worlds) for kind, rest in kinds}
    legal = {kind: orders for kind, orders in found.items() if orders}
    if [len(orders) for orders in legal.values()] == [1]:
        return next(iter(legal.values())).pop()
    word, meant = normal(head).split()[0], " or ".join(kind.words() for kind in legal or found)
    raise UnreadableOrder(f"“{word}” could be {meant}.")


def verb_alone(text: str) -> str:
    """The verb, as it is read, that a text is and nothing else, although it needs more.

    Empty for any other text.

    >>> verb_alone("Sett"), verb_alone("settle Albany"), verb_alone("pass")
    ('settle', '', '')
    """
    try:
        kinds = _verbs(text)
    except UnreadableOrder:
        return ""
    kind, rest = kinds[0]
    needs_more = kind.has_location or kind.fewest > 0
    return kind.words() if len(kinds) == 1 and not rest and needs_more else ""


def normal(text: str) -> str:
    """A text as it is compared: lower case, no accents, hyphens as spaces, no other signs.

    >>> normal("Fort Presqu'île"), normal("fort-presquile")
    ('fort presquile', 'fort presquile')
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    kept = (" " if c in "-_" else c for c in plain if c.isalnum() or c.isspace() or c in "-_")
    return " ".join("".join(kept).split())


def card_name(catalogue: Catalogue) -> Callable[[str], str]:
    """A function that gives the printed name of a location's or card's id."""
    return catalogue.names.__getitem__


def _made(kind: type[Order], location: str | None, cards: tuple[str, ...]) -> Order:
    try:
        return kind(location, cards)
    except ValueError as error:
        raise UnreadableOrder(f"{error}.") from None


class _Part(NamedTuple):
    """A name in an order, as it was typed, and the ids of all that it may mean, by their names."""

    text: str
    meant: dict[str, str]


class _Phrase(NamedTuple):
    """What was typed, taken apart: a verb, the location where it has one, and the cards."""

    kind: type[Order]
    place: _Part | None
    cards: list[_Part]

    @property
    def parts(self) -> list[_Part]:
        """All names, in order."""
        return [self.place, *self.cards] if self.place else self.cards

    def orders(self) -> Iterator[tuple[tuple[str, ...], Order]]:
        """What each way to read the names makes of it, where it makes an order."""
        ways = product(*(part.meant for part in self.parts))
        for ids in islice(ways, _MOST_READINGS):
            location, cards = (ids[0], ids[1:]) if self.place else (None, ids)
            try:
                yield ids, self.kind(location, cards)
            except ValueError:
                continue


_MOST_READINGS = 500


def _phrase(kind: type[Order], rest: str, colon: str, tail: str, state: State) -> _Phrase:
    """Take apart what follows a verb; raises UnreadableOrder where something is not in the game."""
    side, catalogue = state.awaiting.side, state.ruleset.catalogue
    place: _Part | None = None
    if kind.has_location:
        if not rest:
            raise UnreadableOrder(f"“{kind.verb}” needs a location: {kind.verb} PLACE: CARD, …")
        place = _location(rest, catalogue)
        rest = tail
    elif colon:
        # `trade: Gaspé` is as good as `trade Gaspé`.
        rest = f"{rest} {tail}"
    typed = [part for part in rest.split(",") if normal(part)]
    near = _near(state, side, kind, place.meant if place else {})
    return _Phrase(kind, place, [_card(part, catalogue, side, near) for part in typed])


def _meant(phrase: _Phrase, worlds: tuple[State, ...]) -> Order:
    """The one order that a phrase can mean; raises UnreadableOrder where there are several."""
    if all(len(part.meant) == 1 for part in phrase.parts):
        return _whole(phrase)
    legal = {ids: order for ids, order in phrase.orders() if _is_legal(order, worlds)}
    if len(set(legal.values())) == 1:
        return next(iter(legal.values()))
    for number, part in enumerate(phrase.parts):
        left = {ids[number] for ids in legal} or set(part.meant)
        if len(left) > 1:
            names = ", ".join(name for id, name in part.meant.items() if id in left)
            raise UnreadableOrder(f"“{part.text}” could be {names}.")
    return _whole(phrase)


def _whole(phrase: _Phrase) -> Order:
    """The order of a phrase in which every name means one thing."""
    ids = tuple(next(iter(part.meant)) for part in phrase.parts)
    if phrase.place is None:
        return _made(phrase.kind, None, ids)
    try:
        return phrase.kind(ids[0], ids[1:])
    except ValueError as error:
        # After the name of the location, the verb needs no quotation marks.
        plain = str(error).replace("“", "").replace("”", "")
        raise UnreadableOrder(f"{phrase.place.meant[ids[0]]}: {plain}.") from None


def _legal_of(
    kind: type[Order], rest: str, colon: str, tail: str, worlds: tuple[State, ...]
) -> set[Order]:
    """Every legal order of a kind that a text can mean."""
    try:
        phrase = _phrase(kind, rest, colon, tail, worlds[0])
    except UnreadableOrder:
        return set()
    return {order for _, order in phrase.orders() if _is_legal(order, worlds)}


def _is_legal(order: Order, worlds: tuple[State, ...]) -> bool:
    for world in worlds:
        try:
            check(world, order)
        except IllegalOrder:
            continue
        return True
    return False


def _verbs(head: str) -> list[tuple[type[Order], str]]:
    """The kinds of order that a text may begin with, and what then follows the verb.

    There is one or more; raises UnreadableOrder for a text that begins with none.
    """
    words = normal(head).split()
    if not words:
        raise UnreadableOrder("An order begins with what to do, such as settle, draft or take.")
    # The longest verb that is written out wins: `give from reserve` is not `give`.
    for kind in sorted(ORDERS.values(), key=lambda kind: -len(kind.verb)):
        verb = kind.words().split()
        if words[: len(verb)] == verb:
            return [(kind, _after(head, len(verb)))]
    short = [kind for kind in ORDERS.values() if kind.verb.startswith(words[0])]
    if not short:
        raise UnreadableOrder(
            f"There is no order “{words[0]}”."
            + _nearest(words[0], {kind.words(): kind.words() for kind in ORDERS.values()})
        )
    used = {kind: _words_used(words, kind.words().split()) for kind in short}
    return [(kind, _after(head, used[kind])) for kind in short]


def _words_used(words: list[str], verb: list[str]) -> int:
    used = 0
    for word, part in zip(words, verb, strict=False):
        if not part.startswith(word):
            break
        used += 1
    return used


def _after(head: str, count: int) -> str:
    """What follows the first `count` normal words of a text, as it was typed."""
    words = re.finditer(r"[^\s_-]+", head)
    ends = (word.end() for word in words if normal(word[0]))
    return head[next(islice(ends, count - 1, None), len(head)) :].strip(" \t-_")


def _location(text: str, catalogue: Catalogue) -> _Part:
    names = {place.id: place.name for place in catalogue.locations.values()}
    found = _named(text, names) or _abbreviated(text, names)
    if found:
        return _Part(text.strip(), found)
    raise UnreadableOrder(f"There is no location “{text.strip()}”." + _nearest(text, names))


def _near(state: State, side: Side, kind: type[Order], places: Container[str]) -> list[str]:
    """The cards an order of that kind is likely to name, which go before all others.

    `places` are those that it may name.
    """
    player = state.players[side]
    if kind is Intendant:
        return player.discard
    if kind is GiveFromReserve:
        return player.reserve
    if kind in (Draft, Start):
        stocks = (player.empire, state.neutral if kind is Draft else {})
        return [card for stock in stocks for card, left in stock.items() if left]
    if kind in (Withdraw, Lose, GiveFromSiege):
        return [c for s in state.sieges.values() if s.location in places for c in s.cards[side]]
    return player.hand


def _card(text: str, catalogue: Catalogue, side: Side, near: list[str]) -> _Part:
    cards = catalogue.cards[side]
    everything = {card.id: card.name for card in cards.values()}
    likely = {card: everything[card] for card in near}
    # A name in full means that card, even where it abbreviates one that is nearer at hand.
    for matches in (_named, _abbreviated):
        for names in (likely, everything):
            found = matches(text, names)
            if found:
                return _Part(text.strip(), found)
    raise UnreadableOrder(
        f"There is no card “{text.strip()}”."
        + (_nearest(text, likely) or _nearest(text, everything))
    )


def _named(text: str, names: dict[str, str]) -> dict[str, str]:
    """What a text names in full, of these ids and names."""
    wanted = normal(text)
    return {id: name for id, name in names.items() if wanted in (normal(name), normal(id))}


def _abbreviated(text: str, names: dict[str, str]) -> dict[str, str]:
    """All that a text abbreviates, of these ids and names."""
    wanted = normal(text)
    return {id: name for id, name in names.items() if _abbreviates(wanted, normal(name))}


def _abbreviates(short: str, name: str) -> bool:
    """Whether each word of `short` begins a word of `name`, in order."""
    words = iter(name.split())
    parts = short.split()
    return bool(parts) and all(any(w.startswith(part) for w in words) for part in parts)


def _nearest(text: str, names: dict[str, str]) -> str:
    close = nearest(text, names.values())
    return f" Do you mean {' or '.join(close)}?" if close else ""


def nearest(text: str, names: Iterable[str]) -> list[str]:
    """Up to three of the names that a text may be meant for, the likeliest first.

    >>> nearest("Bsoton", ["Albany", "Boston"])
    ['Boston']
    """
    # Imported here: only what is mistyped needs it.
    import difflib

    by_normal = {normal(name): name for name in names}
    close = difflib.get_close_matches(normal(text), by_normal, n=3, cutoff=0.6)
    return [by_normal[key] for key in close]

"""Reading orders: strictly, as records store them, and forgivingly, as players type them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import islice

from engine.catalogue import Catalogue
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


def read(text: str, state: State) -> Order:
    """The order that the awaited player means.

    Case, accents and punctuation do not matter, and any word may be cut short as long as only one
    reading is left. Names of cards the player holds go before all others. Raises UnreadableOrder,
    with the nearest names, where nothing or more than one thing fits.
    """
    side = state.awaiting.side
    catalogue = state.ruleset.catalogue
    head, colon, tail = text.strip().partition(":")
    kind, rest = _verb(head)
    location: str | None = None
    if kind.has_location:
        if not rest:
            raise UnreadableOrder(f"“{kind.verb}” needs a location: {kind.verb} PLACE: CARD, …")
        location = _location(rest, catalogue)
        rest = tail
    elif colon:
        # `trade: Gaspé` is as good as `trade Gaspé`.
        rest = f"{rest} {tail}"
    names = [part for part in rest.split(",") if normal(part)]
    near = _near(state, side, kind, location)
    cards = tuple(_card(part, catalogue, side, near) for part in names)
    return _made(kind, location, cards)


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


def _verb(head: str) -> tuple[type[Order], str]:
    """The kind of order that a text begins with, and what follows the verb."""
    words = normal(head).split()
    if not words:
        raise UnreadableOrder("An order begins with what to do, such as settle, draft or take.")
    # The longest verb that is written out wins: `give from reserve` is not `give`.
    for kind in sorted(ORDERS.values(), key=lambda kind: -len(kind.verb)):
        verb = kind.words().split()
        if words[: len(verb)] == verb:
            return kind, _after(head, len(verb))
    short = [kind for kind in ORDERS.values() if kind.verb.startswith(words[0])]
    if len(short) == 1:
        return short[0], _after(head, _words_used(words, short[0].words().split()))
    if short:
        meant = " or ".join(kind.words() for kind in short)
        raise UnreadableOrder(f"“{words[0]}” could be {meant}.")
    raise UnreadableOrder(
        f"There is no order “{words[0]}”."
        + _nearest(words[0], {kind.words(): kind.words() for kind in ORDERS.values()})
    )


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


def _location(text: str, catalogue: Catalogue) -> str:
    names = {place.id: place.name for place in catalogue.locations.values()}
    found = _named(text, names) or _abbreviated(text, names)
    if found:
        return _only(text, found, names)
    raise UnreadableOrder(f"There is no location “{text.strip()}”." + _nearest(text, names))


def _near(state: State, side: Side, kind: type[Order], location: str | None) -> list[str]:
    """The cards an order of that kind is likely to name, which go before all others."""
    player = state.players[side]
    if kind is Intendant:
        return player.discard
    if kind is GiveFromReserve:
        return player.reserve
    if kind in (Draft, Start):
        stocks = (player.empire, state.neutral if kind is Draft else {})
        return [card for stock in stocks for card, left in stock.items() if left]
    if kind in (Withdraw, Lose, GiveFromSiege):
        return [c for s in state.sieges.values() if s.location == location for c in s.cards[side]]
    return player.hand


def _card(text: str, catalogue: Catalogue, side: Side, near: Iterable[str]) -> str:
    cards = catalogue.cards[side]
    everything = {card.id: card.name for card in cards.values()}
    likely = {card: everything[card] for card in near}
    # A name in full means that card, even where it abbreviates one that is nearer at hand.
    for matches in (_named, _abbreviated):
        for names in (likely, everything):
            found = matches(text, names)
            if found:
                return _only(text, found, names)
    raise UnreadableOrder(
        f"There is no card “{text.strip()}”."
        + (_nearest(text, likely) or _nearest(text, everything))
    )


def _named(text: str, names: dict[str, str]) -> list[str]:
    """The ids of what a text names in full."""
    wanted = normal(text)
    return [key for key, name in names.items() if wanted in (normal(name), normal(key))]


def _abbreviated(text: str, names: dict[str, str]) -> list[str]:
    """The ids of all that a text abbreviates."""
    wanted = normal(text)
    return [key for key, name in names.items() if _abbreviates(wanted, normal(name))]


def _only(text: str, found: list[str], names: dict[str, str]) -> str:
    if len(found) > 1:
        meant = ", ".join(names[key] for key in found)
        raise UnreadableOrder(f"“{text.strip()}” could be {meant}.")
    return found[0]


def _abbreviates(short: str, name: str) -> bool:
    """Whether each word of `short` begins a word of `name`, in order."""
    words = iter(name.split())
    parts = short.split()
    return bool(parts) and all(any(w.startswith(part) for w in words) for part in parts)


def _nearest(text: str, names: dict[str, str]) -> str:
    # Imported here: only a mistyped order needs it.
    import difflib

    by_normal = {normal(name): name for name in names.values()}
    close = difflib.get_close_matches(normal(text), by_normal, n=3, cutoff=0.6)
    return f" Do you mean {' or '.join(by_normal[key] for key in close)}?" if close else ""

"""Words that all commands share: names of cards and players, lists, numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from engine.notation import card_name
from pbem.cli import console

if TYPE_CHECKING:
    from engine.orders import Order
    from engine.sides import Side
    from engine.state import State
    from pbem.match import Match

Name = Callable[[str], str]


def names(state: State) -> Name:
    """The function that gives printed names in that game."""
    return card_name(state.ruleset.catalogue)


def listed(cards: Iterable[str], name: Name) -> str:
    """Cards by their printed names, alike ones counted: `Boston, Militia x2`; `none` if none."""
    counts = Counter(name(card) for card in cards)
    texts = [f"{card} x{n}" if n > 1 else card for card, n in sorted(counts.items())]
    return ", ".join(texts) or "none"


def counted(number: int, noun: str) -> str:
    """A number and a noun: `1 card`, `2 cards`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def signed(strength: int) -> str:
    """How a siege stands, as a step of its track: `-2`, `0`, `+1`."""
    return f"{strength:+}" if strength else "0"


def player(match: Match, side: Side, viewer: Side | None = None) -> str:
    """A player's name and side."""
    you = ", you" if side is viewer else ""
    return f"{console.named(match.entrants[side].name)} ({side.label}{you})"


def fingerprint(key: bytes) -> str:
    """The beginning of a public key, short enough to be compared by telephone.

    >>> fingerprint(bytes(range(32)))
    'key 0001 0203 0405 0607'
    """
    return f"key {key[:8].hex(' ', 2)}"


def address(match: Match, side: Side) -> str:
    """A player's name, and e-mail address where there is one."""
    entrant = match.entrants[side]
    name = console.named(entrant.name)
    return f"{name} <{console.mailbox(entrant.email)}>" if entrant.email else name


def orders_listed(orders: Iterable[Order], name: Name) -> str:
    """Orders in one line, by their printed names."""
    return "; ".join(order.text(name) for order in orders)

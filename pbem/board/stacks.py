"""What is in the piles of a side after a turn, and what the turn changed there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.message import Said
from pbem.text.facts.shape import HandFacts, SiegeSideFacts, StockFacts
from pbem.text.tables import entry


class Number(NamedTuple):
    """A number, and by how much the turn changed it."""

    value: int
    change: int

    @property
    def before(self) -> int:
        """What it was before the turn."""
        return self.value - self.change


class Shown(NamedTuple):
    """Copies of a card that lie together, and by how many the turn changed them; maybe none left.

    `price` is what one costs, `strength` what each adds at a siege, `idle` why it is of no use now.
    """

    card: str
    copies: int
    change: int = 0
    price: int | None = None
    strength: int | None = None
    idle: Said = ""

    def apart(self) -> Iterator[Shown]:
        """Each copy by itself; those that the turn brought are the last ones."""
        for number in range(self.copies, 0, -1):
            yield self._replace(copies=1, change=int(number <= self.change))


def number(now: int, before: int) -> Number:
    """A number beside the one before the turn."""
    return Number(now, now - before)


def pile(now: Iterable[str], before: Iterable[str], *, with_gone: bool = False) -> list[Shown]:
    """The cards of a pile, those that the turn brought with their number.

    With those that it took away as well where that is to be seen.
    """
    there, was = Counter(now), Counter(before)
    shown = there | was if with_gone else there
    least = -max(was.values(), default=0) if with_gone else 0
    return [Shown(c, there[c], max(least, there[c] - was[c])) for c in sorted(shown)]


def hand(now: HandFacts, before: HandFacts) -> list[Shown]:
    """The cards of a hand that are known; which are new can be told of an open one alone."""
    was = Counter(card["card"] for card in before["cards"])
    idle = {card["card"]: card["idle"] for card in now["cards"]}
    there = Counter(card["card"] for card in now["cards"])
    followed = now["open"] and before["open"]
    return [
        Shown(
            card,
            copies,
            max(0, copies - was[card]) if followed else 0,
            idle=entry("idle", why) if (why := idle[card]) else "",
        )
        for card, copies in there.items()
    ]


def stock(now: Iterable[StockFacts], before: Iterable[StockFacts]) -> list[Shown]:
    """What can be drafted, the cheapest first, with what was taken and what came back."""
    price = {kind["card"]: kind["price"] for kind in (*before, *now)}
    there, was = ({kind["card"]: kind["copies"] for kind in kinds} for kinds in (now, before))
    return [
        Shown(card, there.get(card, 0), there.get(card, 0) - was.get(card, 0), price=price[card])
        for card in sorted(price, key=lambda card: (price[card], card))
    ]


def at_siege(now: SiegeSideFacts, before: SiegeSideFacts | None) -> list[Shown]:
    """The cards of a side at a siege with their strengths, those that the turn brought marked."""
    strength = {card["card"]: card["strength"] for card in now["cards"]}
    was = before["cards"] if before else []
    brought = pile((c["card"] for c in now["cards"]), (c["card"] for c in was))
    return [shown._replace(strength=strength[shown.card]) for shown in brought]

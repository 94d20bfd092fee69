"""How the sentences of a report name sides, cards, pieces and numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from engine.ruleset import TOWN_CAPTURED
from pbem.cli.words import Name, counted

if TYPE_CHECKING:
    from engine.sides import Side
    from engine.state import Event


class Words(NamedTuple):
    """How sentences name things: cards and locations by `name`, `viewer` as you.

    `they` is the side that was named last, so that a pronoun will do for it.
    """

    name: Name
    viewer: Side | None
    they: Side | None

    def who(self, side: Side) -> str:
        """A side as the subject of a sentence."""
        if side is self.viewer:
            return "You"
        return "They" if side is self.they else f"The {side.label}"

    def whom(self, side: Side) -> str:
        """A side anywhere else in a sentence."""
        return "you" if side is self.viewer else f"the {side.label}"

    def about(self, side: Side) -> dict[str, str]:
        """What the names stand for that depend on who did it."""
        is_viewer = side is self.viewer
        return {
            "They": self.who(side),
            "they": "you" if is_viewer else "they",
            "their": "your" if is_viewer else "their",
            "foe": self.whom(side.opponent),
        }

    def series(self, cards: Iterable[str]) -> str:
        """Cards by their printed names: `Boston, Militia x2 and Ships`; empty for none."""
        counts = Counter(self.name(card) for card in cards)
        texts = [f"{card} x{n}" if n > 1 else card for card, n in counts.items()]
        return " and ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def money(amount: int) -> str:
    """An amount of money."""
    return f"{amount} money"


def points(amount: int) -> str:
    """A number of victory points."""
    return counted(amount, "point")


def piece(event: Event) -> str:
    """The piece that was captured by an event."""
    return "town" if event.amount == TOWN_CAPTURED else "village"

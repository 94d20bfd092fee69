"""What is chosen on a page, card by card where it lies, and what can still follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from engine.gathered import cards_of
from engine.order import Order, Source
from pbem.text.facts.selection import Clickable, Following, Selection

_AT = "@"
_HAND = "-hand"


class Chosen(NamedTuple):
    """Parts of an order as they were chosen; each of the `cards` with the pile in which it lies."""

    selection: Selection
    cards: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, keys: Iterable[str]) -> Chosen:
        """What these keys name: as for `Selection`, a card with its pile: `card:x@british-hand`.

        Raises WrongUse as `Selection.of` does.
        """
        plain, cards = list[str](), list[tuple[str, str]]()
        for key in keys:
            part, _, pile = key.partition(_AT)
            plain.append(part)
            if part.startswith("card:"):
                cards.append((part.removeprefix("card:"), pile))
        return cls(Selection.of(plain), tuple(cards))

    @property
    def in_hand(self) -> Counter[str]:
        """The cards that were chosen in the hand."""
        return Counter(card for card, pile in self.cards if pile.endswith(_HAND))

    @property
    def is_elsewhere(self) -> bool:
        """Whether a card was chosen that does not lie in the hand."""
        return any(not pile.endswith(_HAND) for _, pile in self.cards)


class Lit(NamedTuple):
    """What can follow, and the `keys` of what can be added."""

    keys: tuple[str, ...]
    following: Following


def lit(clickable: Clickable, chosen: Chosen) -> Lit:
    """What can follow what is chosen, in the piles where it lies."""
    found = clickable.following(chosen.selection)
    kinds = [kind for kind in found.kinds if _is_meant(clickable, chosen, kind)]
    if len(kinds) == 1 < len(found.kinds):
        # Where it lies says which kind is meant: what can follow is what can follow that.
        found = clickable.following(chosen.selection._replace(kind=kinds[0]))
    cards = (f"card:{card}{_AT}{pile}" for card, piles in found.cards.items() for pile in piles)
    return Lit(
        keys=(
            *(f"kind:{kind.verb}" for kind in kinds),
            *(f"location:{place}" for place in found.locations),
            *cards,
        ),
        following=found._replace(
            kinds=tuple(kinds),
            whole=_meant(clickable, chosen, found.whole),
            orders=_meant(clickable, chosen, found.orders),
        ),
    )


def _is_meant(clickable: Clickable, chosen: Chosen, kind: type[Order]) -> bool:
    """Whether an order of a kind takes the chosen cards from where they lie."""
    if kind.source is Source.HAND:
        return not chosen.is_elsewhere
    if not chosen.cards:
        return True
    found: Following = clickable.following(chosen.selection._replace(kind=kind))
    return bool(_meant(clickable, chosen, found.orders)) or not found.is_all


def _meant(clickable: Clickable, chosen: Chosen, orders: Iterable[Order]) -> tuple[Order, ...]:
    """Those of the orders that take the chosen cards from where they lie."""
    return tuple(order for order in orders if _fits(clickable, chosen, order))


def _fits(clickable: Clickable, chosen: Chosen, order: Order) -> bool:
    if order.source is Source.HAND:
        return not chosen.is_elsewhere
    besides = cards_of(clickable.ways.world_of(order), order).besides
    return chosen.in_hand <= besides

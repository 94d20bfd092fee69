"""What each card of an order is for, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.choices import Begun
from engine.message import Message, Said, mark_in
from engine.order import Order, written
from pbem.text.language import SOURCE, Language
from pbem.text.phrases import Name

# Translators: {card} comes first, and what stands behind it may be typed in an order, or left out.
_PARTS = {
    "connection": mark_in("part", "{card} as connection"),
    "transport": mark_in("part", "{card} as transport"),
    "settler": mark_in("part", "{card} as settler"),
    "first": mark_in("part", "{card} to stay there"),
    "ship": mark_in("part", "{card} as ship"),
    "carried": mark_in("part", "{card} as gold"),
}
"""What a card serves for, where the cards of an order serve for different things."""


def parts_told(kind: type[Order], cards: tuple[str, ...], name: Name) -> Iterator[Said]:
    """The cards of an order in their sequence, each with what it is for where that may differ."""
    for at, card in enumerate(cards):
        part = _PARTS.get(kind.part(at))
        yield Message.within("part", part, card=name(card)) if part else name(card)


def order_told(begun: Begun, name: Name) -> Message:
    """An order, as far as it is said, with what each card is for: it can be typed so as well."""
    cards = [*parts_told(begun.kind, begun.cards, name)]
    return written(begun.kind.words(), begun.location, cards, name)


def without_parts(language: Language, text: str) -> str:
    """Return an order as it was typed, without what its cards are for.

    >>> without_parts(Language("en"), "settle Deerfield: Boston as transport, Albany as Settler")
    'settle Deerfield: Boston, Albany'
    """
    spoken = (language, Language(SOURCE))
    said = {
        each.say(Message.within("part", p, card="")) for each in spoken for p in _PARTS.values()
    }
    return re.sub(rf"(?:{'|'.join(map(re.escape, said))})(?!\w)", "", text, flags=re.IGNORECASE)

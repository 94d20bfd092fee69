"""What each card of an order is for, in words."""

from __future__ import annotations

from collections.abc import Iterator

from engine.message import Message, Said, mark_in
from engine.order import Order, written
from engine.ways import Begun
from pbem.words.language import SOURCE, Language
from pbem.words.phrases import Name

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


def without_part(language: Language, text: str) -> str:
    """A card as it was typed, without what it is for.

    >>> without_part(Language("en"), "St. Mary's as transport")
    "St. Mary's"
    """
    said = text.casefold()
    ending = next((each for each in _endings(language) if said.endswith(each)), "")
    return text[: len(text) - len(ending)]


def _endings(language: Language) -> Iterator[str]:
    """What stands behind a card to say what it is for, in that language and in English."""
    for spoken in (language, Language(SOURCE)):
        for part in _PARTS.values():
            yield spoken.say(Message.within("part", part, card="")).casefold()

"""The faces of cards: what is printed on one, and where it stands there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.catalogue import TRANSPORTS, Card, Catalogue, symbol_name
from engine.message import Message, Said, commas, joined_with_semicolons, labelled
from engine.sides import Side
from pbem.board.chart import chart
from pbem.board.lettering import BOLD, fitted, wrapped
from pbem.text.language import Language
from pbem.text.naming import OwnedCard, card_facts, whose
from pbem.text.phrases import beside, entry, in_order, money_counted, with_beside

WIDTH, HEIGHT, HEAD = 126, 176, 48
"""The size of a card, two units to the millimetre of a printed one, and of what is told above."""
KINDS = (*(side.value for side in Side), "neutral")
"""In what colours cards are printed."""
MAP = (13, 50, 100, 67)
"""Where the little map of the board stands on a location card: left, top, width, height."""
_SYMBOLS = (*TRANSPORTS, "settler", "fur")
ICON = 24
"""The size of a symbol, in whose units those in the head of a card stand side by side."""
_FOOT_MARGIN, _NUMBER, _ROW_ICON = 6, 14, 10
_PICTURE, _LARGEST_EMBLEM, _BELOW_MAP = 50, 66, 119
NAME_SIZE, _NAME_ROOM, _TEXT_ROOM = 14, 96, 100
_TEXT_SIZES, _LEADING = (12, 11, 10, 9.2, 8.4, 7.6, 6.8), 1.12
_MAP_ROOM, _EMBLEM_ROOM = 52, 78
"""The room that text may take at the foot of a card below the map, and below an emblem."""


class Icon(NamedTuple):
    """A symbol on a card: its name, the number at it, and what it says in words."""

    symbol: str
    number: str
    words: Said


class Feature(NamedTuple):
    """A text at the foot of a card behind its symbol: the lines, and where each stands."""

    symbol: str
    lines: list[tuple[int, str]]

    @property
    def icon_y(self) -> int:
        """Where the symbol stands, in units of its own."""
        return round((self.lines[0][0] - _ROW_ICON + 1) * ICON / _ROW_ICON)


class TitleLine(NamedTuple):
    """A line of the name of a card, and where it stands."""

    y: int
    line: str
    size: float
    narrower: int | None


class Face(NamedTuple):
    """All that is drawn of a card; `price` is what it costs to draft, `icons` stand in its head.

    `emblem_at` is where the emblem of an empire card stands, and its size; of a location card
    `here` is the location on the map, and `reaches` are those to which it leads by each transport.
    """

    id: str
    kind: str
    names: list[TitleLine]
    beside: TitleLine | None
    icons: list[tuple[int, Icon]]
    rows: list[Feature]
    size: float
    price: int | None
    emblem: str
    emblem_at: tuple[int, int, int]
    here: tuple[int, int] | None
    reaches: list[tuple[str, list[tuple[int, int]]]]
    words: Said


def face_id(card: Card) -> str:
    """The name of the face of a card in a page: `british-boston`, `neutral-neutral-settlers`."""
    return f"{kind(card)}-{card.id}"


def kind(card: Card) -> str:
    """In which colour a card is printed: `british`, `french`, `neutral`."""
    return card.side.value if card.side else "neutral"


def faces(language: Language, catalogue: Catalogue) -> list[Face]:
    """The faces of all cards of a catalogue, each once."""
    owned = {
        face_id(card): OwnedCard(card, tuple(Side) if card.side is None else (side,))
        for side in Side
        for card in catalogue.cards[side].values()
    }
    return [_face(language, catalogue, each) for each in owned.values()]


def on_map(location: str) -> tuple[int, int]:
    """Where a location stands on the little map of a card."""
    x, y = chart().places[location].at
    return MAP[0] + round(x * map_scale()), MAP[1] + round(y * map_scale())


def map_scale() -> float:
    """How much smaller the little map is than the sheet on which the board is drawn."""
    return MAP[2] / chart().size[0]


def _face(language: Language, catalogue: Catalogue, owned: OwnedCard) -> Face:
    card, name = owned.card, catalogue.name_of(owned.card.id)
    icons = [*_icons(card)]
    texts = [*_leads(card, catalogue)]
    texts += [(icon.symbol, icon.words) for icon in icons if not card.location or _is_told(icon)]
    size, broken, height = _rows(language, texts, _MAP_ROOM if card.location else _EMBLEM_ROOM)
    foot = HEIGHT - _FOOT_MARGIN - round(height)
    emblem = min(_LARGEST_EMBLEM, foot - _PICTURE - 4)
    facts = joined_with_semicolons(fact.line for fact in card_facts(card, catalogue))
    names, translated = _names(language.say(name), beside(language, name))
    return Face(
        id=face_id(card),
        kind=kind(card),
        names=names,
        beside=translated,
        icons=[*_in_row(icons)],
        rows=[*_below(_BELOW_MAP if card.location else foot, size, broken)],
        size=size,
        price=None if card.location else card.cost,
        emblem="" if card.location else card.id.removeprefix("neutral-"),
        emblem_at=((WIDTH - emblem) // 2, (_PICTURE + foot - emblem) // 2, emblem),
        here=on_map(card.location) if card.location else None,
        reaches=[
            (by, [*map(on_map, sorted(card.reaches[by]))])
            for by in TRANSPORTS
            if card.reaches.get(by)
        ],
        words=labelled(_titled(language, owned, name), facts),
    )


def _names(name: str, translated: str) -> tuple[list[TitleLine], TitleLine | None]:
    """The name of a card in its head, and below it what the rulebook calls it."""
    if translated:
        printed = fitted(name, (12, 11, 10, 9), _NAME_ROOM, weight=BOLD)
        other = fitted(translated, (9.5, 8.5, 7.5), _NAME_ROOM)
        below = TitleLine(22, other.lines[0], other.size, other.narrower)
        return [TitleLine(12, printed.lines[0], printed.size, printed.narrower)], below
    whole = fitted(name, (NAME_SIZE, 13, 12), _NAME_ROOM, weight=BOLD)
    if whole.narrower is None:
        return [TitleLine(18, whole.lines[0], whole.size, None)], None
    broken = fitted(name, (11, 10, 9), _NAME_ROOM, most=2, weight=BOLD)
    tops = (12, 22) if len(broken.lines) == 2 else (17,)
    lines = zip(tops, broken.lines, strict=True)
    return [TitleLine(y, line, broken.size, broken.narrower) for y, line in lines], None


def _titled(language: Language, owned: OwnedCard, name: Said) -> Message:
    """What a card is called, and whose it is."""
    return commas((with_beside(language, name), whose(owned)))


# --- what is on it


def _icons(card: Card) -> Iterator[Icon]:
    """The symbols of a card, in the order in which they stand on it."""
    for symbol in _SYMBOLS:
        if symbol in card.symbols:
            yield Icon(symbol, "", symbol_name(symbol))
    if card.money:
        yield Icon("money", str(card.money), money_counted(card.money))
    if card.military:
        words = Message("strength {number}", number=card.military)
        yield Icon("strength", str(card.military), words)
    if card.military_defending:
        words = Message("strength {number} (defending)", number=card.military_defending)
        yield Icon("defending", str(card.military_defending), words)
    yield from _raid_icons(card)
    if card.action:
        yield Icon(card.action, "", _for_price(entry("card-actions", card.action), card.play_cost))
    if card.free_action and card.action:
        yield Icon("free", "", Message("costs no action"))
    elif card.free_action:
        joining = Message("yes, when it joins a siege under way")
        yield Icon("free", "", labelled(Message("costs no action"), joining))
    if card.siege_cost:
        costs = Message.counted("costs {count} money", "costs {count} money", card.siege_cost)
        when = Message("each time it is played to a siege")
        yield Icon("money", f"−{card.siege_cost}", labelled(when, costs))


def _raid_icons(card: Card) -> Iterator[Icon]:
    """Yield the parts that a card plays in raids and ambushes."""
    for part, can, price in (
        ("raid", card.raid, card.raid_cost),
        ("extend-raid", card.extends_raid, 0),
        ("ambush", card.ambush, card.ambush_cost),
        ("block-raid", card.blocks_raid, 0),
        ("block-ambush", card.blocks_ambush, 0),
    ):
        if can:
            yield Icon(part, "", _for_price(entry("raids", part), price))
    if card.ambushable:
        yield Icon("ambushable", "", Message("can be lost to an ambush"))
    if card.convertible:
        yield Icon("convertible", "", Message("can be converted"))


def _for_price(what: Message, price: int) -> Message:
    return (
        Message("{action}, for {price}", action=what, price=money_counted(price)) if price else what
    )


def _is_told(icon: Icon) -> bool:
    """Whether a symbol is told in words on a location card too, which has few but known ones."""
    return icon.symbol not in (*_SYMBOLS, "money", "strength")


def _leads(card: Card, catalogue: Catalogue) -> Iterator[tuple[str, Said]]:
    """Where a location card leads by each transport."""
    for by in TRANSPORTS:
        if card.reaches.get(by):
            yield by, in_order(map(catalogue.name_of, card.reaches[by]))


# --- where it stands


def _in_row(icons: Iterable[Icon]) -> Iterator[tuple[int, Icon]]:
    """Icons from left to right; a number stands in a coin, and behind everything else."""
    x = 0
    for icon in icons:
        yield x, icon
        x += ICON + 1 + (_NUMBER if icon.number and icon.symbol != "money" else 0)


def _rows(
    language: Language, texts: list[tuple[str, Said]], room: int
) -> tuple[float, list[tuple[str, list[str]]], float]:
    """The texts of a card in lines, in the largest letters in which they have that room.

    With the size of the letters, and how high all lines are.
    """
    said = [(symbol, language.say(text)) for symbol, text in texts]
    for size in _TEXT_SIZES:
        broken = [(symbol, wrapped(text, size, _TEXT_ROOM)) for symbol, text in said]
        height = sum(len(lines) for _, lines in broken) * size * _LEADING
        if height <= room:
            break
    return size, broken, height


def _below(y: float, size: float, broken: list[tuple[str, list[str]]]) -> Iterator[Feature]:
    """Texts in lines, one below the other."""
    for symbol, lines in broken:
        placed: list[tuple[int, str]] = []
        for line in lines:
            placed.append((round(y + size), line))
            y += size * _LEADING
        yield Feature(symbol, placed)

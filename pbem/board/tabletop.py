"""Everything beside the board: each side's money, cards and pieces, sieges; the faces of cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from engine.catalogue import TRANSPORTS, Card, Catalogue, symbol_name
from engine.message import Message, Phrase, comma_list, semicolon_list, with_label
from engine.ruleset import CAPTURE_GOAL
from engine.sides import Side
from pbem.board.chart import chart
from pbem.board.lettering import BOLD, fitted, wrapped
from pbem.board.templates import Parts, Templates, track
from pbem.text.facts.position_facts import (
    HandFacts,
    PositionFacts,
    Scene,
    SideFacts,
    SiegeFacts,
    SiegeSideFacts,
    StockFacts,
)
from pbem.text.language import Language
from pbem.text.naming import OwnedCard, card_facts, card_kind
from pbem.text.phrases import (
    Name,
    capitalize,
    entry,
    money_counted,
    name_list,
    names,
    towns_counted,
    translation,
    villages_counted,
    with_translation,
)
from pbem.text.piles import beside_hand_text, draw_pile_text, hidden_hand_text
from pbem.text.position import siege_cost, siege_heading, siege_side_text, siege_standing

# --- the faces of cards


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
    words: Phrase


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
    words: Phrase


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
    facts = semicolon_list(card_facts(card, catalogue))
    names, translated = _names(language.say(name), translation(language, name))
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
        words=with_label(comma_list((with_translation(language, name), card_kind(owned))), facts),
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
    if card.free_action:
        free, joining = Message("costs no action"), Message("yes, when it joins a siege under way")
        yield Icon("free", "", free if card.action else with_label(free, joining))
    if card.siege_cost:
        costs = Message.counted("costs {count} money", "costs {count} money", card.siege_cost)
        when = Message("each time it is played to a siege")
        yield Icon("money", f"−{card.siege_cost}", with_label(when, costs))


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
    """Return True if a symbol is told in words on a location card too, which has few of them."""
    return icon.symbol not in (*_SYMBOLS, "money", "strength")


def _leads(card: Card, catalogue: Catalogue) -> Iterator[tuple[str, Phrase]]:
    """Where a location card leads by each transport."""
    for by in TRANSPORTS:
        if card.reaches.get(by):
            yield by, name_list(map(catalogue.name_of, card.reaches[by]))


# --- where it stands


def _in_row(icons: Iterable[Icon]) -> Iterator[tuple[int, Icon]]:
    """Icons from left to right; a number stands in a coin, and behind everything else."""
    x = 0
    for icon in icons:
        yield x, icon
        x += ICON + 1 + (_NUMBER if icon.number and icon.symbol != "money" else 0)


def _rows(
    language: Language, texts: list[tuple[str, Phrase]], room: int
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


# --- beside the board


_COUNTED = ("money", "points", "captured", "villages", "towns")
_PILES = ("hand", "draw", "discard", "reserve", "draft", "locations")
_USES = re.compile(r'href="#(card|head)-([^"]+)"')
"""Where a pile shows the face of a card, or its head alone."""
_BEHIND_WIN = 3
"""How many steps the track of a siege goes on behind the one that wins it."""


class Tabletop:
    """The table of a game, as HTML: what each side has, the sieges, and what can be drafted.

    Where the viewer `plays`, the hand has a place of its own, and each card lies there alone.
    """

    def __init__(
        self,
        templates: Templates,
        catalogue: Catalogue,
        viewer: Side | None = None,
        *,
        plays: bool = False,
    ) -> None:
        self._fill = templates.fill
        self._catalogue = catalogue
        self._faces = faces(templates.language, catalogue)
        self.card_names = templates.fill("card_names.html", faces=self._faces)
        self.card_words = templates.fill("card_words.html", faces=self._faces)
        self.card_faces = self._drawn_faces(self._faces, {face.id for face in self._faces})
        self._viewer = viewer
        self._player = viewer if plays else None
        self._drawn: dict[Hashable, Markup] = {}
        self._face_of = {
            (side, card.id): face_id(card)
            for side in Side
            for card in catalogue.cards[side].values()
        }

    def frame(self) -> Markup:
        """The symbols of cards; a section for each side, for sieges, and for what is neutral."""
        table = self._fill(
            "table.html",
            sides=[(side.value, capitalize(side.label)) for side in Side],
            apart=self._player.value if self._player else None,
            labels={what: entry("labels", what) for what in _COUNTED},
            piles={side.value: self._titles(side) for side in Side},
            goal=CAPTURE_GOAL,
            sieges=Message("Sieges"),
            neutral=Message("Neutral cards"),
        )
        return self._fill("symbols.svg") + table

    def faces_in(self, parts: Parts) -> Markup:
        """As much of the faces of cards as is seen in these parts."""
        seen = {use for text in parts.values() for use in _USES.findall(text)}
        heads = {id for _, id in seen}
        whole = {id for what, id in seen if what == "card"}
        return self._drawn_faces([face for face in self._faces if face.id in heads], whole)

    def _drawn_faces(self, drawn: Sequence[Face], whole: Collection[str]) -> Markup:
        """The heads of cards as they are drawn, and the rest of those that are seen whole."""
        return self._fill(
            "card_faces.svg",
            faces=drawn,
            whole=whole,
            kinds=KINDS,
            map=MAP,
            map_scale=map_scale(),
            name_size=NAME_SIZE,
        )

    def own_hand(self) -> Markup:
        """The place of the viewer's hand, to stand elsewhere on the page, with its parts."""
        assert self._player is not None
        title = self._titles(self._player)["hand"]
        return self._fill("hand.html", side=self._player.value, title=title, heading="h2")

    def _titles(self, side: Side) -> dict[str, Phrase]:
        """What the piles of a side are called."""
        whose = "-yours" if side is self._viewer else ""
        return {what: capitalize(entry("piles", f"{what}{whose}")) for what in _PILES}

    def parts(self, scene: Scene) -> Parts:
        """What each side has, how the sieges stand and what is left, and what the turn changed."""
        facts, before = scene.facts, scene.before or scene.facts
        name = names(scene.state)
        parts = {"faces-of-cards": self.card_faces, "words-on-cards": self.card_words}
        for side in Side:
            has, had = (each.sides[side] for each in (facts, before))
            gained = sorted(scene.state.players[side].locations)
            of_side = {
                **self._numbers(has, had),
                **self._piles(side, has, had, name),
                "locations-count": self._number("locations", Number(len(gained), len(gained))),
                "locations": self._cards(side, "locations", pile(gained, gained)),
                "siege": self._siege(side, facts, before, name),
            }
            parts |= {f"{side.value}-{what}": text for what, text in of_side.items()}
        drafted = stock(facts.neutral, before.neutral)
        discs = Number(facts.fortifications_left, before.fortifications_left)
        parts["neutral"] = self._cards(None, "available", drafted)
        parts["discs"] = self._fill(
            "discs.html",
            number=discs,
            told=Message("fortification discs left: {number}", number=discs.value),
        )
        return parts

    # --- numbers

    def _numbers(self, has: SideFacts, had: SideFacts) -> dict[str, Markup]:
        """What is counted of a side, and how many cards its piles have."""
        now, before = _counts(has), _counts(had)
        parts = {what: self._number(what, Number(now[what], before[what])) for what in now}
        parts["pieces"] = self._fill(
            "pieces.html",
            villages=has.villages_captured,
            towns=has.towns_captured,
            villages_counted=villages_counted,
            towns_counted=towns_counted,
        )
        return parts

    def _number(self, what: str, counted: Number) -> Markup:
        kind = f"{what}-left" if what in ("villages", "towns") else what.removesuffix("-count")
        return self._once("number.html", what=kind, number=counted)

    def _once(self, template: str, **facts: Hashable) -> Markup:
        """A template about these facts, filled once: most piles stay as they are for some turns."""
        key = template, *facts.values()
        if key not in self._drawn:
            self._drawn[key] = self._fill(template, **facts)
        return self._drawn[key]

    # --- piles

    def _piles(self, side: Side, has: SideFacts, had: SideFacts, name: Name) -> dict[str, Markup]:
        """The cards of a side, and what can be counted of those that are hidden."""
        held, left = has.hand, draw_pile_text(has, name)
        drafted = stock(has.available, had.available)
        reserve = pile(has.reserve, had.reserve, with_gone=True)
        cards = hand(held, had.hand)
        if side is self._player:
            cards = [one for each in cards for one in each.apart()]
        return {
            "hand": self._cards(side, "hand", cards, held.face_down),
            "hand-told": self._fill("told.html", lines=list(_hand_told(has, name))),
            "draw": self._cards(side, "draw", [], has.draw_pile),
            "draw-told": self._fill("told.html", lines=[left] if left else []),
            "discard": self._cards(side, "discard", pile(has.discard_pile, had.discard_pile)),
            "reserve": self._cards(side, "reserve", reserve),
            "draft": self._cards(side, "available", drafted),
        }

    def _cards(
        self, side: Side | None, where: str, cards: Iterable[Shown], face_down: int = 0
    ) -> Markup:
        """Cards of a pile, one after the other; `side` is None for what both can draft."""
        return self._once(
            "pile.html",
            cards=tuple((self._face_of[side or Side.BRITISH, each.card], each) for each in cards),
            back=side.value if side else "neutral",
            face_down=face_down,
            where=where,
            side=side.value if side else "neutral",
        )

    # --- sieges

    def _siege(
        self, besieger: Side, facts: PositionFacts, before: PositionFacts, name: Name
    ) -> Markup:
        """The siege that a side has opened: its track, and the cards of both; empty for none."""
        siege, was = _of(besieger, facts), _of(besieger, before)
        if siege is None:
            return Markup("")
        goes_on = was if was and was.location == siege.location else None
        marker = Number(siege.marker, goes_on.marker if goes_on else siege.marker)
        return self._fill(
            "siege.html",
            siege=siege,
            heading=siege_heading(siege, name),
            track=track(siege, marker.before, _BEHIND_WIN),
            marker=marker,
            sides=[
                (
                    side.value,
                    capitalize(side.label),
                    siege_side_text(siege, side, name),
                    self._cards(
                        side,
                        "siege",
                        at_siege(siege.sides[side], goes_on.sides[side] if goes_on else None),
                    ),
                )
                for side in (besieger.opponent, besieger)
            ],
            cost=siege_cost(siege, name),
            standing=siege_standing(siege),
        )


def _counts(side: SideFacts) -> dict[str, int]:
    """The numbers of a side, by the part that shows each."""
    return {
        "money": side.money,
        "points": side.points.total,
        "captured": side.points.captures,
        "villages": side.villages_left,
        "towns": side.towns_left,
        "hand-count": side.hand.size,
        "draw-count": side.draw_pile,
        "discard-count": len(side.discard_pile),
        "reserve-count": len(side.reserve),
    }


def _hand_told(side: SideFacts, name: Name) -> Iterator[Phrase]:
    """What is to be said of a hand beside its cards: what comes, or what can be counted of it."""
    if side.hand.open:
        yield from beside_hand_text(side.hand, name)
    else:
        yield hidden_hand_text(side, name)


def _of(besieger: Side, facts: PositionFacts) -> SiegeFacts | None:
    return next((each for each in facts.sieges if each.besieger is besieger), None)


# --- what is in the piles of a side, and what the turn changed there


class Number(NamedTuple):
    """A number, and that before the turn."""

    value: int
    before: int

    @property
    def change(self) -> int:
        """The amount by which the turn changed it."""
        return self.value - self.before


class Shown(NamedTuple):
    """Copies of a card that lie together, and by how many the turn changed them; maybe none left.

    `price` is what one costs, `strength` what each adds at a siege, `idle` why it is of no use now.
    """

    card: str
    copies: int
    change: int = 0
    price: int | None = None
    strength: int | None = None
    idle: Phrase = ""

    def apart(self) -> Iterator[Shown]:
        """Each copy by itself; those that the turn brought are the last ones."""
        for number in range(self.copies, 0, -1):
            yield self._replace(copies=1, change=int(number <= self.change))


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
    followed = now.open and before.open
    was = Counter(card.card for card in before.cards)
    there = Counter(card.card for card in now.cards)
    idle = {card.card: entry("idle", card.idle) for card in now.cards if card.idle}
    return [
        Shown(card, copies, max(0, copies - was[card]) if followed else 0, idle=idle.get(card, ""))
        for card, copies in there.items()
    ]


def stock(now: Iterable[StockFacts], before: Iterable[StockFacts]) -> list[Shown]:
    """Return cards to be drafted, the cheapest first, with what was taken and came back."""
    price = {kind.card: kind.price for kind in (*before, *now)}
    there, was = ({kind.card: kind.copies for kind in kinds} for kinds in (now, before))
    return [
        Shown(card, there.get(card, 0), there.get(card, 0) - was.get(card, 0), price=price[card])
        for card in sorted(price, key=lambda card: (price[card], card))
    ]


def at_siege(now: SiegeSideFacts, before: SiegeSideFacts | None) -> list[Shown]:
    """The cards of a side at a siege with their strengths, those that the turn brought marked."""
    strength = {card.card: card.strength for card in now.cards}
    was = before.cards if before else []
    brought = pile((c.card for c in now.cards), (c.card for c in was))
    return [shown._replace(strength=strength[shown.card]) for shown in brought]

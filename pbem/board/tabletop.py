"""The table next to the board: money, cards and pieces of both sides, sieges, faces of cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from engine.catalogue import TRANSPORTS, Card, Catalogue, symbol_name
from engine.message import Message, Phrase, comma_list, semicolon_list, with_label
from engine.position import score
from engine.ruleset import CAPTURE_GOAL, TOWN_CAPTURED, VILLAGE_CAPTURED
from engine.sides import Side
from engine.state import State
from pbem.board.layout import load_layout
from pbem.board.templates import Parts, Templates, siege_track
from pbem.board.typography import BOLD, fit, wrap
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
    money_amount,
    name_list,
    names,
    row_text,
    town_count,
    translation,
    village_count,
    with_translation,
)
from pbem.text.piles import draw_pile_text, hand_remarks, hidden_hand_text
from pbem.text.position import (
    endings_text,
    siege_cost,
    siege_heading,
    siege_side_text,
    siege_standing,
)

# --- the faces of cards


WIDTH, HEIGHT, HEAD = 126, 176, 48
"""The size of a card, in units of half a millimetre, and the height of its head."""
KINDS = (*(side.value for side in Side), "neutral")
"""The colours of cards."""
MINIMAP = (13, 50, 100, 67)
"""The small map of the board on a location card: left, top, width, height."""
_SYMBOLS = (*TRANSPORTS, "settler", "fur")
ICON = 24
"""The size of a symbol, in the units of its viewBox and of the head of a card."""
_FOOT_MARGIN, _NUMBER, _ROW_ICON = 6, 14, 10
_PICTURE, _LARGEST_EMBLEM, _BELOW_MAP = 50, 66, 119
NAME_SIZE, _NAME_ROOM, _TEXT_ROOM = 14, 96, 100
_TEXT_SIZES, _LEADING = (12, 11, 10, 9.2, 8.4, 7.6, 6.8), 1.12
_MAP_ROOM, _EMBLEM_ROOM = 52, 78
"""The heights for text at the foot of a card, below a map and below an emblem."""


class Icon(NamedTuple):
    """A symbol on a card: its name, its number or an empty string, and its meaning."""

    symbol: str
    number: str
    words: Phrase


class Feature(NamedTuple):
    """A text at the foot of a card: its symbol, and its lines with their baselines."""

    symbol: str
    lines: list[tuple[int, str]]

    @property
    def icon_y(self) -> int:
        """The top of the symbol, in units of the symbol."""
        return round((self.lines[0][0] - _ROW_ICON + 1) * ICON / _ROW_ICON)


class TitleLine(NamedTuple):
    """A line of the name of a card: its baseline, and the width to fit, if any."""

    y: int
    line: str
    size: float
    text_length: int | None


class CardFace(NamedTuple):
    """The face of a card: `icons` in its head, `rows` of text, the `price` to draft it.

    An empire card has an emblem; `emblem_at` is its left, top and size. A location card has its
    `location_point` on the map, and in `reaches` the points of its destinations by transport.
    """

    id: str
    kind: str
    names: list[TitleLine]
    rulebook_name: TitleLine | None
    icons: list[tuple[int, Icon]]
    rows: list[Feature]
    size: float
    price: int | None
    emblem: str
    emblem_at: tuple[int, int, int]
    location_point: tuple[int, int] | None
    reaches: list[tuple[str, list[tuple[int, int]]]]
    words: Phrase


def face_id(card: Card) -> str:
    """Return the id of a card's face on a page: `british-boston`, `neutral-neutral-settlers`."""
    return f"{card_colour(card)}-{card.id}"


def card_colour(card: Card) -> str:
    """Return the colour of a card: `british`, `french` or `neutral`."""
    return card.side.value if card.side else "neutral"


def make_card_faces(language: Language, catalogue: Catalogue) -> list[CardFace]:
    """Return the faces of all cards of a catalogue, without duplicates."""
    owned_cards = {
        face_id(card): OwnedCard(card, tuple(Side) if card.side is None else (side,))
        for side in Side
        for card in catalogue.cards[side].values()
    }
    return [_face(language, catalogue, card) for card in owned_cards.values()]


def minimap_point(location: str) -> tuple[int, int]:
    """Return the position of a location on the small map of a card."""
    x, y = load_layout().places[location].at
    return MINIMAP[0] + round(x * minimap_scale()), MINIMAP[1] + round(y * minimap_scale())


def minimap_scale() -> float:
    """Return the scale of the small map, relative to the map of the board."""
    return MINIMAP[2] / load_layout().size[0]


def _face(language: Language, catalogue: Catalogue, owned: OwnedCard) -> CardFace:
    card, name = owned.card, catalogue.name_of(owned.card.id)
    icons = [*_icons(card)]
    texts = [*_destinations(card, catalogue)]
    texts += [(icon.symbol, icon.words) for icon in icons if not card.location or _has_text(icon)]
    size, rows, height = _fit(language, texts, _MAP_ROOM if card.location else _EMBLEM_ROOM)
    text_top = HEIGHT - _FOOT_MARGIN - round(height)
    emblem = min(_LARGEST_EMBLEM, text_top - _PICTURE - 4)
    facts = semicolon_list(card_facts(card, catalogue))
    names, rulebook_name = _names(language.say(name), translation(language, name))
    return CardFace(
        id=face_id(card),
        kind=card_colour(card),
        names=names,
        rulebook_name=rulebook_name,
        icons=[*_position_icons(icons)],
        rows=[*_stack_texts(_BELOW_MAP if card.location else text_top, size, rows)],
        size=size,
        price=None if card.location else card.cost,
        emblem="" if card.location else card.id.removeprefix("neutral-"),
        emblem_at=((WIDTH - emblem) // 2, (_PICTURE + text_top - emblem) // 2, emblem),
        location_point=minimap_point(card.location) if card.location else None,
        reaches=[
            (transport, [*map(minimap_point, sorted(card.reaches[transport]))])
            for transport in TRANSPORTS
            if card.reaches.get(transport)
        ],
        words=with_label(comma_list((with_translation(language, name), card_kind(owned))), facts),
    )


def _names(name: str, translated: str) -> tuple[list[TitleLine], TitleLine | None]:
    """Return the lines of a card's name, and a line with a different name in the rulebook."""
    if translated:
        top = fit(name, (12, 11, 10, 9), _NAME_ROOM, weight=BOLD)
        second = fit(translated, (9.5, 8.5, 7.5), _NAME_ROOM)
        rulebook_line = TitleLine(22, second.lines[0], second.size, second.text_length)
        return [TitleLine(12, top.lines[0], top.size, top.text_length)], rulebook_line
    fitted = fit(name, (NAME_SIZE, 13, 12), _NAME_ROOM, weight=BOLD)
    if fitted.text_length is None:
        return [TitleLine(18, fitted.lines[0], fitted.size, None)], None
    broken = fit(name, (11, 10, 9), _NAME_ROOM, limit=2, weight=BOLD)
    tops = (12, 22) if len(broken.lines) == 2 else (17,)
    lines = zip(tops, broken.lines, strict=True)
    return [TitleLine(y, line, broken.size, broken.text_length) for y, line in lines], None


# --- symbols and texts of a card


def _icons(card: Card) -> Iterator[Icon]:
    """Yield the symbols of a card in their order on it."""
    for symbol in _SYMBOLS:
        if symbol in card.symbols:
            yield Icon(symbol, "", symbol_name(symbol))
    if card.money:
        yield Icon("money", str(card.money), money_amount(card.money))
    if card.military:
        words = Message("strength {number}", number=card.military)
        yield Icon("strength", str(card.military), words)
    if card.military_defending:
        words = Message("strength {number} (defending)", number=card.military_defending)
        yield Icon("defending", str(card.military_defending), words)
    yield from _raid_icons(card)
    if card.action:
        yield Icon(card.action, "", _priced_text("card-actions", card.action, card.play_cost))
    if card.free_action:
        free, joining = Message("costs no action"), Message("yes, when it joins a siege under way")
        yield Icon("free", "", free if card.action else with_label(free, joining))
    if card.siege_cost:
        costs = Message.counted("costs {count} money", "costs {count} money", card.siege_cost)
        when = Message("each time it is played to a siege")
        yield Icon("money", f"−{card.siege_cost}", with_label(when, costs))


def _raid_icons(card: Card) -> Iterator[Icon]:
    """Yield the symbols for the use of a card in raids and ambushes."""
    for part, is_possible, price in (
        ("raid", card.raid, card.raid_cost),
        ("extend-raid", card.extends_raid, 0),
        ("ambush", card.ambush, card.ambush_cost),
        ("block-raid", card.blocks_raid, 0),
        ("block-ambush", card.blocks_ambush, 0),
    ):
        if is_possible:
            yield Icon(part, "", _priced_text("raids", part, price))
    if card.ambushable:
        yield Icon("ambushable", "", Message("can be lost to an ambush"))
    if card.convertible:
        yield Icon("convertible", "", Message("can be converted"))


def _priced_text(table: str, key: str, price: int) -> Message:
    """Return the text of a table with the price, if any."""
    action, money = row_text(table, key), money_amount(price)
    return Message("{action}, for {price}", action=action, price=money) if price else action


def _has_text(icon: Icon) -> bool:
    """Return True if a symbol has a text even on a location card, which has little room."""
    return icon.symbol not in (*_SYMBOLS, "money", "strength")


def _destinations(card: Card, catalogue: Catalogue) -> Iterator[tuple[str, Phrase]]:
    """Yield the destinations of a card by transport."""
    for transport in TRANSPORTS:
        if card.reaches.get(transport):
            yield transport, name_list(map(catalogue.name_of, card.reaches[transport]))


# --- positions on a card


def _position_icons(icons: Iterable[Icon]) -> Iterator[tuple[int, Icon]]:
    """Yield icons with their x from left to right; a number widens every icon except a coin."""
    x = 0
    for icon in icons:
        yield x, icon
        x += ICON + 1 + (_NUMBER if icon.number and icon.symbol != "money" else 0)


def _fit(
    language: Language, texts: list[tuple[str, Phrase]], max_height: int
) -> tuple[float, list[tuple[str, list[str]]], float]:
    """Return the largest font size at which the texts of a card fit into `max_height`.

    Return the texts in lines and their height too.
    """
    translated = [(symbol, language.say(text)) for symbol, text in texts]
    for size in _TEXT_SIZES:
        broken = [(symbol, wrap(text, size, _TEXT_ROOM)) for symbol, text in translated]
        height = sum(len(lines) for _, lines in broken) * size * _LEADING
        if height <= max_height:
            break
    return size, broken, height


def _stack_texts(y: float, size: float, broken: list[tuple[str, list[str]]]) -> Iterator[Feature]:
    """Yield texts below each other, each line with its baseline."""
    for symbol, lines in broken:
        positioned: list[tuple[int, str]] = []
        for line in lines:
            positioned.append((round(y + size), line))
            y += size * _LEADING
        yield Feature(symbol, positioned)


# --- the table


_AMOUNTS = ("money", "points", "captured", "villages", "towns")
_SCORES = {"points": "points", "money": "money", "hand": "hand-count", "captured": "captured"}
"""The amounts of the strip: their labels, and their keys in `_counts`."""
_PILES = ("hand", "draw", "discard", "reserve", "draft", "locations")
_CARD_REFERENCE = re.compile(r'href="#(card|head)-([^"]+)"')
"""A reference to a whole card or only its head."""
_TRACK_MARGIN = 3
"""The number of steps of a siege track beyond the victory of each side."""


class Tabletop:
    """The table of a game as HTML: money, cards and pieces of each side, sieges, neutral cards.

    If it is `interactive`, the viewer's hand is apart from it, with equal cards side by side.
    """

    def __init__(
        self,
        templates: Templates,
        catalogue: Catalogue,
        viewer: Side | None = None,
        *,
        interactive: bool = False,
    ) -> None:
        self._render = templates.render
        self._catalogue = catalogue
        self.faces = make_card_faces(templates.language, catalogue)
        self.card_names = templates.render("card_names.html", faces=self.faces)
        self.card_words = templates.render("card_words.html", faces=self.faces)
        self.card_faces = self._render_faces(self.faces, {face.id for face in self.faces})
        self._viewer = viewer
        self._player = viewer if interactive else None
        self._rendered: dict[Hashable, Markup] = {}
        self._face_of = {
            (side, card.id): face_id(card)
            for side in Side
            for card in catalogue.cards[side].values()
        }

    def render_frame(self) -> Markup:
        """Return the symbols of cards and the sections of both sides, sieges and neutral cards."""
        table = self._render(
            "table.html",
            sides=[(side.value, capitalize(side.label)) for side in Side],
            apart=self._player.value if self._player else None,
            labels={key: row_text("labels", key) for key in _AMOUNTS},
            piles={side.value: self._titles(side) for side in Side},
            goal=CAPTURE_GOAL,
            sieges=Message("Sieges"),
            neutral=Message("Neutral cards"),
        )
        return self._render("symbols.svg") + table

    def render_used_faces(self, parts: Parts) -> Markup:
        """Return the faces of the cards in `parts`, whole or only their heads."""
        uses = {use for text in parts.values() for use in _CARD_REFERENCE.findall(text)}
        heads = {id for _, id in uses}
        whole_ids = {id for kind, id in uses if kind == "card"}
        return self._render_faces([face for face in self.faces if face.id in heads], whole_ids)

    def _render_faces(self, faces: Sequence[CardFace], whole_ids: Collection[str]) -> Markup:
        """Return the heads of `faces`, and whole faces for the ids in `whole_ids`."""
        return self._render(
            "card_faces.svg",
            faces=faces,
            whole=whole_ids,
            kinds=KINDS,
            map=MINIMAP,
            map_scale=minimap_scale(),
            name_size=NAME_SIZE,
        )

    def render_own_hand(self) -> Markup:
        """Return the frame of the viewer's hand, which is elsewhere on an interactive page."""
        assert self._player is not None
        title = self._titles(self._player)["hand"]
        return self._render("hand.html", side=self._player.value, title=title, heading="h2")

    def _titles(self, side: Side) -> dict[str, Phrase]:
        """Return the titles of the piles of a side."""
        suffix = "-yours" if side is self._viewer else ""
        return {pile: capitalize(row_text("piles", f"{pile}{suffix}")) for pile in _PILES}

    def render_parts(self, scene: Scene) -> Parts:
        """Return the content of the table in a scene, with the changes of the turn."""
        facts, before = scene.facts, scene.before or scene.facts
        name = names(scene.state)
        parts = {"faces-of-cards": self.card_faces, "words-on-cards": self.card_words}
        for side in Side:
            new, old = facts.sides[side], before.sides[side]
            locations = sorted(scene.state.players[side].locations)
            side_parts = {
                **self._numbers(new, old),
                **self._piles(side, new, old, name),
                "locations-count": self._number("locations", Count(len(locations), len(locations))),
                "locations": self._cards(side, "locations", diff_pile(locations, locations)),
                "siege": self._siege(side, facts, before, name),
            }
            parts |= {f"{side.value}-{key}": text for key, text in side_parts.items()}
        stock = diff_stock(facts.neutral, before.neutral)
        discs = Count(facts.fortifications_left, before.fortifications_left)
        parts["neutral"] = self._cards(None, "available", stock)
        parts["discs"] = self._render(
            "discs.html",
            number=discs,
            description=Message("fortification discs left: {number}", number=discs.value),
        )
        return parts

    # --- numbers

    def _numbers(self, new: SideFacts, old: SideFacts) -> dict[str, Markup]:
        """Return the amounts of a side and the sizes of its piles."""
        now, before = _counts(new), _counts(old)
        parts = {key: self._number(key, Count(now[key], before[key])) for key in now}
        parts["pieces"] = self._render(
            "pieces.html",
            villages=new.villages_captured,
            towns=new.towns_captured,
            villages_counted=village_count,
            towns_counted=town_count,
        )
        return parts

    def _number(self, key: str, count: Count) -> Markup:
        name = f"{key}-left" if key in ("villages", "towns") else key.removesuffix("-count")
        return self._render_once("number.html", name=name, number=count)

    def _render_once(self, template: str, **facts: Hashable) -> Markup:
        """Return a rendered template from a cache, because piles often stay the same."""
        key = template, *facts.values()
        if key not in self._rendered:
            self._rendered[key] = self._render(template, **facts)
        return self._rendered[key]

    # --- piles

    def _piles(self, side: Side, new: SideFacts, old: SideFacts, name: Name) -> dict[str, Markup]:
        """Return the cards of a side, and facts about hidden cards."""
        hand, draw_pile = new.hand, draw_pile_text(new, name)
        stock = diff_stock(new.available, old.available)
        reserve = diff_pile(new.reserve, old.reserve, with_gone=True)
        cards = diff_hand(hand, old.hand)
        if side is self._player:
            cards = [card for stack in cards for card in stack.split()]
        return {
            "hand": self._cards(side, "hand", cards, hand.face_down),
            "hand-told": self._render("notes.html", lines=list(_hand_notes(new, name))),
            "draw": self._cards(side, "draw", [], new.draw_pile),
            "draw-told": self._render("notes.html", lines=[draw_pile] if draw_pile else []),
            "discard": self._cards(side, "discard", diff_pile(new.discard_pile, old.discard_pile)),
            "reserve": self._cards(side, "reserve", reserve),
            "draft": self._cards(side, "available", stock),
        }

    def _cards(
        self, side: Side | None, pile: str, cards: Iterable[Stack], face_down: int = 0
    ) -> Markup:
        """Return the cards of a pile; `side` is None for the cards that both sides can draft."""
        return self._render_once(
            "pile.html",
            cards=tuple((self._face_of[side or Side.BRITISH, card.card], card) for card in cards),
            back=side.value if side else "neutral",
            face_down=face_down,
            pile=pile,
            side=side.value if side else "neutral",
        )

    # --- sieges

    def _siege(
        self, besieger: Side, facts: PositionFacts, before: PositionFacts, name: Name
    ) -> Markup:
        """Return the siege that a side has begun: its track and the cards of both sides."""
        siege = _find_siege(besieger, facts)
        if siege is None:
            return Markup("")
        previous = _find_siege(besieger, before, siege.location)
        marker = Count(siege.marker, previous.marker if previous else siege.marker)
        return self._render(
            "siege.html",
            siege=siege,
            heading=siege_heading(siege, name),
            track=siege_track(siege, marker.previous, _TRACK_MARGIN),
            marker=marker,
            sides=[
                (
                    side.value,
                    capitalize(side.label),
                    siege_side_text(siege, side, name),
                    self._cards(
                        side,
                        "siege",
                        diff_siege_cards(
                            siege.sides[side], previous.sides[side] if previous else None
                        ),
                    ),
                )
                for side in (besieger.opponent, besieger)
            ],
            cost=siege_cost(siege, name),
            standing=siege_standing(siege),
        )


class ScoreStrip:
    """The scores of both sides in one line beside the board, with the side to move and sieges."""

    def __init__(self, templates: Templates, viewer: Side | None = None) -> None:
        self._render = templates.render
        self._viewer = viewer

    def render_frame(self) -> Markup:
        """Return the empty elements of the strip and of the score that it opens."""
        return Markup('<div id="strip"></div><div id="score" class="score" popover></div>')

    def render_parts(self, scene: Scene, writer: Side | None = None) -> Parts:
        """Return the scores in a scene, with the changes of the turn.

        `writer` is the side that signs the next record, if the scene is the present.
        """
        facts, before, name = scene.facts, scene.before or scene.facts, names(scene.state)
        mover = writer or facts.awaited.side
        if not writer and facts.awaited.decision.is_chance:
            # The opponent's next file has the cards.
            mover = mover.opponent
        is_unsigned = mover is self._viewer and not (
            writer is None or scene.state.can_decide(mover)
        )
        tallies = []
        for side in Side:
            new, old = _counts(facts.sides[side]), _counts(before.sides[side])
            label: Phrase = capitalize(side.label)
            if side is self._viewer:
                label = Message("{side} (you)", side=label)
            siege = _find_siege(side, facts)
            earlier = _find_siege(side, before, siege.location) if siege else None
            tallies.append(
                {
                    "side": side.value,
                    "label": label,
                    "moves": facts.outcome is None and side is mover,
                    "amounts": [
                        (key, row_text("columns", key), Count(new[id], old[id]))
                        for key, id in _SCORES.items()
                    ],
                    "siege": siege,
                    "change": siege.marker - earlier.marker if siege and earlier else 0,
                    "place": name(siege.location) if siege else "",
                    "heading": siege_heading(siege, name) if siege else "",
                    "ending": _near_ending(side, facts),
                }
            )
        strip = self._render(
            "strip.html",
            tallies=tallies,
            to_move=Message("not signed yet") if is_unsigned else Message("to move"),
            goal=CAPTURE_GOAL,
        )
        endings = endings_text(facts, name)
        table = self._render("score.html", **score_facts(scene.state), endings=endings)
        return {"strip": strip, "score": table}


def _near_ending(side: Side, facts: PositionFacts) -> Phrase:
    """Return a few words about an end of the game that `side` has brought about, if any."""
    endings = [e for e in facts.endings if e.side is side and e.left == 0]
    if not endings or facts.outcome:
        return ""
    if any(ending.due for ending in endings):
        return Message("The game is about to end")
    return Message("The game ends after the siege")


def score_facts(state: State) -> dict[str, Any]:
    """Return the parts and sums of the victory points of both sides, and their pieces left."""
    scores = [score(state, side) for side in Side]
    parts: list[tuple[Phrase, list[int]]] = [
        (Message("Locations"), [sum(side.locations.values()) for side in scores]),
        (
            Message("Captured villages, {points} each", points=VILLAGE_CAPTURED),
            [side.villages_captured * VILLAGE_CAPTURED for side in scores],
        ),
        (
            Message("Captured towns, {points} each", points=TOWN_CAPTURED),
            [side.towns_captured * TOWN_CAPTURED for side in scores],
        ),
    ]
    sums: list[tuple[Phrase, list[int]]] = [(Message("Total"), [side.total for side in scores])]
    left: list[tuple[Phrase, list[int]]] = [
        (row_text("labels", "villages"), [*map(state.villages_left, Side)]),
        (row_text("labels", "towns"), [*map(state.towns_left, Side)]),
    ]
    return {
        "caption": Message.within("label", "Victory points"),
        "sides": [(side, capitalize(side.label)) for side in Side],
        "parts": parts,
        "sums": sums if state.outcome else [*sums, *left],
    }


def _counts(side: SideFacts) -> dict[str, int]:
    """Return the amounts of a side by the id of the part that shows them."""
    return {
        "money": side.money,
        "points": side.points.total,
        "captured": side.points.captures,
        "villages": side.villages_left,
        "towns": side.towns_left,
        # Cards that come with the opponent's answer are not in hand yet.
        "hand-count": len(side.hand.cards) + side.hand.face_down,
        "draw-count": side.draw_pile,
        "discard-count": len(side.discard_pile),
        "reserve-count": len(side.reserve),
    }


def _hand_notes(side: SideFacts, name: Name) -> Iterator[Phrase]:
    """Yield notes on a hand: its future cards, or the size of a hidden hand."""
    if side.hand.open:
        yield from hand_remarks(side.hand, name)
    else:
        yield hidden_hand_text(side, name)


def _find_siege(besieger: Side, facts: PositionFacts, location: str = "") -> SiegeFacts | None:
    """Return the siege that a side has begun, if it is at that `location`."""
    sieges = (siege for siege in facts.sieges if siege.besieger is besieger)
    return next((siege for siege in sieges if location in ("", siege.location)), None)


# --- the cards of piles, and the changes of the turn


class Count(NamedTuple):
    """An amount now and before the turn."""

    value: int
    previous: int

    @property
    def change(self) -> int:
        """The difference made by the turn."""
        return self.value - self.previous


class Stack(NamedTuple):
    """Equal cards in a pile: the number of copies, which can be 0, and its change in the turn.

    `price` is the cost of a copy, `strength` its strength at a siege, and `idle` the reason that
    it has no use now.
    """

    card: str
    copies: int
    change: int = 0
    price: int | None = None
    strength: int | None = None
    idle: Phrase = ""

    def split(self) -> Iterator[Stack]:
        """Yield each copy separately, new copies last."""
        for number in range(self.copies, 0, -1):
            yield self._replace(copies=1, change=int(number <= self.change))


def diff_pile(now: Iterable[str], before: Iterable[str], *, with_gone: bool = False) -> list[Stack]:
    """Return the cards of a pile with their gains in the turn, and losses if `with_gone`.

    >>> diff_pile(["boston", "boston"], ["boston"])
    [Stack(card='boston', copies=2, change=1, price=None, strength=None, idle='')]
    """
    new, old = Counter(now), Counter(before)
    cards = new | old if with_gone else new
    min_change = -max(old.values(), default=0) if with_gone else 0
    return [Stack(c, new[c], max(min_change, new[c] - old[c])) for c in sorted(cards)]


def diff_hand(now: HandFacts, before: HandFacts) -> list[Stack]:
    """Return the known cards of a hand, with gains only if it was open before and is open now."""
    is_open = now.open and before.open
    old = Counter(card.card for card in before.cards)
    new = Counter(card.card for card in now.cards)
    idle = {card.card: row_text("idle", card.idle) for card in now.cards if card.idle}
    return [
        Stack(card, copies, max(0, copies - old[card]) if is_open else 0, idle=idle.get(card, ""))
        for card, copies in new.items()
    ]


def diff_stock(now: Iterable[StockFacts], before: Iterable[StockFacts]) -> list[Stack]:
    """Return the cards that can be drafted, cheapest first, with gains and losses."""
    price = {kind.card: kind.price for kind in (*before, *now)}
    new, old = ({kind.card: kind.copies for kind in kinds} for kinds in (now, before))
    return [
        Stack(card, new.get(card, 0), new.get(card, 0) - old.get(card, 0), price=price[card])
        for card in sorted(price, key=lambda card: (price[card], card))
    ]


def diff_siege_cards(now: SiegeSideFacts, before: SiegeSideFacts | None) -> list[Stack]:
    """Return the cards of a side at a siege with their strengths and their gains in the turn."""
    strength = {card.card: card.strength for card in now.cards}
    old = before.cards if before else []
    stacks = diff_pile((c.card for c in now.cards), (c.card for c in old))
    return [stack._replace(strength=strength[stack.card]) for stack in stacks]

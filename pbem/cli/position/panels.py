"""The parts of a screen, each as lines of a given width, made of the facts of a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from engine.ruleset import CAPTURE_GOAL
from engine.sides import Side
from pbem.cli.position import words
from pbem.cli.position.colours import STYLES
from pbem.cli.position.layout import beside, columns, kept, labelled, paragraph
from pbem.cli.words import signed

if TYPE_CHECKING:
    from pbem.cli.position.shape import HandFacts, PositionFacts, SideFacts, SiegeFacts
    from pbem.cli.words import Name

BESIDE = 64
"""So many columns it takes to show both sides of the board beside each other."""
SPACED = 88
"""From so many columns on what is counted has room between its columns."""
ROOMY = 48
"""From so many columns on there is room between columns of numbers."""


def title(text: str, width: int) -> list[Text]:
    """What stands above a panel."""
    lines = paragraph(text, width)
    for line in lines:
        line.stylize("bold")
    return lines


# --- the score


Count = Callable[["SideFacts"], object]
_COUNTS: dict[str, tuple[str, Count]] = {
    "Victory points": ("Points", lambda side: side["points"]["total"]),
    "Money": ("Money", lambda side: side["money"]),
    "Cards in hand": ("Hand", lambda side: side["hand"]["size"]),
    "Draw pile": ("Draw", lambda side: side["draw_pile"]),
    "Discard pile": ("Discard", lambda side: len(side["discard_pile"])),
    "Villages left": ("Villages left", lambda side: side["villages_left"]),
    "Towns left": ("Towns left", lambda side: side["towns_left"]),
    "Captured": ("Captured", lambda side: f"{side['points']['captures']} of {CAPTURE_GOAL}"),
}
"""What is counted of each side: what it is called, in full and above a column."""


def score_across(facts: PositionFacts, width: int) -> list[Text]:
    """A line for each side, with what is counted above, and who leads by how much."""
    head = [Text(short, "dim") for short, _ in _COUNTS.values()]
    head = [Text(), *head, Text("Lead", "dim")]
    lines = [
        [
            _label(side),
            *(_number(facts, side, count) for _, count in _COUNTS.values()),
            Text(_ahead(facts) if side.value == facts["leads"] else ""),
        ]
        for side in Side
    ]
    return columns([head, *lines], width, gap=2 if width >= SPACED else 1)


def _ahead(facts: PositionFacts) -> str:
    """By how many points the side is ahead that would win now."""
    ahead = words.lead(facts)
    return f"+{ahead}" if ahead else "tie"


def score_down(facts: PositionFacts, width: int) -> list[Text]:
    """A line for each thing that is counted, with a column for each side."""
    head = [Text(), *map(_label, Side)]
    rows = [
        [Text(label), *(_number(facts, side, count) for side in Side)]
        for label, (_, count) in _COUNTS.items()
    ]
    return columns([head, *rows], width, gap=3 if width >= ROOMY else 1)


def score_told(facts: PositionFacts, width: int) -> list[Text]:
    """What is counted of each side, in words."""
    told = (f"{side.label}: {words.counts_told(facts['sides'][side.value])}." for side in Side)
    return [line for text in told for line in paragraph(text, width)]


def endings(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Who is ahead, and how far the end is."""
    return paragraph(" ".join(words.endings_told(facts, name)), width)


def near_endings(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """What ends the game soon, below a score that tells who leads and how much is left."""
    return paragraph(" ".join(words.near_endings_told(facts, name)), width)


def _number(facts: PositionFacts, side: Side, count: Count) -> Text:
    return Text(str(count(facts["sides"][side.value])))


def _label(side: Side) -> Text:
    return Text(side.label, f"bold {STYLES[side]}")


# --- sieges


def sieges(facts: PositionFacts, name: Name, width: int, *, drawn: bool) -> list[Text]:
    """Every siege with its track, both strengths, and what each side needs."""
    return [line for siege in facts["sieges"] for line in _siege(siege, name, width, drawn=drawn)]


def _siege(siege: SiegeFacts, name: Name, width: int, *, drawn: bool) -> Iterator[Text]:
    besieger, defender = Side(siege["besieger"]), Side(siege["defender"])
    place, marker = name(siege["location"]), siege["marker"]
    yield from title(f"Siege of {place} by the {besieger.label}: {signed(marker)}", width)
    if drawn:
        yield Text("  ") + track(siege, width - 2)
    for side in (besieger, defender):
        told = words.siege_side_told(siege, side, name)
        yield from paragraph(f"{side.label} {told}", width, indent=2)
    yield from paragraph(words.siege_standing(siege), width, indent=2)
    if siege["cost"]:
        cost = f"Whoever loses it gives {name(siege['cost'])} back."
        yield from paragraph(cost, width, indent=2)


def track(siege: SiegeFacts, width: int) -> Text:
    """The track of a siege: where the defender has won, nobody, and the besieger; and the marker.

    `French -3 -2 -1 │ 0 [+1] │ +2 +3 +4 British`
    """
    besieger, defender = Side(siege["besieger"]), Side(siege["defender"])
    marker, lost, won = siege["marker"], siege["defender_wins_at"], siege["besieger_wins_at"]
    room = width - len(f"{defender.label}  {besieger.label}")
    low, high = min(lost - 3, marker), max(won + 3, marker)
    while high - low > 2 and len(_steps(siege, low, high)) > room:
        # The end of the track that is farther from the marker is left out.
        low, high = (low + 1, high) if marker - low > high - marker else (low, high - 1)
    steps = _steps(siege, low, high)
    text = Text.assemble(
        (defender.label, STYLES[defender]), " ", steps, " ", (besieger.label, STYLES[besieger])
    )
    text.highlight_words([f"[{signed(marker)}]"], "bold reverse")
    return text


def _steps(siege: SiegeFacts, low: int, high: int) -> str:
    steps = ""
    for step in range(low, high + 1):
        told = signed(step)
        border = " │" if step in (siege["defender_wins_at"] + 1, siege["besieger_wins_at"]) else ""
        steps += f"{border} [{told}]" if step == siege["marker"] else f"{border} {told}"
    return steps.strip()


# --- cards


class _Row(NamedTuple):
    """Some cards: whose they are (None: both can have them), where they are, and which."""

    side: Side | None
    where: str
    told: str


_HAND, _DRAFT = "hand", "to draft"


def piles(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """What lies in the piles and what can be drafted, by whose it is."""
    rows = [row for row in _rows(facts, name) if row.where != _HAND]
    owned = [list(group) for _, group in groupby(rows, key=lambda row: row.side)]
    return [line for group in owned for line in _behind_labels(group, facts, width)]


def hidden_hands(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """What is known of the hands that are not open."""
    rows = (row for row in _rows(facts, name) if row.where == _HAND)
    return [line for row in rows for line in _behind_labels([row], facts, width)]


def cards_under_titles(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """All these, those of each side under a title."""
    lines, last = [], ""
    for side, where, told in _rows(facts, name):
        heading = f"{side.label} cards" if side else "Neutral cards"
        if heading != last:
            lines += title(heading, width)
            last = heading
        lines += paragraph(f"{where}: {told}", width, indent=2)
    return [*lines, Text()]


def _rows(facts: PositionFacts, name: Name) -> Iterator[_Row]:
    """All that is known of cards but the open hands; what is the viewer's comes first."""
    viewer = Side(facts["viewer"]) if facts["viewer"] else Side.BRITISH
    for side in (viewer, viewer.opponent):
        yield from _side_rows(side, facts["sides"][side.value], name)
    discs = f"fortification discs left: {facts['fortifications_left']}"
    yield _Row(None, _DRAFT, f"{words.stock_told(facts['neutral'], name)}; {discs}")


def _side_rows(side: Side, facts: SideFacts, name: Name) -> Iterator[_Row]:
    if not facts["hand"]["open"]:
        yield _Row(side, _HAND, words.hidden_hand_told(facts, name))
    if facts["reserve"]:
        yield _Row(side, "reserve", words.pile_told(facts["reserve"], name))
    pile = words.draw_pile_told(facts, name)
    if pile:
        yield _Row(side, "draw pile", pile)
    yield _Row(side, "discard pile", words.pile_told(facts["discard_pile"], name))
    yield _Row(side, _DRAFT, words.stock_told(facts["available"], name))


def _behind_labels(rows: Iterable[_Row], facts: PositionFacts, width: int) -> list[Text]:
    """Cards of one owner, those of each place behind a label; the first label says whose."""
    labels: list[tuple[Side | None, str]] = []
    told = []
    for row in rows:
        where = row.where if labels else _whose(row, facts)
        labels.append((row.side, f"{where}:"))
        told.append(f"{kept(labels[-1][1])} {row.told}")
    lines = paragraph("; ".join(told), width, indent=2, first=0)
    for side, label in labels:
        line = next((line for line in lines if label in line.plain), lines[0])
        at = line.plain.find(label)
        line.stylize(f"bold {STYLES[side]}" if side else "bold", at, at + len(label))
    return lines


def _whose(row: _Row, facts: PositionFacts) -> str:
    """Where cards are, and whose: `Your reserve`, `French hand`, `Both can draft`."""
    yours = row.side is not None and row.side.value == facts["viewer"]
    whose = "Both" if row.side is None else row.side.label
    if row.where == _DRAFT:
        return f"{'You' if yours else whose} can draft"
    return f"{'Your' if yours else whose} {row.where}"


def hand(hand: HandFacts, heading: str, name: Name, width: int, *, drawn: bool) -> list[Text]:
    """An open hand: what each card is good for, and what is still to come."""
    lines = title(heading, width)
    alike = Counter((name(card["card"]), words.card_told(card, name)) for card in hand["cards"])
    cards = [(f"{card} x{n}" if n > 1 else card, told) for (card, told), n in alike.items()]
    margin = max((len(card) for card, _ in cards), default=0) + 4
    for card, told in cards:
        if drawn:
            lines += labelled(Text(f"  {card}"), told, width, margin)
        else:
            lines += paragraph(f"{card}: {told}" if told else card, width, indent=2)
    coming = words.coming_told(hand)
    if coming or not cards:
        lines += paragraph(coming or "no card", width, indent=2)
    if hand["ahead"]:
        ahead = ", ".join(kept(name(card)) for card in hand["ahead"])
        lines += paragraph(f"you can see ahead: {ahead}", width, indent=2)
    return lines


# --- the board as a list


def board(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Who controls what, where the map has no room."""
    lines = title("The board, with victory points", width)
    british, french = (_settlements(facts, side, name, width) for side in Side)
    if width >= BESIDE:
        lines += beside(british, french, max(line.cell_len for line in british) + 3)
    else:
        lines += [*british, Text(), *french]
    free = sorted(
        kept(f"{name(place['location'])} {place['value'] or ''}".rstrip())
        for place in facts["locations"]
        if place["owner"] is None
    )
    return [
        *lines,
        *paragraph(f"nobody's: {', '.join(free) or 'none'}", width, indent=2),
        *paragraph("(* under siege, - without supply)", width, indent=2),
    ]


def _settlements(facts: PositionFacts, side: Side, name: Name, width: int) -> list[Text]:
    """Name, kind and points of what a side controls, by name."""
    style, points = STYLES[side], facts["sides"][side.value]["points"]["locations"]
    rows = [[Text(side.label, style), Text(), Text(str(points), style)]]
    own = (place for place in facts["locations"] if place["owner"] == side.value)
    for place in sorted(own, key=lambda place: name(place["location"])):
        mark = "*" if place["besieger"] else "" if place["supplied"] else "-"
        kind = f"{place['piece']}{' fort' * place['fortified']}".ljust(len("village"))
        cells = (f"{name(place['location'])}{mark}", kind, str(place["points"] or ""))
        rows.append([Text(cell, style) for cell in cells])
    widest = max(row[1].cell_len for row in rows)
    for row in rows:
        row[1].pad_right(widest - row[1].cell_len)
    return columns(rows, width, gap=1)

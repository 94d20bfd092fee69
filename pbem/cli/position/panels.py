"""The parts of a screen, each as lines of a given width, made of the facts of a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from engine.message import Message, Said, alphabetical, commas, sentences, with_colon
from engine.ruleset import CAPTURE_GOAL
from engine.sides import Side
from pbem.cli.console import language, told
from pbem.cli.position.colours import STYLES
from pbem.cli.position.layout import (
    beside,
    columns,
    labelled,
    paragraph,
    title,
    widest,
    wrap_evenly,
)
from pbem.view.shape import HandFacts, PositionFacts, SideFacts, SiegeFacts
from pbem.words import position as words
from pbem.words.phrases import Name, capital, kept, several, signed
from pbem.words.rules.tables import entry, piece_key

BESIDE = 64
"""So many columns it takes to show both sides of the board beside each other."""
SPACED = 88
"""From so many columns on what is counted has room between its columns."""
ROOMY = 48
"""From so many columns on there is room between columns of numbers."""
MOST_HEADS = 3
"""In so many lines may stand above a column what it counts."""


# --- the score


_COUNTS: dict[str, Callable[[SideFacts], int | Message]] = {
    "points": lambda side: side["points"]["total"],
    "money": lambda side: side["money"],
    "hand": lambda side: side["hand"]["size"],
    "draw": lambda side: side["draw_pile"],
    "discard": lambda side: len(side["discard_pile"]),
    "villages": lambda side: side["villages_left"],
    "towns": lambda side: side["towns_left"],
    "captured": lambda side: Message(
        "{number} of {goal}", number=side["points"]["captures"], goal=CAPTURE_GOAL
    ),
}
"""What is counted of each side, by the key of its label, and of the head of its column."""


def score_across(facts: PositionFacts, width: int) -> list[Text]:
    """A line for each side, with what is counted above, and who leads by how much.

    What is counted stands in lines above each other where there is no room for it in one; where
    there is none at all, it is as in `score_down`.
    """
    heads = [told(entry("columns", count)) for count in _COUNTS]
    heads.append(told(entry("columns", "lead")))
    lines = [
        [
            _label(side),
            *(_number(facts, side, count) for count in _COUNTS),
            Text(told(_ahead(facts)) if side.value == facts["leads"] else ""),
        ]
        for side in Side
    ]
    gap = 2 if width >= SPACED else 1
    for height in range(1, MOST_HEADS + 1):
        rows = [*_above(heads, height), *lines]
        if widest(rows, gap) <= width:
            return columns(rows, width, gap)
    return score_down(facts, width)


def _above(heads: Sequence[str], height: int) -> list[list[Text]]:
    """Rows of what stands above columns, in so many lines at most; the last of them is full."""
    broken = [wrap_evenly(head, height) for head in heads]
    tallest = max(map(len, broken))
    filled = ([""] * (tallest - len(lines)) + lines for lines in broken)
    return [[Text(), *(Text(part, "dim") for part in row)] for row in zip(*filled, strict=True)]


def _ahead(facts: PositionFacts) -> Said:
    """By how many points the side is ahead that would win now."""
    ahead = words.lead(facts)
    return f"+{ahead}" if ahead else Message.within("column", "tie")


def score_down(facts: PositionFacts, width: int) -> list[Text]:
    """A line for each thing that is counted, with a column for each side."""
    head = [Text(), *map(_label, Side)]
    rows = [
        [Text(told(entry("labels", count))), *(_number(facts, side, count) for side in Side)]
        for count in _COUNTS
    ]
    return columns([head, *rows], width, gap=3 if width >= ROOMY else 1)


def score_told(facts: PositionFacts, width: int) -> list[Text]:
    """What is counted of each side, in words."""
    lines: list[Text] = []
    for side in Side:
        counts = words.counts_told(facts["sides"][side.value])
        lines += paragraph(
            Message("{side}: {counts}.", side=capital(side.label), counts=counts), width
        )
    return lines


def endings(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Who is ahead, and how far the end is."""
    return paragraph(sentences(*words.endings_told(facts, name)), width)


def near_endings(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """What ends the game soon, below a score that tells who leads and how much is left."""
    return paragraph(sentences(*words.near_endings_told(facts, name)), width)


def _number(facts: PositionFacts, side: Side, count: str) -> Text:
    counted = _COUNTS[count](facts["sides"][side.value])
    return Text(str(counted) if isinstance(counted, int) else told(counted))


def _label(side: Side) -> Text:
    return Text(told(capital(side.label)), f"bold {STYLES[side]}")


# --- sieges


def sieges(facts: PositionFacts, name: Name, width: int, *, drawn: bool) -> list[Text]:
    """Every siege with its track, both strengths, and what each side needs."""
    return [line for siege in facts["sieges"] for line in _siege(siege, name, width, drawn=drawn)]


def _siege(siege: SiegeFacts, name: Name, width: int, *, drawn: bool) -> Iterator[Text]:
    besieger, defender = Side(siege["besieger"]), Side(siege["defender"])
    place, marker = name(siege["location"]), siege["marker"]
    heading = Message(
        "Siege of {place} by the {side}: {strength}",
        place=place,
        side=besieger.label,
        strength=signed(marker),
    )
    yield from title(heading, width)
    if drawn:
        yield Text("  ") + track(siege, width - 2)
    for side in (besieger, defender):
        strength = words.siege_side_told(siege, side, name)
        yield from paragraph(sentences(capital(side.label), strength), width, indent=2)
    yield from paragraph(words.siege_standing(siege), width, indent=2)
    if siege["cost"]:
        cost = Message("Whoever loses it gives {card} back.", card=name(siege["cost"]))
        yield from paragraph(cost, width, indent=2)


def track(siege: SiegeFacts, width: int) -> Text:
    """The track of a siege: where the defender has won, nobody, and the besieger; and the marker.

    `French -3 -2 -1 │ 0 [+1] │ +2 +3 +4 British`
    """
    besieger, defender = Side(siege["besieger"]), Side(siege["defender"])
    marker, lost, won = siege["marker"], siege["defender_wins_at"], siege["besieger_wins_at"]
    left, right = told(defender.label), told(besieger.label)
    room = width - cell_len(f"{left}  {right}")
    low, high = min(lost - 3, marker), max(won + 3, marker)
    while high - low > 2 and len(_steps(siege, low, high)) > room:
        # The end of the track that is farther from the marker is left out.
        low, high = (low + 1, high) if marker - low > high - marker else (low, high - 1)
    steps = _steps(siege, low, high)
    text = Text.assemble((left, STYLES[defender]), " ", steps, " ", (right, STYLES[besieger]))
    text.highlight_words([f"[{signed(marker)}]"], "bold reverse")
    return text


def _steps(siege: SiegeFacts, low: int, high: int) -> str:
    steps = ""
    for step in range(low, high + 1):
        sign = signed(step)
        border = " │" if step in (siege["defender_wins_at"] + 1, siege["besieger_wins_at"]) else ""
        steps += f"{border} [{sign}]" if step == siege["marker"] else f"{border} {sign}"
    return steps.strip()


# --- a hand


def hand(hand: HandFacts, heading: Said, name: Name, width: int, *, drawn: bool) -> list[Text]:
    """An open hand: what each card is good for, and what is still to come."""
    lines = title(heading, width)
    alike = Counter(
        (name(card["card"]), words.card_told(language(), card, name)) for card in hand["cards"]
    )
    cards = [(told(several(card, n)), use) for (card, use), n in alike.items()]
    margin = max((cell_len(card) for card, _ in cards), default=0) + 4
    for card, use in cards:
        if drawn:
            lines += labelled(Text(f"  {card}"), use, width, margin)
        else:
            lines += paragraph(sentences(with_colon(card), use) if use else card, width, indent=2)
    coming = words.coming_told(hand)
    if coming or not cards:
        lines += paragraph(coming or Message("no card"), width, indent=2)
    if hand["ahead"]:
        ahead = commas(kept(name(card)) for card in hand["ahead"])
        lines += paragraph(Message("you can see ahead: {cards}", cards=ahead), width, indent=2)
    return lines


# --- the board as a list


def board(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Who controls what, where the map has no room."""
    lines = title(Message("The board, with victory points"), width)
    british, french = (_settlements(facts, side, name, width) for side in Side)
    if width >= BESIDE:
        lines += beside(british, french, max(line.cell_len for line in british) + 3)
    else:
        lines += [*british, Text(), *french]
    free = sorted(
        (
            f"{told(name(place['location']))} {place['value'] or ''}".rstrip()
            for place in facts["locations"]
            if place["owner"] is None
        ),
        key=alphabetical,
    )
    places = commas(map(kept, free)) or Message.within("places", "none")
    return [
        *lines,
        *paragraph(Message("nobody's: {places}", places=places), width, indent=2),
        *paragraph(Message("(* under siege, - without supply)"), width, indent=2),
    ]


def _settlements(facts: PositionFacts, side: Side, name: Name, width: int) -> list[Text]:
    """Name, kind and points of what a side controls, by name."""
    style, points = STYLES[side], facts["sides"][side.value]["points"]["locations"]
    rows = [[Text(told(capital(side.label)), style), Text(), Text(str(points), style)]]
    own = [
        (told(name(place["location"])), place)
        for place in facts["locations"]
        if place["owner"] == side.value
    ]
    for label, place in sorted(own, key=lambda named: alphabetical(named[0])):
        mark = "*" if place["besieger"] else "" if place["supplied"] else "-"
        piece = entry("pieces", piece_key(place["piece"] == "town", place["fortified"]))
        cells = (f"{label}{mark}", told(piece), str(place["points"] or ""))
        rows.append([Text(cell, style) for cell in cells])
    usual = cell_len(told(entry("pieces", "village")))
    widest = max(usual, *(row[1].cell_len for row in rows))
    for row in rows:
        row[1].pad_right(widest - row[1].cell_len)
    return columns(rows, width, gap=1)

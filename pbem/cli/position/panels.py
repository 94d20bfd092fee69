"""The panels of a screen: lines of a given width, made from the facts of a position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from engine.message import Message, Phrase, semicolon_list, sentences, sort_key, with_colon
from engine.sides import Side
from pbem.cli import console
from pbem.cli.console import language, translate
from pbem.cli.position.map import (
    STYLES,
    beside,
    columns,
    laid_out,
    paragraph,
    title,
    widest,
    wrap_evenly,
)
from pbem.text import position as words
from pbem.text.facts.position_facts import HandFacts, PositionFacts, SiegeFacts
from pbem.text.phrases import Name, breakable, capitalize, row_text, unbroken, with_sign
from pbem.text.piles import KnownCards, beside_hand_text, hand_text, known_cards, pile_name

BESIDE = 64
"""The least width to show the settlements of both sides side by side."""
SPACED = 88
"""The least width for wide gaps between the counts."""
ROOMY = 48
"""The least width for wide gaps between columns of numbers."""
MAX_HEADS = 3
"""The most lines of a column's heading."""


# --- the score


def score_across(facts: PositionFacts, width: int) -> list[Text]:
    """Return a line for each side, under headings of the counts, with the lead.

    Headings are wrapped if they do not fit in one line; if nothing fits, return `score_down`.
    """
    counted = {side: words.counts(facts.sides[side]) for side in Side}
    heads = [translate(row_text("columns", count)) for count in (*counted[Side.BRITISH], "lead")]
    lines = []
    for side, counts in counted.items():
        ahead = _ahead(facts) if side is facts.leads else ""
        lines.append([_label(side), *(Text(translate(text)) for text in (*counts.values(), ahead))])
    gap = 2 if width >= SPACED else 1
    for height in range(1, MAX_HEADS + 1):
        rows = [*_above(heads, height), *lines]
        if widest(rows, gap) <= width:
            return columns(rows, width, gap)
    return score_down(facts, width)


def _above(heads: Sequence[str], height: int) -> list[list[Text]]:
    """Return rows of column headings in at most `height` lines; the last row is full."""
    broken = [wrap_evenly(head, height) for head in heads]
    tallest = max(map(len, broken))
    filled = ([""] * (tallest - len(lines)) + lines for lines in broken)
    return [[Text(), *(Text(part, "dim") for part in row)] for row in zip(*filled, strict=True)]


def _ahead(facts: PositionFacts) -> Phrase:
    """Return the lead of the side that would win now."""
    ahead = words.lead(facts)
    return f"+{ahead}" if ahead else Message.within("column", "tie")


def score_down(facts: PositionFacts, width: int) -> list[Text]:
    """Return a line for each count, with a column for each side."""
    rows = [[Text(), *map(_label, Side)]]
    british, french = (words.counts(facts.sides[side]) for side in Side)
    for count, number in british.items():
        cells = (row_text("labels", count), number, french[count])
        rows.append([Text(translate(cell)) for cell in cells])
    return columns(rows, width, gap=3 if width >= ROOMY else 1)


def endings(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return a paragraph about the lead and the nearness of the end."""
    return paragraph(sentences(*words.endings_text(facts, name)), width)


def near_endings(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return a paragraph about an end that is near, for use below a score."""
    return paragraph(sentences(*words.near_endings_text(facts, name)), width)


def _label(side: Side) -> Text:
    return Text(translate(capitalize(side.label)), f"bold {STYLES[side]}")


# --- sieges


def sieges(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return each siege with its track, both strengths, and the needs of each side."""
    lines: list[Text] = []
    for siege in facts.sieges:
        heading, *others = words.siege_text(siege, name)
        lines += [*laid_out([heading], width), Text("  ") + track(siege, width - 2)]
        lines += laid_out(others, width)
    return lines


def track(siege: SiegeFacts, width: int) -> Text:
    """Return the track of a siege with its marker, from the defender's victory to the besieger's.

    `French -3 -2 -1 │ 0 [+1] │ +2 +3 +4 British`
    """
    besieger, defender = siege.besieger, siege.defender
    marker, lost, won = siege.marker, siege.defender_wins_at, siege.besieger_wins_at
    left, right = translate(defender.label), translate(besieger.label)
    room = width - cell_len(f"{left}  {right}")
    low, high = min(lost - 3, marker), max(won + 3, marker)
    while high - low > 2 and len(_steps(siege, low, high)) > room:
        # Cut the track at the end farther from the marker.
        low, high = (low + 1, high) if marker - low > high - marker else (low, high - 1)
    steps = _steps(siege, low, high)
    text = Text.assemble((left, STYLES[defender]), " ", steps, " ", (right, STYLES[besieger]))
    text.highlight_words([f"[{with_sign(marker)}]"], "bold reverse")
    return text


def _steps(siege: SiegeFacts, low: int, high: int) -> str:
    steps = ""
    for step in range(low, high + 1):
        sign = with_sign(step)
        border = " │" if step in (siege.defender_wins_at + 1, siege.besieger_wins_at) else ""
        steps += f"{border} [{sign}]" if step == siege.marker else f"{border} {sign}"
    return steps.strip()


# --- a hand


def hand(hand: HandFacts, heading: Phrase, name: Name) -> list[Text]:
    """Return an open hand: the uses of each card, and the known next cards."""
    is_plain = console.is_plain()
    width = console.width() if is_plain else console.columns()
    lines = title(heading, width)
    cards = [(translate(card), use) for card, use in hand_text(language(), hand, name)]
    margin = max((cell_len(card) for card, _ in cards), default=0) + 4
    for card, use in cards:
        if is_plain:
            lines += paragraph(sentences(with_colon(card), use) if use else card, width, indent=2)
        elif width - margin < console.BESIDE:
            lines += [Text(f"  {card}"), *paragraph(use, width, min(margin, 6))]
        else:
            first, *others = paragraph(use, width, margin) or [Text()]
            head = set_cell_size(f"  {card}", margin)
            lines += [Text(head + first.plain[margin:]), *others]
    for line in beside_hand_text(hand, name):
        lines += paragraph(line, width, indent=2)
    return lines


# --- the board as a list


def board(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return the settlements of both sides as lists, if the map does not fit."""
    lines = title(Message("The board, with victory points"), width)
    british, french = (_settlements(facts, side, name, width) for side in Side)
    if width >= BESIDE:
        lines += beside(british, french, max(line.cell_len for line in british) + 3)
    else:
        lines += [*british, Text(), *french]
    return [
        *lines,
        *paragraph(words.free_places_text(facts, name), width, indent=2),
        *paragraph(Message("(* under siege, - without supply)"), width, indent=2),
    ]


def _settlements(facts: PositionFacts, side: Side, name: Name, width: int) -> list[Text]:
    """Return the names, kinds and points of a side's settlements, sorted by name."""
    style, points = STYLES[side], facts.sides[side].points.locations
    rows = [[Text(translate(capitalize(side.label)), style), Text(), Text(str(points), style)]]
    settlements = [
        [translate(cell) for cell in cells] for cells in words.settlements_text(facts, side, name)
    ]
    for label, mark, *cells in sorted(settlements, key=lambda cells: sort_key(cells[0])):
        rows.append([Text(cell, style) for cell in (f"{label}{mark}", *cells)])
    usual = cell_len(translate(row_text("pieces", "village")))
    widest = max(usual, *(row[1].cell_len for row in rows))
    for row in rows:
        row[1].pad_right(widest - row[1].cell_len)
    return columns(rows, width, gap=1)


# --- piles and hidden hands


def piles(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return the piles and the cards that can be drafted, by side."""
    rows = [row for row in known_cards(facts, name) if row.where != "hand"]
    owned = [list(group) for _, group in groupby(rows, key=lambda row: row.side)]
    return [line for group in owned for line in _behind_labels(group, facts, width)]


def hidden_hands(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return the known facts about hands that are not open."""
    rows = (row for row in known_cards(facts, name) if row.where == "hand")
    return [line for row in rows for line in _behind_labels([row], facts, width)]


def _behind_labels(rows: Iterable[KnownCards], facts: PositionFacts, width: int) -> list[Text]:
    """Return the cards of one owner, each pile behind a label; the first label names the owner."""
    labels: list[tuple[Side | None, str]] = []
    parts = []
    for row in rows:
        where = row_text("piles", row.where) if labels else pile_name(row, facts.viewer)
        begins = with_colon(where)
        labels.append((row.side, breakable(translate(begins))))
        parts.append(sentences(unbroken(begins), row.cards))
    lines = paragraph(semicolon_list(parts), width, indent=2, first=0)
    for side, label in labels:
        line = next((line for line in lines if label in line.plain), lines[0])
        at = line.plain.find(label)
        line.stylize(f"bold {STYLES[side]}" if side else "bold", at, at + len(label))
    return lines

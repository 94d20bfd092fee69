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
    columns,
    lay_out,
    paragraph,
    side_by_side,
    title,
    total_width,
    wrap_evenly,
)
from pbem.text import position
from pbem.text.facts.position_facts import HandFacts, PositionFacts, SiegeFacts
from pbem.text.phrases import Name, allow_wrap, capitalize, no_wrap, row_text, with_sign
from pbem.text.piles import KnownCards, hand_remarks, hand_text, known_cards, pile_name

MIN_TWO_LIST_WIDTH = 64
"""The minimum width for showing the settlements of both sides next to each other."""
MIN_WIDE_GAP_WIDTH = 88
"""The minimum width for wide gaps between the counts."""
MIN_NUMBER_GAP_WIDTH = 48
"""The minimum width for wide gaps between columns of numbers."""
MAX_HEADING_LINES = 3
"""The maximum number of lines in a column's heading."""


# --- the score


def score_by_side(facts: PositionFacts, width: int) -> list[Text]:
    """Return the score with a line for each side, under headings of the counts.

    Headings are wrapped if they do not fit in one line. If nothing fits, the result is that of
    `score_by_count`.
    """
    counts = {side: position.counts(facts.sides[side]) for side in Side}
    headings = [translate(row_text("columns", count)) for count in (*counts[Side.BRITISH], "lead")]
    lines = []
    for side, row in counts.items():
        lead = _lead_text(facts) if side is facts.leads else ""
        lines.append([_label(side), *(Text(translate(text)) for text in (*row.values(), lead))])
    gap = 2 if width >= MIN_WIDE_GAP_WIDTH else 1
    for height in range(1, MAX_HEADING_LINES + 1):
        rows = [*_heading_rows(headings, height), *lines]
        if total_width(rows, gap) <= width:
            return columns(rows, width, gap)
    return score_by_count(facts, width)


def _heading_rows(headings: Sequence[str], height: int) -> list[list[Text]]:
    """Return the rows of column headings, each in at most `height` lines, aligned at the bottom."""
    parts = [wrap_evenly(heading, height) for heading in headings]
    row_count = max(map(len, parts))
    cells = ([""] * (row_count - len(lines)) + lines for lines in parts)
    return [[Text(), *(Text(part, "dim") for part in row)] for row in zip(*cells, strict=True)]


def _lead_text(facts: PositionFacts) -> Phrase:
    """Return the lead of the side that would win now, or the word for a tie."""
    lead = position.lead(facts)
    return f"+{lead}" if lead else Message.within("column", "tie")


def score_by_count(facts: PositionFacts, width: int) -> list[Text]:
    """Return the score with a line for each count and a column for each side."""
    rows = [[Text(), *map(_label, Side)]]
    british, french = (position.counts(facts.sides[side]) for side in Side)
    for kind, number in british.items():
        cells = (row_text("labels", kind), number, french[kind])
        rows.append([Text(translate(cell)) for cell in cells])
    return columns(rows, width, gap=3 if width >= MIN_NUMBER_GAP_WIDTH else 1)


def ending_lines(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return a paragraph about the lead and how close each side is to ending the game."""
    return paragraph(sentences(*position.endings_text(facts, name)), width)


def near_ending_lines(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return a paragraph about ends of the game that are close, for use below a score."""
    return paragraph(sentences(*position.near_endings_text(facts, name)), width)


def _label(side: Side) -> Text:
    return Text(translate(capitalize(side.label)), f"bold {STYLES[side]}")


# --- sieges


def siege_lines(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return each siege with its track, both strengths, and the results that each side needs."""
    lines: list[Text] = []
    for siege in facts.sieges:
        heading, *others = position.siege_text(siege, name)
        lines += [*lay_out([heading], width), Text("  ") + track_line(siege, width - 2)]
        lines += lay_out(others, width)
    return lines


def track_line(siege: SiegeFacts, width: int) -> Text:
    """Return the track of a siege with its marker, from the defender's victory to the besieger's.

    `French -3 -2 -1 │ 0 [+1] │ +2 +3 +4 British`
    """
    besieger, defender = siege.besieger, siege.defender
    marker, loss, win = siege.marker, siege.defender_wins_at, siege.besieger_wins_at
    left, right = translate(defender.label), translate(besieger.label)
    max_width = width - cell_len(f"{left}  {right}")
    low, high = min(loss - 3, marker), max(win + 3, marker)
    while high - low > 2 and len(_steps(siege, low, high)) > max_width:
        # The track is cut at the end that is farther from the marker.
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


# --- hands


def open_hand_lines(hand: HandFacts, heading: Phrase, name: Name) -> list[Text]:
    """Return a hand that may be shown: the uses of each card, and the known next cards."""
    is_plain = console.is_plain()
    width = console.width() if is_plain else console.columns()
    lines = title(heading, width)
    cards = [(translate(card), use) for card, use in hand_text(language(), hand, name)]
    margin = max((cell_len(card) for card, _ in cards), default=0) + 4
    for card, use in cards:
        if is_plain:
            lines += paragraph(sentences(with_colon(card), use) if use else card, width, indent=2)
        elif width - margin < console.MIN_TEXT_WIDTH:
            lines += [Text(f"  {card}"), *paragraph(use, width, min(margin, 6))]
        else:
            first, *others = paragraph(use, width, margin) or [Text()]
            head = set_cell_size(f"  {card}", margin)
            lines += [Text(head + first.plain[margin:]), *others]
    for line in hand_remarks(hand, name):
        lines += paragraph(line, width, indent=2)
    return lines


# --- the board as a list


def board_lines(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return the settlements of both sides as lists, for screens too narrow for the map."""
    lines = title(Message("The board, with victory points"), width)
    british, french = (_settlements(facts, side, name, width) for side in Side)
    if width >= MIN_TWO_LIST_WIDTH:
        lines += side_by_side(british, french, max(line.cell_len for line in british) + 3)
    else:
        lines += [*british, Text(), *french]
    return [
        *lines,
        *paragraph(position.free_places_text(facts, name), width, indent=2),
        *paragraph(Message("(* under siege, - without supply)"), width, indent=2),
    ]


def _settlements(facts: PositionFacts, side: Side, name: Name, width: int) -> list[Text]:
    """Return the names, kinds and points of a side's settlements, sorted by name."""
    style, points = STYLES[side], facts.sides[side].points.locations
    rows = [[Text(translate(capitalize(side.label)), style), Text(), Text(str(points), style)]]
    settlements = [
        [translate(cell) for cell in row] for row in position.settlements_text(facts, side, name)
    ]
    for label, mark, *cells in sorted(settlements, key=lambda cells: sort_key(cells[0])):
        rows.append([Text(cell, style) for cell in (f"{label}{mark}", *cells)])
    default_width = cell_len(translate(row_text("pieces", "village")))
    kind_width = max(default_width, *(row[1].cell_len for row in rows))
    for row in rows:
        row[1].pad_right(kind_width - row[1].cell_len)
    return columns(rows, width, gap=1)


# --- piles and closed hands


def pile_lines(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return the piles of each side, and the cards that it can draft."""
    rows = [row for row in known_cards(facts, name) if row.pile != "hand"]
    owned = [list(group) for _, group in groupby(rows, key=lambda row: row.side)]
    return [line for group in owned for line in _label_piles(group, facts, width)]


def hidden_hand_lines(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return the known facts about hands that are not open."""
    rows = (row for row in known_cards(facts, name) if row.pile == "hand")
    return [line for row in rows for line in _label_piles([row], facts, width)]


def _label_piles(rows: Iterable[KnownCards], facts: PositionFacts, width: int) -> list[Text]:
    """Return the piles of one owner, each after its label; the first label names the owner."""
    labels: list[tuple[Side | None, str]] = []
    parts = []
    for row in rows:
        where = row_text("piles", row.pile) if labels else pile_name(row, facts.viewer)
        heading = with_colon(where)
        labels.append((row.side, allow_wrap(translate(heading))))
        parts.append(sentences(no_wrap(heading), row.cards))
    lines = paragraph(semicolon_list(parts), width, indent=2, first=0)
    for side, label in labels:
        line = next((line for line in lines if label in line.plain), lines[0])
        start = line.plain.find(label)
        line.stylize(f"bold {STYLES[side]}" if side else "bold", start, start + len(label))
    return lines

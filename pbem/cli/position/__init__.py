"""The position at the terminal, as its player may see it: map, panels and hand.

The facts come from `pbem.text.facts`; this package lays them out in columns and colours. The parts
that are read most are printed last, next to the prompt, and the piles first, because they scroll
away. Called by `guided` and by commands of `cli`; calls modules of `cli`, `text` and below.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from rich.text import Text

from engine.message import Message
from engine.sides import Side
from engine.state import State
from pbem.cli import console
from pbem.cli.position import panels
from pbem.cli.position.map import draw_map, lay_out, side_by_side
from pbem.play.turn import Notes
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.text.board import position_text
from pbem.text.facts.chronicle import last_moves, own_turn_before
from pbem.text.facts.position_facts import PositionFacts, hand_facts, position_facts
from pbem.text.history.report import Section, no_moves_notice, own_turn_text, report
from pbem.text.history.standing import notes_text
from pbem.text.phrases import Name, money_amount, names
from pbem.text.piles import cards_under_titles

NARROW, STANDARD, WIDE = 80, 100, 140
"""Widths in columns: a list replaces the map below `NARROW`; `WIDE` has room for panels too."""
GAP = 3
"""The distance between the map and the panels, in columns."""


def say_position(
    state: State, viewer: Side | None, ahead: Sequence[str] = (), open_sides: Collection[Side] = ()
) -> None:
    """Print everything on the table, and the hand of `viewer`.

    `ahead` are the known next cards of the viewer's draw pile. The hands of `open_sides` are
    printed too.
    """
    say_table(state, viewer, open_sides)
    if viewer is not None:
        console.say()
        say_hand(state, viewer, ahead)


def say_table(state: State, viewer: Side | None, open_sides: Collection[Side] = ()) -> None:
    """Print the position as `say_position` does, but without the hand of `viewer`."""
    facts, name = position_facts(state, viewer, open_sides=open_sides), names(state)
    others = [side for side in Side if side in open_sides and side is not viewer]
    columns = console.columns()
    if console.is_plain():
        description = position_text(console.language(), state, facts, name)
        lines = lay_out(description, console.width())
    elif columns < NARROW:
        lines = _list_layout(facts, name, columns)
    elif columns < WIDE:
        lines = _full_width_layout(state, facts, name, columns)
    else:
        lines = _side_by_side_layout(state, facts, name, columns)
    for side in others:
        money = money_amount(facts.sides[side].money)
        heading = Message("{side} hand ({money})", side=side.label, money=money)
        lines += [Text(), *panels.open_hand_lines(facts.sides[side].hand, heading, name)]
    console.show_lines(lines)


def say_hand(state: State, side: Side, ahead: Sequence[str] = ()) -> None:
    """Print the hand of `side`; `ahead` are its known next cards."""
    heading = Message("Your hand ({money})", money=money_amount(state.players[side].money))
    hand = hand_facts(state, side, ahead=ahead)
    console.show_lines(panels.open_hand_lines(hand, heading, names(state)))


# --- latest events and private notes


def say_latest_events(match: Match, viewer: Side | None, cards: HiddenCards | None = None) -> None:
    """Print the viewer's last turn, the events after it, and announced orders.

    `cards` are the viewer's own cards, with which drawn cards can be named.
    """
    say_moves(match, viewer, cards, _own_turn(match, viewer) if viewer else None)


def say_moves(
    match: Match, viewer: Side | None, cards: HiddenCards | None = None, lead: Section | None = None
) -> None:
    """Print the latest events, after the section `lead`, or a notice that there are none."""
    moves = report(match, last_moves(match, viewer), viewer, cards)
    sections = [*moves.sections]
    if lead and sections and sections[0].heading == lead.heading:
        sections[0] = sections[0]._replace(lines=[*lead.lines, *sections[0].lines])
    elif lead:
        sections.insert(0, lead)
    for section in sections:
        console.say_after_label(section.heading, section.all_lines)
    if not moves.sections:
        console.item(no_moves_notice(match))
    for line in moves.dropped:
        console.item(line)
    if moves.announced:
        console.say(moves.announced)


def say_own_turn(match: Match, viewer: Side) -> None:
    """Print a summary of the viewer's previous turn, if there is one."""
    section = _own_turn(match, viewer)
    if section:
        console.say_after_label(section.heading, section.lines)


def _own_turn(match: Match, viewer: Side) -> Section | None:
    own_turn = own_turn_before(match, viewer)
    return own_turn_text(match, viewer, own_turn) if own_turn else None


def say_notes(notes: Notes) -> None:
    """Print a player's private notes under a heading, or the reason why they are lost."""
    if notes.damage:
        console.warn(notes.damage)
    console.say_lines(notes_text(notes.text))


# --- layouts


def _list_layout(facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return the position as lists, for a terminal too narrow for the map."""
    return [
        *lay_out(cards_under_titles(facts, name), width),
        *panels.board_lines(facts, name, width),
        *_section(panels.siege_lines(facts, name, width)),
        *_section(panels.score_by_count(facts, width)),
        *panels.ending_lines(facts, name, width),
    ]


def _full_width_layout(state: State, facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return the map in the full width, with the panels above and below it."""
    return [
        *panels.pile_lines(facts, name, width),
        *_section(draw_map(state, width, facts.locations)),
        *panels.siege_lines(facts, name, width),
        *panels.score_by_side(facts, width),
        *panels.near_ending_lines(facts, name, width),
        *panels.hidden_hand_lines(facts, name, width),
    ]


def _side_by_side_layout(state: State, facts: PositionFacts, name: Name, width: int) -> list[Text]:
    """Return the map on the left, the panels that fit on its right, and the other panels below."""
    map_lines = draw_map(state, STANDARD, facts.locations)
    column = max(line.cell_len for line in map_lines) + GAP
    remaining_panels: list[Callable[[int], list[Text]]] = [
        lambda width: panels.score_by_count(facts, width),
        lambda width: panels.siege_lines(facts, name, width),
        lambda width: panels.ending_lines(facts, name, width),
        lambda width: panels.hidden_hand_lines(facts, name, width),
    ]
    right: list[Text] = []
    while remaining_panels:
        panel = remaining_panels[0](width - column)
        if len(right) + len(panel) >= len(map_lines):
            break
        right += _section(panel) if right else panel
        del remaining_panels[0]
    return [
        *panels.pile_lines(facts, name, width),
        *_section(side_by_side(map_lines, right, column)),
        *(line for panel in remaining_panels for line in _section(panel(width))),
    ]


def _section(lines: list[Text]) -> list[Text]:
    """Return lines after an empty line, or nothing if there are no lines."""
    return [Text(), *lines] if lines else []

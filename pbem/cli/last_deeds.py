"""The last deeds, and a player's private notes, printed."""

from __future__ import annotations

from collections.abc import Sequence

from engine.sides import Side
from pbem.cli import console
from pbem.play.turn import Notes
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.text.facts.chronicle import last_deeds, own_turn_before
from pbem.text.history.report import Section, nothing_yet, own_turn_told, report
from pbem.text.history.standing import notes_told


def say_last(match: Match, viewer: Side | None, own: HiddenCards | None = None) -> None:
    """Print what the viewer did last, what happened since, and what waits for an answer.

    `own` are the cards of the viewer, who is told which were drawn.
    """
    say_deeds(match, viewer, own, _own_turn(match, viewer) if viewer else None)


def say_deeds(
    match: Match, viewer: Side | None, own: HiddenCards | None = None, before: Section | None = None
) -> None:
    """Print what happened last, or that nothing was done yet; first what was done `before`."""
    last = report(match, last_deeds(match, viewer), viewer, own)
    sections = [*last.sections]
    if before and sections and sections[0].heading == before.heading:
        sections[0] = Section(before.heading, [*before.lines, *sections[0].lines])
    elif before:
        sections.insert(0, before)
    for section in sections:
        console.say_behind(section.heading, section.lines)
    if not last.sections:
        console.item(nothing_yet(match))
    for told in last.dropped:
        console.item(told)
    if last.announced:
        console.say(last.announced)


def say_own_turn(match: Match, viewer: Side) -> None:
    """Print what the viewer ordered in the turn before that, in short; nothing if there is none."""
    before = _own_turn(match, viewer)
    if before:
        console.say_behind(before.heading, before.lines)


def _own_turn(match: Match, viewer: Side) -> Section | None:
    before = own_turn_before(match, viewer)
    return own_turn_told(match, viewer, before) if before else None


def cut(lines: Sequence[str], most: int) -> list[str]:
    """Return so many of some lines that were printed, and a sign if there are more."""
    return [*lines] if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1]} …"]


def say_notes(notes: Notes) -> None:
    """Print a player's private notes under a heading, or why they are lost."""
    if notes.damage:
        console.warn(notes.damage)
    console.say_lines(notes_told(notes.text))

"""What happened, and a player's private notes, printed."""

from __future__ import annotations

from engine.sides import Side
from pbem.cli import console
from pbem.play.answer import Notes
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.view.chronicle import last_deeds
from pbem.words.history.report import nothing_yet, report
from pbem.words.notes import notes_told


def say_last(match: Match, viewer: Side | None, own: HiddenCards | None = None) -> None:
    """Print what happened last, or that nothing was done yet, and what waits for an answer.

    `own` are the cards of the viewer, who is told which were drawn.
    """
    last = report(match, last_deeds(match, viewer), viewer, own)
    for section in last.sections:
        console.say_behind(section.heading, section.lines)
    if not last.sections:
        console.item(nothing_yet(match))
    for told in last.dropped:
        console.item(told)
    if last.announced:
        console.say(last.announced)


def say_notes(notes: Notes) -> None:
    """Print a player's private notes under a heading, or why they are lost."""
    if notes.damage:
        console.warn(notes.damage)
    console.say_lines(notes_told(notes.text))

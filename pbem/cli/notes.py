"""A player's private notes: shown as they were typed, and said to travel along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.message import Message
from pbem.cli import console

if TYPE_CHECKING:
    from pbem.play.answer import Notes


def say_notes(notes: Notes) -> None:
    """Print a player's private notes under a heading, or why they are lost."""
    warn_of_damage(notes)
    if notes.text:
        console.heading(Message("Your notes"))
        say_lines(notes.text)


def warn_of_damage(notes: Notes) -> None:
    """Print why a player's private notes are lost, if they are."""
    if notes.damage:
        console.warn(notes.damage)


def say_lines(text: str) -> None:
    """Print notes line by line as they were typed, without what could steer the terminal."""
    for line in text.splitlines():
        if line.strip():
            console.item(line)
        else:
            console.say()


def say_travelling(old: str, new: str) -> None:
    """Print the notes that go into the file, or that the old ones do not; nothing for none."""
    if new:
        console.say(Message("Your notes travel along, sealed: nobody but you can read them."))
        say_lines(new)
    elif old:
        console.say(Message("Your old notes are left out of this file."))

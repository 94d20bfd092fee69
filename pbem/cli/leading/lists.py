"""Printing what can be chosen."""

from __future__ import annotations

from engine.ways import Ways
from pbem.cli import console
from pbem.cli.leading import words
from pbem.cli.leading.menu import Menu
from pbem.cli.words import Name

GROUP_WIDTH = 13
"""The columns for the heading of a group of actions, beside the group."""
NARROW = 60
"""With fewer columns the heading stands above the group."""


def say_menu(menu: Menu, ways: Ways, name: Name) -> None:
    """Print what can be chosen, with its numbers, under what was chosen before."""
    if menu.begun is not None:
        console.say(f"{words.begun_text(menu.begun, name)}:", style="bold")
    group = ""
    for number, line in enumerate(menu.lines, start=1):
        heading = line.group if line.group != group else ""
        group = line.group
        if heading and _is_narrow():
            console.say(f"{heading}:")
        beside = f"{heading:<{GROUP_WIDTH}}" if group and not _is_narrow() else ""
        console.say_hanging(f"  {beside}{number:>2}  ", words.line_told(ways, line, name))
    if menu.left_out:
        console.item(f"... and {menu.left_out} more: give more words to see them.")


def _is_narrow() -> bool:
    return console.is_plain() or console.width() < NARROW

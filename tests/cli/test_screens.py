"""The position as it stands in terminals of all kinds: wide, narrow, with and without colours."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.sample import sample

pytest.importorskip("pexpect")
pytest.importorskip("pyte")

from rich.cells import cell_len

from engine.catalogue import load
from engine.orders import Develop, Reinforce
from pbem.text.ordering.menu import NUMBERS
from tests.cli.screen import Terminal
from tests.cli.table import unwrap
from tests.cli.using import ROOT, copy_practice_save, do

SAVES = ROOT / "saves" / "practice"
NARROW, COMPACT, STANDARD, WIDE = 60, 80, 100, 160
DRAWN = "─│╱═║"
LOCATIONS = [location.name for location in load("second").locations.values()]


@cache
def screen(columns: int, *options: str, **variables: Any) -> Terminal:
    """What `acres turn show` leaves in a terminal of that many columns."""
    show = [*options, "turn", "show", "game-041.toml"]
    at: dict[str, Any] = {"folder": SAVES, "columns": columns, "rows": 200, "ACRES_HOME": "british"}
    with Terminal.acres(*show, **at, **variables) as terminal:
        assert terminal.ended() == 0, terminal.text
        return terminal


@pytest.mark.parametrize("columns", [NARROW, COMPACT, STANDARD, WIDE])
def test_the_position_fits_the_terminal_with_every_location(columns: int) -> None:
    """On the compact map forts go without the word."""
    shown = screen(columns)
    assert shown.wraps == 0
    assert max(map(cell_len, shown.everything)) <= columns
    told = unwrap(shown.text)
    for location in LOCATIONS:
        assert (location.removeprefix("Fort ") if columns == COMPACT else location) in told


@pytest.mark.parametrize("columns", [COMPACT, STANDARD, WIDE])
def test_the_map_is_drawn_in_the_colours_of_the_sides_and_of_the_water(columns: int) -> None:
    shown = screen(columns)
    assert set(DRAWN) & set(shown.text)
    colours = [shown.colour_of(place) for place in ("■ Deerfield", "⌂ Trois Riv", "Lake Erie")]
    assert len({"default", *colours}) == 4


def test_what_is_needed_most_stands_next_to_the_prompt() -> None:
    """The last is the command; what was done last is seen with the hand, and the map with both."""
    order = ["Your reserve", "Michillimackinac", "Captured", "French hand", "What happened last"]
    order += ["Your hand", "It is your move", "To answer"]
    for columns in (COMPACT, STANDARD):
        shown = screen(columns)
        assert re.findall("|".join(order), shown.text) == order
        assert "turn apply" in shown.everything[-1]
    in_sight = screen(STANDARD).everything[-49:]
    for part in (*LOCATIONS, *order[2:]):
        assert part in unwrap("\n".join(in_sight))
    assert "(French), turn 36: They discarded" in "\n".join(screen(NARROW).everything[-24:])


def test_the_screens_are_not_long() -> None:
    limits = {NARROW: 97, COMPACT: 72, STANDARD: 62, WIDE: 53}
    for columns, most in limits.items():
        assert len(screen(columns).everything) <= most


def test_an_output_that_cannot_draw_gets_what_it_can_write() -> None:
    shown = screen(STANDARD, PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert shown.wraps == 0
    assert shown.raw.isascii()
    assert "Fort Frontenac" in shown.text


@pytest.mark.parametrize("columns", sample([NARROW, WIDE], first=1))
def test_a_turn_by_keys_alone_is_read_by_the_other(tmp_path: Path, columns: int) -> None:
    file = copy_practice_save(64, tmp_path)
    led = ["--home", "british", "turn", "apply", file.name]
    with Terminal.acres(*led, folder=tmp_path, columns=columns, rows=50) as terminal:
        # Reinforce the siege, take it back, develop, reinforce after all; that ends the turn. Sign.
        reinforce, develop = str(NUMBERS[Reinforce]), str(NUMBERS[Develop])
        for keys in (reinforce, "undo", develop, reinforce, ""):
            terminal.settle()
            terminal.press(keys, "enter")
        terminal.wait_at("[y/n] ")
        assert terminal.wraps == 0
        terminal.press("y", "enter")
        assert terminal.ended() == 0, terminal.text
    answer = tmp_path / "game-064.toml"
    told = unwrap(do("turn", "show", answer, home=tmp_path / "french").out)
    assert "developed St. Mary's" in told
    assert "sent Norfolk, strength 1, to the siege of Louisbourg" in told

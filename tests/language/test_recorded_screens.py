"""Every screen of games that people really played, in every language, within its width."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from engine.sides import Side
from engine.state import Decision
from language import LANGUAGES, spoken
from pbem.cli import console
from pbem.cli.position import say_position
from tests.engine.recorded import GAMES, Replay, path_of

WIDTHS = (40, 60, 80, 100, 140, 160)
FORMS = [*((columns, False) for columns in WIDTHS), (40, True), (80, True)]
"""The drawn screen in each of its forms, and the plain one, which is no wider than 80 columns."""


@pytest.fixture
def printed(monkeypatch):
    """Everything that is about to be printed as a screen, before its edge is cropped."""
    lines = []
    monkeypatch.setattr(console, "show_lines", lambda ready: lines.extend(ready))
    return lines


def screens(state, printed, monkeypatch):
    """Every screen of a position: what is too wide on it, by language and width."""
    viewer = state.awaiting.side if state.awaiting.decision is not Decision.OVER else Side.BRITISH
    for language in LANGUAGES:
        with spoken(language):
            for columns, plain in FORMS:
                monkeypatch.setenv("COLUMNS", str(columns))
                console.be_plain(plain)
                say_position(state, viewer)
                for line in printed:
                    if cell_len(line.plain.rstrip()) > columns:
                        yield language, columns, plain, line.plain
                printed.clear()
    console.be_plain(False)


def play(name, printed, monkeypatch, every):
    if not path_of(name).exists():
        pytest.skip("the recorded games are not on this machine")
    replay = Replay.of(name)
    turns = replay.turns
    for number, (turn, following) in enumerate(zip(turns, [*turns[1:], None], strict=True)):
        replay.play(turn, following)
        replay.compare(turn)
        if number % every == 0 or following is None:
            assert list(screens(replay.state, printed, monkeypatch)) == []


def test_every_screen_of_a_recorded_game_keeps_within_its_width(printed, monkeypatch):
    play(GAMES[0], printed, monkeypatch, every=1)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES[1:])
def test_so_does_every_screen_of_the_others(name, printed, monkeypatch):
    play(name, printed, monkeypatch, every=1)

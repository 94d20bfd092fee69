"""Every screen of games that people really played, in every language, within its width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, repeat

import pytest
from rich.cells import cell_len
from rich.text import Text

from engine.events import Event
from engine.order import Order
from engine.sides import Side
from engine.state import Decision, State
from engine.ways import Ways
from pbem.cli import console
from pbem.cli.console import spoken
from pbem.cli.leading.looks import say_menu
from pbem.cli.position import say_position
from pbem.text.facts.choices import main_menu, menu_of
from pbem.text.history.report import Teller
from pbem.text.language import NAMES
from pbem.text.phrases import names
from tests.engine import recorded
from tests.engine.recorded import GAMES, Input, Replay

Told = tuple[Side, Order, list[Event]]
"""An order of a side, and what came of it."""
WIDTHS = (40, 80, 100, 140)
"""One for each form that a screen has, the narrowest of that form but for the first."""
FORMS = [*((columns, False) for columns in WIDTHS), (40, True), (80, True)]
"""The drawn screen in each of its forms, and the plain one, which is no wider than 80 columns."""


TOLD_AT = (40, 80)
"""Widths of what is wrapped between words: in a narrow terminal, and as wide as prose gets."""


@pytest.fixture
def deeds(monkeypatch: pytest.MonkeyPatch) -> list[Told]:
    """The orders of the turn that was played last: by whom, and what each caused."""
    found: list[Told] = []
    give = recorded.give

    def watched(state: State, given: Input) -> list[Event]:
        side = state.awaiting.side
        events = give(state, given)
        if isinstance(given, Order):
            found.append((side, given, events))
        return events

    monkeypatch.setattr(recorded, "give", watched)
    return found


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> list[Text]:
    """Everything that is about to be printed as a screen, before its edge is cropped."""
    lines: list[Text] = []
    monkeypatch.setattr(console, "show_lines", lambda ready: lines.extend(ready))
    return lines


def screens(
    state: State,
    deeds: list[Told],
    printed: list[Text],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    languages: Sequence[str],
    forms: Sequence[tuple[int, bool]],
) -> Iterator[tuple[str, int, bool, str]]:
    """What is too wide on any screen of a position, with the language and the width."""
    is_over = state.awaiting.decision is Decision.OVER
    viewer = Side.BRITISH if is_over else state.awaiting.side
    ways = None if is_over or state.awaiting.decision.is_chance else Ways([state])
    for language in languages:
        with spoken(language):
            for columns, plain in forms:
                monkeypatch.setenv("COLUMNS", str(columns))
                console.be_plain(plain)
                say_position(state, viewer)
                lines = [line.plain for line in printed]
                printed.clear()
                if columns in TOLD_AT and not plain:
                    lines += told(state, deeds, viewer, ways, capsys)
                yield from (
                    (language, columns, plain, line)
                    for line in lines
                    if cell_len(line.rstrip()) > columns
                )
    console.be_plain(False)


def told(
    state: State,
    deeds: list[Told],
    viewer: Side | None,
    ways: Ways | None,
    capsys: pytest.CaptureFixture[str],
) -> list[str]:
    """What the turn did, and what can be chosen now, as it is printed."""
    name, teller = names(state), Teller(state, viewer)
    for side, order, events in deeds:
        for sentence in teller.tell(side, order, events):
            console.item(sentence, indent=4)
    if ways is not None:
        menu = main_menu(ways)
        say_menu(menu, ways, name)
        for line in menu.lines:
            if line.order is None:
                say_menu(menu_of(console.language(), ways, line.begun), ways, name)
    return capsys.readouterr().out.splitlines()


def play(
    name: str,
    printed: list[Text],
    deeds: list[Told],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    languages: Iterator[Sequence[str]],
    forms: Iterator[Sequence[tuple[int, bool]]],
) -> None:
    replay = Replay.of(name)
    turns = replay.turns
    for turn, following in zip(turns, [*turns[1:], None], strict=True):
        deeds.clear()
        replay.play(turn, following)
        replay.compare(turn)
        assert deeds or not turn["actions"] or replay.is_over
        now = next(languages), next(forms)
        assert list(screens(replay.state, deeds, printed, monkeypatch, capsys, *now)) == []


@pytest.mark.long
def test_every_screen_of_a_recorded_game_keeps_within_its_width(
    printed: list[Text],
    deeds: list[Told],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The map and all beside it, the hand, what each turn did, and what can be chosen.

    Each turn in the next of the languages, and in every other form: so each form is seen in each.
    """
    one_by_one = cycle([code] for code in NAMES)
    halves = cycle([*repeat(FORMS[::2], len(NAMES)), *repeat(FORMS[1::2], len(NAMES))])
    play(GAMES[0], printed, deeds, monkeypatch, capsys, one_by_one, halves)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_so_does_every_screen_of_all_games_in_all_languages(
    name: str,
    printed: list[Text],
    deeds: list[Told],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    play(name, printed, deeds, monkeypatch, capsys, repeat([*NAMES]), repeat(FORMS))

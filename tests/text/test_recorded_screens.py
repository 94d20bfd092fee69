"""The screens of recorded games fit the terminal, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product, repeat

import pytest
from rich.cells import cell_len
from rich.text import Text

from engine.choices import Choices
from engine.events import Event
from engine.order import Order
from engine.sides import Side
from engine.state import Decision, State
from pbem.cli import console
from pbem.cli.console import use_language
from pbem.cli.guided.views import say_menu
from pbem.cli.position import say_position
from pbem.protocol.table import Move
from pbem.text.history.report import Reporter
from pbem.text.language import NAMES
from pbem.text.ordering.menu import Menus
from tests.engine import replay as replaying
from tests.engine.replay import GAMES, Input, Replay

Form = tuple[int, bool]
"""A number of columns, and whether the screen is plain."""
WIDTHS = (40, 80, 100, 140)
"""A width for each form of the screen; except the first, the minimum width of that form."""
FORMS: list[Form] = [*((columns, False) for columns in WIDTHS), (40, True), (80, True)]
"""The drawn screen in each of its forms, and the plain one, which is no wider than 80 columns."""


PROSE_WIDTHS = (40, 80)
"""The widths at which wrapped text is checked: a narrow terminal, and the maximum for prose."""


class Screens:
    """The printed screens of a replayed game, before lines are cropped."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.set_columns = partial(monkeypatch.setenv, "COLUMNS")
        self.capsys = capsys
        self.lines: list[Text] = []
        self.moves: list[Move] = []
        give = replaying.give

        def give_and_record(state: State, orders_given: Input) -> list[Event]:
            side = state.awaiting.side
            events = give(state, orders_given)
            if isinstance(orders_given, Order):
                self.moves.append(Move(0, 0, side, orders_given, tuple(events)))
            return events

        monkeypatch.setattr(replaying, "give", give_and_record)
        monkeypatch.setattr(console, "show_lines", lambda ready: self.lines.extend(ready))

    def play(self, name: str, languages: Iterator[list[str]], forms: Iterator[list[Form]]) -> None:
        """Play a game again; after each turn look at it in the next languages and forms."""
        replay = Replay.of(name)
        for turn, following in zip(replay.turns, [*replay.turns[1:], None], strict=True):
            self.moves.clear()
            replay.play(turn, following)
            replay.compare(turn)
            assert self.moves or not turn["actions"] or replay.is_over
            assert list(self.too_wide(replay.state, next(languages), next(forms))) == []

    def too_wide(
        self, state: State, languages: list[str], forms: list[Form]
    ) -> Iterator[tuple[str, Form, str]]:
        """Yield lines that are too wide on any screen of a position, with language and form."""
        is_over = state.awaiting.decision is Decision.OVER
        viewer = Side.BRITISH if is_over else state.awaiting.side
        ways = None if is_over or state.awaiting.decision.is_chance else Choices([state])
        for language, (columns, plain) in product(languages, forms):
            with use_language(language):
                self.set_columns(str(columns))
                console.settings.is_plain = plain
                say_position(state, viewer)
                lines = [line.plain for line in self.lines]
                self.lines.clear()
                if columns in PROSE_WIDTHS and not plain:
                    lines += self.output(state, viewer, ways)
            for line in lines:
                if cell_len(line.rstrip()) > columns:
                    yield language, (columns, plain), line
        console.settings.is_plain = False

    def output(self, state: State, viewer: Side, ways: Choices | None) -> list[str]:
        """Return the turn's moves and the lists of choices as printed."""
        teller = Reporter(state, viewer)
        for move in self.moves:
            for sentence in teller.move(move):
                console.item(sentence, indent=4)
        if ways is not None:
            menus = Menus(console.language(), ways)
            say_menu(menus.main())
            for line in menus.main().items:
                if line.order is None:
                    say_menu(menus.orders_after(line.prefix))
        return self.capsys.readouterr().out.splitlines()


@pytest.fixture
def screens(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Screens:
    return Screens(monkeypatch, capsys)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_every_screen_of_a_recorded_game_fits_its_width(name: str, screens: Screens) -> None:
    """The map and all beside it, the hand, the moves of each turn, and the lists of choices."""
    screens.play(name, repeat([*NAMES]), repeat(FORMS))

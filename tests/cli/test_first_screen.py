"""The first screen of a guided turn shows the essentials in a window of any size."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from itertools import cycle, islice
from random import Random

import pytest

from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.cli import console
from pbem.cli.guided.turn import _GuidedTurn
from pbem.play.home import Home
from pbem.play.session import Session
from pbem.play.turn import Turn
from pbem.text.facts.chronicle import last_moves
from pbem.text.language import NAMES
from pbem.text.phrases import names
from tests.play.matches import TIME, identities
from tests.signing import sign_agreed

TURNS = 11
Window = Callable[[int, int], None]


@pytest.fixture(scope="module")
def british_turns(tmp_path_factory: pytest.TempPathFactory) -> list[Turn]:
    """All British turns of a practice game."""
    place = tmp_path_factory.mktemp("first-screens")
    anna, bela = (
        Session.create(Home(place / identity.name, clock=lambda: TIME), identity)
        for identity in identities()
    )
    choose, turns_of_anna = PracticePlayer(Random(7)).choose, list[Turn]()
    invitation = anna.invite(Side.BRITISH, lists=1, nonce=bytes(32))
    signed_file = sign_agreed(anna, invitation, place / "game-000.toml")
    signed_file = sign_agreed(bela, bela.join(bela.read(signed_file.path), nonce=b"2" * 32))
    while True:
        player = anna if signed_file.match.next_side is Side.BRITISH else bela
        if player is anna:
            turns_of_anna.append(anna.answer(anna.read(signed_file.path)))
            if len(turns_of_anna) == TURNS:
                return [turn for turn in turns_of_anna if not turn.is_complete]
        turn = player.answer(player.read(signed_file.path))
        while not turn.is_complete:
            turn.order(choose(turn.view()))
        signed_file = sign_agreed(player, turn)


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Window:
    """A function that sets the columns and rows of the window."""

    def resize(columns: int, rows: int) -> None:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("LINES", str(rows))

    return resize


def first_screen_lines(turn: Turn) -> list[str]:
    """Return the lines above the prompt."""
    guided = _GuidedTurn(turn, save=False)
    with redirect_stdout(StringIO()) as text:
        guided.begin()
        guided.say_choices()
    return text.getvalue().splitlines()


# The language changes with each turn; the long run tries all languages.
@pytest.mark.slow
@pytest.mark.parametrize(
    "language_count",
    [pytest.param(1, id="sample"), pytest.param(len(NAMES), marks=pytest.mark.long)],
)
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (100, 50)])
def test_screen_fits_the_window_in_every_language(
    british_turns: list[Turn], columns: int, rows: int, language_count: int, window: Window
) -> None:
    window(columns, rows)
    assert len(british_turns) > TURNS / 2
    codes = cycle(NAMES)
    # The short run tries every third turn, and the language changes with each.
    for turn in british_turns[:: 3 if language_count == 1 else 1]:
        for code in islice(codes, language_count):
            with console.use_language(code):
                # One row is left for the typed line.
                assert len(first_screen_lines(turn)) < rows


@pytest.mark.slow
def test_first_screen_always_shows_sieges_hand_and_last_moves(
    british_turns: list[Turn], window: Window
) -> None:
    window(80, 24)
    sieges = 0
    for turn in british_turns:
        text = " ".join(" ".join(first_screen_lines(turn)).split())
        state, name = turn.view(), names(turn.match.state)
        assert text.startswith("Your move against Béla (French)")
        for siege in state.sieges.values():
            sieges += 1
            assert f"Siege of {console.translate(name(siege.location))}" in text
        for card in state.players[Side.BRITISH].hand:
            assert console.translate(name(card)) in text
        if any(move.side is Side.FRENCH for move in last_moves(turn.match, Side.BRITISH)):
            assert "Béla (French), turn" in text
        assert re.search(r"^ .* \d+  \w", first_screen_lines(turn)[-1])
    assert sieges


def test_high_window_shows_the_board(british_turns: list[Turn], window: Window) -> None:
    window(100, 50)
    with_board = 0
    for turn in british_turns:
        text = "\n".join(first_screen_lines(turn))
        with_board += "Louisbourg" in text and "Lake Erie" in text
    assert with_board == len(british_turns)

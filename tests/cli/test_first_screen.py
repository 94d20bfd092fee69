"""What a player sees first when a turn is led: all that matters, whatever the terminal."""

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
from pbem.text.facts.chronicle import last_deeds, own_turn_before
from pbem.text.language import NAMES
from pbem.text.phrases import names
from tests.cli.screen import Terminal
from tests.play.playing import TIME, identities
from tests.signing import sign_agreed

TURNS = 11
Window = Callable[[int, int], None]


@pytest.fixture(scope="module")
def turns(tmp_path_factory: pytest.TempPathFactory) -> list[Turn]:
    """All turns of the British in a game between two practice players."""
    place = tmp_path_factory.mktemp("first-screens")
    anna, bela = (
        Session.create(Home(place / each.name, clock=lambda: TIME), each) for each in identities()
    )
    choose, found = PracticePlayer(Random(7)).choose, list[Turn]()
    invitation = anna.invite(Side.BRITISH, lists=1, nonce=bytes(32))
    written = sign_agreed(anna, invitation, place / "game-000.toml")
    written = sign_agreed(bela, bela.join(bela.read(written.path), nonce=b"2" * 32))
    while True:
        player = anna if written.match.next_side is Side.BRITISH else bela
        if player is anna:
            found.append(anna.answer(anna.read(written.path)))
            if len(found) == TURNS:
                return [turn for turn in found if not turn.is_complete]
        turn = player.answer(player.read(written.path))
        while not turn.is_complete:
            turn.order(choose(turn.view()))
        written = sign_agreed(player, turn)


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Window:
    """Have a window of that many columns and rows."""

    def resize(columns: int, rows: int) -> None:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("LINES", str(rows))

    return resize


def first_screen(turn: Turn) -> list[str]:
    """What stands above the prompt."""
    lead = _GuidedTurn(turn, keeps=False)
    with redirect_stdout(StringIO()) as shown:
        lead.begin()
        lead.say_choices()
    return shown.getvalue().splitlines()


# Each turn in the next of the languages; each in all of them in the long run.
@pytest.mark.parametrize(
    "together", [pytest.param(1, id="sample"), pytest.param(len(NAMES), marks=pytest.mark.long)]
)
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (100, 50)])
def test_it_fits_the_window_in_every_language(
    turns: list[Turn], columns: int, rows: int, together: int, window: Window
) -> None:
    window(columns, rows)
    assert len(turns) > TURNS / 2
    codes = cycle(NAMES)
    # Of a sample every third turn; the next language each time.
    for turn in turns[:: 3 if together == 1 else 1]:
        for code in islice(codes, together):
            with console.speaking(code):
                # One row more for what is typed.
                assert len(first_screen(turn)) < rows


def test_what_matters_is_always_there(turns: list[Turn], window: Window) -> None:
    window(80, 24)
    sieges = 0
    for turn in turns:
        shown = " ".join(" ".join(first_screen(turn)).split())
        state, name = turn.view(), names(turn.match.state)
        assert shown.startswith("Your move against Béla (French)")
        for siege in state.sieges.values():
            sieges += 1
            assert f"Siege of {console.translate(name(siege.location))}" in shown
        for card in state.players[Side.BRITISH].hand:
            assert console.translate(name(card)) in shown
        if any(deed.side is Side.FRENCH for deed in last_deeds(turn.match, Side.BRITISH)):
            assert "Béla (French), turn" in shown
        assert re.search(r"^ .* \d+  \w", first_screen(turn)[-1])
    assert sieges


def test_a_high_window_holds_the_board(turns: list[Turn], window: Window) -> None:
    window(100, 50)
    with_board = 0
    for turn in turns:
        shown = "\n".join(first_screen(turn))
        with_board += "Louisbourg" in shown and "Lake Erie" in shown
        assert ("or map" in shown or " map" in shown.partition("To see more")[2]) != (
            "Lake Erie" in shown
        )
    assert with_board == len(turns)


def test_ones_own_turn_is_told_before_the_opponents(turns: list[Turn]) -> None:
    found = 0
    for turn in turns:
        told = last_deeds(turn.match, Side.BRITISH)
        before = own_turn_before(turn.match, Side.BRITISH)
        assert all(deed.side is Side.BRITISH and deed.order for deed in before)
        assert not {id(deed) for deed in before} & {id(deed) for deed in told}
        assert len({deed.turn for deed in before}) <= 1
        found += bool(before)
    assert found > len(turns) / 2


def test_a_screen_reader_is_told_all(
    turns: list[Turn], window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(console.PLAIN_VARIABLE, "1")
    window(80, 5)
    shown = "\n".join(first_screen(turns[-1]))
    assert "…" not in shown
    assert "To see more, type map" in shown


def test_it_is_seen_whole_at_a_real_terminal(turns: list[Turn]) -> None:
    """No row is lost to the menu of completions before something is typed."""
    turn = turns[-1]
    file = turn.game.path
    assert file is not None
    home = file.with_name(turn.match.entrants[turn.side].name)
    words = ("--home", home, "turn", "apply", file)
    with Terminal.acres(*words, folder=home, columns=80, rows=24) as terminal:
        terminal.wait_at("> ")
        assert terminal.lines[0].startswith("Your move against Béla (French)")
        assert terminal.everything == terminal.lines[: len(terminal.everything)]

"""Questions at a terminal, answers, undo and Ctrl-C."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.orders import Raid
from tests.cli.commands import acres, snapshot
from tests.cli.keys.passphrases import type_at
from tests.cli.screen import Terminal
from tests.cli.table import Table, unwrap
from tests.play.turns import find_turn, sequence_finder
from tests.requirements import require

FILE = "game-017.toml"


@contextmanager
def start_plain_turn(side: str, file: Path) -> Iterator[Terminal]:
    """Start a guided turn in plain lines; test_guided_turn.py tests the menu."""
    apply = ("--home", side, "--plain", "turn", "apply", file.name)
    with Terminal.acres(*apply, folder=file.parent) as terminal:
        terminal.wait_at("> ")
        yield terminal


def type_line(terminal: Terminal, line: str) -> str:
    """Type a line, and return the reply of the program."""
    before = len(terminal.text)
    terminal.type(line)
    terminal.settle()
    assert terminal.before_cursor.endswith(("> ", "[y/n] ")), terminal.text
    return unwrap(terminal.text[before:])


@pytest.mark.parametrize("leave", ["Quit", "ctrl-d", "interrupt at the end"])
def test_abandoned_plain_turn_changes_no_file(game: Path, leave: str) -> None:
    before = snapshot(game)
    with start_plain_turn("british", game / FILE) as terminal:
        type_line(terminal, "pass")
        if leave == "interrupt at the end":
            type_line(terminal, "pass")
            terminal.interrupt()
        else:
            terminal.press(leave, "enter")
        assert terminal.wait_for_exit() == (130 if "interrupt" in leave else 0)
        assert "Traceback" not in terminal.text
    assert snapshot(game) == before


def test_terminal_asks_for_a_passphrase_unless_a_variable_holds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_home: dict[str, Any] = {"folder": tmp_path, "home": "home"}
    monkeypatch.setenv("ACRES_PASSPHRASE", "xyzzy")
    acres("init", "--name", "Zoé", home=tmp_path / "home").succeeds()
    with type_at("new", "--side", "any", **at_home, ACRES_PASSPHRASE="") as terminal:
        terminal.wait_at("Passphrase: ")
        terminal.interrupt()
        assert terminal.wait_for_exit() == 130
    with type_at("new", "--side", "any", **at_home, ACRES_PASSPHRASE="plugh") as terminal:
        assert terminal.wait_for_exit() == 2
    assert not list(tmp_path.glob("*.toml"))


def test_reply_is_taken_back_by_undo_and_not_by_a_no(tmp_path: Path) -> None:
    turn, (raid,) = find_turn(sequence_finder(Raid))
    table = Table(tmp_path, turn.match, turn.seed)
    table.apply(raid.notation(), "--wait")
    with start_plain_turn(require(table.match.next_side).value, table.file) as terminal:
        assert "Your answer:" in type_line(terminal, "allow")
        for line in ("n", "back"):
            assert "undo" in type_line(terminal, line)
        assert "allow it" in type_line(terminal, "undo")
        terminal.quit()


def test_resigning_needs_a_confirmation(game: Path) -> None:
    before = snapshot(game)
    resign = ("--home", "british", "turn", "resign", FILE)
    for key, status in (("n", 0), ("interrupt", 130), ("y", 0)):
        assert snapshot(game) == before
        with Terminal.acres(*resign, folder=game) as terminal:
            terminal.wait_at("[y/n] ")
            if key == "interrupt":
                terminal.interrupt()
            else:
                terminal.type(key)
            assert terminal.wait_for_exit() == status
    assert (game / "game-018.toml").exists()


# --- lost libraries


@pytest.mark.parametrize("orders", [[], ["pass", "pass"]])
def test_player_without_the_library_is_asked_before_any_order(
    game: Path, orders: list[str]
) -> None:
    (game / "british" / "library.sqlite3").unlink()
    apply = ("--home", "british", "--plain", "turn", "apply", FILE, *orders)
    before = snapshot(game)
    with Terminal.acres(*apply, folder=game) as terminal:
        terminal.wait_at("Is this the newest file of the game? [y/n] ")
        terminal.type("n")
        assert terminal.wait_for_exit() == 0
    assert snapshot(game) == before
    with Terminal.acres(*apply, folder=game) as terminal:
        terminal.wait_at("[y/n] ")
        for line in ("y", *(() if orders else ("pass", "pass", "")), "y"):
            terminal.type(line)
            terminal.settle()
        assert terminal.wait_for_exit() == 0
    assert (game / "game-018.toml").exists()


def test_player_without_the_library_is_asked_about_each_invitation(game: Path) -> None:
    (game / "french" / "library.sqlite3").unlink()
    names = [f"b{number}-000.toml" for number in range(2)]
    for name in names:
        invitation = ("--side", "any", "--lists", 16, "--output", game / name)
        acres("new", *invitation, home=game / "british")
    for name, answer in ((names[0], "n"), *((name, "y") for name in names)):
        with Terminal.acres("--home", "french", "join", name, folder=game) as terminal:
            terminal.wait_at("Do you accept it for the first time? [y/n] ")
            terminal.type(answer)
            if answer == "y":
                terminal.wait_for("Which side do you take")
                terminal.type("french")
            assert terminal.wait_for_exit() == 0
        assert (game / name.replace("-000", "-001")).exists() == (answer == "y")

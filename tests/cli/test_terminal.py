"""At a terminal: questions, answers, second thoughts and Ctrl-C."""

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.orders import Raid
from tests.cli.keys.using import type_at
from tests.cli.screen import Terminal
from tests.cli.table import Table, unwrap
from tests.cli.using import acres, snapshot
from tests.play.turns import find, in_sequence
from tests.present import present

FILE = "game-017.toml"


@contextmanager
def leading(side: str, file: Path) -> Iterator[Terminal]:
    """A turn led through in plain lines; with a menu below the line, test_leading.py leads."""
    apply = ("--home", side, "--plain", "turn", "apply", file.name)
    with Terminal.acres(*apply, folder=file.parent) as terminal:
        terminal.wait_at("> ")
        yield terminal


def say(terminal: Terminal, line: str) -> str:
    """Type a line, and return the words that the program says to it."""
    before = len(terminal.text)
    terminal.type(line)
    terminal.settle()
    assert terminal.before_cursor.endswith(("> ", "[y/n] ")), terminal.text
    return unwrap(terminal.text[before:])


@pytest.mark.parametrize("leave", ["Quit", "ctrl-d", "interrupt", "interrupt at the end"])
def test_leaving_leaves_everything_as_it_was(game: Path, leave: str) -> None:
    before = snapshot(game)
    with leading("british", game / FILE) as terminal:
        say(terminal, "pass")
        if leave == "interrupt at the end":
            say(terminal, "pass")
        if "interrupt" in leave:
            terminal.interrupt()
        else:
            terminal.press(leave, "enter")
        assert terminal.ended() == (130 if "interrupt" in leave else 0)
        assert "Nothing was written." in terminal.text
        assert "Traceback" not in terminal.text
    assert snapshot(game) == before


def test_init_asks_and_seals_the_key(tmp_path: Path) -> None:
    at_home: dict[str, Any] = {"folder": tmp_path, "home": "home"}
    with type_at("init", "--passphrase", **at_home) as terminal:
        for told, line in (
            ("Your name", "Zoé"),
            ("e-mail", "not an address"),
            ("must contain an @", "not an address @ all"),
            ("without spaces", ""),
        ):
            terminal.wait_for(told)
            terminal.settle()
            terminal.type(line)
        for first, second in (("xyzzy", "plugh"), ("xyzzy", "xyzzy")):
            terminal.wait_at("passphrase for your key: ")
            terminal.type(first)
            terminal.wait_at("Once more: ")
            terminal.type(second)
        assert terminal.ended() == 0, terminal.text
        assert b"xyzzy" not in terminal.raw
    table = tomllib.loads((tmp_path / "home" / "identity.toml").read_text())
    assert (table["name"], table["email"], "seed" in table) == ("Zoé", "", False)
    # What the environment gives is not asked again; what it gives empty is not given.
    with type_at("new", "--side", "any", **at_home, ACRES_PASSPHRASE="") as terminal:
        terminal.wait_at("Passphrase: ")
        terminal.interrupt()
        assert terminal.ended() == 130
    with type_at("new", "--side", "any", **at_home, ACRES_PASSPHRASE="plugh") as terminal:
        assert terminal.ended() == 2
    assert not list(tmp_path.glob("*.toml"))


def test_an_interrupted_init_leaves_no_key(tmp_path: Path) -> None:
    with Terminal.acres("--home", "home", "init", folder=tmp_path) as terminal:
        terminal.wait_for("Your name")
        terminal.interrupt()
        assert terminal.ended() == 130
        assert "Nothing was written." in terminal.text
    assert not (tmp_path / "home").exists()


def test_a_reply_shows_what_was_announced_before_ones_own_turn_begins(tmp_path: Path) -> None:
    turn, (raid,) = find(in_sequence(Raid))
    table = Table(tmp_path, turn.match, turn.seed)
    table.apply(raid.notation(), "pass")
    announced = "They announced what comes next, whatever you answer: pass; end."
    passed = r"turn \d+: They passed, leaving an action unused. They ended their turn."
    with leading(present(table.match.next_side).value, table.file) as terminal:
        assert announced in unwrap(terminal.text)
        told = say(terminal, "allow")
        assert "You allowed the raid on" in told
        assert re.search(passed, told)
        assert "2 actions to take" in told
        terminal.quit()


def test_a_no_to_a_reply_says_how_it_is_taken_back(tmp_path: Path) -> None:
    turn, (raid,) = find(in_sequence(Raid))
    table = Table(tmp_path, turn.match, turn.seed)
    table.apply(raid.notation(), "--wait")
    with leading(present(table.match.next_side).value, table.file) as terminal:
        assert "Your answer:" in say(terminal, "allow")
        for typed in ("n", "back"):
            told = say(terminal, typed)
            assert "That takes no order back. The word undo takes this one back: allow" in told
            assert "Your answer:" not in told
        told = say(terminal, "undo")
        assert "Taken back: allow" in told
        assert "allow it" in told
        terminal.quit()


def test_resigning_is_asked_about(game: Path) -> None:
    before = snapshot(game)
    resign = ("--home", "british", "turn", "resign", FILE)
    for key, status in (("n", 0), ("interrupt", 130), ("y", 0)):
        assert snapshot(game) == before
        with Terminal.acres(*resign, folder=game) as terminal:
            terminal.wait_at("[y/n] ")
            asked = unwrap(terminal.text)
            assert re.search(r"Game \w{8} against [^:]*: Give up the game", asked)
            assert "y gives the game up, n leaves it as it is." in say(terminal, "well")
            if key == "interrupt":
                terminal.interrupt()
            else:
                terminal.type(key)
            assert terminal.ended() == status
            assert ("game-018.toml" in terminal.text) == (key == "y")
            assert ("Nothing was written." in terminal.text) == (key != "y")
    assert (game / "game-018.toml").exists()


# --- a computer that does not remember


def test_whoever_has_lost_the_library_is_asked_before_any_order(game: Path) -> None:
    (game / "british" / "library.sqlite3").unlink()
    apply = ("--home", "british", "--plain", "turn", "apply", FILE)
    before = snapshot(game)
    for orders in ([], ["pass", "pass"]):
        with Terminal.acres(*apply, *orders, folder=game) as terminal:
            told = unwrap(terminal.wait_at("Is this the newest file of the game? [y/n] "))
            assert told.startswith("This computer does not remember your part in this game.")
            assert "your hand and draw pile" in told
            assert "games add FOLDER" in told
            assert "y goes on to your answer, n stops here." in say(terminal, "perhaps")
            terminal.type("n")
            assert terminal.ended() == 0
            assert "Nothing was written." in terminal.text
        assert snapshot(game) == before
    with Terminal.acres(*apply, folder=game) as terminal:
        terminal.wait_at("[y/n] ")
        for line in ("y", "pass", "pass", ""):
            say(terminal, line)
        terminal.type("y")
        assert terminal.ended() == 0
        assert "game-018.toml" in terminal.text


def test_whoever_has_lost_the_library_is_asked_of_each_invitation(game: Path) -> None:
    (game / "french" / "library.sqlite3").unlink()
    names = [f"b{number}-000.toml" for number in range(2)]
    for name in names:
        invitation = ("--side", "any", "--lists", 16, "--output", game / name)
        acres("new", *invitation, home=game / "british")
    for name, answer in ((names[0], "n"), *((name, "y") for name in names)):
        with Terminal.acres("--home", "french", "join", name, folder=game) as terminal:
            asked = terminal.wait_at("Do you accept it for the first time? [y/n] ")
            assert "choose your first hand" in unwrap(asked)
            terminal.type(answer)
            if answer == "y":
                terminal.wait_for("Which side do you take")
                terminal.type("french")
            assert terminal.ended() == 0
            assert ("Nothing was written." in terminal.text) == (answer == "n")
            assert (name.replace("-000", "-001") in terminal.text) == (answer == "y")

"""A player's key on this computer: guarded, and sealed with a passphrase."""

import getpass
import os
import stat
import subprocess
import sys
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer

from pbem.cli import prompts
from pbem.cli.app import App, given_passphrase
from pbem.cli.completion import own_games
from pbem.cli.main import app
from pbem.errors import WrongUse
from pbem.play import keyfile
from tests.cli.keys.using import (
    COMMAND,
    OTHER,
    SECRET,
    backup,
    is_sealed,
    refused,
    seal,
    seed_of,
    typing,
)
from tests.cli.screen import Terminal
from tests.cli.using import (
    FILE,
    OLD,
    PASSES,
    ROOT,
    acres,
    do,
    environment,
    is_one_sentence,
    snapshot,
)

# --- the file


def test_key_and_folder_are_for_their_owner_alone(here: Path) -> None:
    assert stat.S_IMODE((here / "zoe").stat().st_mode) == 0o700
    assert stat.S_IMODE((here / "zoe/identity.toml").stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o606, 0o660])
def test_whoever_leaves_the_key_open_is_told_what_to_do(played: Path, mode: int) -> None:
    path = played / "british/identity.toml"
    path.chmod(mode)
    for command in (["turn", "show", FILE], ["key", "show"], ["turn", "apply", FILE, *PASSES]):
        done = do(*command, home="british")
        assert done.err.startswith("Note: Others on this computer may be able to read your key")
        assert done.err.count("\n") == 1
    advised = done.err.strip().partition("yourself: ")[2]
    assert subprocess.run(advised, shell=True).returncode == 0
    assert acres("key", "show", home="british").err == ""


def test_keys_that_everybody_has_need_no_guard(tmp_path: Path) -> None:
    for home in (*ROOT.glob("saves/*/*/identity.toml"), OLD / "british/identity.toml"):
        assert keyfile.read(home).is_published
    assert not keyfile.read(_fresh(tmp_path)).is_published
    assert "everybody has it" in acres("key", "show", home=OLD / "french").out


def _fresh(folder: Path) -> Path:
    assert acres("init", "--name", "A", home=folder / "fresh").status == 0
    return folder / "fresh/identity.toml"


# --- passphrases without a terminal


@pytest.mark.parametrize(
    "typed",
    [
        ["key", "passphrase", SECRET],
        ["init", "--passphrase", SECRET],
        ["key", "passphrase", "--remove", SECRET],
        ["key", "passphrase", "--new-passphrase-fd", "4", SECRET],
        ["key", "show", SECRET],
        ["key", "backup", SECRET],
        ["key", "restore", "paper.txt", SECRET],
        ["key", "restore", *SECRET.split()],
    ],
)
def test_a_passphrase_in_the_command_is_not_repeated(here: Path, typed: Sequence[str]) -> None:
    said = refused(*typed, home="new" if typed[0] == "init" else "zoe")
    assert not [word for word in SECRET.split() if len(word) > 3 and word in said]
    assert "not typed into the command" in said


@pytest.mark.parametrize("how", ["in one word", "in quotes", "with its number", "in words"])
def test_a_recovery_text_in_the_command_is_refused_and_not_repeated(here: Path, how: str) -> None:
    line = next(line for line in backup("--unsealed").splitlines() if line.startswith("  1"))
    number, *groups = line.split()
    typed = {
        "in one word": ["".join(groups)],
        "in quotes": [" ".join(groups)],
        "with its number": [line.strip()],
        "in words": [number, *groups],
    }[how]
    said = refused("key", "restore", *typed, home="new")
    assert not [group for group in groups if group in said]
    assert "not typed into the command" in said


@pytest.mark.parametrize(
    "typed",
    [["--passphrase-fd", SECRET, "key"], ["key", "passphrase", "--new-passphrase-fd", SECRET]],
)
def test_a_passphrase_for_a_number_is_not_repeated(here: Path, typed: Sequence[str]) -> None:
    said = refused(*typed)
    assert "takes a whole number" in said
    assert "xyzzy" not in said


def given_by(
    data: bytes,
    *arguments: str,
    home: str = "zoe",
    variables: Mapping[str, str] | None = None,
    number: int | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command to which a file descriptor gives these bytes; its number replaces FD."""
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    number = reading if number is None else number
    named = {name: value.replace("FD", str(number)) for name, value in (variables or {}).items()}
    try:
        return subprocess.run(
            [*COMMAND, "--home", home, *(str(a).replace("FD", str(number)) for a in arguments)],
            env=environment(**named), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            pass_fds=[reading], timeout=60,
        )  # fmt: skip
    finally:
        os.close(reading)


@pytest.mark.parametrize("ways", [2, pytest.param(4, marks=pytest.mark.long)])
def test_a_descriptor_gives_it(here: Path, monkeypatch: pytest.MonkeyPatch, ways: int) -> None:
    seal(monkeypatch)
    made = ["new", "--side", "any", "--output"]
    option, variable = ["--passphrase-fd", "FD"], {"ACRES_PASSPHRASE_FD": "FD"}
    wrong = {"ACRES_PASSPHRASE": OTHER}
    for number, (data, options, variables) in enumerate(
        [
            (f"{SECRET}\n", option, wrong),
            (f"{SECRET}\r\nmore\n", [], variable),
            (SECRET, option, {}),
            (f"{SECRET}\n{OTHER}\n", [], variable | wrong),
        ][:ways]
    ):
        done = given_by(data.encode(), *options, *made, f"{number}.toml", variables=variables)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no passphrase"),
        pytest.param(b"\n" + SECRET.encode(), "no passphrase", marks=pytest.mark.long),
        (b"x" * 1025, "longer than"),
        (OTHER.encode(), "not the passphrase"),
    ],
)
def test_a_file_descriptor_with_another_thing_in_it(
    here: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, says: str
) -> None:
    seal(monkeypatch)
    done = given_by(data, "--passphrase-fd", "FD", "key", "passphrase", "--remove")
    assert (done.returncode, is_one_sentence(done.stderr)) == (2, True), done.stderr
    assert says in done.stderr
    assert is_sealed()


@pytest.mark.parametrize("number", ["99", "-1", str(2**40)])
def test_a_number_that_is_none(here: Path, monkeypatch: pytest.MonkeyPatch, number: str) -> None:
    seal(monkeypatch)
    assert number in refused("--passphrase-fd", number, "key", "passphrase", "--remove")


def test_one_descriptor_gives_old_and_new(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seal(monkeypatch)
    both = f"{SECRET}\n{OTHER}\n".encode()
    done = given_by(both, "--passphrase-fd", "FD", "key", "passphrase", "--new-passphrase-fd", "FD")
    assert (done.returncode, done.stderr) == (0, "")
    assert seed_of("zoe", OTHER)


def test_completing_a_line_takes_no_passphrase_away() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading), os.fdopen(writing, "w") as given:
        given.write(SECRET)
        given.close()
        command: Any = typer.main.get_command(app)
        line = ["--passphrase-fd", str(reading)]
        context = command.make_context("acres", line, resilient_parsing=True)
        context.obj = lambda name: lambda typed: [(given_passphrase(), "")]
        assert own_games(context, "") == [("", "")]
        with App(context, passphrase_fd=reading):
            assert given_passphrase() == SECRET


# --- at a terminal


def test_a_new_passphrase_is_typed_twice_and_never_shown(here: Path) -> None:
    with typing("key", "passphrase", folder=here) as terminal:
        for first, second in ((SECRET, OTHER), (SECRET, SECRET)):
            terminal.wait_at("A passphrase for your key: ")
            terminal.type(first)
            terminal.wait_at("Once more: ")
            terminal.type(second)
        assert terminal.ended() == 0
        assert "These two differ." in terminal.text
        assert "harder to guess" not in terminal.text
        assert SECRET.encode() not in terminal.raw
        assert OTHER.encode() not in terminal.raw
    assert is_sealed()
    with typing("key", "passphrase", "--remove", folder=here) as terminal:
        terminal.wait_at("Passphrase: ")
        terminal.type(OTHER)
        terminal.wait_for("not the passphrase of your identity. Please try again.")
        terminal.wait_at("Passphrase: ")
        terminal.type(SECRET)
        assert terminal.ended() == 0
        assert SECRET.encode() not in terminal.raw
    assert not is_sealed()


def test_a_pager_hides_no_second_question(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seal(monkeypatch, home="british")
    pager = f"{sys.executable} -c 'import sys; print(len(sys.stdin.read()))'"
    with typing("turn", "show", FILE, folder=played, home="british", ACRES_PAGER=pager) as terminal:
        terminal.wait_at("Passphrase: ")
        terminal.type(OTHER)
        terminal.wait_for("Please try again.")
        terminal.wait_at("Passphrase: ")
        terminal.type(SECRET)
        assert terminal.ended() == 0


def test_a_short_passphrase_is_taken_with_a_hint(here: Path) -> None:
    with typing("key", "passphrase", folder=here) as terminal:
        terminal.wait_at("A passphrase for your key: ")
        terminal.type("short")
        terminal.wait_at("Once more: ")
        terminal.type("short")
        assert terminal.ended() == 0
        assert terminal.text.count("harder to guess") == 1
    assert seed_of("zoe", "short")


@pytest.mark.parametrize(
    "command", [["key", "passphrase"], ["init", "--name", "B", "--passphrase"]]
)
@pytest.mark.parametrize("leave", ["empty", "interrupt", "end of input"])
def test_without_a_new_one_everything_stays(here: Path, command: Sequence[str], leave: str) -> None:
    before = snapshot(here)
    home = "zoe" if command[0] == "key" else "new"
    with typing(*command, folder=here, home=home) as terminal:
        if command[0] == "init":
            terminal.wait_at("may be left empty): ")
            terminal.type("")
        terminal.wait_at("A passphrase for your key: ")
        if leave == "interrupt":
            terminal.interrupt()
        else:
            terminal.press("enter" if leave == "empty" else "ctrl-d")
        assert terminal.ended() == (130 if leave == "interrupt" else 0)
        assert "Nothing was written." in terminal.text
    assert snapshot(here) == before


def has_asked(times: int, terminal: Terminal) -> bool:
    return terminal.text.count("Passphrase:") == times


def test_three_tries_and_the_way_back_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seal(monkeypatch)
    with typing("key", "passphrase", "--remove", folder=here) as terminal:
        for number in range(1, 4):
            terminal.wait_for(partial(has_asked, number))
            terminal.settle()
            terminal.type(OTHER)
        assert terminal.ended() == 2
        assert "key restore --replace" in terminal.text
    assert is_sealed()


def test_a_terminal_that_would_show_it_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def shows(prompt: str) -> str:
        warnings.warn("Password input may be echoed.", getpass.GetPassWarning, stacklevel=1)
        return SECRET

    monkeypatch.setattr(getpass, "getpass", shows)
    with pytest.raises(WrongUse, match="would show your passphrase"):
        prompts.ask_secret("Passphrase: ")

"""A player's key on this computer: its permissions, and its passphrase."""

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
from pbem.cli.app import App, read_passphrase
from pbem.cli.completion import own_games
from pbem.cli.main import app
from pbem.errors import UsageError
from pbem.play import keyfile
from tests.cli.commands import FILE, OLD, PASSES, ROOT, acres, do, environment, snapshot
from tests.cli.keys.passphrases import (
    COMMAND,
    OTHER,
    SECRET,
    is_sealed,
    print_backup,
    read_seed,
    refuse,
    seal,
    type_at,
)
from tests.cli.screen import Terminal

# --- the file


def test_key_and_folder_are_private_to_their_owner(cwd: Path) -> None:
    assert stat.S_IMODE((cwd / "zoe").stat().st_mode) == 0o700
    assert stat.S_IMODE((cwd / "zoe/identity.toml").stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o606])
def test_readable_key_file_causes_a_warning_with_a_command(game_folder: Path, mode: int) -> None:
    path = game_folder / "british/identity.toml"
    path.chmod(mode)
    for command in (["turn", "show", FILE], ["key", "show"], ["turn", "apply", FILE, *PASSES]):
        result = do(*command, home="british")
        assert result.err.startswith("Note: ")
    advised = result.err.strip().partition("yourself: ")[2]
    assert subprocess.run(advised, shell=True).returncode == 0
    assert acres("key", "show", home="british").err == ""


def test_published_keys_need_no_guard(tmp_path: Path) -> None:
    for home in (*ROOT.glob("saves/*/*/identity.toml"), OLD / "british/identity.toml"):
        assert keyfile.is_published(keyfile.read(home).public_key)
    do("init", "--name", "A", home=tmp_path / "fresh")
    fresh = keyfile.read(tmp_path / "fresh/identity.toml")
    assert not keyfile.is_published(fresh.public_key)


# --- passphrases without a terminal


@pytest.mark.parametrize(
    "typed",
    [
        ["key", "passphrase", SECRET],
        ["init", "--passphrase", SECRET],
        ["key", "passphrase", "--new-passphrase-fd", "4", SECRET],
        ["key", "passphrase", "--new-passphrase-fd", SECRET],
        ["key", "show", SECRET],
        ["key", "restore", *SECRET.split()],
    ],
)
def test_passphrase_in_the_command_is_not_repeated(cwd: Path, typed: Sequence[str]) -> None:
    message = refuse(*typed, home="new" if typed[0] == "init" else "zoe")
    assert not [word for word in SECRET.split() if len(word) > 3 and word in message]


def test_recovery_text_in_the_command_is_not_repeated(cwd: Path) -> None:
    line = next(line for line in print_backup("--unsealed").splitlines() if line.startswith("  1"))
    _, *groups = line.split()
    for typed in (["".join(groups)], [line.strip()], line.split()):
        message = refuse("key", "restore", *typed, home="new")
        assert not [group for group in groups if group in message]


def run_with_descriptor(
    data: bytes,
    *arguments: str,
    home: str = "zoe",
    variables: Mapping[str, str] | None = None,
    number: int | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command with these bytes in a file descriptor, whose number replaces FD."""
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


@pytest.mark.slow
def test_descriptor_gives_a_passphrase(cwd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seal(monkeypatch)
    new = ["new", "--side", "any", "--output"]
    wrong = {"ACRES_PASSPHRASE": OTHER}
    passphrase = ["key", "passphrase", "--new-passphrase-fd", "FD"]
    for data, arguments, variables in (
        (f"{SECRET}\r\n".encode("utf-16"), ["--passphrase-fd", "FD", *new, "0.toml"], wrong),
        (
            f"\ufeff{SECRET}\r\nmore\n".encode(),
            [*new, "1.toml"],
            wrong | {"ACRES_PASSPHRASE_FD": "FD"},
        ),
        (f"{SECRET}\n{OTHER}\n".encode(), ["--passphrase-fd", "FD", *passphrase], {}),
    ):
        result = run_with_descriptor(data, *arguments, variables=variables)
        assert (result.returncode, result.stderr) == (0, "")
    assert read_seed("zoe", OTHER)


@pytest.mark.parametrize("data", [b"", b"\n" + SECRET.encode(), b"x" * 1025, OTHER.encode()])
def test_descriptor_without_a_passphrase_is_refused(
    cwd: Path, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    seal(monkeypatch)
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(data)
    refuse("--passphrase-fd", str(reading), "key", "passphrase", "--remove")
    refuse("--passphrase-fd", str(2**40), "key", "passphrase", "--remove")
    assert is_sealed()


def test_completing_a_line_takes_no_passphrase_away() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading), os.fdopen(writing, "w") as stream:
        stream.write(SECRET)
        stream.close()
        command: Any = typer.main.get_command(app)
        line = ["--passphrase-fd", str(reading)]
        context = command.make_context("acres", line, resilient_parsing=True)
        context.obj = lambda name: lambda typed: [(read_passphrase(), "")]
        assert own_games(context, "") == [("", "")]
        with App(context, passphrase_fd=reading):
            assert read_passphrase() == SECRET


# --- at a terminal


def test_new_passphrase_is_typed_twice_and_never_shown(cwd: Path) -> None:
    with type_at("key", "passphrase", folder=cwd) as terminal:
        for first, second in ((SECRET, OTHER), (SECRET, SECRET)):
            terminal.wait_at("A passphrase for your key: ")
            terminal.type(first)
            terminal.wait_at("Once more: ")
            terminal.type(second)
        assert terminal.wait_for_exit() == 0
        assert SECRET.encode() not in terminal.raw
        assert OTHER.encode() not in terminal.raw
    assert is_sealed()
    with type_at("key", "passphrase", "--remove", folder=cwd) as terminal:
        terminal.wait_at("Passphrase: ")
        terminal.type(OTHER)
        terminal.wait_for("try again")
        terminal.wait_at("Passphrase: ")
        terminal.type(SECRET)
        assert terminal.wait_for_exit() == 0
        assert SECRET.encode() not in terminal.raw
    assert not is_sealed()


def test_pager_hides_no_second_question(game_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seal(monkeypatch, home="british")
    pager = f"{sys.executable} -c 'import sys; print(len(sys.stdin.read()))'"
    with type_at(
        "turn", "show", FILE, folder=game_folder, home="british", ACRES_PAGER=pager
    ) as terminal:
        terminal.wait_at("Passphrase: ")
        terminal.type(OTHER)
        terminal.wait_for("Please try again.")
        terminal.wait_at("Passphrase: ")
        terminal.type(SECRET)
        assert terminal.wait_for_exit() == 0


@pytest.mark.parametrize(
    ("command", "leave"),
    [
        (["key", "passphrase"], "empty"),
        (["key", "passphrase"], "interrupt"),
        (["init", "--name", "B", "--passphrase"], "end of input"),
    ],
)
def test_command_without_a_new_passphrase_changes_nothing(
    cwd: Path, command: Sequence[str], leave: str
) -> None:
    before = snapshot(cwd)
    home = "zoe" if command[0] == "key" else "new"
    with type_at(*command, folder=cwd, home=home) as terminal:
        if command[0] == "init":
            terminal.wait_at("may be left empty): ")
            terminal.type("")
        terminal.wait_at("A passphrase for your key: ")
        if leave == "interrupt":
            terminal.interrupt()
        else:
            terminal.press("enter" if leave == "empty" else "ctrl-d")
        assert terminal.wait_for_exit() == (130 if leave == "interrupt" else 0)
    assert snapshot(cwd) == before


def has_asked(times: int, terminal: Terminal) -> bool:
    return terminal.text.count("Passphrase:") == times


def test_passphrase_has_three_tries(cwd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seal(monkeypatch)
    with type_at("key", "passphrase", "--remove", folder=cwd) as terminal:
        for number in range(1, 4):
            terminal.wait_for(partial(has_asked, number))
            terminal.settle()
            terminal.type(OTHER)
        assert terminal.wait_for_exit() == 2
    assert is_sealed()


def test_terminal_that_would_echo_a_passphrase_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def shows(prompt: str) -> str:
        warnings.warn("Password input may be echoed.", getpass.GetPassWarning, stacklevel=1)
        return SECRET

    monkeypatch.setattr(getpass, "getpass", shows)
    with pytest.raises(UsageError, match="would show your passphrase"):
        prompts.ask_secret("Passphrase: ")

"""Unwritable outputs and missing streams end with a sentence and status 2."""

import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.commands import COMMAND, acres, do, environment, is_one_sentence, snapshot
from tests.sample import sample

ANSWER = "game-018.toml"
COMMANDS = {
    "show": ["turn", "show", "game-017.toml"],
    "legal": ["turn", "legal", "game-017.toml"],
    "apply": ["turn", "apply", "game-017.toml", "pass", "pass"],
    "audit": ["audit", "game-017.toml"],
    "help": ["--help"],
    "demo": ["demo", "--out", "demo"],
    "join": ["join", "open-000.toml", "--side", "french"],
}


@pytest.fixture
def game(game: Path) -> Path:
    """A game, and an open invitation by a third player."""
    assert acres("init", "--name", "Clara", home=game / "clara").status == 0
    do("new", "--side", "any", "--output", game / "open-000.toml", home=game / "clara")
    return game


def run_redirected(
    words: Sequence[str], redirection: str, folder: Path
) -> subprocess.CompletedProcess[str]:
    """Run a command with a redirection by a shell."""
    line = shlex.join([*COMMAND, "--home", "british", *words])
    return subprocess.run(
        f"{line} {redirection}",
        shell=True, cwd=folder, env=environment(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("command", sample(COMMANDS, every=3))
def test_full_disk_ends_in_a_sentence(game: Path, command: str) -> None:
    before = snapshot(game)
    ended = run_redirected(COMMANDS[command], "> /dev/full", game)
    assert ended.returncode == 2, ended.stderr
    assert is_one_sentence(ended.stderr), ended.stderr
    # No record is signed or remembered without a message.
    assert snapshot(game) == before


@pytest.mark.parametrize("command", sample(COMMANDS, every=3))
def test_command_without_an_output_signs_nothing(game: Path, command: str) -> None:
    before = snapshot(game)
    ended = run_redirected(COMMANDS[command], ">&-", game)
    assert ended.returncode == 2, ended.stderr
    assert is_one_sentence(ended.stderr), ended.stderr
    assert snapshot(game) == before


def test_guided_turn_without_an_input_is_refused(game: Path) -> None:
    guided = run_redirected(["turn", "apply", "game-017.toml"], "<&-", game)
    assert guided.returncode == 2, guided.stderr
    assert is_one_sentence(guided.stderr), guided.stderr
    orders = run_redirected(["turn", "apply", "game-017.toml", "--orders", "-"], "<&-", game)
    assert orders.returncode == 2, orders.stderr
    assert is_one_sentence(orders.stderr), orders.stderr


@pytest.mark.parametrize("redirection", sample(["2>&-", "2> /dev/full"], first=1))
def test_status_is_right_without_an_error_stream(game: Path, redirection: str) -> None:
    assert run_redirected(["turn", "show", "missing.toml"], redirection, game).returncode == 2
    result = run_redirected(COMMANDS["apply"], redirection, game)
    assert result.returncode == 0
    assert ANSWER in result.stdout
    text = (game / ANSWER).read_text()
    assert text.startswith("format = ")
    assert "acres:" not in text

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


@pytest.mark.parametrize("words", [["games"], ["rules"], ["--help"], ["board"]])
def test_missing_current_folder_is_named(game: Path, words: Sequence[str]) -> None:
    line = shlex.join([*COMMAND, "--home", str(game / "british"), *words])
    ended = subprocess.run(
        f"mkdir gone; cd gone; rmdir ../gone; {line}",
        shell=True, cwd=game, env=environment(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr[:33]) == (2, "acres: The current folder is gone")


@pytest.mark.parametrize("encoding", ["idna", "undefined", "ascii:strict", "utf-7"])
def test_encoding_of_the_environment_never_fails(
    game: Path, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    ended = run_redirected(["turn", "show", "game-017.toml"], "", game)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_completion_that_cannot_be_installed_is_printed_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".bashrc").write_bytes(b"# \xe9\n")
    (tmp_path / ".bash_completions").touch()
    words, variables = ["--install-completion", "bash"], environment(HOME=str(tmp_path))
    ended = subprocess.run([*COMMAND, *words], env=variables, capture_output=True, text=True)
    assert ended.returncode == 2 and is_one_sentence(ended.stderr)
    assert "acres --show-completion" in ended.stderr


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (PermissionError(13, "Permission denied", "x/y"), "an error: x/y: Permission denied."),
        (FileNotFoundError(2, "No usable folder"), "an error: No usable folder."),
        (MemoryError(), "an error: MemoryError."),
    ],
)
def test_error_of_the_system_is_told_with_its_file(
    error: Exception, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("pbem.cli.main.choose_language", fail)
    assert told in acres("games").fails().err

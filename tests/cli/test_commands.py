"""Commands that succeed, and their refusals."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem.errors import StepError
from pbem.errors.rule import Rule
from tests.cli.commands import acres, do


@pytest.fixture
def homes(cwd: Path) -> Path:
    """A folder with the homes of two players."""
    for name in ("anna", "emile"):
        do("init", "--name", name.title(), "--email", f"{name}@x.org", home=name)
    return cwd


def invitation(*options: str) -> str:
    result = do("new", *options, home="anna")
    return next(line.strip() for line in result.out.splitlines() if line.endswith("-000.toml"))


def test_orders_come_from_a_file(game: Path) -> None:
    orders = game / "orders.txt"
    orders.write_bytes(b"\xef\xbb\xbf# my turn\r\n\r\npass   # the first\r\n  pass\r\n")
    file = game / "game-017.toml"
    do("turn", "apply", file, "--orders", orders, "--dry-run", home=game / "british")
    acres("turn", "apply", file, "pass", "--orders", orders, home=game / "british").fails()
    orders.write_text("# nothing\n")
    assert acres("turn", "apply", file, "--orders", orders, home=game / "british").status == 2


@pytest.mark.parametrize(
    "error",
    [ZeroDivisionError("it ends somehow."), StepError("it ends somehow.", Rule.OPENING_FIRST)],
    ids=lambda error: type(error).__name__,
)
def test_unexpected_error_shows_no_traceback(
    game: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:

    def fail(*arguments: bytes, **options: object) -> None:
        raise error

    monkeypatch.setattr("pbem.play.game_file.GameFile.read", fail)
    failed = acres("turn", "show", game / "game-017.toml")
    assert failed.status == 2
    assert f"({type(error).__name__})" in failed.err
    assert failed.err.count("\n") == 1
    # The message of a StepError is only the end of a sentence about a record.
    assert "somehow" not in failed.err
    monkeypatch.setenv("ACRES_DEBUG", "1")
    assert "Traceback" in acres("turn", "show", game / "game-017.toml").err


@pytest.mark.parametrize(
    ("lists", "note"), [(1, "every time"), (128, "one time in 128"), (256, None)]
)
def test_joining_a_game_with_few_lists_is_warned_of(
    homes: Path, lists: int, note: str | None
) -> None:
    file = invitation("--side", "british", "--lists", str(lists))
    joined = do("join", file, home="emile")
    assert joined.err.startswith("Note: ") == bool(note)
    assert note is None or note in joined.err


@pytest.mark.parametrize("words", [["turn", "show"], ["turn", "legal"]])
def test_suggested_commands_can_be_pasted(homes: Path, words: Sequence[str]) -> None:
    homes.joinpath("two words").mkdir()
    first, second = "two words/it's-000.toml", "two words/it's-001.toml"
    assert acres("init", "--name", "Zoé", home="two words/home").status == 0
    do("new", "--side", "french", "--output", first, home="two words/home")
    line = next(
        line for line in acres("turn", "show", first).out.splitlines() if "acres join" in line
    )
    assert shlex.split(line.partition(": ")[2]) == ["acres", "join", first]
    assert acres("join", first, home="emile").status == 0
    output = acres(*words, second, home="two words/home").out
    line = next(line for line in output.splitlines() if line.startswith("To answer: "))
    command = shlex.split(line.partition(": ")[2])
    assert command == ["acres", "--home", "two words/home", "turn", "apply", second]
    assert acres(*command[1:]).status == 0

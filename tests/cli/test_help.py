"""The help of every command: whole lines, words that players know, and numbers that are none."""

import ast
import re
import shlex
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from pbem.cli import main
from pbem.cli.help import examples
from tests.cli.test_output import assert_plain
from tests.cli.using import acres


def command_tree(command: Any, *names: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command below one, with its names."""
    yield names, command
    for name in getattr(command, "commands", ()):
        yield from command_tree(command.get_command(None, name), *names, name)


TREE = dict(command_tree(typer.main.get_command(main.app)))


GROUPS = [names for names in TREE if hasattr(TREE[names], "commands")]
COMMANDS = [names for names in TREE if names not in GROUPS]
PLAIN = {"mail check", "key show", "key restore"}
"""Commands that are shown in no example."""
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("group", GROUPS, ids=" ".join)
def test_no_line_of_an_overview_is_cut_short(group: Sequence[str]) -> None:
    overview = acres(*group, "--help").out.partition("Show this message and exit.")[2]
    assert "..." not in overview
    commands = re.findall(r"^  ([\w-]+)  ", overview, re.M)
    assert commands
    for command in commands:
        assert (*group, command) in TREE


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_what_an_option_takes_is_named_in_words(command: Sequence[str]) -> None:
    told = acres(*command, "--help").out.replace("--note TEXT", "")
    assert not re.search(r"<(str|int|path)>|TEXT|INTEGER|\[order\]", told)


def test_no_command_of_one_game_demands_a_file() -> None:
    demanding = [
        " ".join(names)
        for names in COMMANDS
        if any(part.name in ("file", "paths") and part.required for part in TREE[names].params)
    ]
    assert demanding == ["games add"]


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_every_command_has_an_example_and_is_run_by_a_test(names: tuple[str, ...]) -> None:
    name = " ".join(names)
    assert (name in examples()) != (name in PLAIN), f"{name} is not in pbem/cli/examples.toml"
    is_run = any(said[at : at + len(names)] == names for said in given() for at in range(len(said)))
    assert is_run, f"no test runs {name}: give it one in tests/cli"


@cache
def given() -> list[tuple[object, ...]]:
    """What the tests, but for this one, give to functions, or list."""
    tests = (path for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__))
    nodes = [node for path in tests for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    # What is looked up in a table is not run.
    calls = (n for n in nodes if isinstance(n, ast.Call) and getattr(n.func, "attr", "") != "get")
    words = [*(call.args for call in calls), *(n.elts for n in nodes if isinstance(n, ast.List))]
    return [tuple(getattr(word, "value", None) for word in each) for each in words]


def modules_of_commands() -> list[str]:
    return [path.stem for path in (ROOT / "pbem" / "cli").glob("*_command*.py")]


@pytest.mark.parametrize("module", modules_of_commands())
def test_what_a_module_of_commands_has_is_a_command(module: str) -> None:
    callbacks = (command.callback for command in TREE.values() if command.callback)
    # A group that only tells of its commands has no callback of its own.
    groups = {f"pbem.cli.{lazy.module}" for lazy in main.COMMANDS.values() if lazy.name == "app"}
    assert f"pbem.cli.{module}" in groups | {callback.__module__ for callback in callbacks}, (
        f"pbem/cli/{module}.py has no command: name it in COMMANDS of pbem/cli/main.py"
    )


@pytest.mark.parametrize("names", TREE, ids=" ".join)
def test_help_is_whole(names: tuple[str, ...]) -> None:
    """Every command and option says in a sentence what it is; what has to be given is bare."""
    told = acres(*names, "--help").out
    assert "{" not in told
    assert_plain(told)
    for parameter in TREE[names].params:
        assert parameter.help.endswith("."), parameter.name
    assert TREE[names].help.endswith((".", ")"))


@pytest.mark.parametrize("command", examples())
def test_the_examples_of_a_command_are_such_lines(command: str) -> None:
    names = tuple(command.split())
    for line, purpose, _ in examples()[command]:
        program, *words = shlex.split(line.partition(" | ")[0].partition(" > ")[0])
        assert program == "acres"
        assert tuple(words[: len(names)]) == names
        with TREE[names].make_context(command, words[len(names) :]) as context:
            assert context.command is TREE[names]
        assert f"  {line}" in acres(*names, "--help").out
        assert f"  {purpose}\n" in acres(*names, "--help").out

"""The help of every command has whole lines, and valid examples."""

import io
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import pytest
import typer

from engine.message import Message
from pbem.cli import main
from pbem.text.language import NAMES, Language
from tests.cli.commands import FILE, ROOT, acres
from tests.cli.test_output import assert_plain
from tests.cli.test_program_name import MISTAKES


def walk_commands(command: Any, *names: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield a command and all of its subcommands, with their names."""
    yield names, command
    for name in getattr(command, "commands", ()):
        yield from walk_commands(command.get_command(None, name), *names, name)


TREE = dict(walk_commands(typer.main.get_command(main.app)))
COMMANDS = [names for names in TREE if not hasattr(TREE[names], "commands")]
WITHOUT_EXAMPLE = {"mail check", "key show", "key restore"}


def test_no_command_of_one_game_demands_a_file() -> None:
    demanding = [
        " ".join(names)
        for names in COMMANDS
        if any(part.name in ("file", "paths") and part.required for part in TREE[names].params)
    ]
    assert demanding == ["games add"]


def test_every_command_has_an_example() -> None:
    without = {" ".join(names) for names in COMMANDS if not TREE[names].examples}
    assert without == WITHOUT_EXAMPLE


def test_json_md_tells_of_every_command_with_the_option() -> None:
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    documented = re.findall(r"`acres ([a-z -]*[a-z])[^`]* --json`", page)
    with_option = {
        " ".join(names)
        for names, command in TREE.items()
        if any(parameter.name == "json" for parameter in command.params)
    }
    assert with_option - {*documented} == set()


@pytest.mark.parametrize("names", TREE, ids=" ".join)
def test_help_of_every_command_is_complete(names: tuple[str, ...]) -> None:
    text = acres(*names, "--help").out
    assert "{" not in text
    assert "..." not in text.partition("Show this message and exit.")[2]
    assert_plain(text)
    for parameter in TREE[names].params:
        assert parameter.help.endswith("."), parameter.name
    assert TREE[names].help.endswith((".", ")"))


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_example_is_accepted_and_shown(names: tuple[str, ...]) -> None:
    text = acres(*names, "--help").out
    for line, purpose, _ in TREE[names].examples:
        program, *words = shlex.split(line.partition(" | ")[0].partition(" > ")[0])
        assert (program, tuple(words[: len(names)])) == ("acres", names)
        with TREE[names].make_context(names[-1], words[len(names) :]) as context:
            assert context.command is TREE[names]
        assert f"  {line}" in text
        assert f"  {purpose}\n" in text


@pytest.mark.parametrize("width", ["60", "80"])
@pytest.mark.parametrize("code", NAMES)
def test_every_example_keeps_its_purpose_at_any_width(
    monkeypatch: pytest.MonkeyPatch, code: str, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    for names in COMMANDS:
        lines = acres("--lang", code, *names, "--help").out.splitlines()
        assert [x for x in lines if len(x) > int(width) and not x.startswith("  acres")] == []
        for _, purpose, _ in TREE[names].examples:
            assert Language(code).say(Message(purpose)) in " ".join(map(str.strip, lines))


@pytest.mark.parametrize("code", NAMES)
def test_no_word_of_a_help_is_broken(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    for names in TREE:
        narrow, wide = set[str](), set[str]()
        for width, words in (("60", narrow), ("80", wide)):
            monkeypatch.setenv("COLUMNS", width)
            words |= {*acres("--lang", code, *names, "--help").out.split()}
        assert narrow == wide, names


class ErrorTerminal(io.StringIO):
    """A terminal that shows the standard error."""

    def isatty(self) -> bool:
        return True


@pytest.mark.usefixtures("in_game_folder")
@pytest.mark.parametrize("code", NAMES)
def test_no_word_of_a_hint_is_broken(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    for mistake in MISTAKES:
        words = ["--home", "british", "--lang", code, *mistake.format(game=FILE).split()]
        terminal = ErrorTerminal()
        with redirect_stdout(io.StringIO()), redirect_stderr(terminal):
            main.main(words)
        lines = terminal.getvalue().splitlines()
        assert " ".join(lines).split() == acres(*words).err.split()
        assert max(map(len, lines), default=0) <= 60


def test_help_is_a_command_too() -> None:
    assert acres("help").out == acres("--help").out
    for names in (("turn",), ("turn", "show"), ("games", "folders", "add"), ("help",)):
        assert acres("help", *names).out == acres(*names, "--help").out
    assert "No such command 'fly'" in acres("help", "fly").fails().err


@pytest.mark.parametrize("names", [names for names in TREE if len(names) in (1, 2)], ids=" ".join)
def test_misplaced_and_mistyped_commands_are_suggested(names: tuple[str, ...]) -> None:
    for words in ((names[-1],), ("turn", names[-1]), (f"{names[-1]}k".capitalize(),)):
        if words not in TREE:
            assert f"acres {' '.join(names)}" in acres(*words).fails().err

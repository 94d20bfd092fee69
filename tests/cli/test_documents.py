"""What the documents name: commands and options that there are, and the words of a led turn."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer

from pbem.cli import main
from pbem.text.language import Language
from pbem.text.naming import begins_with_verb
from pbem.text.ordering.guided_turn import parse_lookup, typed_words
from pbem.text.phrases import keys

ROOT = Path(__file__).parents[2]
# The changelog also names what was a command, or looks like one.
PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
DOCUMENTS = [*PAGES, *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("docs/*.md")))]
AT_ONCE = ("--install-completion", "--show-completion", "--version", "--help")
"""Options that are carried out as soon as they are read."""
CALLED = r"(?:\.venv[/\\](?:bin|Scripts)[/\\])?"
"""Where the program may lie that a line calls."""
PROGRAM = typer.main.get_command(main.app)


def lines(document: str) -> Iterator[str]:
    """The command lines in a document that begin with `acres`, in its text and in its blocks."""
    text = (ROOT / document).read_text(encoding="utf-8")
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S)
    for each in re.findall(rf"`{CALLED}(acres [^`]*)`", prose):
        yield " ".join(each.split())
    for block in re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.M | re.S):
        for line in re.findall(rf"^ *(?:\$ )?{CALLED}(acres .*)$", block, re.M):
            # What a line is good for stands behind it.
            yield re.split(r" {3,}|  +#| > | \| ", line)[0]


def words_of(line: str) -> list[str]:
    """The words behind `acres`; in place of what stands for a number, one."""
    words = shlex.split(line)[1:]
    left_out = ("…", "...", *AT_ONCE)
    return ["1" if word == "N" else word for word in words if word not in left_out]


def parse(words: list[str]) -> None:
    """Have the program take a line apart as it does when it is typed; raises where it cannot."""
    command, name = PROGRAM, "acres"
    while hasattr(command, "resolve_command"):
        with command.make_context(name, words) as context:
            # Nothing but options stands before the name of a command.
            before = len(words) - len(context.args) - 1
            if not words or (not context.args and words[before - 1].startswith("-")):
                return
            words = words[before:]
            name, command, words = command.resolve_command(context, words)
    if not words:
        # The command is named, and not shown.
        return
    with command.make_context(name, words):
        pass


@pytest.mark.parametrize("document", [each for each in DOCUMENTS if any(lines(each))])
def test_every_command_line_is_one_that_the_program_takes(document: str) -> None:
    wrong = {}
    for line in lines(document):
        try:
            parse(words_of(line))
        except Exception as error:
            wrong[line] = repr(error)
    assert wrong == {}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_module_and_every_file_of_tests_that_is_to_be_run_is_there(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    modules = re.findall(r"python -m ([a-z][\w.]+)", text)
    assert [name for name in modules if find_spec(name) is None] == []
    paths = re.findall(r"\b(?:tests|benchmarks)/[\w/.-]*\w", text)
    assert [path for path in paths if not (ROOT / path).exists()] == []


def is_there(name: str) -> bool:
    """Whether a module has that dotted name, in whatever room of `pbem`, or something in one."""
    for whole in (name, f"pbem.{name}"):
        above, _, last = whole.rpartition(".")
        with suppress(ModuleNotFoundError):
            if find_spec(whole) or hasattr(import_module(above), last):
                return True
    return False


@pytest.mark.parametrize("page", ["architecture", "extending"])
def test_everything_that_developers_are_told_of_is_there(page: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    named = {*re.findall(r"`([^`\n]+)`", text)}
    paths = {span for span in named if re.fullmatch(r"(engine|pbem|docs|tests)/[\w/.-]+", span)}
    rooms = r"(pbem|engine|text|play|mail|cli|board|web)(\.(?!py|toml|html)[a-z_]+)+"
    modules = {span for span in named if re.fullmatch(rooms, span)}
    classes = {span for span in named if re.fullmatch(r"[A-Z][a-z]+[A-Za-z]*(\.[a-z_]+)?", span)}
    assert len(paths | classes | modules) > 20
    assert [path for path in paths if not (ROOT / path).exists()] == []
    assert [name for name in modules if not is_there(name)] == []
    assert classes - defined() == set()


def test_the_plan_of_the_house_names_folders_that_are_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    plan = next(block for block in text.split("```") if "\npbem/\n" in block)
    above = [""]
    for line in plan.splitlines()[1:]:
        depth = (len(line) - len(line.lstrip())) // 2
        for name in re.findall(r"(?:^| )([a-z_]+(?:\.py|/))(?= |$)", line[:17]):
            above[depth + 1 :] = [above[depth] + name]
            assert (ROOT / above[-1]).exists(), line


def test_the_plan_of_the_house_fits_on_two_screens() -> None:
    lines = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 100
    assert max(map(len, lines)) <= 120


@cache
def defined() -> set[str]:
    """The names of all classes of the project, also with each of their attributes."""
    found = set()
    for path in (path for room in ("engine", "pbem") for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                names = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
                found |= {node.name, *(f"{node.name}.{name}" for name in names)}
    return found


def test_the_page_of_turns_names_every_word_of_a_led_turn_and_no_other() -> None:
    turns = (ROOT / "docs" / "turns.md").read_text(encoding="utf-8")
    table = turns.partition("\n## A turn\n")[2].partition("\n## ")[0]
    named = [span for row in re.findall(r"^\| `.*$", table, re.M) for span in spans(row)]
    english = Language("en")
    words = {word for span in named for word in typed_words(english, span.split()[0])}
    assert {*keys("help")} - words == set()
    for span in named:
        is_word = typed_words(english, span) or parse_lookup(english, span)
        is_choice = span.isdecimal() or span.startswith("?") or begins_with_verb(english, span)
        assert is_word or is_choice, span


def spans(row: str) -> list[str]:
    """What stands in code in a row of a table."""
    return re.findall(r"`([^`]*)`", row)

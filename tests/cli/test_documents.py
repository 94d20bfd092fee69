"""Documents name commands, options, files and words that exist."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from pydoc import locate

import pytest
import typer

from pbem.cli import main
from pbem.text.language import Language
from pbem.text.naming import has_verb
from pbem.text.ordering.guided_turn import parse_lookup, parse_words
from pbem.text.phrases import keys

ROOT = Path(__file__).parents[2]
# The changelog also names former commands.
PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
DOCUMENTS = [*PAGES, *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("docs/*.md")))]
EAGER_OPTIONS = ("--install-completion", "--show-completion", "--version", "--help")
"""Options that are handled while the line is parsed."""
PROGRAM_FOLDER = r"(?:\.venv[/\\](?:bin|Scripts)[/\\])?"
"""The folder of the program in a command line."""
PROGRAM = typer.main.get_command(main.app)


def lines(document: str) -> Iterator[str]:
    """Yield the command lines of a document that begin with `acres`."""
    text = (ROOT / document).read_text(encoding="utf-8")
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S)
    for line in re.findall(rf"`{PROGRAM_FOLDER}(acres [^`]*)`", prose):
        yield " ".join(line.split())
    for block in re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.M | re.S):
        for line in re.findall(rf"^ *(?:\$ )?{PROGRAM_FOLDER}(acres .*)$", block, re.M):
            # A remark may follow the command.
            yield re.split(r" {3,}|  +#| > | \| ", line)[0]


def words_of(line: str) -> list[str]:
    """Return the words after `acres`, with numbers for placeholders."""
    words = shlex.split(line)[1:]
    left_out = ("…", "...", *EAGER_OPTIONS)
    return ["1" if word == "N" else word for word in words if word not in left_out]


def parse(words: list[str]) -> None:
    """Parse a command line as the program does; raises an error of click if it is invalid."""
    command, name = PROGRAM, "acres"
    while hasattr(command, "resolve_command"):
        with command.make_context(name, words) as context:
            # Only options come before the name of a command.
            before = len(words) - len(context.args) - 1
            if not words or (not context.args and words[before - 1].startswith("-")):
                return
            words = words[before:]
            name, command, words = command.resolve_command(context, words)
    if not words:
        # The command is only mentioned.
        return
    with command.make_context(name, words):
        pass


@pytest.mark.parametrize("document", [line for line in DOCUMENTS if any(lines(line))])
def test_every_command_line_is_accepted(document: str) -> None:
    wrong = {}
    for line in lines(document):
        try:
            parse(words_of(line))
        except Exception as error:
            wrong[line] = repr(error)
    assert wrong == {}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_module_and_path_exists(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    modules = re.findall(r"python -m ([a-z][\w.]+)", text)
    assert [name for name in modules if find_spec(name) is None] == []
    paths = re.findall(r"\b(?:engine|pbem|docs|tests|benchmarks)/[\w/.-]*\w", text)
    assert [path for path in paths if not [*ROOT.glob(f"{path}*")]] == []


def test_every_module_named_beside_its_package_exists() -> None:
    text = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    items = re.findall(r"^\d+\. `([\w/]+/)`(.*?)(?=^\d+\. |^$)", text, re.M | re.S)
    paths = [
        (folder, name) for folder, item in items for name in re.findall(r"`([\w/]+\.py)`", item)
    ]
    assert ("pbem/cli/", "games_commands.py") in paths
    missing = [
        path for path in paths if not any((ROOT / at / path[1]).exists() for at in ("", path[0]))
    ]
    assert missing == []


def test_every_class_of_the_glossary_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    names = re.findall(r"^\|.*\| `((?:engine|pbem)[\w.]+)`", text, re.M)
    assert len(names) > 20
    assert [name for name in names if locate(name) is None] == []


def test_turns_md_lists_every_word_of_a_guided_turn() -> None:
    turns = (ROOT / "docs" / "turns.md").read_text(encoding="utf-8")
    table = turns.partition("\n## A turn\n")[2].partition("\n## ")[0]
    table_words = [span for row in re.findall(r"^\| `.*$", table, re.M) for span in spans(row)]
    english = Language("en")
    words = {word for span in table_words for word in parse_words(english, span.split()[0])}
    assert {*keys("help")} - words == set()
    for span in table_words:
        is_word = parse_words(english, span) or parse_lookup(english, span)
        is_choice = span.isdecimal() or span.startswith("?") or has_verb(english, span)
        assert is_word or is_choice, span


def spans(row: str) -> list[str]:
    """Return the code spans in a row of a table."""
    return re.findall(r"`([^`]*)`", row)

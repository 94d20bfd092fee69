"""All printed texts are messages that translators can translate."""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from pbem.text.language import NAMES
from tests.cli.commands import ROOT, acres
from tests.text.throwaway import CLOSE, CODE, OPEN, throwaway
from tools.extraction import PRINTING, error_classes

SAVES = ROOT / "saves" / "practice"
SAY = {
    "say", "say_unwrapped", "say_verbatim", "say_stderr", "say_hanging", "say_behind", "heading",
    "item", "warn", "fail", "ask", "ask_yes", "ask_secret", "yes_or_no", "note_written",
}  # fmt: skip
"""The functions of the console that print or ask."""
ERRORS = {"BadParameter"}
"""The exceptions of a library, which are raised with a message."""
MARKING = {"phrase", "phrase_in", "plural", "plural_in", "mark", "mark_in"}
WORD = re.compile(r"[A-Za-z]{2,}")


def sources() -> list[Path]:
    """Return the sources that can print; completion prints nothing but completions."""
    matches = [path for name in ("engine", "pbem") for path in (ROOT / name).rglob("*.py")]
    return sorted(path for path in matches if path.parent.name != "completion")


def function_name(node: ast.Call) -> str:
    function = node.func
    return getattr(function, "id", "") or getattr(function, "attr", "")


def literals(node: ast.AST) -> list[str]:
    """Return the words in texts that are printed without translation."""
    if isinstance(node, ast.Call):
        return []
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.FormattedValue):
        return [] if not isinstance(node.value, ast.IfExp) else literals(node.value)
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    return [text for child in ast.iter_child_nodes(node) for text in literals(child)]


@cache
def failures() -> set[str]:
    """Return the names of classes made with the text of a message: errors and objections."""
    return error_classes(ast.parse(path.read_text(encoding="utf-8")) for path in sources())


def printed_arguments(node: ast.Call) -> list[ast.expr]:
    """Return the arguments that a call prints or raises unchanged."""
    if function_name(node) in failures() or ast.unparse(node.func) in PRINTING:
        return [node.args[0]] if node.args and not isinstance(node.args[0], ast.Constant) else []
    if function_name(node) in ERRORS:
        return node.args[:1]
    return node.args if function_name(node) in SAY else []


@pytest.mark.slow
@pytest.mark.parametrize(
    "room", sorted({path.parent for path in sources()}), ids=lambda room: room.relative_to(ROOT)
)
def test_printed_and_raised_texts_are_marked(room: Path) -> None:
    assert [
        remaining for path in sources() if path.parent == room for remaining in unmarked_texts(path)
    ] == []


def unmarked_texts(path: Path) -> list[tuple[str, int, str]]:
    """Return the unmarked texts with words that a module prints or raises, with their lines."""
    remaining = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or function_name(node) in MARKING:
            continue
        texts = [text for argument in printed_arguments(node) for text in literals(argument)]
        words = [text for text in texts if " " in text.strip() and WORD.search(text)]
        remaining += [(path.name, node.lineno, text) for text in words]
    return remaining


SAID = tomllib.loads(Path(__file__).with_name("said.toml").read_text(encoding="utf-8"))
COMMANDS = [shlex.split(line) for line in SAID["commands"]]


def text_outside_messages(output: str) -> str:
    """Return the text outside of all messages."""
    remaining, depth = "", 0
    for c in output:
        if c == CLOSE:
            depth -= 1
        if depth == 0 and c != CLOSE and c != OPEN:
            remaining += c
        if c == OPEN:
            depth += 1
    return remaining


def untranslated_pattern() -> re.Pattern[str]:
    """Return a pattern for texts that no language changes: names, commands and paths."""
    from engine.catalogue import load
    from engine.house_rules import house_rules
    from engine.ruleset import editions

    cards = {
        card.name for edition in editions() for side in load(edition).cards.values()
        for card in side.values() if not card.location
    }  # fmt: skip
    players = {"Anna (practice)", "Émile (practice)"}
    theirs = {"xx", "made up", "UTC", *players, *NAMES, *NAMES.values()}
    ids = {*editions(), *house_rules()}
    names = sorted(map(re.escape, cards | theirs | ids), key=len, reverse=True)
    command, section = r"acres( -?-?[A-Za-z]+|\s+\S*/\S*)*", r"docs/rules\.md, .*"
    return re.compile(
        "|".join([section, command, r"\S*/\S*", r"\S+\.toml", r"[0-9a-f]{4,}", r"<\S+>", *names])
    )


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_all_printed_is_a_message(command: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAVES)
    monkeypatch.setenv("COLUMNS", "160")
    with throwaway() as built:
        done = acres("--lang", CODE, *command, home=SAVES / "british")
    assert OPEN in done.out + done.err
    remaining = untranslated_pattern().sub(
        "", text_outside_messages(done.out) + text_outside_messages(done.err)
    )
    assert WORD.findall(remaining) == []
    assert built.unknown == set()

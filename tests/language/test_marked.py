"""Whatever is printed is a message that translators get to see."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.cli.using import ROOT, acres
from tests.language.throwaway import CLOSE, CODE, OPEN, throwaway

SAVES = ROOT / "saves" / "practice"
SAY = {
    "say", "say_whole", "say_aside", "say_hanging", "say_behind", "heading", "item", "warn", "fail",
    "ask", "ask_yes", "ask_secret", "yes_or_no", "note_written",
}  # fmt: skip
"""The functions of the console that print or ask."""
ERRORS = re.compile(
    r"(IllegalOrder|UnreadableOrder|WrongNumber|_NothingFits|Objection|WrongUse|Unreadable|NotProved"
    r"|BoxDamaged|DeckError|StepError|\w*Passphrase|BadParameter)"
)
WORDING = {"phrase", "phrase_in", "plural", "plural_in", "mark", "mark_in", "deed"}
WORD = re.compile(r"[A-Za-z]{2,}")


def sources() -> list[Path]:
    return sorted(path for name in ("engine", "pbem") for path in (ROOT / name).rglob("*.py"))


def called(node: ast.Call) -> str:
    function = node.func
    return getattr(function, "id", "") or getattr(function, "attr", "")


def literals(node: ast.AST) -> list[str]:
    """The words in a text that is printed as it stands in the source."""
    if isinstance(node, ast.Call):
        return []
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.FormattedValue):
        return [] if not isinstance(node.value, ast.IfExp) else literals(node.value)
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    return [text for child in ast.iter_child_nodes(node) for text in literals(child)]


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_is_printed_or_raised_is_marked(path):
    left = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or called(node) in WORDING:
            continue
        if called(node) in SAY or ERRORS.fullmatch(called(node)):
            told = node.args[:1] if ERRORS.fullmatch(called(node)) else node.args
            texts = [text for argument in told for text in literals(argument)]
            left += [(node.lineno, text) for text in texts if " " in text and WORD.search(text)]
    assert left == []

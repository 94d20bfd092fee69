"""Readers with one fault each, made by one change of the second implementation.

The test vectors distinguish each from a correct reader.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple
from unittest.mock import patch

from tests import vectors

HERE = Path(__file__).parent
PARTS = ("naive", "naive_deck", "naive_tables", "naive_toml", "naive_form", "naive_chain")
"""The checking modules of the second implementation, each after the modules that it imports."""


class WrongReader(NamedTuple):
    """A reader with one fault: the changed module, and a file that shows the fault."""

    fault: str
    module: str
    right: str
    wrong: str
    file: str

    def make(self) -> ModuleType:
        """Return the `naive_chain` of this reader."""
        text = source(self.module)
        assert text.count(self.right) == 1, self.fault
        return reader(self.module, text.replace(self.right, self.wrong))


class OmittedCheck(NamedTuple):
    """A reader without one check of a rule: the module, and its text without the check."""

    module: str
    rule: str
    fault: str
    text: str

    def make(self) -> ModuleType:
        """Return the `naive_chain` of this reader."""
        return reader(self.module, self.text)


def omit_checks() -> Iterator[OmittedCheck]:
    """Yield a reader without each condition of a rule, and without each operand of one."""
    for module in PARTS:
        text = source(module)
        for call in ast.walk(ast.parse(text)):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "need":
                condition, rule = call.args
                name = rule.value if isinstance(rule, ast.Constant) else ""
                for check, instead in _weaken(condition):
                    yield OmittedCheck(module, str(name), check, _replace(text, condition, instead))


def _weaken(condition: ast.expr) -> Iterator[tuple[str, str]]:
    """Yield each removable part of a condition, with the remaining condition."""
    yield ast.unparse(condition), "True"
    if isinstance(condition, ast.BoolOp):
        word = " and " if isinstance(condition.op, ast.And) else " or "
        for part in condition.values:
            rest = [f"({ast.unparse(one)})" for one in condition.values if one is not part]
            yield f"{ast.unparse(part)} of {ast.unparse(condition)}", f"({word.join(rest)})"


def _replace(text: str, part: ast.expr, instead: str) -> str:
    assert text.isascii()
    assert part.end_lineno is not None
    starts = [0, *accumulate(map(len, text.splitlines(keepends=True)))]
    begin = starts[part.lineno - 1] + part.col_offset
    end = starts[part.end_lineno - 1] + (part.end_col_offset or 0)
    return f"{text[:begin]}{instead}{text[end:]}"


def reader(module: str, text: str) -> ModuleType:
    """Return a `naive_chain` in which one module has another text."""
    patched: dict[str, ModuleType] = {}
    for name in PARTS:
        one = patched[name] = ModuleType(f"tests.vectors.{name}")
        one.__file__ = str(HERE / f"{name}.py")
        names = {f"tests.vectors.{part}": other for part, other in patched.items()}
        code = compile(text, name, "exec") if name == module else _code(name)
        with patch.dict(sys.modules, names), patch.dict(vars(vectors), patched):
            exec(code, one.__dict__)
    return patched["naive_chain"]


def source(module: str) -> str:
    """Return the text of a module of the second implementation."""
    return (HERE / f"{module}.py").read_text(encoding="utf-8")


@cache
def _code(module: str) -> CodeType:
    return compile(source(module), module, "exec")


_TABLE = (HERE / "tables" / "wrong_readers.toml").read_text(encoding="utf-8")
WRONG = tuple(WrongReader(**table) for table in tomllib.loads(_TABLE)["wrong"])

"""Mutants of a source file: copies with one small change.

Annotations, decorators, patterns of `match`, f-strings, code for type checkers, and sentences are
not changed, because tests cannot judge them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

PAIRS = (
    (ast.Add, ast.Sub),
    (ast.Mult, ast.FloorDiv),
    (ast.LShift, ast.RShift),
    (ast.BitAnd, ast.BitOr),
    (ast.And, ast.Or),
    (ast.Eq, ast.NotEq),
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Is, ast.IsNot),
    (ast.In, ast.NotIn),
    (ast.Break, ast.Continue),
)
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    **dict(PAIRS),
    **{second: first for first, second in PAIRS},
    **dict.fromkeys((ast.Div, ast.Mod, ast.Pow), ast.Mult),
    ast.BitXor: ast.BitAnd,
}
"""The operator or statement that replaces another."""
UNCHANGED_FIELDS = {"annotation", "returns", "decorator_list", "pattern"}
"""The fields of nodes that are never changed."""
UNCHANGED_CALLS = {"cast", "isinstance", "len"}
"""Functions whose changed calls always crash or have no effect."""
NONE = ast.Constant(None)
Changeable = ast.expr | ast.stmt


@dataclass(frozen=True)
class Mutant:
    """A change of a file: the new text of a node; `body` has the lines of its function."""

    file: str
    node: Changeable
    text: str
    body: range

    def apply(self, source: str) -> str:
        """Return the source with this change."""
        lines = source.encode().splitlines(keepends=True)
        first, last = self.node.lineno - 1, (self.node.end_lineno or 0) - 1
        before = lines[first][: self.node.col_offset]
        after = lines[last][self.node.end_col_offset :]
        changed = [*lines[:first], before, self.text.encode(), after, *lines[last + 1 :]]
        return b"".join(changed).decode()

    def diff(self, source: str) -> str:
        """Return the lines that differ, below the file and the line."""
        both = source.splitlines(), self.apply(source).splitlines()
        changed = list(unified_diff(*both, n=0, lineterm=""))[3:]
        return "\n".join([f"{self.file}:{self.node.lineno}", *changed])


def mutants(root: Path, room: str) -> Iterator[Mutant]:
    """Yield all mutants of a source file, or of all below a folder."""
    path = root / room
    for source in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
        file = str(source.relative_to(root))
        for node, new, body in _changes(ast.parse(source.read_bytes()), range(0)):
            text = ast.unparse(new)
            yield Mutant(file, node, f"({text})" if isinstance(node, ast.expr) else text, body)


def _changes(node: ast.AST, body: range) -> Iterator[tuple[Changeable, ast.AST, range]]:
    if _is_left_alone(node):
        return
    for changed, new in _changes_of(node):
        yield changed, new, body
    for name, value in ast.iter_fields(node):
        lines = body
        if name == "body" and isinstance(node, ast.FunctionDef):
            lines = range(node.body[0].lineno, (node.end_lineno or 0) + 1)
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in UNCHANGED_FIELDS:
                yield from _changes(child, lines)


def _changes_of(node: ast.AST) -> Iterator[tuple[Changeable, ast.AST]]:
    match node:
        case ast.Constant(value=bool(value)):
            yield node, ast.Constant(not value)
        case ast.Constant(value=int(number) | float(number)):
            yield node, ast.Constant(number + 1)
        case ast.Constant(value=str(text)):
            yield node, ast.Constant(f"XX{text}XX")
        case ast.Constant(value=bytes(label)):
            yield node, ast.Constant(b"XX" + label)
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                yield node, _with_fields(node, ops=[*ops[:at], SWAPS[type(op)](), *ops[at + 1 :]])
        case ast.BoolOp(op=op) | ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in SWAPS:
            yield node, _with_fields(node, op=SWAPS[type(op)]())
        case ast.Break() | ast.Continue():
            yield node, SWAPS[type(node)]()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, operand
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            yield value, ast.Constant("") if _is_none(value) else NONE
        case ast.Lambda(body=value):
            yield value, ast.Constant(0) if _is_none(value) else NONE
        case ast.IfExp(test=test):
            yield test, ast.Constant(False)
            yield test, ast.Constant(True)
        case ast.Call(args=args, keywords=keywords):
            yield from _fewer_arguments(node, "args", args)
            yield from _fewer_arguments(node, "keywords", keywords)


def _fewer_arguments(
    call: ast.Call, name: str, args: Sequence[ast.expr | ast.keyword]
) -> Iterator[tuple[Changeable, ast.AST]]:
    """Yield the call with None instead of each argument, or without one of several."""
    for at, arg in enumerate(args):
        value: ast.expr = arg.value if isinstance(arg, ast.keyword) else arg
        if _is_sentence(value):
            continue
        if not _is_none(value) and not isinstance(value, ast.Starred):
            yield value, NONE
        if len(call.args) + len(call.keywords) > 1:
            yield call, _with_fields(call, **{name: [*args[:at], *args[at + 1 :]]})


def _with_fields(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_sentence(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant | ast.JoinedStr) and ast.unparse(node).count(" ") > 1


def _is_left_alone(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.JoinedStr():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in UNCHANGED_CALLS
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Assign([ast.Name(id="__all__")]):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
    return _is_sentence(node)

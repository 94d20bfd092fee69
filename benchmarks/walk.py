"""A trace of one written turn: `python -m benchmarks.walk [--json]`.

Runs a real `turn apply` of the practice game and records the calls of each function of the project,
except calls during the import of a module.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import asdict, dataclass, field
from inspect import CO_OPTIMIZED
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType

ROOT = Path(__file__).parents[1]
GAME = ROOT / "saves" / "practice"
FILE = "game-041.toml"
ORDERS = ("block neutral", "take bost", "draft mil")
TRACED_ORDER = "draft mil"
"""The order whose call stack is recorded."""
RULE_METHOD = "perform"
"""The method of an action that carries out a legal order."""
BYTES_FUNCTION = "SaveFile.write"
"""The function that returns the bytes of the outgoing file."""


@dataclass
class Walk:
    """The trace of one turn: functions by module, and the call stack of one order at its rule.

    `frames` begin with the command; the first `before` frames have all orders, not a single one.
    `to_bytes` is the call stack at the function that returns the bytes of the file.
    """

    functions: dict[str, list[str]] = field(default_factory=dict)
    lines: int = 0
    frames: list[tuple[str, str]] = field(default_factory=list)
    before: int = 0
    to_bytes: list[tuple[str, str]] = field(default_factory=list)

    @property
    def from_order(self) -> list[tuple[str, str]]:
        """The frames from the first one with the order to its rule, inclusive."""
        return self.frames[self.before :]


class Follower:
    """A profile function that records the calls of functions in a folder."""

    def __init__(self, root: Path, order: str) -> None:
        self.root, self.order = f"{root.resolve()}/", order
        self.calls: defaultdict[str, set[str]] = defaultdict(set)
        self.frames: list[FrameType] = []
        self.stack: list[tuple[str, str]] = []
        self.before = 0
        self.to_bytes: list[tuple[str, str]] = []
        self._importing = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Record a call. Called by `sys.setprofile`."""
        code = frame.f_code
        if event not in ("call", "return") or not self._is_ours(code):
            return
        if code.co_name == "<module>":
            self._importing += 1 if event == "call" else -1
        elif event == "call" and not self._importing and code.co_flags & CO_OPTIMIZED:
            self.calls[self._module(code)].add(f"{code.co_qualname}:{code.co_firstlineno}")
            if code.co_name == RULE_METHOD:
                self._record_stack(frame)
            elif code.co_qualname == BYTES_FUNCTION:
                self.to_bytes = max(self.to_bytes, self._names_of(self._stack(frame)), key=len)

    def _is_ours(self, code: CodeType) -> bool:
        return code.co_filename.startswith(self.root) and "/site-packages/" not in code.co_filename

    def _module(self, code: CodeType) -> str:
        return code.co_filename.removeprefix(self.root)

    def _record_stack(self, frame: FrameType) -> None:
        """Record the longest stack on which the typed order reached its rule."""
        stack = self._stack(frame)
        order_indexes = [
            index for index, call in enumerate(stack) if self.order in _text_arguments(call)
        ]
        if order_indexes and len(stack) > len(self.stack):
            self.stack = self._names_of(stack)
            self.before = order_indexes[0]

    def _stack(self, frame: FrameType | None) -> list[FrameType]:
        """Return the frames of the project, starting with the command."""
        frames = []
        while frame is not None:
            # This module itself is not part of the stack.
            if self._is_ours(frame.f_code) and frame.f_code.co_filename != __file__:
                frames.append(frame)
            frame = frame.f_back
        return frames[::-1]

    def _names_of(self, frames: Iterable[FrameType]) -> list[tuple[str, str]]:
        return [(self._module(f.f_code), f.f_code.co_qualname) for f in frames]


def _text_arguments(frame: FrameType) -> Iterator[str]:
    """Yield the strings among the arguments of a call."""
    code = frame.f_code
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        if isinstance(value := frame.f_locals.get(name), str):
            yield value


def walk() -> Walk:
    """Answer a file of the practice game with the command, in this process."""
    from pbem.cli.main import main

    follower = Follower(ROOT, TRACED_ORDER)
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(GAME / "british", folder / "british")
        shutil.copy(GAME / FILE, folder)
        home = ["--home", str(folder / "british")]
        sys.argv = ["acres", *home, "turn", "apply", str(folder / FILE), *ORDERS]
        output = StringIO()
        # `acres` exits. If the turn was not written, the recorded stack is empty.
        with redirect_stdout(output), suppress(SystemExit):
            sys.setprofile(follower)
            try:
                main()
            finally:
                sys.setprofile(None)
    if not follower.stack:
        raise RuntimeError(
            f"The turn was not written, or no {RULE_METHOD} was called:\n{output.getvalue()}"
        )
    functions = {module: sorted(names) for module, names in sorted(follower.calls.items())}
    lines = sum(len((ROOT / module).read_text("utf-8").splitlines()) for module in functions)
    return Walk(functions, lines, follower.stack, follower.before, follower.to_bytes)


def main(arguments: Sequence[str]) -> int:
    """Print the trace, as JSON for `benchmarks.house`."""
    result = walk()
    if "--json" in arguments:
        print(json.dumps(asdict(result)))
        return 0
    for module, functions in result.functions.items():
        print(f"{len(functions):4}  {module}")
    number = sum(map(len, result.functions.values()))
    print(f"{len(result.functions)} modules of {result.lines} lines, {number} functions\n")
    print(f"The way of “{TRACED_ORDER}” to its rule, {len(result.frames)} frames;")
    print(f"{len(result.from_order)} of them, marked, from the order on:")
    for place, (module, function) in enumerate(result.frames):
        print(f"  {' ' if place < result.before else '>'} {module}  {function}")
    print(f"The way to the bytes of the file, {len(result.to_bytes)} frames:")
    for module, function in result.to_bytes:
        print(f"    {module}  {function}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""One written turn, walked through: `python -m benchmarks.walk [--json]`.

A real `turn apply` of the practice game runs here, written and all, and each function of the
project is counted that runs for it; what runs while a module is imported belongs to the import.
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
FOLLOWED = "draft mil"
"""The order whose way to its rule is told."""
RULE = "perform"
"""What the action of an order is called to do, once nothing speaks against it."""
BYTES = "SaveFile.write"
"""The function that makes the bytes of the file that goes out."""


@dataclass
class Walk:
    """What one turn passed through: functions by module, and the way of one order to its rule.

    `frames` begin with the command; the first `before` of them know all orders, not yet the one.
    `to_bytes` are those from the command to the bytes of its file.
    """

    functions: dict[str, list[str]] = field(default_factory=dict)
    lines: int = 0
    frames: list[tuple[str, str]] = field(default_factory=list)
    before: int = 0
    to_bytes: list[tuple[str, str]] = field(default_factory=list)

    @property
    def from_order(self) -> list[tuple[str, str]]:
        """The frames from the one that is given the order to its rule, both counted."""
        return self.frames[self.before :]


class Follower:
    """Told of every call, keeps those of functions that lie under a folder."""

    def __init__(self, root: Path, order: str) -> None:
        self.root, self.order = f"{root.resolve()}/", order
        self.called: defaultdict[str, set[str]] = defaultdict(set)
        self.frames: list[FrameType] = []
        self.way: list[tuple[str, str]] = []
        self.before = 0
        self.to_bytes: list[tuple[str, str]] = []
        self._importing = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """What `sys.setprofile` calls."""
        code = frame.f_code
        if event not in ("call", "return") or not self._is_ours(code):
            return
        if code.co_name == "<module>":
            self._importing += 1 if event == "call" else -1
        elif event == "call" and not self._importing and code.co_flags & CO_OPTIMIZED:
            self.called[self._module(code)].add(f"{code.co_qualname}:{code.co_firstlineno}")
            if code.co_name == RULE:
                self._arrive(frame)
            elif code.co_qualname == BYTES:
                self.to_bytes = max(self.to_bytes, self._named(self._stack(frame)), key=len)

    def _is_ours(self, code: CodeType) -> bool:
        return code.co_filename.startswith(self.root) and "/site-packages/" not in code.co_filename

    def _module(self, code: CodeType) -> str:
        return code.co_filename.removeprefix(self.root)

    def _arrive(self, frame: FrameType) -> None:
        """Keep the longest way on which the order, as it was typed, was handed to its rule."""
        stack = self._stack(frame)
        knows = [number for number, each in enumerate(stack) if self.order in _given(each)]
        if knows and len(stack) > len(self.way):
            self.way = self._named(stack)
            self.before = knows[0]

    def _stack(self, frame: FrameType | None) -> list[FrameType]:
        """Return the frames of the project, from the command on."""
        frames = []
        while frame is not None:
            # What runs this is no part of the way.
            if self._is_ours(frame.f_code) and frame.f_code.co_filename != __file__:
                frames.append(frame)
            frame = frame.f_back
        return frames[::-1]

    def _named(self, frames: Iterable[FrameType]) -> list[tuple[str, str]]:
        return [(self._module(each.f_code), each.f_code.co_qualname) for each in frames]


def _given(frame: FrameType) -> Iterator[str]:
    """The texts among the arguments of a call."""
    code = frame.f_code
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        if isinstance(given := frame.f_locals.get(name), str):
            yield given


def walk() -> Walk:
    """Answer a file of the practice game by the command, in this process."""
    from pbem.cli.main import main

    follower = Follower(ROOT, FOLLOWED)
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(GAME / "british", folder / "british")
        shutil.copy(GAME / FILE, folder)
        home = ["--home", str(folder / "british")]
        sys.argv = ["acres", *home, "turn", "apply", str(folder / FILE), *ORDERS]
        said = StringIO()
        # `acres` ends its process; a turn that was not written shows in the way, which is empty.
        with redirect_stdout(said), suppress(SystemExit):
            sys.setprofile(follower)
            try:
                main()
            finally:
                sys.setprofile(None)
    if not follower.way:
        raise RuntimeError(f"The turn was not written, or no {RULE} was called:\n{said.getvalue()}")
    functions = {module: sorted(called) for module, called in sorted(follower.called.items())}
    lines = sum(len((ROOT / module).read_text("utf-8").splitlines()) for module in functions)
    return Walk(functions, lines, follower.way, follower.before, follower.to_bytes)


def main(arguments: Sequence[str]) -> int:
    """Print the walk; as JSON for `benchmarks.house`."""
    found = walk()
    if "--json" in arguments:
        print(json.dumps(asdict(found)))
        return 0
    for module, functions in found.functions.items():
        print(f"{len(functions):4}  {module}")
    number = sum(map(len, found.functions.values()))
    print(f"{len(found.functions)} modules of {found.lines} lines, {number} functions\n")
    print(f"The way of “{FOLLOWED}” to its rule, {len(found.frames)} frames;")
    print(f"{len(found.from_order)} of them, marked, from the order on:")
    for place, (module, function) in enumerate(found.frames):
        print(f"  {' ' if place < found.before else '>'} {module}  {function}")
    print(f"The way to the bytes of the file, {len(found.to_bytes)} frames:")
    for module, function in found.to_bytes:
        print(f"    {module}  {function}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

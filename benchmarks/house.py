"""The measures of the house, from the code itself: `python -m benchmarks.house [--all]`.

A figure stands beside the bound that it keeps, and the exit status is 1 where one does not; or
beside what was planned, before the board, its pages and the robots were thought of. With --all
every place is named that a figure counts, else the first few where a bound fails.

A module that is named by a string is imported as well: a group of commands lists each as
`Late("…")`, and imports it when it is asked for. So a command that imports its group is a circle.
What no string says whole is not seen: `engine` itself has its modules by the names that it offers.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "pbem")
"""What is counted; one that is not there any more counts nothing."""
BY_STRING = {"import_module": "", "Late": "pbem.cli."}
"""The functions that are given the name of a module, and what stands before it."""
LONG_FILE = 400
SHOWN = 5

_MAY_BE_LATE = re.compile(r"^(?!from\b|import\b).*\bimport\b", re.MULTILINE)
"""In a source without such a line no function imports anything; it need not be parsed."""


@dataclass(frozen=True)
class Measure:
    """A figure and the most that it may be, if anything; `places` are what it counts.

    What was `planned` is told beside it, and is no bound.
    """

    what: str
    value: int
    bound: int | None = None
    places: list[str] = field(default_factory=list)
    planned: int | None = None

    @property
    def holds(self) -> bool:
        """Whether the bound is kept."""
        return self.bound is None or self.value <= self.bound

    def __str__(self) -> str:
        planned = "" if self.planned is None else f"planned {self.planned:,}"
        bound = planned if self.bound is None else f"at most {self.bound:,}"
        verdict = "" if self.bound is None else "holds" if self.holds else "MISSED"
        return f"{self.what:<58} {self.value:>7,}  {bound:<15} {verdict}".rstrip()


@dataclass(frozen=True)
class Module:
    """A source file: its name as it is imported, and what it says."""

    name: str
    path: Path

    @cached_property
    def source(self) -> str:
        """Its text."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """Its text, parsed."""
        return ast.parse(self.source)

    @property
    def lines(self) -> int:
        """Its lines, as `wc -l` counts them."""
        return self.source.count("\n")

    @property
    def is_package(self) -> bool:
        """Whether it is what a folder is imported as."""
        return self.path.name == "__init__.py"


def modules(root: Path, packages: Iterable[str] = PACKAGES) -> list[Module]:
    """All modules of some packages, sorted by name."""
    found = []
    for package in packages:
        for path in (root / package).rglob("*.py"):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found.append(Module(name, path))
    return sorted(found, key=lambda module: module.name)


# --- lines


def lines(found: Iterable[Module], within: str = "") -> int:
    """The lines of all modules, or of those within a package."""
    return sum(module.lines for module in found if _is_within(module.name, within))


def long_files(found: Iterable[Module], limit: int = LONG_FILE) -> list[str]:
    """The files that have more lines than that."""
    return [f"{module.name}: {module.lines}" for module in found if module.lines > limit]


def _is_within(name: str, package: str) -> bool:
    return not package or name == package or name.startswith(f"{package}.")


# --- imports


def layers(configuration: Mapping[str, object], container: str) -> list[str]:
    """The floors of a package, from the contract of import-linter."""
    contracts = configuration["tool"]["importlinter"]["contracts"]  # type: ignore[index]
    for contract in contracts:
        if contract["type"] == "layers" and container in contract.get("containers", []):
            return list(contract["layers"])
    raise ValueError(f"no contract has the layers of {container}")


def late_imports(found: Iterable[Module]) -> list[str]:
    """Where a statement inside a function imports something, whatever it is."""
    places: dict[str, None] = {}
    for module in found:
        for function in ast.walk(module.tree) if _MAY_BE_LATE.search(module.source) else ():
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                for node in ast.walk(function):
                    if isinstance(node, ast.Import | ast.ImportFrom):
                        places[f"{module.name}:{node.lineno}"] = None
    return list(places)


def type_checking_blocks(found: Iterable[Module]) -> list[str]:
    """Where something is imported for types alone."""
    return [
        f"{module.name}:{node.lineno}"
        for module in found
        for node in ast.walk(module.tree)
        if isinstance(node, ast.If) and _is_for_types(node)
    ]


def _is_for_types(node: ast.If) -> bool:
    return ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def imports(
    found: Sequence[Module], packages: Sequence[str] = PACKAGES, *, for_types: bool = True
) -> dict[str, set[str]]:
    """Which module of some packages imports which, late ones and those by string counted too.

    The packages are those that Python finds by their names; `found` are their modules.
    """
    graph = grimp.build_graph(
        *packages, cache_dir=None, exclude_type_checking_imports=not for_types
    )
    arrows = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    for module in found:
        arrows[module.name] |= (_by_string(module) & arrows.keys()) - {module.name}
    return arrows


def _by_string(module: Module) -> set[str]:
    """The modules that it imports by what a string says."""
    if not any(f"{function}(" in module.source for function in BY_STRING):
        return set()
    calls = (node for node in ast.walk(module.tree) if isinstance(node, ast.Call))
    return set().union(*map(_named_by_string, calls))


def _named_by_string(call: ast.Call) -> set[str]:
    """The module that a call imports, now or later, where a string says which; none otherwise."""
    of_function = ast.unparse(call.func).rpartition(".")[2]
    named = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
    within = BY_STRING.get(of_function)
    return {within + named} if within is not None and isinstance(named, str) else set()


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The sets of modules each of which imports, by way of others, every other of them.

    Tarjan's algorithm.
    """
    found: list[list[str]] = []
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []

    def visit(name: str) -> None:
        number[name] = lowest[name] = len(number)
        path.append(name)
        for other in sorted(graph[name]):
            if other not in number:
                visit(other)
            if other in path:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == number[name]:
            circle = path[path.index(name) :]
            del path[-len(circle) :]
            if len(circle) > 1:
                found.append(sorted(circle))

    for name in sorted(graph):
        if name not in number:
            visit(name)
    return sorted(found)


# --- names


def twice_named_classes(found: Iterable[Module]) -> list[str]:
    """Names that more than one class has, each with the modules."""
    where: defaultdict[str, list[str]] = defaultdict(list)
    for module in found:
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef):
                where[node.name].append(module.name)
    return _twice(where)


def twice_named_modules(found: Iterable[Module]) -> list[str]:
    """Names that more than one module has, each with where they are."""
    where: defaultdict[str, list[str]] = defaultdict(list)
    for module in found:
        package, _, name = module.name.rpartition(".")
        if package:
            where[name].append(module.name)
    return _twice(where)


def _twice(where: Mapping[str, list[str]]) -> list[str]:
    return [
        f"{name}: {', '.join(places)}" for name, places in sorted(where.items()) if len(places) > 1
    ]


def parameters(found: Iterable[Module], annotation: str) -> list[str]:
    """The functions that have a parameter of a type, by the words of its annotation."""
    places = []
    for module in found:
        for function in ast.walk(module.tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                given = function.args
                for each in (*given.posonlyargs, *given.args, *given.kwonlyargs):
                    if each.annotation and ast.unparse(each.annotation).strip("'") == annotation:
                        places.append(f"{module.name}:{function.lineno} {function.name}")
    return places


# --- all of them


def of_the_code(root: Path) -> Iterator[Measure]:
    """What the sources say of themselves, besides the bounds that they keep."""
    found = modules(root)
    yield Measure("lines of pbem/cli", lines(found, "pbem.cli"), planned=9_000)
    yield Measure("lines of engine and pbem together", lines(found), planned=33_000)
    circular = circles(imports(found))
    yield _counted("circles of imports, those for types counted too", _told(circular))
    yield _counted("TYPE_CHECKING blocks", type_checking_blocks(found))
    yield _counted("parameters of type typer.Context", parameters(found, "typer.Context"))
    yield _counted("names that more than one class has", twice_named_classes(found))
    yield _counted("names that more than one module has", twice_named_modules(found))


def kept_by_the_code(root: Path) -> Iterator[Measure]:
    """The bounds that the sources keep; every run of the tests checks them."""
    found = modules(root)
    floors = layers(tomllib.loads((root / "pyproject.toml").read_text("utf-8")), "pbem")
    yield Measure("import layers of pbem", len(floors), 10, floors)
    yield _counted("imports inside functions", late_imports(found), 60)
    circular = circles(imports(found, for_types=False))
    yield _counted("circles of imports, late ones counted", _told(circular), 0)
    yield _counted(f"files of more than {LONG_FILE} lines", long_files(found), 0)


def _told(circular: Iterable[Sequence[str]]) -> list[str]:
    return [", ".join(circle) for circle in circular]


def of_a_turn(walked: Callable[[], Mapping[str, object]]) -> Iterator[Measure]:
    """What one written turn passes through: `benchmarks.walk`."""
    walk = walked()
    functions: dict[str, list[str]] = walk["functions"]  # type: ignore[assignment]
    frames: list[list[str]] = walk["frames"]  # type: ignore[assignment]
    way = [" ".join(frame) for frame in frames]
    called = [f"{name}: {len(each)}" for name, each in functions.items()]
    yield Measure("modules that a written turn passes through", len(called), None, called, 70)
    yield Measure("functions of these that it calls", sum(map(len, functions.values())))
    yield Measure("lines of these modules", int(str(walk["lines"])))
    yield _counted("frames from the command to the rule of one order", way)
    yield _counted("frames from the order to its rule", way[int(str(walk["before"])) :], 10)


def _counted(what: str, places: list[str], bound: int | None = None) -> Measure:
    return Measure(what, len(places), bound, places)


def _walk() -> dict[str, object]:
    """The walk of a turn, in a process where nothing has been read or kept before."""
    command = [sys.executable, "-m", "benchmarks.walk", "--json"]
    told = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    walked: dict[str, object] = json.loads(told.stdout)
    return walked


def main(arguments: list[str]) -> int:
    """Print every measure; return the exit status."""
    parser = ArgumentParser("python -m benchmarks.house", description="Measure the house.")
    parser.add_argument("--all", action="store_true", help="name every place that is counted")
    everything = parser.parse_args(arguments).all
    measured = []
    for measure in (*kept_by_the_code(ROOT), *of_the_code(ROOT), *of_a_turn(_walk)):
        print(measure, flush=True)
        measured.append(measure)
        shown = measure.places if everything else [] if measure.holds else measure.places[:SHOWN]
        for place in shown:
            print(f"    {place}")
        if not everything and not measure.holds and len(measure.places) > SHOWN:
            print(f"    and {len(measure.places) - SHOWN} more: --all")
    missed = sum(not measure.holds for measure in measured)
    print(f"{missed} of {sum(m.bound is not None for m in measured)} bounds do not hold")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The measures of the house, from the code itself: `python -m benchmarks.house [--all]`.

Every figure stands beside its bound, and the exit status is 1 if one is missed. The bounds are the
budgets of the code: a change that lowers a figure for good lowers its bound, and raising one needs
a sentence under "Internal" in CHANGELOG.md. With --all every place that a figure counts is listed,
otherwise the first few if its bound is missed.

Lines of code are those that are neither blank nor comment nor docstring. A module that is named by
a string is imported as well: a group of commands lists each as `LazyCommand("…")`, and imports it
when it is asked for. So a command that imports its group is a circle. `engine` itself has its
modules by the names that it offers, which this does not see.
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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "pbem")
"""What is counted; one that is not there any more counts nothing."""
BY_STRING = {"import_module": "", "LazyCommand": "pbem.cli."}
"""The functions that are given the name of a module, and what stands before it."""
REGISTRIES = ("engine.actions", "engine.players.plans", "pbem.web.routes")
"""Modules that name others one by one: the actions, the plans, the pages."""
SHOWN = 5
ROOMS: dict[str, tuple[list[str], int]] = {
    "engine": (["engine"], 5_663),
    "errors, foreign, sources": (["pbem.errors", "pbem.foreign", "pbem.sources"], 364),
    "protocol": (["pbem.protocol"], 2_268),
    "savefile": (["pbem.savefile"], 612),
    "play": (["pbem.play"], 5_594),
    "text": (["pbem.text"], 7_116),
    "board": (["pbem.board"], 1_296),
    "mail": (["pbem.mail"], 1_266),
    "web": (["pbem.web"], 2_368),
    "cli": (["pbem.cli"], 6_681),
}
"""The rooms of the house, each with its packages and its budget in lines of code."""
BROWSER, BROWSER_LINES = (".js", ".css", ".html", ".svg"), 2_547
"""The endings of scripts, styles and templates, and the budget of all of them together."""
_BROWSER_COMMENT = re.compile(
    r"/\*.*?\*/|<!--.*?-->|\{#.*?#\}|^\s*//[^\n]*$", re.DOTALL | re.MULTILINE
)

_MAY_BE_LATE = re.compile(r"^(?!from\b|import\b).*\bimport\b", re.MULTILINE)
"""In a source without such a line no function imports anything; it need not be parsed."""


@dataclass(frozen=True)
class Measure:
    """A figure and the most that it may be; `places` are what it counts."""

    name: str
    value: int
    bound: int
    places: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """True if the bound is kept."""
        return self.value <= self.bound

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "MISSED"
        return f"{self.name:<58} {self.value:>7,}  at most {self.bound:>7,}  {verdict}"


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
        """The number of its lines, as `wc -l` counts them."""
        return self.source.count("\n")

    @cached_property
    def code_lines(self) -> int:
        """The number of its lines that are neither blank nor comment nor docstring."""
        documented: set[int] = set()
        for node in ast.walk(self.tree):
            match node:
                case ast.Expr(value=ast.Constant(value=str()), end_lineno=int(last)):
                    documented.update(range(node.lineno, last + 1))
        lines = enumerate(map(str.strip, self.source.splitlines()), 1)
        return sum(
            number not in documented and bool(line) and line[0] != "#" for number, line in lines
        )

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


def within(found: Iterable[Module], packages: Sequence[str]) -> list[Module]:
    """Return the modules that are some packages or in them."""
    return [m for m in found if any(is_within(m.name, package) for package in packages)]


def code_lines(found: Iterable[Module]) -> int:
    """Return the lines of code of some modules."""
    return sum(module.code_lines for module in found)


def browser_lines(root: Path, packages: Iterable[str] = PACKAGES) -> int:
    """Return how many lines of scripts, styles and templates are neither blank nor comment."""
    texts = (
        path.read_text(encoding="utf-8")
        for package in packages
        for path in (root / package).rglob("*")
        if path.suffix in BROWSER
    )
    return sum(
        bool(line.strip()) for text in texts for line in _BROWSER_COMMENT.sub("", text).splitlines()
    )


def is_within(name: str, package: str) -> bool:
    """Return True if a module is that package, or in it."""
    return name == package or name.startswith(f"{package}.")


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


def imports(found: Sequence[Module], packages: Sequence[str] = PACKAGES) -> dict[str, set[str]]:
    """Which module of some packages imports which: late, for types and by string counted too.

    The packages are those that Python finds by their names; `found` are their modules.
    """
    graph = grimp.build_graph(*packages, cache_dir=None)
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


def named_by_string(found: Iterable[Module]) -> set[str]:
    """Return the modules that others import by strings, such as those of commands."""
    return set().union(*map(_by_string, found))


def single_importers(
    graph: Mapping[str, set[str]], registered: Collection[str] = frozenset()
) -> list[str]:
    """Return the modules that exactly one other module imports.

    Packages are left out, and modules that a registry names: `registered`, or by one of REGISTRIES.
    """
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for name, imported in graph.items():
        for other in imported:
            importers[other].add(name)
    packages = {name.rpartition(".")[0] for name in graph}
    return [
        f"{name}: {next(iter(others))}"
        for name, others in sorted(importers.items())
        if len(others) == 1
        and name not in packages
        and name not in registered
        and others.isdisjoint(REGISTRIES)
    ]


def docstrings_beginning(found: Iterable[Module], words: tuple[str, ...]) -> list[str]:
    """Return the places of docstrings whose first line begins with one of some words."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        f"{module.name}:{getattr(node, 'lineno', 1)}"
        for module in found
        for node in ast.walk(module.tree)
        if isinstance(node, kinds) and (ast.get_docstring(node) or "").startswith(words)
    ]


# --- all of them


def of_the_code(root: Path) -> Iterator[Measure]:
    """Measure the sources; every run of the tests checks these bounds."""
    found = modules(root)
    for room, (packages, budget) in ROOMS.items():
        inside = within(found, packages)
        raw = sum(module.lines for module in inside)
        yield Measure(f"lines of code of {room} ({raw:,} in all)", code_lines(inside), budget)
    yield Measure("lines of scripts, styles and templates", browser_lines(root), BROWSER_LINES)
    yield Measure("modules", len(found), 211)
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    yield _counted("runtime dependencies", project["project"]["dependencies"], 12)
    yield _counted("import layers of pbem", layers(project, "pbem"), 8)
    yield _counted("imports inside functions", late_imports(found), 53)
    graph = imports(found)
    circular = [", ".join(circle) for circle in circles(graph)]
    yield _counted("circles of imports, late ones and those for types counted", circular, 0)
    single = single_importers(graph, named_by_string(found))
    yield _counted("modules with one importer, which no registry names", single, 16)
    yield _counted("TYPE_CHECKING blocks", type_checking_blocks(found), 5)
    yield _counted("parameters of type typer.Context", parameters(found, "typer.Context"), 7)
    yield _counted("names that more than one class has", twice_named_classes(found), 9)
    yield _counted("names that more than one module has", twice_named_modules(found), 11)
    openings = ("What ", "The same ", "Whether ", "Who ")
    yield _counted("docstrings in a private idiom", docstrings_beginning(found, openings), 143)
    yield Measure("lines of code of tests", code_lines(modules(root, ["tests"])), 53_420)
    catalogues = (root / "pbem").rglob("*.po")
    longest = max(path.read_text("utf-8").count("\n") for path in catalogues)
    yield Measure("lines of the longest catalogue of messages", longest, 11_981)


def of_a_turn(walked: Callable[[], Mapping[str, object]]) -> Iterator[Measure]:
    """Measure what one written turn passes through: `benchmarks.walk`."""
    walk = walked()
    functions: dict[str, list[str]] = walk["functions"]  # type: ignore[assignment]
    frames: list[list[str]] = walk["frames"]  # type: ignore[assignment]
    way = [" ".join(frame) for frame in frames]
    called = [f"{name}: {len(each)}" for name, each in functions.items()]
    yield _counted("modules that a written turn passes through", called, 65)
    yield Measure("functions of these that it calls", sum(map(len, functions.values())), 1_162)
    yield _counted("frames from the command to the rule of one order", way, 10)
    yield _counted("frames from the order to its rule", way[int(str(walk["before"])) :], 7)
    to_bytes: list[list[str]] = walk["to_bytes"]  # type: ignore[assignment]
    yield _counted("frames from the command to the bytes", [" ".join(f) for f in to_bytes], 8)


def _counted(name: str, places: list[str], bound: int) -> Measure:
    return Measure(name, len(places), bound, places)


def _walk() -> dict[str, object]:
    """Return the walk of a turn, in a process where nothing has been read or kept before."""
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
    for measure in (*of_the_code(ROOT), *of_a_turn(_walk)):
        print(measure, flush=True)
        measured.append(measure)
        shown = measure.places if everything else [] if measure.holds else measure.places[:SHOWN]
        for place in shown:
            print(f"    {place}")
        if not everything and not measure.holds and len(measure.places) > SHOWN:
            print(f"    and {len(measure.places) - SHOWN} more: --all")
    missed = sum(not measure.holds for measure in measured)
    print(f"{missed} of {len(measured)} bounds are missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

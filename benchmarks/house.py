"""Metrics of the source code and their bounds: `python -m benchmarks.house [--all]`.

Every figure is printed with its bound, and the exit status is 1 if a bound is missed. The bounds
are the budgets of the code. A change that lowers a figure for good lowers its bound, and raising
one needs a sentence under "Internal" in CHANGELOG.md. With --all every place that a figure counts
is listed, otherwise the first few places of each bound that is missed.

Lines of code are those that are neither blank nor comment nor docstring. A module that a string
names counts as imported. A group lists each command as `LazyCommand("…")` and imports it on use,
so a command that imports its group makes a cycle. Lazy names in `engine/__init__` do not count.
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
"""The measured packages; a missing one counts as empty."""
IMPORT_FUNCTIONS = {"import_module": "", "LazyCommand": "pbem.cli."}
"""The functions that import a module by its name, with the prefix of the name."""
REGISTRIES = ("engine.actions", "engine.players.plans", "pbem.web.routes")
"""The modules that register others: the actions, the plans, the pages."""
IDIOM_PATTERN = re.compile(r"\A(?:The same|Whether|Who)\b|\b(?:what|where)\b", re.IGNORECASE)
"""Patterns that docstrings avoid: openings, and words in the place of a noun or of *if*."""
VERBLESS_PATTERN = re.compile(
    r"(?:The|An?|All|Those|These|This|That|How|Which|One|Each|Every|If|Its?|When|No|Nothing|As)\b"
)
"""Words that do not begin the docstring of a function, which begins with a verb."""
VALUE_DECORATORS = re.compile(r"\b(?:property|cached_property|fixture)\b|\.setter\b")
"""Decorators of functions that are documented as values."""
DOCTEST_PATTERN = re.compile(r"^ *(?:>>>|\$) .*?(?:\n *\n|\Z)", re.DOTALL | re.MULTILINE)
PARTICIPLE_PATTERN = re.compile(
    "_*(?:told|found|given|taken|kept|said|meant|asked|shown|made|seen|each|what"
    "|begun|called|listed|otherwise|there)_*"
)
"""Names that do not name their value: participles and pronouns."""
MAX_LISTED = 5
ROOMS: dict[str, tuple[list[str], int]] = {
    "engine": (["engine"], 5_680),
    "errors, foreign, sources": (["pbem.errors", "pbem.foreign", "pbem.sources"], 416),
    "protocol": (["pbem.protocol"], 2_375),
    "savefile": (["pbem.savefile"], 706),
    "play": (["pbem.play"], 6_120),
    "text": (["pbem.text"], 7_560),
    "board": (["pbem.board"], 1_426),
    "mail": (["pbem.mail"], 1_340),
    "web": (["pbem.web"], 3_840),
    "club": (["pbem.club"], 1_800),
    "cli": (["pbem.cli"], 7_290),
}
"""The rooms with their packages and their budgets in lines of code."""
BROWSER_SUFFIXES, BROWSER_LINES = (".js", ".css", ".html", ".svg"), 4_690
"""The suffixes of scripts, styles and templates, and their common budget in lines."""
_BROWSER_COMMENT = re.compile(
    r"/\*.*?\*/|<!--.*?-->|\{#.*?#\}|^\s*//[^\n]*$", re.DOTALL | re.MULTILINE
)

_INDENTED_IMPORT = re.compile(r"^(?!from\b|import\b).*\bimport\b", re.MULTILINE)
"""A line that may import within a function; a source without one need not be parsed."""


@dataclass(frozen=True)
class Measure:
    """A figure, its bound, and the places that it counts."""

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
    """A source file with its dotted name."""

    name: str
    path: Path

    @cached_property
    def source(self) -> str:
        """The text of the file."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree of the file."""
        return ast.parse(self.source)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the tree: walking it takes longer than parsing it."""
        return [*ast.walk(self.tree)]

    @property
    def lines(self) -> int:
        """The number of lines, as counted by `wc -l`."""
        return self.source.count("\n")

    @cached_property
    def code_lines(self) -> int:
        """The number of lines that are neither blank nor comment nor docstring."""
        documented: set[int] = set()
        for node in self.nodes:
            match node:
                case ast.Expr(value=ast.Constant(value=str()), end_lineno=int(last)):
                    documented.update(range(node.lineno, last + 1))
        lines = enumerate(map(str.strip, self.source.splitlines()), 1)
        return sum(
            number not in documented and bool(line) and line[0] != "#" for number, line in lines
        )

    @property
    def is_package(self) -> bool:
        """True if the file is the `__init__` of a package."""
        return self.path.name == "__init__.py"


def read_modules(root: Path, packages: Iterable[str] = PACKAGES) -> list[Module]:
    """Return all modules of some packages, sorted by name."""
    modules = []
    for package in packages:
        for path in (root / package).rglob("*.py"):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            modules.append(Module(name, path))
    return sorted(modules, key=lambda module: module.name)


# --- lines


def within(modules: Iterable[Module], packages: Sequence[str]) -> list[Module]:
    """Return the modules that are in some packages, and these packages."""
    return [m for m in modules if any(is_within(m.name, package) for package in packages)]


def code_lines(modules: Iterable[Module]) -> int:
    """Return the total number of lines of code of some modules."""
    return sum(module.code_lines for module in modules)


def browser_lines(root: Path, packages: Iterable[str] = PACKAGES) -> int:
    """Return the number of lines of scripts, styles and templates without blanks and comments."""
    texts = (
        path.read_text(encoding="utf-8")
        for package in packages
        for path in (root / package).rglob("*")
        if path.suffix in BROWSER_SUFFIXES
    )
    return sum(
        bool(line.strip()) for text in texts for line in _BROWSER_COMMENT.sub("", text).splitlines()
    )


def is_within(name: str, package: str) -> bool:
    """Return True if a module is a package or is in it."""
    return name == package or name.startswith(f"{package}.")


# --- imports


def layers(configuration: Mapping[str, object], container: str) -> list[str]:
    """Return the layers of a package, from its contract of import-linter."""
    contracts = configuration["tool"]["importlinter"]["contracts"]  # type: ignore[index]
    for contract in contracts:
        if contract["type"] == "layers" and container in contract.get("containers", []):
            return list(contract["layers"])
    raise ValueError(f"no contract has the layers of {container}")


def lazy_imports(modules: Iterable[Module]) -> list[str]:
    """Return the places of import statements inside functions."""
    places: dict[str, None] = {}
    for module in modules:
        for function in module.nodes if _INDENTED_IMPORT.search(module.source) else ():
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                for node in ast.walk(function):
                    if isinstance(node, ast.Import | ast.ImportFrom):
                        places[f"{module.name}:{node.lineno}"] = None
    return list(places)


def type_checking_blocks(modules: Iterable[Module]) -> list[str]:
    """Return the places of `TYPE_CHECKING` blocks."""
    return [
        f"{module.name}:{node.lineno}"
        for module in modules
        for node in module.nodes
        if isinstance(node, ast.If) and _is_for_types(node)
    ]


def _is_for_types(node: ast.If) -> bool:
    return ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def imports(modules: Sequence[Module], packages: Sequence[str] = PACKAGES) -> dict[str, set[str]]:
    """Return the imports of each module, including lazy ones, those for types, and by string.

    Python finds the packages by name; `modules` are the modules in them.
    """
    graph = grimp.build_graph(*packages, cache_dir=None)
    arrows = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    for module in modules:
        arrows[module.name] |= (_by_string(module) & arrows.keys()) - {module.name}
    return arrows


def _by_string(module: Module) -> set[str]:
    """Return the modules that a module imports by strings."""
    if not any(f"{function}(" in module.source for function in IMPORT_FUNCTIONS):
        return set()
    calls = (node for node in module.nodes if isinstance(node, ast.Call))
    return set().union(*map(_module_in_call, calls))


def _module_in_call(call: ast.Call) -> set[str]:
    """Return the module that a call imports or will import by string, if any."""
    function = ast.unparse(call.func).rpartition(".")[2]
    module = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
    within = IMPORT_FUNCTIONS.get(function)
    return {within + module} if within is not None and isinstance(module, str) else set()


def import_cycles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected components with more than one module, sorted.

    Tarjan's algorithm.
    """
    components: list[list[str]] = []
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
            cycle = path[path.index(name) :]
            del path[-len(cycle) :]
            if len(cycle) > 1:
                components.append(sorted(cycle))

    for name in sorted(graph):
        if name not in number:
            visit(name)
    return sorted(components)


# --- names


def repeated_class_names(modules: Iterable[Module]) -> list[str]:
    """Return the names of more than one class, each with its modules."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for module in modules:
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(module.name)
    return _repeated(places)


def repeated_module_names(modules: Iterable[Module]) -> list[str]:
    """Return the names of more than one module, each with its packages."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for module in modules:
        package, _, name = module.name.rpartition(".")
        if package:
            places[name].append(module.name)
    return _repeated(places)


def _repeated(places: Mapping[str, list[str]]) -> list[str]:
    return [
        f"{name}: {', '.join(modules)}"
        for name, modules in sorted(places.items())
        if len(modules) > 1
    ]


def parameters(modules: Iterable[Module], annotation: str) -> list[str]:
    """Return the functions that have a parameter with an annotation."""
    places = []
    for module in modules:
        for function in module.nodes:
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                args = function.args
                for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
                    if arg.annotation and ast.unparse(arg.annotation).strip("'") == annotation:
                        places.append(f"{module.name}:{function.lineno} {function.name}")
    return places


def lazily_imported_modules(modules: Iterable[Module]) -> set[str]:
    """Return the modules that others import by string, for example commands."""
    return set().union(*map(_by_string, modules))


def single_importers(
    graph: Mapping[str, set[str]], registered: Collection[str] = frozenset()
) -> list[str]:
    """Return the modules that exactly one other module imports.

    Packages do not count, nor do modules in `registered` or imported by one of `REGISTRIES`.
    """
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for name, imported in graph.items():
        for other in imported:
            importers[other].add(name)
    packages = {name.rpartition(".")[0] for name in graph}
    return [
        f"{name}: {next(iter(importer_names))}"
        for name, importer_names in sorted(importers.items())
        if len(importer_names) == 1
        and name not in packages
        and name not in registered
        and importer_names.isdisjoint(REGISTRIES)
    ]


def idiomatic_docstrings(modules: Iterable[Module]) -> list[str]:
    """Return the places of docstrings with a pattern of `IDIOM_PATTERN` outside their doctests.

    Docstrings of commands do not count, because they are the help for players.
    """
    modules = list(modules)
    commands = {
        node.value
        for module in modules
        if "LazyCommand(" in module.source
        for node in module.nodes
        if isinstance(node, ast.Constant)
    }
    lazy = lazily_imported_modules(modules)
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        f"{module.name}:{getattr(node, 'lineno', 1)}"
        for module in modules
        for node in module.nodes
        if isinstance(node, kinds)
        and IDIOM_PATTERN.search(DOCTEST_PATTERN.sub("", ast.get_docstring(node) or ""))
        if not (module.name in lazy and getattr(node, "name", None) in commands)
    ]


def verbless_docstrings(modules: Iterable[Module]) -> list[str]:
    """Return the places of functions outside tests with docstrings like `VERBLESS_PATTERN`."""
    return [
        f"{module.name}:{node.lineno}"
        for module in modules
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and VERBLESS_PATTERN.match(ast.get_docstring(node) or "")
        and not node.name.startswith("test_")
        and not any(VALUE_DECORATORS.search(ast.unparse(name)) for name in node.decorator_list)
    ]


def participles(modules: Iterable[Module]) -> list[str]:
    """Return the places of definitions and variables with names like `PARTICIPLE_PATTERN`."""
    return [
        f"{module.name}:{getattr(node, 'lineno', 0)} {name}"
        for module in modules
        for node in module.nodes
        if PARTICIPLE_PATTERN.fullmatch(name := _bound_name(node))
    ]


def _bound_name(node: ast.AST) -> str:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
            return name
        case ast.Attribute(attr=name, ctx=ast.Store()):
            return name
    return ""


# --- all metrics


def source_measures(root: Path) -> Iterator[Measure]:
    """Yield the metrics of the sources, whose bounds the tests check."""
    modules = read_modules(root)
    for room, (packages, budget) in ROOMS.items():
        inside = within(modules, packages)
        raw = sum(module.lines for module in inside)
        yield Measure(f"lines of code of {room} ({raw:,} in all)", code_lines(inside), budget)
    yield Measure("lines of scripts, styles and templates", browser_lines(root), BROWSER_LINES)
    yield Measure("modules", len(modules), 236)
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    # tomlkit, the 13th, keeps a player's comments in settings; it replaced 25 lines of our own.
    yield _count_places("runtime dependencies", project["project"]["dependencies"], 13)
    yield _count_places("import layers of pbem", layers(project, "pbem"), 8)
    yield _count_places("imports inside functions", lazy_imports(modules), 58)
    graph = imports(modules)
    cycles = [", ".join(cycle) for cycle in import_cycles(graph)]
    yield _count_places("cycles of imports, late ones and those for types counted", cycles, 0)
    single = single_importers(graph, lazily_imported_modules(modules))
    yield _count_places("modules with one importer, which no registry names", single, 18)
    yield _count_places("TYPE_CHECKING blocks", type_checking_blocks(modules), 5)
    yield _count_places("parameters of type typer.Context", parameters(modules, "typer.Context"), 8)
    yield _count_places("names that more than one class has", repeated_class_names(modules), 2)
    yield _count_places("names that more than one module has", repeated_module_names(modules), 10)
    tests, other_modules = (
        read_modules(root, ["tests"]),
        read_modules(root, ["benchmarks", "tools"]),
    )
    documented = [*modules, *other_modules, *tests]
    yield _count_places("docstrings in a private idiom", idiomatic_docstrings(documented), 0)
    yield _count_places(
        "docstrings of functions without a verb", verbless_docstrings(documented), 0
    )
    yield _count_places("names that are participles", participles([*modules, *other_modules]), 0)
    yield Measure("lines of code of tests", code_lines(tests), 54_700)
    catalogues = (root / "pbem").rglob("*.po")
    longest = max(path.read_text("utf-8").count("\n") for path in catalogues)
    yield Measure("lines of the longest catalogue of messages", longest, 11_800)


def turn_measures(read_walk: Callable[[], Mapping[str, object]]) -> Iterator[Measure]:
    """Yield the metrics of the call path of one turn, from `benchmarks.walk`."""
    walk = read_walk()
    functions: dict[str, list[str]] = walk["functions"]  # type: ignore[assignment]
    frames: list[list[str]] = walk["frames"]  # type: ignore[assignment]
    frame_lines = [" ".join(frame) for frame in frames]
    module_lines = [f"{name}: {len(names)}" for name, names in functions.items()]
    yield _count_places("modules that a written turn passes through", module_lines, 67)
    yield Measure("functions of these that it calls", sum(map(len, functions.values())), 1_195)
    yield _count_places("frames from the command to the rule of one order", frame_lines, 10)
    yield _count_places(
        "frames from the order to its rule", frame_lines[int(str(walk["before"])) :], 7
    )
    to_bytes: list[list[str]] = walk["to_bytes"]  # type: ignore[assignment]
    yield _count_places("frames from the command to the bytes", [" ".join(f) for f in to_bytes], 8)


def _count_places(name: str, places: list[str], bound: int) -> Measure:
    return Measure(name, len(places), bound, places)


def _walk() -> dict[str, object]:
    """Return the trace of a turn in a new process with empty caches."""
    command = [sys.executable, "-m", "benchmarks.walk", "--json"]
    process = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    walk_data: dict[str, object] = json.loads(process.stdout)
    return walk_data


def main(arguments: list[str]) -> int:
    """Print every metric, and return the exit status."""
    parser = ArgumentParser("python -m benchmarks.house", description="Measure the house.")
    parser.add_argument("--all", action="store_true", help="name every place that is counted")
    list_all = parser.parse_args(arguments).all
    measures = []
    for measure in (*source_measures(ROOT), *turn_measures(_walk)):
        print(measure, flush=True)
        measures.append(measure)
        places = (
            measure.places if list_all else [] if measure.holds else measure.places[:MAX_LISTED]
        )
        for place in places:
            print(f"    {place}")
        if not list_all and not measure.holds and len(measure.places) > MAX_LISTED:
            print(f"    and {len(measure.places) - MAX_LISTED} more: --all")
    missed_count = sum(not measure.holds for measure in measures)
    print(f"{missed_count} of {len(measures)} bounds are missed")
    return 1 if missed_count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

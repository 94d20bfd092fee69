"""Packages import, and are imported by, the packages that their docstrings name."""

from __future__ import annotations

import re
import sys
import tomllib
from ast import (
    AST,
    Attribute,
    Call,
    Constant,
    FunctionDef,
    Import,
    ImportFrom,
    Load,
    Name,
    arg,
    get_docstring,
    parse,
    unparse,
    walk,
)
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
ROOMS = sorted(
    ".".join(path.parent.relative_to(ROOT).parts)
    for package in ("engine", "pbem")
    for path in (ROOT / package).rglob("__init__.py")
)
_PART = r"((?:`[^`]*`|[^`.;])*)"
FORM = re.compile(rf"Called by {_PART}; calls {_PART}\.")
"""A sentence with rooms; `below` adds the rooms that they call, and `above` their callers."""
Arrows = Mapping[str, set[str]]


def is_in(module: str, room: str) -> bool:
    return f"{module}.".startswith(f"{room}.")


def outermost_room(room: str, module: str) -> str:
    """Return the largest room of a module that does not contain another room as well."""
    own, other = room.split("."), module.split(".")
    common = len([*takewhile(lambda pair: pair[0] == pair[1], zip(own, other, strict=False))])
    name = ".".join(other[: common + 1])
    return (
        name
        if name in ROOMS or name in ("pbem.foreign", "pbem.sources")
        else ".".join(other[:common])
    )


@cache
def import_graph() -> grimp.ImportGraph:
    return grimp.build_graph("engine", "pbem", cache_dir=None)


@cache
def room_imports() -> tuple[Arrows, Arrows]:
    """Return the rooms that import each room, and the rooms that each room imports."""
    graph = import_graph()
    callers: dict[str, set[str]] = {room: set() for room in ROOMS}
    called: dict[str, set[str]] = {room: set() for room in ROOMS}
    for module in graph.modules:
        # `pbem` itself has only its version.
        for other in graph.find_modules_directly_imported_by(module) - {"pbem"}:
            for room in ROOMS:
                if is_in(module, room) and not is_in(other, room):
                    called[room].add(outermost_room(room, other))
                if is_in(other, room) and not is_in(module, room):
                    callers[room].add(outermost_room(room, module))
    return callers, called


def rooms_reached(start: set[str], arrows: Arrows) -> set[str]:
    """Return the rooms that can be reached from some rooms."""
    reachable: set[str] = set()
    ahead = list(start)
    while ahead:
        new = arrows.get(ahead.pop(), set()) - reachable
        reachable |= new
        ahead += new
    return reachable


@pytest.mark.parametrize("room", ROOMS)
def test_package_docstring_names_its_callers_and_callees(room: str) -> None:
    source = ROOT.joinpath(*room.split("."), "__init__.py").read_text(encoding="utf-8")
    sentence = FORM.search(" ".join((get_docstring(parse(source)) or "").split()))
    assert sentence, "its docstring has no sentence `Called by …; calls ….`"
    for part, which in zip(sentence.groups(), room_imports(), strict=True):
        neighbours, names = which[room], re.findall("`(.*?)`", part)
        named = {
            other for other in neighbours for name in names if f".{other}".endswith(f".{name}")
        }
        assert [n for n in names if not any(f".{o}".endswith(f".{n}") for o in neighbours)] == []
        # A caller of the surrounding room does not call this room.
        outer = {other for other in named if is_in(room, other)}
        beyond = rooms_reached(named - outer, which) if re.search("below|above", part) else set()
        assert neighbours - named - beyond == set(), f"left out of: {part}"


def test_architecture_page_lists_rooms_below_their_callers() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    plan = text.partition("\npbem/\n")[2].partition("\ntests/")[0]
    rooms = [f"pbem.{name}" for name in re.findall(r"^  (\w+)[/.]", plan, re.M)]
    assert {*rooms} == {
        "pbem.foreign",
        "pbem.sources",
        *(r for r in ROOMS if re.fullmatch(r"pbem\.\w+", r)),
    }
    _, called = room_imports()
    for number, room in enumerate(rooms):
        assert called.get(room, set()) & {*rooms[number + 1 :]} == set(), room


def test_rooms_have_checked_import_layers() -> None:
    """Every module is in the layers of its room, or no module of its room imports it."""
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    graph, checked = import_graph(), set()
    for contract in configuration["tool"]["importlinter"]["contracts"]:
        if contract["type"] != "layers":
            continue
        (container,) = contract["containers"]
        checked.add(container)
        listed = {
            f"{container}.{name}" for name in re.findall(r"\w+", " ".join(contract["layers"]))
        }
        unlisted = set() if contract.get("exhaustive") else graph.find_children(container) - listed
        for module in unlisted:
            importers = graph.find_modules_that_directly_import(module)
            inside = sorted(name for name in importers if is_in(name, container))
            assert not inside, f"pyproject.toml has no layer for {module}, which {inside} import"
    folders = {room: ROOT.joinpath(*room.split(".")) for room in ROOMS}
    inner = {
        room: [*folder.glob("[!_]*.py"), *folder.glob("*/__init__.py")]
        for room, folder in folders.items()
    }
    assert {room for room in ROOMS if len(inner[room]) > 1} <= checked


def test_engine_imports_the_standard_library_alone() -> None:
    graph = grimp.build_graph("engine", include_external_packages=True, cache_dir=None)
    packages = {module.partition(".")[0] for module in graph.modules}
    assert packages - sys.stdlib_module_names == {"engine"}


MAX_LINES = 60
"""The maximum number of lines of a function, without its docstring."""


def test_no_function_of_the_command_line_is_long() -> None:
    sizes = {}
    for path in (ROOT / "pbem/cli").rglob("*.py"):
        for node in walk(parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, FunctionDef):
                docstring = (get_docstring(node, clean=False) or "").count("\n")
                sizes[path.stem, node.name] = (node.end_lineno or 0) - node.lineno - docstring
    assert {name: size for name, size in sizes.items() if size > MAX_LINES} == {}


OWN = {"engine", "pbem", "tests", "benchmarks", "tools"}
ALLOWED_PRIVATE_NAMES = ("pbem/mail", "tests/mail")
"""Packages that may use private names of imaplib."""
DOCUMENTED = {"os._exit"}
"""Documented names that begin with an underscore."""
HIDDEN = re.compile(r"\.(_(?!_)|mro\b|__(mro|bases|dict|subclasses)__)")
IN_TEXT = re.compile(r"[a-z][a-z0-9_]*(\.\w+)+")
"""A dotted name in a string, as for `patch` and `import_module`."""


def imported_names(nodes: Iterable[AST]) -> dict[str, str]:
    """Return the names that a source imports from other packages, with their dotted names."""
    names = {}
    for node in nodes:
        if isinstance(node, Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                names[alias.asname or whole] = whole
        elif isinstance(node, ImportFrom) and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return {name: whole for name, whole in names.items() if whole.partition(".")[0] not in OWN}


def parameters_of(nodes: Iterable[AST], imported: Mapping[str, str]) -> dict[str, str]:
    """Return parameters of imported types by name, such as `context: typer.Context`."""
    annotated = {n.arg: unparse(n.annotation) for n in nodes if isinstance(n, arg) and n.annotation}
    return {name: kind for name, kind in annotated.items() if kind.partition(".")[0] in imported}


def private_uses(source: str) -> list[str]:
    """Return the uses and replacements of private names of other packages in a source."""
    nodes = [*walk(parse(source))]
    imported = imported_names(nodes)
    foreign = imported | parameters_of(nodes, imported)
    uses = {whole for whole in foreign.values() if HIDDEN.search(f".{whole}")}
    for node in nodes:
        match node:
            case ImportFrom(module=str(module)) if module.partition(".")[0] not in OWN:
                uses |= {module} if HIDDEN.search(f".{module}") else set()
            case Constant(value=str(text)) if IN_TEXT.fullmatch(text) and HIDDEN.search(text):
                uses |= {text} if is_installed(text.partition(".")[0]) else set()
            case Attribute() if HIDDEN.search(f".{node.attr}") or not isinstance(node.ctx, Load):
                first = unparse(node).partition(".")[0]
                is_replaced = not isinstance(node.ctx, Load) and is_library(imported.get(first, ""))
                is_hidden = HIDDEN.search(f".{node.attr}")
                if first in foreign and (is_replaced or is_hidden):
                    uses.add(unparse(node))
            case Call(func=Name(id=function) | Attribute(attr=function), args=[owner, *rest]) if (
                function.endswith("attr")
            ):
                name = unparse(rest[0]).strip("'") if rest else ""
                kind = imported.get(unparse(owner).partition(".")[0], "")
                is_set = function.endswith("setattr") and is_library(kind)
                if kind and (is_set or HIDDEN.search(f".{name}")):
                    uses.add(f"{unparse(owner)}.{name}")
    return sorted(uses - DOCUMENTED)


def is_library(name: str) -> bool:
    """Return whether a name belongs to a package that is not part of Python."""
    return bool(name) and name.partition(".")[0] not in sys.stdlib_module_names


@cache
def is_installed(package: str) -> bool:
    """Return whether `package` is installed and not part of this project."""
    return package not in OWN and find_spec(package) is not None


@pytest.mark.parametrize(
    ("source", "uses"),
    [
        ("from typer._click import core", ["typer._click", "typer._click.core"]),
        ("from functools import _lru_cache_wrapper as w", ["functools._lru_cache_wrapper"]),
        ("import typer.core\nsetattr(typer.core, '_', str)", ["typer.core._"]),
        ("import typer.core\npatch.setattr(typer.core, 'rich', 1)", ["typer.core.rich"]),
        ("import typer.core\ngetattr(typer.core, '_')", ["typer.core._"]),
        ("import typer\ndef f(c: typer.Context): c._protected_args", ["c._protected_args"]),
        (
            "patch('typer.core._')\nimport_module('typer._click.core')",
            ["typer.core._", "typer._click.core"],
        ),
        ("import typer\ntyper.BadParameter.__bases__[0]", ["typer.BadParameter.__bases__"]),
        ("import typer.core\ntyper.core.rich = None", ["typer.core.rich"]),
        ("import typer\nBase = typer.BadParameter.mro()[2]", ["typer.BadParameter.mro"]),
        ("import imaplib as i\ni.IMAP4._get_line", ["i.IMAP4._get_line"]),
        ("from __future__ import annotations\nimport os\nos.path.sep, os.__name__", []),
        ("from pbem.text import _phrases\nself._own, other._own = 1, 2", []),
    ],
)
def test_private_names_of_other_packages_are_found(source: str, uses: list[str]) -> None:
    assert private_uses(source) == sorted(uses)


def test_no_private_name_of_another_package_is_used() -> None:
    used = {}
    for path in (path for package in sorted(OWN) for path in (ROOT / package).rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if place == "tests/test_rooms.py" or place.startswith(ALLOWED_PRIVATE_NAMES):
            continue
        if uses := private_uses(path.read_text("utf-8")):
            used[place] = uses
    assert used == {}

"""The metrics of the source code, on small packages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import house
from benchmarks.house import Measure, Module

Tree = Callable[..., list[Module]]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Return a function that writes modules from texts by their paths."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(
        house, "IMPORT_FUNCTIONS", {"import_module": "", "LazyCommand": "made.cli."}
    )

    def make_modules(**texts: str) -> list[Module]:
        for name, text in texts.items():
            path = tmp_path / "made" / f"{name.replace('__', '/')}.py"
            if name.endswith("__init"):
                path = path.with_name("__init__.py")
            path.parent.mkdir(parents=True, exist_ok=True)
            for folder in (tmp_path / "made", path.parent):
                (folder / "__init__.py").touch()
            path.write_text(text, encoding="utf-8")
        return house.read_modules(tmp_path, ["made"])

    return make_modules


def test_modules_are_named_by_import_path_without_other_files(tree: Tree, tmp_path: Path) -> None:
    tree(cli__init="", cli__orders="", hand="")
    (tmp_path / "made" / "cards.toml").touch()
    names = [module.name for module in house.read_modules(tmp_path, ["made"])]
    assert names == ["made", "made.cli", "made.cli.orders", "made.hand"]


def test_code_lines_exclude_blanks_comments_and_docstrings(tree: Tree) -> None:
    text = (
        '"""About it,\n\nin three lines."""\n\n# a comment\nA = 1  # beside code\n"""Of A."""\n'
        'def f() -> str:\n    """Return it."""\n    return """two\nlines"""\n'
    )
    modules = tree(cli__init="a = 1\n", cli__one=text, clip="b = 2\n", last="no_newline = 1")
    assert house.code_lines(modules) == 7
    assert house.code_lines(house.within(modules, ["made.cli"])) == 5
    assert house.code_lines(house.within(modules, ["made.clip", "made.last"])) == 2


def test_script_and_template_lines_exclude_blanks_and_comments(tmp_path: Path) -> None:
    for name, text in {
        "a.js": "// one\n/** two\n * three */\n\nlet a = 'http://x';\n",
        "b.css": "/* one */\na {}\n",
        "c.html": "{# one\ntwo #}\n<p>\n<!-- three -->\n",
        "d.toml": "a = 1\n",
    }.items():
        tmp_path.joinpath("made").mkdir(exist_ok=True)
        (tmp_path / "made" / name).write_text(text, encoding="utf-8")
    assert house.browser_lines(tmp_path, ["made"]) == 3


def test_every_module_is_in_a_room_with_a_budget() -> None:
    rooms = [package for packages, _ in house.ROOMS.values() for package in packages]
    modules = house.read_modules(house.ROOT)
    names = {module.name for module in modules} - {
        module.name for module in house.within(modules, rooms)
    }
    assert names == {"pbem"}


def test_single_importers_exclude_registered_modules(tree: Tree) -> None:
    modules = tree(a="import made.b, made.c, made.cli.d", b="import made.c", c="", cli__d="")
    graph = house.imports(modules, ["made"])
    assert house.single_importers(graph) == ["made.b: made.a", "made.cli.d: made.a"]
    assert house.single_importers(graph, {"made.b"}) == ["made.cli.d: made.a"]


@pytest.mark.parametrize(
    ("docstring", "count"),
    [
        ("What it is.", 1),
        ("The same as above.", 1),
        ("Who plays.", 1),
        ("Return True.\n\nIt says where.", 1),
        ("Return the whole, however.", 0),
        ("Ask.\n\n>>> what()\n'where'", 0),
        ("Ask.\n\n>>> f()\n1\n\nNot what it seems.", 1),
    ],
)
def test_docstrings_have_none_of_these_words(docstring: str, count: int, tree: Tree) -> None:
    source = f"def f():\n    {docstring!r}\n"
    assert len(house.idiomatic_docstrings(tree(one=source))) == count


def test_help_of_commands_is_not_counted_as_docstring(tree: Tree) -> None:
    log = 'def log():\n    "Show what happened."\n'
    assert house.idiomatic_docstrings(tree(cli__log=log)) == ["made.cli.log:1"]
    assert house.idiomatic_docstrings(tree(a='LazyCommand("log", "log")')) == []


def test_docstrings_of_functions_begin_with_a_verb(tree: Tree) -> None:
    source = (
        'def f():\n "The sum."\n@property\ndef g():\n "The sum."\ndef test_h():\n "A sum."\n'
        'class C:\n "The sum."\n def f():\n  "Return the sum."\nasync def g():\n "If it is."\n'
    )
    assert house.verbless_docstrings(tree(one=source)) == ["made.one:1", "made.one:12"]


def test_participles_as_names_are_counted(tree: Tree) -> None:
    source = "def told(found, *, _kept): self.each = files = found\nfor each in rows: made(each)\n"
    names = sorted(place.split()[1] for place in house.participles(tree(one=source)))
    assert names == ["_kept", "each", "each", "found", "told"]


def test_layers_are_read_from_the_contract_of_the_package() -> None:
    contracts = [
        {"type": "forbidden"},
        {"type": "layers", "containers": ["pbem.cli"], "layers": ["one"]},
        {"type": "layers", "containers": ["pbem"], "layers": ["cli", "keys | library"]},
    ]
    configuration = {"tool": {"importlinter": {"contracts": contracts}}}
    assert house.layers(configuration, "pbem") == ["cli", "keys | library"]
    with pytest.raises(ValueError):
        house.layers(configuration, "engine")


def test_imports_inside_functions_are_counted_once(tree: Tree) -> None:
    text = (
        "import a\n"
        "if a:\n    import b\n"
        "class C:\n    import c\n"
        "    def d(self):\n        import d, e\n"
        "        def f():\n            from g import h\n"
    )
    assert house.lazy_imports(tree(one=text)) == ["made.one:7", "made.one:9"]


def test_type_checking_blocks_are_found_in_every_form(tree: Tree) -> None:
    text = "if TYPE_CHECKING:\n    import a\nif typing.TYPE_CHECKING:\n    import b\nif c:\n    d\n"
    assert house.type_checking_blocks(tree(one=text)) == ["made.one:1", "made.one:3"]


@pytest.mark.parametrize(
    "text",
    [
        "import made.b",
        "from made import b",
        "from made.b import thing",
        "from . import b",
        "from .b import thing",
        "def late():\n    from made import b",
        "try:\n    import made.b\nexcept ImportError:\n    pass",
    ],
)
def test_imports_are_found_in_every_form(tree: Tree, text: str) -> None:
    assert house.imports(tree(init="", a=text, b=""), ["made"])["made.a"] >= {"made.b"}


@pytest.mark.parametrize(
    ("text", "is_import"),
    [
        ('COMMANDS = {"b": LazyCommand("mail.b", "b")}', True),
        ('COMMANDS = {"b": lazy.LazyCommand("mail.b", "app", "heading")}', True),
        ('def late():\n    import_module("made.cli.mail.b").run()', True),
        ('importlib.import_module("made.cli.mail.b")', True),
        ('import_module(f"made.cli.mail.{b}")', False),
        ("LazyCommand(b)", False),
        ("LazyCommand()", False),
        ('Other("mail.b")', False),
        ("LazyCommand(1)", False),
        ('LazyCommand("os")', False),
    ],
)
def test_full_module_name_in_a_string_counts_as_import(
    tree: Tree, text: str, is_import: bool
) -> None:
    modules = house.imports(tree(cli__a=text, cli__mail__b=""), ["made"])["made.cli.a"]
    assert modules == ({"made.cli.mail.b"} if is_import else set())


def test_lazy_command_importing_its_group_is_a_cycle(tree: Tree) -> None:
    modules = tree(
        cli__games='LazyCommand("add", "add")', cli__add="from made.cli.games import say"
    )
    graph = house.imports(modules, ["made"])
    assert house.import_cycles(graph) == [["made.cli.add", "made.cli.games"]]


def test_import_from_a_package_leads_to_its_module_or_the_package(tree: Tree) -> None:
    modules = tree(
        cli__init="thing = 1", cli__b="", a="from made.cli import b, thing", c="import os"
    )
    graph = house.imports(modules, ["made"])
    assert graph["made.a"] == {"made.cli", "made.cli.b"}
    assert graph["made.c"] == set()


def test_relative_imports_of_a_package_start_at_the_package(tree: Tree) -> None:
    modules = tree(cli__init="from .b import x\nfrom ..keys import y", cli__b="", keys="")
    assert house.imports(modules, ["made"])["made.cli"] == {"made.cli.b", "made.keys"}


def test_import_cycles_are_found_whole_and_once(tree: Tree) -> None:
    modules = tree(
        a="import made.b",
        b="def late():\n    import made.c",
        c="import made.a, made.d",
        d="import made.e",
        e="import made.d",
        f="import made.a, made.f",
    )
    graph = house.imports(modules, ["made"])
    assert house.import_cycles(graph) == [["made.a", "made.b", "made.c"], ["made.d", "made.e"]]


def test_diamond_of_imports_is_not_a_cycle() -> None:
    assert house.import_cycles({"a": {"b", "c"}, "b": {"d"}, "c": {"b", "d"}, "d": set()}) == []


def test_repeated_names_are_listed_with_their_modules(tree: Tree) -> None:
    slot = "class Slot: ...\ndef f():\n    class Inner: ...\n"
    packages = {"one__init": "", "two__init": ""}  # each package has its __init__
    modules = tree(one__words=slot, two__words=slot, two__other="class Other: ...", **packages)
    assert house.repeated_class_names(modules) == ["Slot: made.one.words, made.two.words"]
    assert house.repeated_module_names(modules) == ["words: made.one.words, made.two.words"]


def test_parameters_of_a_type_are_counted_individually(tree: Tree) -> None:
    text = "def f(a: typer.Context, *, b: 'typer.Context', c: str) -> typer.Context: ..."
    assert house.parameters(tree(one=text), "typer.Context") == ["made.one:1 f"] * 2


def test_bound_holds_up_to_and_including_its_figure() -> None:
    assert Measure("x", 10, 10).holds
    assert not Measure("x", 11, 10).holds
    missed = str(Measure("x", 1_011, 1_010))
    assert " ".join(missed.split()) == "x 1,011 at most 1,010 MISSED"


WALK = {
    "functions": {f"{number}.py": ["f", "g"] for number in range(71)},
    "lines": 5,
    "frames": [["a.py", "run"], *([["b.py", "f"]] * 10)],
    "before": 1,
    "to_bytes": [["a.py", "run"], ["c.py", "write"]],
}


def test_turn_is_measured_by_modules_and_frames() -> None:
    values = {measure.name: measure for measure in house.turn_measures(lambda: WALK)}
    assert values["modules that a written turn passes through"].value == 71
    assert values["functions of these that it calls"].value == 142
    assert values["frames from the command to the rule of one order"].value == 11
    from_order = values["frames from the order to its rule"]
    assert from_order.value == 10
    assert not from_order.holds
    assert values["frames from the command to the bytes"].value == 2


@pytest.mark.parametrize(("bound", "status"), [(1, 0), (0, 1)])
def test_command_fails_if_a_bound_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], bound: int, status: int
) -> None:
    monkeypatch.setattr(house, "source_measures", lambda _: [Measure("x", 1, bound, ["here"])])
    monkeypatch.setattr(house, "turn_measures", lambda _: [])
    assert house.main([]) == status
    assert ("here" in capsys.readouterr().out) is (status == 1)


@pytest.mark.long
def test_measured_turn_leads_from_the_command_to_the_rule() -> None:
    walk = house._walk()
    functions, frames = walk["functions"], walk["frames"]
    assert isinstance(functions, dict) and isinstance(frames, list)
    assert {"engine/game.py", "pbem/cli/main.py"} <= functions.keys()
    assert not any("site-packages" in module or "benchmarks" in module for module in functions)
    assert frames[0][0].startswith("pbem/cli")
    assert frames[-1][0].startswith("engine/actions")
    assert 0 < int(str(walk["before"])) < len(frames)
    assert [place for place in house.turn_measures(lambda: walk) if not place.holds] == []


def test_sources_keep_their_bounds() -> None:
    assert [
        str(measure) for measure in house.source_measures(house.ROOT) if not measure.holds
    ] == []

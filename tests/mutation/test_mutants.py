"""Mutants are single changes, which the tests that execute them try on a copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutation import __main__ as tried
from tests.mutation.__main__ import main, report, selection
from tests.mutation.mutants import mutants

SOURCE = '''\
"""Prices."""
from __future__ import annotations

LIMIT: int = 3


def price(money: int, rate: int = 2) -> int:
    """The price."""
    if money > LIMIT:
        raise ValueError("That is too much.")
    return money * rate
'''
TEST = """\
from engine.prices import price


def test_price():
    assert price(2) == 4
    assert price(3, 1) == 3


def test_nothing():
    pass
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program with a single module and a test, which is used instead of a copy."""
    monkeypatch.setattr(tried, "_copy_to", lambda folder: True)
    for name, text in (
        ("engine/__init__.py", ""),
        ("engine/prices.py", SOURCE),
        ("tests/engine/test_prices.py", TEST),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["."]\n'),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_mutant_differs_by_one_change(program: Path) -> None:
    changes = [mutant.diff(SOURCE).splitlines()[2] for mutant in mutants(program, "engine")]
    assert changes == [
        "+LIMIT: int = (None)",
        "+LIMIT: int = (4)",
        "+def price(money: int, rate: int = (3)) -> int:",
        "+    if (money >= LIMIT):",
        "+    return (money // rate)",
    ]


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("x = True", ["x = (None)", "x = (False)"]),
        ("x = None", ["x = ('')"]),
        ("x += 1", ["x -= 1", "x += (2)"]),
        ("a is not b", ["(a is b)"]),
        ("a < b <= c", ["(a <= b <= c)", "(a < b < c)"]),
        ("not a and b", ["(not a or b)", "(a) and b"]),
        ("f(a, k=b)", ["f((None), k=b)", "(f(k=b))", "f(a, k=(None))", "(f(a))"]),
        ("f(a for a in b)", ["f(None)"]),
        ("f('ein Satz mit ä', *a)", ["(f('ein Satz mit ä'))"]),
        ("['ä', 1 if a else b]", ["[('XXäXX'),", "1 if (False)", "1 if (True)", "(2) if"]),
        ("g(b'a')", ["g((None))", "g((b'XXa'))"]),
        ("lambda: a", ["lambda: (None)"]),
        ("while a:\n    break", ["while a:\n    continue"]),
    ],
)
def test_each_expression_has_its_changes(source: str, changed: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(source, encoding="utf-8")
    sources = [mutant.apply(source) for mutant in mutants(tmp_path, "a.py")]
    assert len(sources) == len(changed)
    assert all(part in whole for part, whole in zip(changed, sources, strict=True)), sources


@pytest.mark.parametrize(
    "source",
    [
        "def f(a: Literal[1]) -> None: ...",
        "@cache(1)\ndef f(): ...",
        "match a:\n    case 1: pass",
        "f'{a}{1}'",
        "if TYPE_CHECKING:\n    a = 1",
        "Kind: TypeAlias = int",
        "__all__ = ['f']",
        "f('Such a sentence.')",
        "f('Such a sentence ' f'and {another} one')",
        "isinstance(a, 1)",
    ],
)
def test_unobservable_code_is_not_mutated(source: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(source)
    assert list(mutants(tmp_path, "a.py")) == []


def test_selected_tests_have_the_name_of_the_room_or_are_in_the_table() -> None:
    assert selection("engine") == ["tests/engine", "engine"]
    assert selection("engine/position.py") == ["tests/engine", "engine/position.py"]
    assert selection("pbem/text/ordering") == ["tests/text", "pbem/text/ordering"]
    assert selection("pbem/foreign.py") == ["tests/foreign", "pbem/foreign.py"]
    assert "tests/attacks" in selection("pbem/protocol/deck")


def test_report_has_the_rate_and_the_surviving_mutants() -> None:
    text = report({"a.py:1\n-x\n+y": "killed", "a.py:2\n-x\n+y": "survived"}, 9)
    assert text == (
        "2 of 9: 1 killed, 1 survived, 0 timeout, 0 no tests, 0 error; 50.0 %"
        "\n\nsurvived: a.py:2\n-x\n+y"
    )


@pytest.mark.long
def test_mutants_are_killed_by_the_tests_that_execute_them(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["engine", str(program)]) == 0
    assert "5 of 5: 4 killed, 1 survived, 0 timeout" in capsys.readouterr().out

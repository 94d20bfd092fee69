"""The pages point to what exists.

`docs/rules.md` names tests and modules that are there and mentions every ruling;
`docs/architecture.md` names modules and directories that are there.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def test_every_test_named_on_the_page_exists() -> None:
    sources = "".join(
        p.read_text(encoding="utf-8") for p in (ROOT / "tests" / "engine").glob("*.py")
    )
    names = set(re.findall(r"\btest_\w+(?=`)(?!\.py)", PAGE))
    assert len(names) > 50
    assert not {name for name in names if f"def {name}(" not in sources}


def test_every_test_is_named_after_the_file_it_is_in() -> None:
    for mention in re.findall(r"`(\w+): (test_\w+)`", PAGE):
        family, name = mention
        source = ROOT / "tests" / "engine" / f"test_rulebook_{family}.py"
        assert f"def {name}(" in source.read_text(encoding="utf-8"), mention


def test_every_module_named_on_the_page_exists() -> None:
    for module in set(re.findall(r"`((?:actions/)?[a-z]+\.py)`", PAGE)):
        assert (ROOT / "engine" / module).is_file(), module


def test_every_ruling_is_on_the_page() -> None:
    """Rulings 1 to 25, and those made here, a to f."""
    mentioned: set[int] = set()
    for numbers in re.findall(r"\*\*rulings? ([\d and]+)\*\*", PAGE):
        mentioned |= {int(number) for number in re.findall(r"\d+", numbers)}
    assert mentioned == set(range(1, 26))
    assert set(re.findall(r"\*\*Ruled here \((.)\)\*\*", PAGE)) == set("abcdef")


def named_in_the_house() -> list[str]:
    """The paths in the plan of `docs/architecture.md` and in its text, from the root."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    before, plan, after = page.split("```", 2)
    paths, room = [], ""
    for line in plan.splitlines():
        if line and not line.startswith(" "):
            room = line.split()[0]
            paths.append(room)
        paths += [room + path for path in re.findall(r" ([a-z_]+(?:\.py|/))(?= |$)", line)]
    mentioned = re.findall(r"`([a-z_]+/[\w./-]*)`", before + after)
    modules = re.findall(r"`((?:engine|pbem)\.[a-z_.]+)(?:\.[A-Z]\w+)?`", before + after)
    return paths + mentioned + [module.replace(".", "/") for module in modules]


def test_everything_named_in_the_architecture_exists() -> None:
    paths = named_in_the_house()
    assert len(paths) > 40
    missing = [
        path for path in paths if not (ROOT / path).exists() and not (ROOT / f"{path}.py").exists()
    ]
    assert not missing

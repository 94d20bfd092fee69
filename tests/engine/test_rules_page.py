"""`docs/rules.md` names existing cases, tests and modules, and every ruling and flag.

No page or source gives a number of things to which another may be added.
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from string import ascii_lowercase

from engine.ruleset import Ruleset
from tests.engine.cases import cases
from tests.engine.editions import EDITIONS, FIRST, REVISED, SECOND

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def test_every_case_and_test_named_on_the_page_exists() -> None:
    """A family stands before its first name; further names of the family may follow."""
    mentions = re.findall(r"`(\w+): (\w[^`]+)`((?:,\s`[^`:]+`(?!\.py))*)", PAGE)
    assert len(mentions) > 50
    for family, first, others in mentions:
        names = {case.title for case in cases() if case.family == family}
        for path in (ROOT / "tests" / "engine").glob(f"test*_{family}.py"):
            names |= {*re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))}
        assert names >= {first, *re.findall(r"`([^`]+)`", others)}, family


def test_every_module_named_on_the_page_exists() -> None:
    for module in set(re.findall(r"`((?:actions/)?[a-z]+\.py)`", PAGE)):
        assert (ROOT / "engine" / module).is_file(), module


def test_every_ruling_is_on_the_page() -> None:
    """Rulings 1 to 25 are listed, and the project's own in the order of their letters."""
    mentioned: set[int] = set()
    for numbers in re.findall(r"\*\*rulings? ([\d and]+)\*\*", PAGE):
        mentioned |= {int(number) for number in re.findall(r"\d+", numbers)}
    assert mentioned == set(range(1, 29))
    letters = sorted(re.findall(r"\*\*Ruled here \((.)\)\*\*", PAGE))
    assert letters == list(ascii_lowercase[: len(letters)])


def test_table_of_editions_names_every_flag_that_differs() -> None:
    """Two editions have the same text in a row if and only if their flag is the same."""
    rows = [line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("| ")]
    texts_by_flag = {}
    for cells in rows[1:]:
        texts = [cell.strip() for cell in cells]
        if len(texts) > 4 and texts[4].startswith("`"):
            texts_by_flag[texts[4].strip("`")] = dict(
                zip((FIRST, REVISED, SECOND), texts[1:4], strict=True)
            )
    plain = {edition: Ruleset.of(edition) for edition in EDITIONS}
    flags = {
        name
        for name in Ruleset.fields
        if name not in ("edition", "catalogue")
        and len({getattr(rules, name) for rules in plain.values()}) > 1
    }
    assert texts_by_flag.keys() == flags
    for flag, texts_of in texts_by_flag.items():
        for one, other in combinations(EDITIONS, 2):
            alike = getattr(plain[one], flag) == getattr(plain[other], flag)
            assert (texts_of[one] == texts_of[other]) == alike, (flag, one, other)


def test_no_text_counts_house_rules_commands_or_kinds_of_order() -> None:
    """The limits of a file are exempt."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    sources = [path for room in ("engine", "pbem") for path in (ROOT / room).rglob("*.py")]
    number = r"\b(\d+|(twen|thir|for|fif)ty(-\w+)?) "
    things = "(printed )?(house rules|commands|verbs|kinds of orders?|topics)"
    assert re.search(number + things, "There are thirty-nine kinds of order.")
    for path in {*pages, *sources} - {ROOT / "docs" / "save-format.md"}:
        match = re.search(number + things, path.read_text(encoding="utf-8"))
        assert not match, f"{path.relative_to(ROOT)}: {match}"

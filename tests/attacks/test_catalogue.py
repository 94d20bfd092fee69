"""The list of cheats in README.md agrees with the tests and with the protocol's table."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DOCS = ROOT / "docs"
PROTOCOL = DOCS / "protocol.md"
MOMENTS = {"reading", "opening", "close", "dropped", "two files", "never"}
NO_CHEATS = {"Who is accused", "Information that must not be revealed"}


class Cheat(NamedTuple):
    """A line of the list: the target, the cheat, the moment it is found, and the test."""

    heading: str
    cheat: str
    moment: str
    test: str


def read_list() -> list[Cheat]:
    cheats, heading = [], ""
    for line in (HERE / "README.md").read_text().splitlines():
        if line.startswith("## "):
            heading = line[3:]
        elif row := re.fullmatch(r"\| (.+) \| (.+) \| `(test_\w+)` \|", line):
            cheats.append(Cheat(heading, *row.groups()))
    return cheats


def find_tests() -> list[str]:
    """Return the names of all tests in this folder except those of this module."""
    return [
        name
        for path in HERE.glob("test_*.py")
        if path != Path(__file__)
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    ]


def read_protocol_table() -> list[str]:
    """Return the first column of the protocol's table, the possible cheats."""
    _, _, rest = PROTOCOL.read_text().partition("## What is caught, and when\n")
    table = rest.partition("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("|")]
    return rows[2:]


def test_list_and_tests_agree() -> None:
    """A test of several cheats is listed with each of them."""
    assert {cheat.test for cheat in read_list()} == set(find_tests())
    assert {cheat.moment for cheat in read_list() if cheat.heading not in NO_CHEATS} == MOMENTS
    assert set(Counter(find_tests()).values()) == {1}


def test_every_row_of_the_protocol_table_is_tested() -> None:
    headings = {cheat.heading for cheat in read_list()} - NO_CHEATS
    rows = read_protocol_table()
    assert len(rows) > 10
    for row in rows:
        assert [h for h in headings if row.lower().startswith(h.lower())], row
    for heading in headings:
        assert [row for row in rows if row.lower().startswith(heading.lower())], heading


def test_threat_model_names_existing_tests() -> None:
    model = (DOCS / "threat-model.md").read_text()
    modules = {path.stem for path in HERE.glob("test_*.py")} - {Path(__file__).stem}
    assert set(re.findall(r"`(test_\w+)`", model)) == modules - {"test_who_is_accused"}


def test_links_of_the_threat_model_resolve() -> None:
    model = (DOCS / "threat-model.md").read_text()
    links = re.findall(r"\]\(([\w-]+\.md)#([\w-]+)\)", model)
    assert links
    for name, anchor in links:
        headings = re.findall(r"^#+ (.+)$", (DOCS / name).read_text(), re.MULTILINE)
        assert anchor in {heading.lower().replace(" ", "-") for heading in headings}


def test_security_page_names_existing_tests() -> None:
    page = (ROOT / "SECURITY.md").read_text()
    paths = re.findall(r"tests/\w+(?:/\w+\.\w+)?", page)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []

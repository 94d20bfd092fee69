"""The sentences of the rulebooks by number, and the rules that they say.

`rules.toml` holds each rule once, in words of our own, with the engine's answer; `rulebooks/` says
which rules each sentence of a rulebook says, by section and number. A rule is played in the edition
of every rulebook that says it.

A sentence ends with a full stop, a question or an exclamation mark, unless a small letter follows
or it is a short form (`SHORT`). An item of a list begins a new one. Only the `lines` of a section
are counted: no pictures, captions or headings.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
TEXTS = HERE.parents[2] / "shared" / "rules"
"""The rulebooks themselves, which are no part of the project."""

NO_RULE = "none"
"""The section with the purposes of sentences that say no rule."""

Rule = dict[str, Any]

SHORT = re.compile(r"(?:\b(?:St|Св|[Ee]\.g|i\.e|[ТтОо])|[Pp]ar exemple|Например)$")
END = re.compile(r"[.!?][\"”»')\]*]*\s+(?![a-zà-öø-ÿа-яё,.;:])")
ITEM = re.compile(r"(?:[-*•]|[a-zа-я]\)|\d\.)\s+(.*)")
NOISE = re.compile(r"<\|.*?\|>|[*#]{2,}")


class Section(NamedTuple):
    """A section of a rulebook: its lines in the text, its number of sentences, and their rules.

    `lists` are the lines of its lists of cards, if it has any that a program can read.
    """

    lines: str
    sentences: int
    says: dict[int, tuple[str, ...]]
    lists: str


class Rulebook(NamedTuple):
    """A rulebook: its edition, the name and digest of its text, and its sections."""

    edition: str
    text: str
    sha256: str
    sections: dict[str, Section]


def _range(text: str) -> range:
    """Return the numbers of `7` or `7-9`."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _section(table: dict[str, Any]) -> Section:
    says: dict[int, tuple[str, ...]] = {}
    for key, rules in table.items():
        if key not in ("lines", "sentences", "lists"):
            for number in _range(key):
                assert number not in says, key
                says[number] = tuple(rules.split(", "))
    return Section(table["lines"], table["sentences"], says, table.get("lists", ""))


def _rulebook(path: Path) -> Rulebook:
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    text, sha256 = tables.pop("text"), tables.pop("sha256")
    sections = {name: _section(table) for name, table in tables.items()}
    return Rulebook(path.stem.rpartition("-")[0], text, sha256, sections)


@cache
def rulebooks() -> dict[str, Rulebook]:
    """Return every rulebook by the name of its file."""
    return {path.stem: _rulebook(path) for path in sorted(HERE.glob("rulebooks/*.toml"))}


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads((HERE / "rules.toml").read_text(encoding="utf-8"))


@cache
def rules() -> dict[str, Rule]:
    """Return every rule by section and number: `raid 4`."""
    return {
        f"{section} {number}": rule
        for section, numbered in _tables().items()
        if section != NO_RULE
        for number, rule in numbered.items()
    }


@cache
def no_rules() -> frozenset[str]:
    """Return the purposes of sentences that say no rule: `none page`."""
    return frozenset(f"{NO_RULE} {purpose}" for purpose in _tables()[NO_RULE])


@cache
def editions_by_rule() -> dict[str, frozenset[str]]:
    """Return the editions whose rulebooks say each rule, or are silent about it."""
    editions = {name: {*rule.get("editions", ())} for name, rule in rules().items()}
    for book in rulebooks().values():
        for section in book.sections.values():
            for names in section.says.values():
                for name in names:
                    if name in editions:
                        editions[name].add(book.edition)
    return {name: frozenset(of) for name, of in editions.items()}


@cache
def editions_by_case() -> dict[tuple[str, str], frozenset[str]]:
    """Return the editions that say a rule of each case or test, by its family and name."""
    result: dict[tuple[str, str], frozenset[str]] = {}
    for name, rule in rules().items():
        if "shown" in rule:
            family, _, test = rule["shown"].partition(": ")
            said_in = editions_by_rule()[name]
            result[family, test] = result.get((family, test), frozenset()) | said_in
    return result


# --- the texts


def lines_of(text: str, numbers: str) -> list[str]:
    """Return the lines of a text by their numbers: `40-44, 58`."""
    lines = text.split("\n")
    return [lines[n - 1] for some in numbers.split(", ") for n in _range(some)]


def split(lines: Iterable[str]) -> Iterator[str]:
    """Yield the sentences in some lines, by the rule of counting above."""
    items = [""]
    for line in lines:
        plain = NOISE.sub("", line).strip()
        item = ITEM.match(plain)
        if item:
            items.append(item[1])
        else:
            items[-1] += f" {plain}"
    for joined in items:
        item_text, start = " ".join(joined.split()), 0
        for end in END.finditer(item_text):
            if not SHORT.search(item_text[start : end.start()]):
                yield item_text[start : end.end()].strip()
                start = end.end()
        if item_text[start:]:
            yield item_text[start:]

"""The editions side by side, and the house rules: for people and as data."""

from __future__ import annotations

from dataclasses import fields
from json import dumps
from typing import TYPE_CHECKING, Any

from engine.house_rules import house_rules
from engine.message import Message, Run, Said, mark, mark_in
from engine.ruleset import Ruleset, editions
from pbem.cli import console
from pbem.cli.home import program
from pbem.cli.learning.differences import ROWS, excluded_by, french_bateaux, part_of
from pbem.cli.words import joined_with_and, joined_with_semicolons, labelled

if TYPE_CHECKING:
    from engine.house_rules import HouseRule


def print_editions() -> None:
    """Print the editions as data."""
    facts = [
        {
            "id": id,
            "name": printed["name"],
            "flags": _flags(Ruleset.of(id)),
            "french_bateaux": console.told(french_bateaux(Ruleset.of(id))),
        }
        for id, printed in editions().items()
    ]
    console.say_whole(dumps(facts, indent=2))


def say_editions() -> None:
    """Print in what the editions differ."""
    printed = editions()
    rulesets = {edition: Ruleset.of(edition) for edition in printed}
    if console.is_plain():
        for row in ROWS:
            values = (labelled(id, row.value(ruleset)) for id, ruleset in rulesets.items())
            console.say_hanging("", Run((row.named, ". ", joined_with_semicolons(values), ".")))
    else:
        _show_table(rulesets)
    console.say()
    for id, facts in printed.items():
        console.item(_edition_told(id, facts))
    console.say(
        Message(
            "All else is the same. To play one: {program} new --edition EDITION", program=program()
        )
    )


def _edition_told(id: str, facts: dict[str, Any]) -> Message:
    """An edition: its id, its name, and the languages in which it was printed."""
    if facts.get("default"):
        sentence = mark("{edition}: {name} ({languages}), the usual one")
    else:
        sentence = mark("{edition}: {name} ({languages})")
    name, languages = Message(facts["name"]), _languages(facts["languages"])
    return Message(sentence, edition=id, name=name, languages=languages)


def _show_table(rulesets: dict[str, Ruleset]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", width=console.width())
    table.add_column("")
    for edition in rulesets:
        table.add_column(edition)
    for row in ROWS:
        told = (row.named, *(row.value(ruleset) for ruleset in rulesets.values()))
        table.add_row(*map(console.told, told))
    console.show(table)


def _flags(ruleset: Ruleset) -> dict[str, Any]:
    """Every flag, also where it has its default, which digests leave out."""
    others = ("edition", "house_rules", "catalogue")
    names = (spec.name for spec in fields(ruleset) if spec.name not in others)
    return {name: getattr(ruleset, name) for name in names}


_LANGUAGES = {
    "en": mark_in("language", "English"),
    "fr": mark_in("language", "French"),
    "it": mark_in("language", "Italian"),
    "ru": mark_in("language", "Russian"),
}


def _languages(codes: list[str]) -> Message:
    return joined_with_and(Message.within("language", _LANGUAGES[code]) for code in codes)


def print_house_rules() -> None:
    """Print the house rules as data."""
    facts = [
        {
            "id": rule.id,
            "what": rule.what,
            "excludes": _told(excluded_by(rule)),
            "part_of": _told(part_of(rule.id)),
        }
        for rule in house_rules().values()
    ]
    console.say_whole(dumps(facts, indent=2))


def _told(reasons: dict[str, Said]) -> dict[str, str]:
    return {id: console.told(reason) for id, reason in reasons.items()}


def say_house_rules() -> None:
    """Print the house rules: what each does, and what it excludes."""
    for rule in house_rules().values():
        say_house_rule(rule)
    console.say()
    console.say(
        Message(
            "To play with some: {program} new --house-rule ID, once for each.", program=program()
        )
    )


def say_house_rule(rule: HouseRule) -> None:
    """Print what a house rule does, what it excludes, and in which editions it is played anyway."""
    console.say(rule.id, style="bold")
    console.item(Message(rule.what))
    excluded, already = excluded_by(rule), part_of(rule.id)
    if excluded:
        console.item(Message("Not together with: {rules}.", rules=", ".join(excluded)))
    if already:
        console.item(Message("Part of: {editions}.", editions=", ".join(already)))

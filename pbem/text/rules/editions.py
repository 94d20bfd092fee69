"""Editions and house rules in words, and in what they differ; the words are in editions.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from engine.house_rules import HouseRule, UnknownRules, house_rules, rules_checked_by_id
from engine.message import (
    NOTHING,
    Message,
    Phrase,
    and_list,
    comma_list,
    mark,
    message_of,
    semicolon_list,
    with_label,
)
from engine.ruleset import Ruleset, editions
from engine.sides import Side
from pbem.protocol.match import Match
from pbem.text.phrases import entry, keys


def edition_name(edition: str) -> Message:
    """Return an edition in a phrase: `second edition`."""
    if edition in keys("editions"):
        return entry("editions", edition)
    return Message("{edition} edition", edition=edition)


def rules_name(edition: str, house_rules: Iterable[str]) -> Message:
    """Return an edition and house rules in a phrase: `second edition with “Paid shuffle”`."""
    rules = house_rule_names(house_rules)
    named = edition_name(edition)
    return Message("{edition} with {rules}", edition=named, rules=rules) if rules else named


def house_rule_names(ids: Iterable[str]) -> Message:
    """House rules by their names: `“Paid shuffle”, “Short raids”`; empty for none.

    One that a newer version played, which a list of games may have, keeps its id.
    """
    if not (ids := tuple(ids)):
        # So that they need not be read for most games.
        return NOTHING
    known = house_rules()
    named = (known[id].title if id in known else id for id in ids)
    return comma_list(Message("“{word}”", word=name) for name in named)


def edition_text(id: str) -> Message:
    """Return an edition without its id: its name, and the languages in which it was printed."""
    facts = editions()[id]
    sentence = mark("{name} ({languages})")
    if facts.get("default"):
        sentence = mark("{name} ({languages}), the default")
    languages = (entry("languages", code) for code in facts["languages"])
    name = Message(facts["name"])
    return Message(sentence, name=name, languages=and_list(languages))


# --- differences


class Row(NamedTuple):
    """One thing in which editions differ: its flag, what it is, and how a ruleset can have it.

    The `flag` is empty for a fact of the box. For a limit there are words for none and for a
    number; `label` and words are marked messages, `values` in the context of rules.
    """

    label: str
    flag: str = ""
    values: dict[str, str] = {}  # noqa: RUF012
    unlimited: str = ""
    one: str = ""
    many: str = ""

    @property
    def title(self) -> Message:
        """What it is."""
        return Message(self.label)

    def value(self, ruleset: Ruleset) -> Message:
        """Return how a ruleset has it."""
        if not self.flag:
            return french_bateaux(ruleset)
        value = getattr(ruleset, self.flag)
        if self.values:
            return Message.within("rule", self.values[str(value).lower()])
        return Message.counted(self.one, self.many, value) if value else Message(self.unlimited)


@cache
def differing() -> tuple[Row, ...]:
    """Return all in which editions differ."""
    text = (Path(__file__).parent / "editions.toml").read_text(encoding="utf-8")
    return tuple(Row(**row) for row in tomllib.loads(text)["row"])


def french_bateaux(ruleset: Ruleset) -> Message:
    """Return where the French Bateaux card is when a game begins."""
    card = ruleset.catalogue.cards[Side.FRENCH].get("bateaux")
    if card is None:
        return Message("not in the game")
    if card.initial_copies:
        return Message("in the initial deck")
    return Message("among the available cards")


def differences(flags: tuple[str, ...], ruleset: Ruleset) -> list[Message]:
    """Return how `ruleset` has these flags, and which editions have them otherwise, a line each."""
    return [_difference(row, ruleset) for row in differing() if row.flag in flags]


def _difference(row: Row, ruleset: Ruleset) -> Message:
    label, value = row.title, row.value(ruleset)
    apart: dict[Message, list[Message]] = {}
    for edition in editions():
        other = row.value(Ruleset.of(edition))
        if other != value:
            apart.setdefault(other, []).append(edition_name(edition))
    if not apart:
        return with_label(label, value)
    others = semicolon_list(with_label(comma_list(names), other) for other, names in apart.items())
    return Message("{label}: {value} ({others})", label=label, value=value, others=others)


def excluded_by(rule: HouseRule) -> dict[str, Phrase]:
    """Return the house rules that cannot be played beside one, each with the reason."""
    return {
        other.id: reason
        for other in house_rules().values()
        if other is not rule and (reason := rule.conflict(other))
    }


def part_of(rule: str) -> dict[str, Phrase]:
    """Return the editions in which a house rule changes nothing, each with the reason."""
    found = {}
    for edition in editions():
        try:
            Ruleset.of(edition, [rule])
        except UnknownRules as error:
            found[edition] = message_of(error)
    return found


# --- as facts


def edition_facts() -> list[dict[str, object]]:
    """Return all editions, each with every flag, also where it has its default."""
    others = ("edition", "house_rules", "catalogue")
    names = [name for name in Ruleset.__annotations__ if name not in others]
    asked = dict.fromkeys((rule.flag for rule in rules_checked_by_id()), False)
    return [
        {
            "id": id,
            "name": facts["name"],
            "flags": {name: getattr(Ruleset.of(id), name) for name in names} | asked,
            "french_bateaux": french_bateaux(Ruleset.of(id)),
        }
        for id, facts in editions().items()
    ]


def house_rule_facts() -> list[dict[str, object]]:
    """Return all house rules: what each does, what it excludes, and where it changes nothing."""
    return [
        {
            "id": rule.id,
            "name": rule.title,
            "what": rule.summary,
            "excludes": excluded_by(rule),
            "part_of": part_of(rule.id),
        }
        for rule in house_rules().values()
    ]


def game_line(match: Match) -> Message:
    """Return one line that says which game this is."""
    rules = rules_name(match.invite.edition, match.invite.house_rules)
    number = match.id.hex()[:8]
    return Message("A Few Acres of Snow, {rules}, game {number}", rules=rules, number=number)

"""Editions and house rules in words, with their differences; the words are in editions.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from engine.house_rules import HouseRule, InvalidRulesError, house_rules, rules_checked_by_id
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
from pbem.text.phrases import keys, row_text


def edition_name(edition: str) -> Message:
    """Return the name of an edition: `second edition`."""
    if edition in keys("editions"):
        return row_text("editions", edition)
    return Message("{edition} edition", edition=edition)


def rules_name(edition: str, house_rules: Iterable[str]) -> Message:
    """Return the names of an edition and house rules: `second edition with “Paid shuffle”`."""
    rules = house_rule_names(house_rules)
    name = edition_name(edition)
    return Message("{edition} with {rules}", edition=name, rules=rules) if rules else name


def house_rule_names(ids: Iterable[str]) -> Message:
    """Return the names of house rules: `“Paid shuffle”, “Short raids”`; empty for none.

    A house rule of a newer version, which a list of games may have, keeps its id.
    """
    if not (ids := tuple(ids)):
        # Most games have none, and then the data need not be read.
        return NOTHING
    all_rules = house_rules()
    titles = (all_rules[id].title if id in all_rules else id for id in ids)
    return comma_list(Message("“{word}”", word=name) for name in titles)


def edition_text(id: str) -> Message:
    """Return the name of an edition, and the languages in which it was printed."""
    facts = editions()[id]
    sentence = mark("{name} ({languages})")
    if facts.get("default"):
        sentence = mark("{name} ({languages}), the default")
    languages = (row_text("languages", code) for code in facts["languages"])
    name = Message(facts["name"])
    return Message(sentence, name=name, languages=and_list(languages))


def edition_summary(id: str) -> Message:
    """Return a sentence on the difference of an edition from others; empty for an unknown one."""
    return row_text("editions-in-short", id) if id in keys("editions-in-short") else NOTHING


# --- differences


class Row(NamedTuple):
    """A difference between editions: its flag, its label, and the words for its values.

    The `flag` is empty for a difference in the cards. A limit has words for no limit and for a
    number. `label` and words are marked messages, `values` in the context “rule”.
    """

    label: str
    flag: str = ""
    values: dict[str, str] = {}  # noqa: RUF012
    unlimited: str = ""
    one: str = ""
    many: str = ""

    @property
    def title(self) -> Message:
        """The label of the difference."""
        return Message(self.label)

    def value(self, ruleset: Ruleset) -> Message:
        """Return the words for the value in a ruleset."""
        if not self.flag:
            return french_bateaux(ruleset)
        value = getattr(ruleset, self.flag)
        if self.values:
            return Message.within("rule", self.values[str(value).lower()])
        return Message.counted(self.one, self.many, value) if value else Message(self.unlimited)


@cache
def edition_rows() -> tuple[Row, ...]:
    """Return all differences between editions."""
    text = (Path(__file__).parent / "editions.toml").read_text(encoding="utf-8")
    return tuple(Row(**row) for row in tomllib.loads(text)["row"])


def french_bateaux(ruleset: Ruleset) -> Message:
    """Return the place of the French Bateaux card at the start."""
    card = ruleset.catalogue.cards[Side.FRENCH].get("bateaux")
    if card is None:
        return Message("not in the game")
    if card.initial_copies:
        return Message("in the initial deck")
    return Message("among the available cards")


def differences(flags: tuple[str, ...], ruleset: Ruleset) -> list[Message]:
    """Return the values of `flags` in `ruleset` and in editions that differ, a line each."""
    return [_difference(row, ruleset) for row in edition_rows() if row.flag in flags]


def _difference(row: Row, ruleset: Ruleset) -> Message:
    label, value = row.title, row.value(ruleset)
    values: dict[Message, list[Message]] = {}
    for edition in editions():
        other = row.value(Ruleset.of(edition))
        if other != value:
            values.setdefault(other, []).append(edition_name(edition))
    if not values:
        return with_label(label, value)
    others = semicolon_list(with_label(comma_list(names), other) for other, names in values.items())
    return Message("{label}: {value} ({others})", label=label, value=value, others=others)


def exclusions(rule: HouseRule) -> dict[str, Phrase]:
    """Return the house rules that exclude a house rule, by id, each with the reason."""
    return {
        other.id: reason
        for other in house_rules().values()
        if other is not rule and (reason := rule.conflict(other))
    }


def redundant_in(rule: str) -> dict[str, Phrase]:
    """Return the editions in which a house rule changes nothing, each with the reason."""
    reasons = {}
    for edition in editions():
        try:
            Ruleset.of(edition, [rule])
        except InvalidRulesError as error:
            reasons[edition] = message_of(error)
    return reasons


# --- facts


def edition_facts() -> list[dict[str, object]]:
    """Return the facts of all editions: each with every flag, default values included."""
    omitted = ("edition", "house_rules", "catalogue")
    names = [name for name in Ruleset.__annotations__ if name not in omitted]
    off = dict.fromkeys((rule.flag for rule in rules_checked_by_id()), False)
    return [
        {
            "id": id,
            "name": facts["name"],
            "flags": {name: getattr(Ruleset.of(id), name) for name in names} | off,
            "french_bateaux": french_bateaux(Ruleset.of(id)),
        }
        for id, facts in editions().items()
    ]


def house_rule_facts() -> list[dict[str, object]]:
    """Return the facts of all house rules: effects, exclusions, and editions that contain them."""
    return [
        {
            "id": rule.id,
            "name": rule.title,
            "what": rule.summary,
            "excludes": exclusions(rule),
            "part_of": redundant_in(rule.id),
        }
        for rule in house_rules().values()
    ]


def game_line(match: Match) -> Message:
    """Return a line with the rules and the number of a game."""
    rules = rules_name(match.invite.edition, match.invite.house_rules)
    number = match.id.hex()[:8]
    return Message("A Few Acres of Snow, {rules}, game {number}", rules=rules, number=number)

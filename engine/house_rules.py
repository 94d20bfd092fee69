"""House rules: optional rules with which players rebalance a game, read from `engine/data`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations
from typing import Any

from engine.catalogue import Change, read_data
from engine.message import Failure, Message, Phrase, comma_list
from engine.value import Value


class UnknownRules(Failure, ValueError):
    """An edition or house rule that this program does not know, or a senseless combination."""


class HouseRule(Value):
    """A house rule: its name, what it does, the flags it sets, the facts of the box it changes.

    One that has neither is looked up by its id where it makes a difference: `Ruleset.plays`.
    `excludes` gives the rules that make no sense beside it, each with the reason; `covered_by`
    flags of an edition that allow more than it does; `topics` name what it changes for readers.
    """

    id: str
    name: str
    summary: str
    flags: Mapping[str, Any]
    changes: tuple[Change, ...]
    excludes: Mapping[str, str]
    covered_by: Mapping[str, Any]
    topics: tuple[str, ...] = ()

    @property
    def title(self) -> Message:
        """Its name, as a title: `Paid shuffle`."""
        return Message.within("house rule", self.name)

    @property
    def title_with_id(self) -> Message:
        """Its name, followed by the id to type for it."""
        return Message("{name} ({id})", name=self.title, id=self.id)

    @property
    def is_checked_by_id(self) -> bool:
        """Whether it does nothing by itself."""
        return not self.flags and not self.changes

    @property
    def flag(self) -> str:
        """What the rules data call it among the flags, if it is looked up by its id."""
        return self.id.replace("-", "_")

    def conflict(self, other: HouseRule) -> Phrase | None:
        """Why two rules cannot be played together, in words; None where they can."""
        reason = self.excludes.get(other.id) or other.excludes.get(self.id)
        if reason is not None:
            return Message(reason)
        clashing = any(other.flags.get(flag, value) != value for flag, value in self.flags.items())
        changed = {(change.kind, change.side, change.id): change for change in self.changes}
        for change in other.changes:
            mine = changed.get((change.kind, change.side, change.id))
            clashing = clashing or (mine is not None and mine != change)
        if clashing:
            # Translators: why two house rules cannot be played together; it follows a colon.
            return Message("they contradict each other")
        alike = self.flags == other.flags and self.changes == other.changes
        covered = alike and not self.is_checked_by_id
        # Translators: why two house rules cannot be played together; it follows a colon.
        return Message("they say the same") if covered else None


@cache
def house_rules() -> Mapping[str, HouseRule]:
    """All house rules by id, in the order of the data."""
    rules = (
        HouseRule(
            id=row["id"],
            name=row["name"],
            summary=row["what"],
            flags=row.get("flags", {}),
            changes=tuple(
                Change.of(kind, change)
                for kind in ("card", "location")
                for change in row.get(kind, [])
            ),
            excludes=row.get("excludes", {}),
            covered_by=row.get("covered_by", {}),
            topics=tuple(row.get("topics", ())),
        )
        for row in read_data("house-rules.toml")["rule"]
    )
    return {rule.id: rule for rule in rules}


def rules_checked_by_id() -> list[HouseRule]:
    """The house rules that do nothing by themselves."""
    return [rule for rule in house_rules().values() if rule.is_checked_by_id]


def find_rules(ids: Iterable[str]) -> list[HouseRule]:
    """These house rules; raises UnknownRules if one does not exist, or two conflict."""
    known = house_rules()
    chosen = []
    for id in ids:
        if id not in known:
            raise UnknownRules(
                "There is no house rule called {name}; choose from {rules}.",
                name=id,
                rules=comma_list(rule.title_with_id for rule in known.values()),
            )
        chosen.append(known[id])
    for one, other in combinations(chosen, 2):
        reason = one.conflict(other)
        if reason is not None:
            raise UnknownRules(
                "“{rule}” and “{other}” cannot be played together: {reason}.",
                rule=one.title,
                other=other.title,
                reason=reason,
            )
    return chosen

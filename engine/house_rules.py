"""House rules: optional rules that balance a game, read from `engine/data`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations
from typing import Any

from engine.catalogue import Change, read_data
from engine.message import Message, Phrase, TranslatableError, comma_list
from engine.value import Value


class InvalidRulesError(TranslatableError, ValueError):
    """Raised if an edition or house rule does not exist, or rules cannot be combined.

    >>> from engine.ruleset import Ruleset
    >>> Ruleset.of("third")
    Traceback (most recent call last):
    engine.house_rules.InvalidRulesError: There is no edition called third; choose from ...
    """


class HouseRule(Value):
    """A house rule: its name, a summary, the flags that it sets and the facts that it changes.

    A rule with neither flags nor changes is checked by its id: `Ruleset.has_rule`. `excludes` maps
    the rules that cannot be combined with it to the reasons; `covered_by` contains flags of an
    edition that allow more than the rule; `topics` are the subjects of the rules that it changes.

    >>> rule = house_rules()["paid-reshuffle"]
    >>> rule.title_with_id, rule.is_checked_by_id
    (Message('Paid shuffle (paid-reshuffle)'), True)
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
        """The name of the rule for players: `Paid shuffle`."""
        return Message.within("house rule", self.name)

    @property
    def title_with_id(self) -> Message:
        """The title followed by the id that players type."""
        return Message("{name} ({id})", name=self.title, id=self.id)

    @property
    def is_checked_by_id(self) -> bool:
        """True if the rule sets no flag and changes no fact, so that the program checks its id."""
        return not self.flags and not self.changes

    @property
    def flag(self) -> str:
        """The name of the flag in a digest for a rule that is checked by its id."""
        return self.id.replace("-", "_")

    def conflict(self, other: HouseRule) -> Phrase | None:
        """Return the reason why two rules cannot be played together, or None if they can.

        >>> rules = house_rules()
        >>> rules["paid-reshuffle"].conflict(rules["duquesne-wins"]) is None
        True
        >>> rules["paid-reshuffle"].conflict(rules["reshuffle-last"]) is None
        False
        """
        reason = self.excludes.get(other.id) or other.excludes.get(self.id)
        if reason is not None:
            return Message(reason)
        clashing = any(other.flags.get(flag, value) != value for flag, value in self.flags.items())
        changes = {(change.kind, change.side, change.id): change for change in self.changes}
        for change in other.changes:
            own_change = changes.get((change.kind, change.side, change.id), change)
            clashing = clashing or own_change != change
        if clashing:
            # Translators: the reason why two house rules cannot be combined; it follows a colon.
            return Message("they contradict each other")
        is_equal = self.flags == other.flags and self.changes == other.changes
        # Translators: the reason why two house rules cannot be combined; it follows a colon.
        return Message("they say the same") if is_equal and not self.is_checked_by_id else None


@cache
def house_rules() -> Mapping[str, HouseRule]:
    """Return all house rules by id.

    >>> "duquesne-wins" in house_rules()
    True
    """
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
    """Return the house rules that set no flag and change no fact.

    >>> "free-discards" in [rule.id for rule in rules_checked_by_id()]
    True
    """
    return [rule for rule in house_rules().values() if rule.is_checked_by_id]


def find_rules(ids: Iterable[str]) -> list[HouseRule]:
    """Return the house rules with `ids`. Raises InvalidRulesError for a conflict.

    >>> [rule.title for rule in find_rules(["duquesne-wins"])]
    [Message('Victory at Fort Duquesne')]
    """
    all_rules = house_rules()
    rules = []
    for id in ids:
        if id not in all_rules:
            raise InvalidRulesError(
                "There is no house rule called {name}; choose from {rules}.",
                name=id,
                rules=comma_list(rule.title_with_id for rule in all_rules.values()),
            )
        rules.append(all_rules[id])
    for rule, other in combinations(rules, 2):
        reason = rule.conflict(other)
        if reason is not None:
            raise InvalidRulesError(
                "“{rule}” and “{other}” cannot be played together: {reason}.",
                rule=rule.title,
                other=other.title,
                reason=reason,
            )
    return rules

"""The measured settings: a ruleset, and the players of both sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.house_rules import InvalidRulesError, house_rules
from engine.ruleset import Ruleset
from engine.sides import Side

Rules = tuple[str, ...]
"""House rules by id; empty for an edition as printed."""


class Setting(NamedTuple):
    """An edition with house rules, and the names of the players as in `benchmarks.matches`."""

    edition: str
    rules: Rules
    british: str
    french: str

    def ruleset(self) -> Ruleset:
        """Return the ruleset. Raises InvalidRulesError if the house rules cannot be combined."""
        return Ruleset.of(self.edition, self.rules)

    @property
    def names(self) -> dict[Side, str]:
        """The player of each side."""
        return {Side.BRITISH: self.british, Side.FRENCH: self.french}

    @property
    def as_printed(self) -> Setting:
        """A copy of the setting without house rules."""
        return self._replace(rules=())


def settings(
    edition_ids: Iterable[str], rules: Sequence[Rules] | None, british: str, french: str
) -> Iterator[Setting]:
    """Yield each edition as printed, then with each of `rules`, by default every house rule.

    A house rule without effect in an edition is skipped by default, and raises InvalidRulesError
    if it is in `rules`.
    """
    for edition in edition_ids:
        yield Setting(edition, (), british, french)
        for ids in [(id,) for id in house_rules()] if rules is None else rules:
            setting = Setting(edition, tuple(sorted(ids)), british, french)
            try:
                setting.ruleset()
            except InvalidRulesError:
                if rules is not None:
                    raise
                continue
            yield setting

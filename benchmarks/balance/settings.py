"""What is measured: a ruleset, and who plays either side by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.house_rules import UnknownRules, house_rules
from engine.ruleset import Ruleset
from engine.sides import Side

Rules = tuple[str, ...]
"""House rules by their ids; none for an edition as it is printed."""


class Setting(NamedTuple):
    """An edition with house rules, and the players by the names of `benchmarks.matches`."""

    edition: str
    rules: Rules
    british: str
    french: str

    def ruleset(self) -> Ruleset:
        """The rules that are played; raises UnknownRules where they make no sense together."""
        return Ruleset.of(self.edition, self.rules)

    @property
    def names(self) -> dict[Side, str]:
        """The player of either side."""
        return {Side.BRITISH: self.british, Side.FRENCH: self.french}

    @property
    def as_printed(self) -> Setting:
        """The same without house rules."""
        return self._replace(rules=())


def settings(
    chosen: Iterable[str], rules: Sequence[Rules] | None, british: str, french: str
) -> Iterator[Setting]:
    """Each edition as it is printed, then with each of `rules`; with every house rule, if None.

    Where one of all house rules changes nothing in an edition it is passed over; what was asked for
    raises UnknownRules instead.
    """
    for edition in chosen:
        yield Setting(edition, (), british, french)
        for ids in [(id,) for id in house_rules()] if rules is None else rules:
            setting = Setting(edition, tuple(sorted(ids)), british, french)
            try:
                setting.ruleset()
            except UnknownRules:
                if rules is not None:
                    raise
                continue
            yield setting

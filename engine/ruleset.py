"""A ruleset: one printed edition plus house rules, as plain flags and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any

from engine.catalogue import Card, Catalogue, load, read_data
from engine.sides import Side

HAND_SIZE = 5
ACTIONS_A_TURN = 2
ACTIONS_IN_FIRST_TURN = 1
VILLAGES = 18
FORTIFICATIONS = 12
FORTIFY_COST = 3
HOME_SUPPORT_DRAW = 3
FUR_VALUE = 2
PIRACY_VALUE = 2
VILLAGE_CAPTURED = 2
TOWN_CAPTURED = 4
CAPTURE_GOAL = 12
TOWNS: Mapping[Side, int] = {Side.BRITISH: 12, Side.FRENCH: 9}
START_MONEY: Mapping[Side, int] = {Side.BRITISH: 12, Side.FRENCH: 5}
SUPPLY_HOME: Mapping[Side, str] = {Side.BRITISH: "boston", Side.FRENCH: "quebec"}
HOMES: Mapping[Side, frozenset[str]] = {
    Side.BRITISH: frozenset({"boston", "new-york"}),
    Side.FRENCH: frozenset({"quebec"}),
}

DEFAULT_EDITION = "second"

# The flag of the Ruleset that each house rule sets.
HOUSE_RULES = {"governor-keeps-starting-locations": "governor_keeps_starting_locations"}


class UnknownRules(ValueError):
    """An edition or a house rule that this program does not know."""


@dataclass(frozen=True)
class Ruleset:
    """The rules of one game: an edition's flags and numbers, with house rules laid over them.

    `reserve_limit` is how many cards the reserve holds, `raid_bonus` how many connections a raid
    reaches beyond one a card, `merchant_gold_cards` how many gold cards one Merchant action uses.
    The defaults are those of the second edition. Make one with `Ruleset.of`.

    >>> Ruleset.of("second").reserve_limit
    5
    """

    edition: str = DEFAULT_EDITION
    house_rules: tuple[str, ...] = ()
    reserve_limit: int = 5
    raid_bonus: int = 1
    merchant_gold_cards: int = 2
    governor_keeps_starting_locations: bool = False
    catalogue: Catalogue = field(
        default_factory=lambda: load(DEFAULT_EDITION), repr=False, compare=False
    )

    @classmethod
    def of(cls, edition: str = DEFAULT_EDITION, house_rules: Iterable[str] = ()) -> Ruleset:
        """The ruleset of `edition` with `house_rules`; raises UnknownRules for a name it lacks."""
        rows = editions()
        if edition not in rows:
            raise UnknownRules(
                f"There is no edition called {edition}; this program plays: {', '.join(rows)}."
            )
        chosen = tuple(sorted(set(house_rules)))
        unknown = [rule for rule in chosen if rule not in HOUSE_RULES]
        if unknown:
            raise UnknownRules(
                f"There is no house rule called {unknown[0]}; "
                f"this program plays: {', '.join(HOUSE_RULES)}."
            )
        flags = {k: v for k, v in rows[edition].items() if k not in ("id", "name", "default")}
        flags |= {HOUSE_RULES[rule]: True for rule in chosen}
        return cls(edition=edition, house_rules=chosen, catalogue=load(edition), **flags)

    def card(self, side: Side, card: str) -> Card:
        """The card of `side` with that id; raises KeyError where that side has none."""
        return self.catalogue.cards[side][card]

    def canonical(self) -> dict[str, Any]:
        """All that decides play, in plain values, for a digest.

        Names and places on the map are left out, and so is every flag and fact that has its
        default value: a later program that knows more flags still gives a game the same digest.
        """
        catalogue = self.catalogue
        return {
            "edition": self.edition,
            "house_rules": list(self.house_rules),
            "flags": _facts(self, "edition", "house_rules", "catalogue"),
            "locations": [
                _facts(place, "name", "position")
                for _, place in sorted(catalogue.locations.items())
            ],
            "connections": sorted([kind, *sorted(ends)] for kind, *ends in catalogue.connections),
            "cards": {
                side.value: [
                    _facts(card, "name") for _, card in sorted(catalogue.cards[side].items())
                ]
                for side in Side
            },
        }


def _facts(thing: Any, *left_out: str) -> dict[str, Any]:
    """The fields of a dataclass that differ from their defaults, as plain values."""
    facts = {}
    for spec in fields(thing):
        if spec.name in left_out:
            continue
        value = getattr(thing, spec.name)
        default = spec.default_factory() if spec.default_factory is not MISSING else spec.default
        if value != default:
            facts[spec.name] = _plain(value)
    return facts


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    return str(value) if isinstance(value, Side) else value


@cache
def editions() -> dict[str, dict[str, Any]]:
    """The editions that can be played, by id, with their flags as `editions.toml` has them."""
    return {row["id"]: row for row in read_data("editions.toml")["edition"]}

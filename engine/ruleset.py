"""A ruleset: one printed edition plus house rules, as plain flags and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, lru_cache
from typing import Any

from engine.catalogue import Card, Catalogue, load, read_data
from engine.house_rules import HouseRule, UnknownRules, find_rules, rules_checked_by_id
from engine.message import Message, comma_list
from engine.sides import Side
from engine.value import Value

HAND_SIZE = 5
ACTIONS_A_TURN = 2
ACTIONS_IN_FIRST_TURN = 1
VILLAGES = 18
FORTIFICATIONS = 12
FORTIFY_COST = 3
HOME_SUPPORT_DRAW = 3
UNPAID_SHUFFLE_CARDS = 2
FUR_VALUE = 2
FREE_FUR_VALUE = 1
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
BRITISH_SIEGE_POINTS = 25
"""What `british_siege_delay` asks for."""
FRENCH_GOAL = "fort-duquesne"
"""What `duquesne_wins` is about."""

_NO_FLAGS = ("id", "name", "languages", "default")
_NO_RULES = ("edition", "house_rules", "catalogue")
_LATER_FLAGS = ("siege_track",)
_NONE = object()
"""Stands for the default of a field that has none."""


class Ruleset(Value):
    """The rules of one game: an edition's flags and numbers, with house rules laid over them.

    The defaults are those of the second edition. Make one with `Ruleset.of`.

    - `reserve_limit`: how many cards the reserve holds, 0 for any number;
      `reserve_takes_locations`: "never", "always", or "lost" for those that are not controlled.
    - `home_support_reshuffles`: Home Support goes on drawing beyond the end of the draw pile.
    - `reshuffle`: when an empty draw pile is renewed: "when-needed" to draw a card, "at-once", or
      "last" in the turn, without drawing beyond its end.
    - `raid_bonus`: connections that a raid reaches beyond one per card; `sieges_restrict_raids`: no
      raid starts from or enters a siege, and only its besieger's passes one.
    - `merchant_gold_cards`: gold cards that one Merchant action uses, 0 for any number.
    - `free_actions_any_time`: free actions also while a siege is resolved and after the refill.
    - `settling_home_wins`: settling the enemy home ends the game; `pieces_end_waits_for_sieges`:
      the end by pieces placed does not come while a siege is on the board.
    - `new_york_reinforces`: the British supply sieges from New York as well as from Boston.
    - `siege_track`: where the siege track ends for the besieger, 0 for a track without an end.

    >>> Ruleset.of("second").reserve_limit
    5
    """

    catalogue: Catalogue
    edition: str = DEFAULT_EDITION
    house_rules: tuple[str, ...] = ()
    reserve_limit: int = 5
    reserve_takes_locations: str = "never"
    home_support_reshuffles: bool = False
    reshuffle: str = "when-needed"
    raid_bonus: int = 1
    sieges_restrict_raids: bool = True
    merchant_gold_cards: int = 2
    free_actions_any_time: bool = False
    settling_home_wins: bool = True
    pieces_end_waits_for_sieges: bool = True
    new_york_reinforces: bool = False
    siege_track: int = 7

    @classmethod
    def of(cls, edition: str = DEFAULT_EDITION, house_rules: Iterable[str] = ()) -> Ruleset:
        """The ruleset of `edition` with `house_rules`.

        Raises UnknownRules, with the reason, for names it does not know and for rules that exclude
        each other or change nothing.
        """
        return _ruleset(edition, tuple(sorted(set(house_rules))))

    def __reduce__(self) -> tuple[Callable[..., Ruleset], tuple[str, tuple[str, ...]]]:
        # Only names go to another process: it has the box itself.
        return Ruleset.of, (self.edition, self.house_rules)

    def plays(self, rule: str) -> bool:
        """Whether a house rule is played; asked where one that sets no flag of its own applies."""
        return rule in self.house_rules

    def chooses_start_card(self, side: Side | None) -> bool:
        """Whether `side` adds a card to its initial deck before the game."""
        return side is Side.FRENCH and self.plays("french-start-choice")

    def card(self, side: Side, card: str) -> Card:
        """The card of `side` with that id; raises KeyError where that side has none."""
        return self.catalogue.cards[side][card]

    def canonical(self) -> Mapping[str, Any]:
        """Everything that decides play, as plain values, for a digest.

        Names and places on the map are left out, and so is every flag and fact that has its default
        value: a later program that knows more flags still gives a game the same digest. The same
        holds where an edition has another value, if that is the printed one.
        """
        return self._canonical

    @cached_property
    def _canonical(self) -> Mapping[str, Any]:
        catalogue = self.catalogue
        return {
            "edition": self.edition,
            "house_rules": list(self.house_rules),
            "flags": _facts(self, *_NO_RULES, *self._as_printed()) | self._asked_for(),
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

    def _as_printed(self) -> list[str]:
        """The flags later than the first digests that are as the edition has them, by its id."""
        printed = editions().get(self.edition, {})
        defaults = _defaults(Ruleset)
        return [f for f in _LATER_FLAGS if getattr(self, f) == printed.get(f, defaults[f])]

    def _asked_for(self) -> dict[str, bool]:
        """The flags of the house rules that set none of their own."""
        if not self.house_rules:
            # So that these need not be read for most games.
            return {}
        return {rule.flag: True for rule in rules_checked_by_id() if self.plays(rule.id)}


@lru_cache(maxsize=16)
def _ruleset(edition: str, names: tuple[str, ...]) -> Ruleset:
    """`Ruleset.of`, cached: each game that is read names its rules, which rarely differ."""
    rows = editions()
    if edition not in rows:
        raise UnknownRules(
            "There is no edition called {name}; choose from {editions}.",
            name=edition,
            editions=comma_list(
                Message("{name} ({id})", name=Message(row["name"]), id=id)
                for id, row in rows.items()
            ),
        )
    flags = {key: value for key, value in rows[edition].items() if key not in _NO_FLAGS}
    if not names:
        return Ruleset(edition=edition, catalogue=load(edition), **flags)
    chosen = find_rules(names)
    plain = Ruleset(edition=edition, catalogue=load(edition), **flags)
    for rule in chosen:
        _check_changes(plain, rule, rows[edition]["name"])
        flags |= rule.flags
    changes = tuple(change for rule in chosen for change in rule.changes)
    return Ruleset(edition=edition, house_rules=names, catalogue=load(edition, changes), **flags)


def _facts(thing: Value, *left_out: str) -> dict[str, Any]:
    """The fields of a ruleset, a location or a card that differ from their defaults, plain."""
    kind: Any = type(thing)
    return {
        name: _plain(value)
        for name, default in _defaults(kind).items()
        if (value := getattr(thing, name)) != default and name not in left_out
    }


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    """The names of the fields of such a thing, each with its default value if it has one."""
    return {name: kind.defaults.get(name, _NONE) for name in kind.fields}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    return str(value) if isinstance(value, Side) else value


def _check_changes(plain: Ruleset, rule: HouseRule, edition: str) -> None:
    """Raise UnknownRules where a house rule changes nothing in an edition."""
    if rule.is_checked_by_id:
        return
    covered = any(getattr(plain, flag) == value for flag, value in rule.covered_by.items())
    by_flags = not covered and any(getattr(plain, f) != value for f, value in rule.flags.items())
    by_facts = load(plain.edition, rule.changes) != plain.catalogue
    if not by_flags and not by_facts:
        raise UnknownRules(
            "{edition} is already played that way, so “{rule}” changes nothing.",
            rule=rule.title,
            edition=Message(edition),
        )


@cache
def editions() -> dict[str, dict[str, Any]]:
    """The editions that can be played, by id, with their flags as `editions.toml` has them."""
    return {row["id"]: row for row in read_data("editions.toml")["edition"]}

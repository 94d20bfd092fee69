"""The rules of one game: an edition, changed by house rules, as flags and numbers.

>>> Ruleset.of("first").reserve_limit, Ruleset.of("second").reserve_limit
(0, 5)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, lru_cache
from typing import Any

from engine.catalogue import Card, Catalogue, load, read_data
from engine.house_rules import HouseRule, InvalidRulesError, find_rules, rules_checked_by_id
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
"""The victory points that the house rule `british-siege-delay` requires."""
FRENCH_GOAL = "fort-duquesne"
"""The location that wins by the house rule `duquesne-wins`."""

_NO_FLAGS = ("id", "name", "languages", "default")
_NO_RULES = ("edition", "house_rules", "catalogue")
_LATER_FLAGS = ("siege_track",)
_NONE = object()
"""A mark for a missing default."""


class Ruleset(Value):
    """The rules of one game: the flags and numbers of an edition, changed by house rules.

    The defaults are those of the second edition. Create one by `Ruleset.of`.

    - `reserve_limit`: the maximum number of cards in the reserve, 0 for no limit;
      `reserve_takes_locations`: the location cards that the reserve accepts, "never", "always", or
      "lost" for cards of locations that are not controlled.
    - `home_support_reshuffles`: Home Support continues to draw after a shuffle.
    - `reshuffle`: the time at which an empty draw pile is renewed: "when-needed" to draw a card,
      "at-once", or "last" in the turn, without drawing beyond its end.
    - `raid_bonus`: the connections that a raid reaches beyond one per card;
      `sieges_restrict_raids`: no raid starts from or enters a siege, and only its besieger's raids
      pass it.
    - `merchant_gold_cards`: the maximum number of gold cards of one Merchant action, 0 for no
      limit.
    - `free_actions_any_time`: free actions are allowed while a siege is resolved and after the
      refill.
    - `settling_home_wins`: settling the opponent's home wins; `pieces_end_waits_for_sieges`: the
      game does not end by placed pieces while there is a siege.
    - `new_york_reinforces`: the British supply sieges from New York as well as from Boston.
    - `siege_track`: the end of the siege track on the besieger's side, 0 for no end.

    >>> ruleset = Ruleset.of("second", ["free-discards"])
    >>> ruleset.edition, ruleset.house_rules, ruleset.raid_bonus
    ('second', ('free-discards',), 1)
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
        """Return the ruleset of an edition with house rules.

        Raises InvalidRulesError, with the reason, for unknown names, and for rules that exclude
        each other or change nothing.

        >>> Ruleset.of("second", ["free-discards"]) == Ruleset.of("second")
        False
        """
        return _ruleset(edition, tuple(sorted(set(house_rules))))

    def __reduce__(self) -> tuple[Callable[..., Ruleset], tuple[str, tuple[str, ...]]]:
        # Only the names are pickled: the other process reads the data itself.
        return Ruleset.of, (self.edition, self.house_rules)

    def has_rule(self, rule: str) -> bool:
        """Return True if a house rule is in play.

        >>> Ruleset.of("second", ["duquesne-wins"]).has_rule("duquesne-wins")
        True
        """
        return rule in self.house_rules

    def has_start_choice(self, side: Side | None) -> bool:
        """Return True if `side` adds a card to its initial deck before the game (house rule).

        >>> Ruleset.of("second").has_start_choice(Side.FRENCH)
        False
        """
        return side is Side.FRENCH and self.has_rule("french-start-choice")

    def card(self, side: Side, card: str) -> Card:
        """Return the card of `side` with an id. Raises KeyError if `side` has no such card.

        >>> Ruleset.of("second").card(Side.BRITISH, "regular-infantry").cost
        7
        """
        return self.catalogue.cards[side][card]

    def canonical(self) -> Mapping[str, Any]:
        """Return everything that decides play as plain values, for a digest.

        Omits names, map positions, and every flag and fact with its default value. A later program
        with more flags therefore computes the same digest for a game. Flags that were added later
        are also omitted if they have the value of the printed edition.

        >>> sorted(Ruleset.of("second").canonical())
        ['cards', 'connections', 'edition', 'flags', 'house_rules', 'locations']
        """
        return self._canonical

    @cached_property
    def _canonical(self) -> Mapping[str, Any]:
        catalogue = self.catalogue
        return {
            "edition": self.edition,
            "house_rules": list(self.house_rules),
            "flags": _facts(self, *_NO_RULES, *self._printed_flags()) | self._flags_by_id(),
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

    def _printed_flags(self) -> list[str]:
        """Return the flags added after the first digests that have the value of the edition."""
        edition = editions().get(self.edition, {})
        defaults = _defaults(Ruleset)
        return [f for f in _LATER_FLAGS if getattr(self, f) == edition.get(f, defaults[f])]

    def _flags_by_id(self) -> dict[str, bool]:
        """Return the flags of the house rules in play that are checked by their id."""
        if not self.house_rules:
            # Avoids reading the house rules for most games.
            return {}
        return {rule.flag: True for rule in rules_checked_by_id() if self.has_rule(rule.id)}


@lru_cache(maxsize=16)
def _ruleset(edition: str, names: tuple[str, ...]) -> Ruleset:
    """Return `Ruleset.of`, cached because every game that is read names its rules."""
    rows = editions()
    if edition not in rows:
        raise InvalidRulesError(
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
    house_rules = find_rules(names)
    plain = Ruleset(edition=edition, catalogue=load(edition), **flags)
    for rule in house_rules:
        _check_changes(plain, rule, rows[edition]["name"])
        flags |= rule.flags
    changes = tuple(change for rule in house_rules for change in rule.changes)
    return Ruleset(edition=edition, house_rules=names, catalogue=load(edition, changes), **flags)


def _facts(thing: Value, *omitted: str) -> dict[str, Any]:
    """Return the fields of a ruleset, location or card that differ from their defaults."""
    kind: Any = type(thing)
    return {
        name: _plain(value)
        for name, default in _defaults(kind).items()
        if (value := getattr(thing, name)) != default and name not in omitted
    }


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    """Return the names of the fields of a class, each with its default value if it has one."""
    return {name: kind.defaults.get(name, _NONE) for name in kind.fields}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    return str(value) if isinstance(value, Side) else value


def _check_changes(plain: Ruleset, rule: HouseRule, edition: str) -> None:
    """Raise InvalidRulesError if a house rule changes nothing in an edition."""
    if rule.is_checked_by_id:
        return
    covered = any(getattr(plain, flag) == value for flag, value in rule.covered_by.items())
    by_flags = not covered and any(getattr(plain, f) != value for f, value in rule.flags.items())
    by_facts = load(plain.edition, rule.changes) != plain.catalogue
    if not by_flags and not by_facts:
        raise InvalidRulesError(
            "{edition} is already played that way, so “{rule}” changes nothing.",
            rule=rule.title,
            edition=Message(edition),
        )


@cache
def editions() -> dict[str, dict[str, Any]]:
    """Return the editions by id, with their flags as in `editions.toml`.

    >>> list(editions())
    ['second', 'first', 'first-revised']
    """
    return {row["id"]: row for row in read_data("editions.toml")["edition"]}

"""In what editions and house rules differ, in words, from the flags of their rulesets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.house_rules import UnknownRules, house_rules
from engine.ruleset import Ruleset, editions

if TYPE_CHECKING:
    from engine.house_rules import HouseRule


class Row(NamedTuple):
    """One thing in which editions differ: its flag, what it is, how a ruleset has it, in words.

    The `flag` is empty for a fact of the box.
    """

    flag: str
    label: str
    value: Callable[[Ruleset], str]


def _says(flag: str, label: str, words: Mapping[Any, str]) -> Row:
    return Row(flag, label, lambda ruleset: words[getattr(ruleset, flag)])


def _limit(flag: str, label: str, noun: str) -> Row:
    def words(ruleset: Ruleset) -> str:
        limit = getattr(ruleset, flag)
        return f"at most {limit} {noun}" if limit else f"any number of {noun}"

    return Row(flag, label, words)


def french_bateaux(ruleset: Ruleset) -> str:
    """Where the French Bateaux card is when a game begins."""
    from engine.sides import Side

    card = ruleset.catalogue.cards[Side.FRENCH].get("bateaux")
    if card is None:
        return "not in the game"
    return "in the initial deck" if card.initial_copies else "among the available cards"


ROWS = (
    Row("", "French Bateaux", french_bateaux),
    _limit("reserve_limit", "the reserve holds", "cards"),
    _says(
        "reserve_takes_locations",
        "location cards in the reserve",
        {"never": "no", "always": "yes", "lost": "those of lost locations"},
    ),
    _says(
        "home_support_reshuffles",
        "Home Support at the end of the draw pile",
        {False: "draws what is left", True: "shuffles, and goes on"},
    ),
    _says(
        "reshuffle",
        "an empty draw pile is made anew",
        {
            "when-needed": "when a card must be drawn",
            "at-once": "at once",
            "last": "as the last thing in a turn",
        },
    ),
    _says(
        "raid_bonus",
        "a raid of n cards reaches",
        {0: "n connections", 1: "n + 1 connections"},
    ),
    _says(
        "sieges_restrict_raids",
        "sieges bar raids",
        {False: "no", True: "yes: out of, into and through them"},
    ),
    _limit("merchant_gold_cards", "a Merchant carries", "gold cards"),
    _says(
        "free_actions_any_time",
        "free actions",
        {
            False: "not while a siege is resolved, nor after the refill",
            True: "at any time in the turn",
        },
    ),
    _says(
        "settling_home_wins",
        "settling the enemy home wins",
        {False: "no, only a won siege", True: "yes"},
    ),
    _says(
        "pieces_end_waits_for_sieges",
        "a siege holds up the end by pieces placed",
        {False: "no", True: "yes"},
    ),
    _says(
        "new_york_reinforces",
        "the British reinforce sieges from",
        {False: "Boston", True: "Boston or New York"},
    ),
)


def differences(flags: tuple[str, ...], ruleset: Ruleset) -> list[str]:
    """How `ruleset` has these flags, and which editions have them otherwise, a line each."""
    printed = {edition: Ruleset.of(edition) for edition in editions()}
    lines = []
    for row in ROWS:
        if row.flag in flags:
            mine = row.value(ruleset)
            by_value: dict[str, list[str]] = {}
            for id, other in printed.items():
                by_value.setdefault(row.value(other), []).append(id)
            apart = [f"{', '.join(ids)}: {v}" for v, ids in by_value.items() if v != mine]
            lines.append(f"{row.label}: {mine}" + (f" ({'; '.join(apart)})" if apart else ""))
    return lines


def excluded_by(rule: HouseRule) -> dict[str, str]:
    """The house rules that cannot be played beside one, each with the reason."""
    return {
        other.id: reason
        for other in house_rules().values()
        if other is not rule and (reason := rule.conflict(other))
    }


def part_of(rule: str) -> dict[str, str]:
    """The editions in which a house rule changes nothing, each with the reason."""
    found = {}
    for edition in editions():
        try:
            Ruleset.of(edition, [rule])
        except UnknownRules as error:
            found[edition] = str(error)
    return found

"""In what editions and house rules differ, in words, from the flags of their rulesets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.house_rules import UnknownRules, house_rules
from engine.message import Message, Said, mark, mark_in, message_of
from engine.ruleset import Ruleset, editions
from pbem.cli.words import joined_with_semicolons, labelled

if TYPE_CHECKING:
    from engine.house_rules import HouseRule


class Row(NamedTuple):
    """One thing in which editions differ: its flag, what it is, how a ruleset has it, in words.

    The `flag` is empty for a fact of the box; the `label` is a marked message.
    """

    flag: str
    label: str
    value: Callable[[Ruleset], Said]

    @property
    def named(self) -> Message:
        """What it is."""
        return Message(self.label)


def _says(flag: str, label: str, words: Mapping[Any, str]) -> Row:
    """A row whose values are told by `words`, marked in the context of rules."""
    return Row(flag, label, lambda ruleset: Message.within("rule", words[getattr(ruleset, flag)]))


def _cards_in_reserve(ruleset: Ruleset) -> Message:
    limit = ruleset.reserve_limit
    if not limit:
        return Message("any number of cards")
    return Message.counted("at most {count} card", "at most {count} cards", limit)


def _gold_cards(ruleset: Ruleset) -> Message:
    limit = ruleset.merchant_gold_cards
    if not limit:
        return Message("any number of gold cards")
    return Message.counted("at most {count} gold card", "at most {count} gold cards", limit)


def french_bateaux(ruleset: Ruleset) -> Message:
    """Where the French Bateaux card is when a game begins."""
    from engine.sides import Side

    card = ruleset.catalogue.cards[Side.FRENCH].get("bateaux")
    if card is None:
        return Message("not in the game")
    if card.initial_copies:
        return Message("in the initial deck")
    return Message("among the available cards")


NO, YES = mark_in("rule", "no"), mark_in("rule", "yes")
ROWS = (
    Row("", mark("French Bateaux"), french_bateaux),
    Row("reserve_limit", mark("the reserve holds"), _cards_in_reserve),
    _says(
        "reserve_takes_locations",
        mark("location cards in the reserve"),
        {"never": NO, "always": YES, "lost": mark_in("rule", "those of lost locations")},
    ),
    _says(
        "home_support_reshuffles",
        mark("Home Support at the end of the draw pile"),
        {
            False: mark_in("rule", "draws what is left"),
            True: mark_in("rule", "shuffles, and goes on"),
        },
    ),
    _says(
        "reshuffle",
        mark("an empty draw pile is made anew"),
        {
            "when-needed": mark_in("rule", "when a card must be drawn"),
            "at-once": mark_in("rule", "at once"),
            "last": mark_in("rule", "as the last thing in a turn"),
        },
    ),
    _says(
        "raid_bonus",
        mark("a raid of n cards reaches"),
        {0: mark_in("rule", "n connections"), 1: mark_in("rule", "n + 1 connections")},
    ),
    _says(
        "sieges_restrict_raids",
        mark("sieges bar raids"),
        {False: NO, True: mark_in("rule", "yes: out of, into and through them")},
    ),
    Row("merchant_gold_cards", mark("a Merchant carries"), _gold_cards),
    _says(
        "free_actions_any_time",
        mark("free actions"),
        {
            False: mark_in("rule", "not while a siege is resolved, nor after the refill"),
            True: mark_in("rule", "at any time in the turn"),
        },
    ),
    _says(
        "settling_home_wins",
        mark("settling the enemy home wins"),
        {False: mark_in("rule", "no, only a won siege"), True: YES},
    ),
    _says(
        "pieces_end_waits_for_sieges",
        mark("a siege holds up the end by pieces placed"),
        {False: NO, True: YES},
    ),
    _says(
        "new_york_reinforces",
        mark("the British reinforce sieges from"),
        {
            False: mark_in("rule", "Boston"),
            True: mark_in("rule", "Boston or New York"),
        },
    ),
)


def differences(flags: tuple[str, ...], ruleset: Ruleset) -> list[Message]:
    """How `ruleset` has these flags, and which editions have them otherwise, a line each."""
    return [_difference(row, ruleset) for row in ROWS if row.flag in flags]


def _difference(row: Row, ruleset: Ruleset) -> Message:
    mine = getattr(ruleset, row.flag)
    printed = [Ruleset.of(edition) for edition in editions()]
    apart: dict[Any, list[Ruleset]] = {}
    for other in printed:
        if getattr(other, row.flag) != mine:
            apart.setdefault(getattr(other, row.flag), []).append(other)
    label, value = row.named, row.value(ruleset)
    if not apart:
        return labelled(label, value)
    others = joined_with_semicolons(
        labelled(", ".join(one.edition for one in alike), row.value(alike[0]))
        for alike in apart.values()
    )
    return Message("{label}: {value} ({others})", label=label, value=value, others=others)


def excluded_by(rule: HouseRule) -> dict[str, Said]:
    """The house rules that cannot be played beside one, each with the reason."""
    return {
        other.id: reason
        for other in house_rules().values()
        if other is not rule and (reason := rule.conflict(other))
    }


def part_of(rule: str) -> dict[str, Said]:
    """The editions in which a house rule changes nothing, each with the reason."""
    found = {}
    for edition in editions():
        try:
            Ruleset.of(edition, [rule])
        except UnknownRules as error:
            found[edition] = message_of(error)
    return found

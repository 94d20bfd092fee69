"""`acres rules`: the editions side by side, and the house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pbem.cli import console
from pbem.cli.home import program

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

app = typer.Typer(
    name="rules",
    help="Compare the printed editions, and look up the house rules.",
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="As data, for other programs.")]


class _Row(NamedTuple):
    """One thing in which editions differ: what it is, and how a ruleset has it, in words."""

    label: str
    value: Callable[[Ruleset], str]


def _says(flag: str, words: Mapping[Any, str]) -> Callable[[Ruleset], str]:
    return lambda ruleset: words[getattr(ruleset, flag)]


def _limit(flag: str, noun: str) -> Callable[[Ruleset], str]:
    def words(ruleset: Ruleset) -> str:
        limit = getattr(ruleset, flag)
        return f"at most {limit} {noun}" if limit else f"any number of {noun}"

    return words


def _french_bateaux(ruleset: Ruleset) -> str:
    from engine.sides import Side

    card = ruleset.catalogue.cards[Side.FRENCH].get("bateaux")
    if card is None:
        return "not in the game"
    return "in the initial deck" if card.initial_copies else "among the available cards"


_ROWS = (
    _Row("French Bateaux", _french_bateaux),
    _Row("the reserve holds", _limit("reserve_limit", "cards")),
    _Row(
        "location cards in the reserve",
        _says("reserve_takes_locations", {"never": "no", "always": "yes"}),
    ),
    _Row(
        "Home Support at the end of the draw pile",
        _says(
            "home_support_reshuffles",
            {False: "draws what is left", True: "shuffles, and goes on"},
        ),
    ),
    _Row(
        "an empty draw pile is made anew",
        _says("reshuffle", {"when-needed": "when a card must be drawn", "at-once": "at once"}),
    ),
    _Row(
        "a raid of n cards reaches",
        _says("raid_bonus", {0: "n connections", 1: "n + 1 connections"}),
    ),
    _Row(
        "sieges bar raids",
        _says(
            "sieges_restrict_raids",
            {False: "no", True: "yes: out of, into and through them"},
        ),
    ),
    _Row("a Merchant carries", _limit("merchant_gold_cards", "gold cards")),
    _Row(
        "free actions",
        _says(
            "free_actions_any_time",
            {
                False: "not while a siege is resolved, nor after the refill",
                True: "at any time in the turn",
            },
        ),
    ),
    _Row(
        "settling the enemy home wins",
        _says("settling_home_wins", {False: "no, only a won siege", True: "yes"}),
    ),
    _Row(
        "a siege holds up the end by pieces placed",
        _says("pieces_end_waits_for_sieges", {False: "no", True: "yes"}),
    ),
    _Row(
        "the British reinforce sieges from",
        _says("new_york_reinforces", {False: "Boston", True: "Boston or New York"}),
    ),
)


@app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        console.say_whole(context.get_help())


@app.command("editions")
def show_editions(json: Json = False) -> None:
    """Show in what the printed editions differ."""
    from engine.ruleset import Ruleset, editions

    printed = editions()
    rulesets = {edition: Ruleset.of(edition) for edition in printed}
    if json:
        from json import dumps

        plain = [
            {
                "id": id,
                "name": printed[id]["name"],
                "flags": _flags(ruleset),
                "french_bateaux": _french_bateaux(ruleset),
            }
            for id, ruleset in rulesets.items()
        ]
        console.say_whole(dumps(plain, indent=2))
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    for edition in rulesets:
        table.add_column(edition)
    for row in _ROWS:
        table.add_row(row.label, *(row.value(ruleset) for ruleset in rulesets.values()))
    console.show(table)
    console.say()
    for id, facts in printed.items():
        usual = ", the usual one" if facts.get("default") else ""
        console.item(f"{id}: {facts['name']} ({_languages(facts['languages'])}){usual}")
    console.say(f"All else is the same. To play one: {program()} new --edition EDITION")


def _flags(ruleset: Ruleset) -> dict[str, Any]:
    """Every flag, also where it has its default, which digests leave out."""
    from dataclasses import fields

    others = ("edition", "house_rules", "catalogue")
    names = (spec.name for spec in fields(ruleset) if spec.name not in others)
    return {name: getattr(ruleset, name) for name in names}


def _languages(codes: list[str]) -> str:
    names = {"en": "English", "fr": "French", "it": "Italian", "ru": "Russian"}
    return " and ".join(names[code] for code in codes)


@app.command("house")
def show_house_rules(json: Json = False) -> None:
    """List the house rules: what each does, and what it excludes."""
    from engine.house_rules import house_rules

    rules = house_rules()
    excluded = {
        rule.id: {
            other: reason
            for other in rules
            if other != rule.id and (reason := rule.conflict(rules[other]))
        }
        for rule in rules.values()
    }
    part_of = {id: _part_of(id) for id in rules}
    if json:
        from json import dumps

        facts = [
            {
                "id": rule.id,
                "what": rule.what,
                "excludes": excluded[rule.id],
                "part_of": part_of[rule.id],
            }
            for rule in rules.values()
        ]
        console.say_whole(dumps(facts, indent=2))
        return
    for rule in rules.values():
        console.say(rule.id, style="bold")
        console.item(rule.what)
        if excluded[rule.id]:
            console.item(f"Not together with: {', '.join(excluded[rule.id])}.")
        if part_of[rule.id]:
            console.item(f"Part of: {', '.join(part_of[rule.id])}.")
    console.say()
    console.say(f"To play with some: {program()} new --house-rule ID, once for each.")


def _part_of(rule: str) -> dict[str, str]:
    """The editions in which a house rule changes nothing, each with the reason."""
    from engine.house_rules import UnknownRules
    from engine.ruleset import Ruleset, editions

    found = {}
    for edition in editions():
        try:
            Ruleset.of(edition, [rule])
        except UnknownRules as error:
            found[edition] = str(error)
    return found

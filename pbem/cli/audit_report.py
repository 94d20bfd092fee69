"""The report of an audit, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.message import Message, Run, Said, commas, labelled, mark, sentences
from engine.sides import Side
from pbem.cli import console
from pbem.cli.findings import (
    author_of,
    damaged_perhaps,
    may_be_damage,
    same_version,
    with_key,
    without_blame,
)
from pbem.cli.game_rules import game_line, how_often
from pbem.errors import Finding
from pbem.mail.mend import Mend, told
from pbem.play.audit import Report
from pbem.play.game_file import whose_move
from pbem.words.dates import instant
from pbem.words.history.waiting import ahead_told, silence_told
from pbem.words.phrases import (
    capital,
    fingerprint,
    listed,
    names,
    orders_counted,
    player,
    records_counted,
)

if TYPE_CHECKING:
    from pbem.mail.given import Given

_SIGNED = mark("record {number} (the file has 0 to {last}), signed by {player}")
_IN_THE_NAME = mark("record {number} (the file has 0 to {last}), in the name of {player}")


def say_report(report: Report, now: str, given: Given | None = None) -> None:
    """Print the verdict: what is proved and what not yet, or the finding; `now` is the time.

    `given` is the file, with what had to be mended; None for one that was just written.
    """
    match = report.match
    mends = given.mends if given else frozenset()
    if match.records:
        console.say(game_line(match), style="bold")
    for side in match.entrants:
        console.item(Run((player(match, side), ", ", fingerprint(match.entrants[side].key))))
    console.say()
    ahead = ahead_told(match, now)
    finding = report.finding
    if finding is not None:
        console.say(Message("This file does not hold."), style="bold red")
        _say_finding(report, finding, given)
        _say_counts(report)
        say_mends(mends)
        _say_if_any(ahead)
        return
    proved = Message("Everything in this file is proved.")
    if mends:
        proved = Message(
            "Everything in this file is proved, now that it is mended: the signatures fit."
        )
    console.say(proved, style="bold green")
    _say_counts(report)
    say_mends(mends)
    if match.is_joined:
        _say_recomputed(report)
    console.say()
    _say_if_any(ahead)
    console.say(whose_move(match))
    if match.is_joined:
        for line in silence_told(match, now):
            console.say(line)


def _say_if_any(told: Said) -> None:
    if told:
        console.say(told)


def say_mends(mends: frozenset[Mend]) -> None:
    """Print what had to be undone to read a file, if anything had to be."""
    if mends:
        # Translators: {list} is such as “marks of quoting were taken away; …”.
        console.item(Message("mended: {list}", list=told(mends)))


def _say_recomputed(report: Report) -> None:
    """Print what published game secrets proved, and what is left to be proved by a close."""
    match = report.match
    for side, done in report.closed.items():
        found = (
            Message.counted("{count} shuffle", "{count} shuffles", done.shuffles),
            Message.counted("{count} grant", "{count} grants", done.grants),
            Message.counted("{count} hand", "{count} hands", done.hands),
        )
        who = player(match, side)
        # Translators: {list} is such as “7 shuffles, 31 grants, 40 hands”.
        told = Message("recomputed: {list} of {player}", list=commas(found), player=who)
        console.item(told, style="green")
    often = how_often(match.invite.lists)
    unproved = [side for side in Side if side not in report.closed]
    if len(unproved) == len(Side):
        console.say(
            Message(
                "Not proved until the game is closed: that cards were granted at random; and a "
                "deck with wrong cards would have passed a shuffle {often}.",
                often=often,
            )
        )
    elif unproved:
        console.say(
            Message(
                "Not proved until {player} closes the game too: that they granted cards at random; "
                "and a deck of theirs with wrong cards would have passed a shuffle {often}.",
                player=player(match, unproved[0]),
                often=often,
            )
        )
    else:
        console.say(Message("Both sides have closed the game: nothing is left to be proved."))


def say_hands(report: Report) -> None:
    """Print the open hands, after each record that changed one."""
    match = report.match
    left = [player(match, side) for side in match.entrants if side not in match.secrets]
    if left:
        console.say()
        console.say(
            Message("The hands can be seen when the game is closed.")
            if len(left) == len(Side)
            else Message(
                "The hand of {player} can be seen when {player} closes the game too.",
                player=left[0],
            )
        )
    if not match.secrets:
        return
    console.heading(Message("The hands after each record that changed one"))
    name, before = names(match.state), dict[Side, list[str] | None]()
    for record, hands in zip(match.records, report.hands, strict=True):
        changed = {
            side: hand
            for side, hand in hands.items()
            if hand is not None and before.get(side) != hand
        }
        if changed:
            by = Run((player(match, Side(record.side)), ", ", instant(record.time)))
            console.item(labelled(str(record.index), by))
        for side, hand in changed.items():
            console.item(labelled(capital(side.label), listed(hand or (), name)), indent=4)
        before |= changed


def _say_finding(report: Report, finding: Finding, given: Given | None) -> None:
    """Print what fails, and what to do; the author is named only where the finding proves it."""
    player = author_of(report.match, finding)
    author = with_key(player, report.accused)
    whose = _SIGNED if finding.accuses else _IN_THE_NAME
    last = report.total_records - 1
    console.item(Message(whose, number=finding.record, last=last, player=author))
    console.item(Message("what fails: {rule}", rule=finding.rule_in_words))
    is_damaged = given is not None and may_be_damage(
        finding, given.data, is_as_sent=given.is_as_sent
    )
    fails = without_blame(finding) if is_damaged else finding.sentence
    console.item(console.clean(console.told(fails)))
    if finding.shown_by is not None:
        console.item(
            Message(
                "shown by: record {number}, with which {player} closed the game",
                number=finding.shown_by,
                player=player,
            )
        )
        console.say(
            Message(
                "All records before that one agree with the rules and with each other: what is "
                "wrong could not be seen until the game secret was published."
            )
        )
    elif finding.record:
        console.say(Message("All records before it are in order."))
    console.say(_what_to_do(finding, author, is_damaged=is_damaged))


def _what_to_do(finding: Finding, author: Said, *, is_damaged: bool) -> Message:
    if is_damaged:
        again = Message("Ask for it again, as an attachment.")
        return sentences(damaged_perhaps(), again)
    if finding.accuses:
        return Message(
            "It is {player} who wrote it so: ask them for the right file.", player=author
        )
    if finding.rule == "rules data":
        innocent = Message("No player is shown to have cheated by this.")
        return sentences(innocent, same_version())
    return Message(
        "No player is shown to have cheated by this: whoever passed the file on may have changed "
        "it. Ask both for the file they have."
    )


def _say_counts(report: Report) -> None:
    """Print how much was checked."""
    counts = report.counts
    found = (
        _records_checked(report),
        Message.counted("{count} shuffle", "{count} shuffles", counts.get("shuffle", 0)),
        Message.counted(
            "{count} opening of lists", "{count} openings of lists", counts.get("open-lists", 0)
        ),
        Message.counted(
            "{count} grant of cards", "{count} grants of cards", counts.get("grant", 0)
        ),
        Message.counted("{count} shown card", "{count} shown cards", counts.get("open", 0)),
        orders_counted(counts.get("order", 0)),
    )
    # Translators: {list} is such as “42 records, 3 shuffles, 17 orders”.
    console.item(Message("checked: {list}", list=commas(found)))


def _records_checked(report: Report) -> Message:
    """How many records hold; which, where not all do. They are counted from 0."""
    checked = len(report.match.records)
    if not report.finding or not checked:
        return records_counted(checked)
    if checked == 1:
        return Message("1 record (number 0)")
    return Message.counted(
        "{count} record (0 to {last})", "{count} records (0 to {last})", checked, last=checked - 1
    )

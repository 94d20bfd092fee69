"""The report of an audit, in words."""

from __future__ import annotations

from engine.sides import Side
from pbem.audit import Report
from pbem.cli import console
from pbem.cli.findings import SAME_VERSION, author_of
from pbem.cli.game_commands import game_line, how_often
from pbem.cli.waiting import say_silence
from pbem.cli.words import counted, fingerprint, listed, names, player
from pbem.errors import Finding
from pbem.game_file import whose_move


def say_report(report: Report, now: str) -> None:
    """Print the verdict: what is proved and what not yet, or the finding; `now` is the time."""
    match = report.match
    if match.records:
        console.say(game_line(match), style="bold")
    for side in match.entrants:
        console.item(f"{player(match, side)}, {fingerprint(match.entrants[side].key)}")
    console.say()
    finding = report.finding
    if finding is not None:
        console.say("This file does not hold.", style="bold red")
        _say_finding(report, finding)
        _say_counts(report)
        return
    console.say("Everything in this file is proved.", style="bold green")
    _say_counts(report)
    if match.is_joined:
        _say_recomputed(report)
    console.say()
    console.say(whose_move(match))
    if match.is_joined:
        say_silence(match, now)


def _say_recomputed(report: Report) -> None:
    """Print what published game secrets proved, and what is left to be proved by a close."""
    match = report.match
    for side, done in report.closed.items():
        numbers = ", ".join(
            (
                counted(done.shuffles, "shuffle"),
                counted(done.grants, "grant"),
                counted(done.hands, "hand"),
            )
        )
        console.item(f"recomputed: {numbers} of {player(match, side)}", style="green")
    passes = how_often(match.invite.lists)
    unproved = [side for side in Side if side not in report.closed]
    if len(unproved) == len(Side):
        console.say(
            "Not proved until the game is closed: that cards were granted at random; and a deck "
            f"with wrong cards would have passed a shuffle {passes}."
        )
    elif unproved:
        who = player(match, unproved[0])
        console.say(
            f"Not proved until {who} closes the game too: that they granted cards at random; and a "
            f"deck of theirs with wrong cards would have passed a shuffle {passes}."
        )
    else:
        console.say("Both sides have closed the game: nothing is left to be proved.")


def say_hands(report: Report) -> None:
    """Print the open hands, after each record that changed one."""
    match = report.match
    left = [player(match, side) for side in match.entrants if side not in match.secrets]
    if left:
        until = "the game is closed" if len(left) == 2 else f"{left[0]} closes the game too"
        whose = "The hands" if len(left) == 2 else f"The hand of {left[0]}"
        console.say()
        console.say(f"{whose} can be seen when {until}.")
    if not match.secrets:
        return
    console.heading("The hands after each record that changed one")
    name, before = names(match.state), dict[Side, list[str] | None]()
    for record, hands in zip(match.records, report.hands, strict=True):
        changed = {
            side: hand
            for side, hand in hands.items()
            if hand is not None and before.get(side) != hand
        }
        if changed:
            console.item(f"{record.index}: {player(match, Side(record.side))}, {record.time}")
        for side, hand in changed.items():
            console.item(f"{side.label}: {listed(hand or (), name)}", indent=4)
        before |= changed


def _say_finding(report: Report, finding: Finding) -> None:
    """Print what fails, and what to do; the author is named only where the finding proves it."""
    author, last = author_of(report.match, finding), report.total_records - 1
    signed = "signed by" if finding.accuses else "in the name of"
    which = f"record {finding.record} (the file has 0 to {last})"
    console.item(f"{which}, {signed} {author}")
    console.item(f"what fails: {finding.rule}")
    console.item(console.clean(finding.sentence))
    if finding.shown_by is not None:
        console.item(f"shown by: record {finding.shown_by}, with which {author} closed the game")
        console.say(
            "All records before that one agree with the rules and with each other: what is wrong "
            "could not be seen until the game secret was published."
        )
    elif finding.record:
        console.say("All records before it are in order.")
    if finding.accuses:
        console.say(f"It is {author} who wrote it so: ask them for the right file.")
    elif finding.rule == "rules data":
        console.say(f"No player is shown to have cheated by this. {SAME_VERSION}")
    else:
        console.say(
            "No player is shown to have cheated by this: whoever passed the file on may have "
            "changed it. Ask both for the file they have."
        )


def _say_counts(report: Report) -> None:
    """Print how much was checked; records are counted from 0."""
    counts, checked = report.counts, len(report.match.records)
    found = [
        (checked, "record"),
        (counts.get("shuffle", 0), "shuffle"),
        (counts.get("open-lists", 0), "opening of lists"),
        (counts.get("grant", 0), "grant of cards"),
        (counts.get("open", 0), "shown card"),
        (counts.get("order", 0), "order"),
    ]
    plural = {"opening of lists": "openings of lists", "grant of cards": "grants of cards"}
    texts = [f"{n} {noun if n == 1 else plural.get(noun, noun + 's')}" for n, noun in found]
    if report.finding and checked:
        texts[0] += f" (0 to {checked - 1})" if checked > 1 else " (number 0)"
    console.item("checked: " + ", ".join(texts))

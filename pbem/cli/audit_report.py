"""The report of an audit, in words."""

from __future__ import annotations

from engine.sides import Side
from pbem.audit import Report
from pbem.cli import console
from pbem.cli.game_commands import game_line, how_often
from pbem.cli.report import counted, fingerprint, listed, names, player
from pbem.cli.waiting import say_silence
from pbem.errors import Finding
from pbem.game_file import whose_move
from pbem.match import Match


def say_report(report: Report) -> None:
    """Print the verdict: what is proved and what not yet, or the finding."""
    match = report.match
    if match.records:
        console.say(game_line(match), style="bold")
    for side in match.entrants:
        console.item(f"{player(match, side)}, {fingerprint(match.entrants[side].key)}")
    _say_counts(report)
    finding = report.finding
    if finding is not None:
        console.say()
        console.say("This file does not hold.", style="bold red")
        _say_finding(report, finding)
        return
    console.say(console.clean(whose_move(match)))
    console.say()
    console.say("Everything in this file is proved.", style="bold green")
    if match.is_joined:
        _say_recomputed(report)
        say_silence(match)


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
    """Print the hands after each record, as far as they are open."""
    console.heading("The hands after each record")
    match = report.match
    for record, held, hands in zip(match.records, report.held, report.hands, strict=True):
        if not held:
            continue
        console.item(f"{record.index}: {player(match, Side(record.side))}, {record.time}")
        name = names(match.state)
        for side, cards in hands.items():
            shown = listed(held[side].known if cards is None else cards, name)
            down = len(held[side].hidden) if cards is None else 0
            if down:
                shown = (
                    f"{shown + ', ' if held[side].known else ''}{counted(down, 'card')} face down"
                )
            console.item(f"{side.label}: {shown}", indent=4)


def _say_finding(report: Report, finding: Finding) -> None:
    """Print what fails, and what to do; the author is named only where the finding proves it."""
    author = _author(report.match, finding)
    signed = "signed by" if finding.accuses else "in the name of"
    console.item(f"record: {finding.record} of {report.total_records - 1}, {signed} {author}")
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
        console.say(
            "No player is shown to have cheated by this: the program that wrote it may be of "
            "another version. Compare what acres --version says on both sides."
        )
    else:
        console.say(
            "No player is shown to have cheated by this: whoever passed the file on may have "
            "changed it. Ask both for the file they have."
        )


def _author(match: Match, finding: Finding) -> str:
    """Whoever the record of a finding is by, as far as the records before it tell."""
    for side in match.entrants:
        if side.value == finding.author:
            return player(match, side)
    return f"the {'inviter' if finding.record == 0 else 'guest'} ({finding.author})"


def _say_counts(report: Report) -> None:
    counts = report.counts
    found = [
        (len(report.match.records), "record"),
        (counts.get("shuffle", 0), "shuffle"),
        (counts.get("open-lists", 0), "opening of lists"),
        (counts.get("grant", 0), "grant of cards"),
        (counts.get("open", 0), "shown card"),
        (counts.get("order", 0), "order"),
    ]
    plural = {"opening of lists": "openings of lists", "grant of cards": "grants of cards"}
    texts = [f"{n} {noun if n == 1 else plural.get(noun, noun + 's')}" for n, noun in found]
    console.item("checked: " + ", ".join(texts))

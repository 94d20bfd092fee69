"""`acres audit`: what a file proves, to anybody."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import console
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from pbem.audit import Report
    from pbem.errors import Finding
    from pbem.match import Match


def audit(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The file of a game, by anybody, or of a fork."),
    ],
    other: Annotated[
        Path | None,
        typer.Argument(metavar="OTHER", help="Another file of that game, to find a fork."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where the evidence goes. Usual: fork-GAME-INDEX.toml, here."
        ),
    ] = None,
) -> None:
    """Check everything in a file, whoever wrote it.

    With OTHER, find out whether a player signed two different turns from one position: that is a
    fork, and the evidence is written for anybody to check. The exit status is 0 if all holds, and
    1 if a file does not or the two are a fork.
    """
    from pbem.cli import fork_report

    if other is not None:
        fork_report.audit_two((file, other), output, json=json)
        return
    if output is not None:
        raise WrongUse("--output is for the evidence of a fork, which takes two files to find.")
    from pbem.audit import audit as check
    from pbem.document import OtherFormat
    from pbem.files import read_file
    from pbem.fork import FORMAT

    data = read_file(file)
    try:
        report = check(data)
    except OtherFormat as error:
        if error.format != FORMAT:
            raise
        fork_report.audit_evidence(data, json=json)
        return
    if json:
        from json import dumps

        console.say_whole(dumps(report.as_plain(), indent=2))
    else:
        say_report(report)
    if not report.is_clean:
        raise typer.Exit(1)


def say_report(report: Report) -> None:
    """Print the verdict: what is proved and what not yet, or the finding."""
    from pbem.cli.game_commands import game_line, how_often
    from pbem.cli.report import fingerprint, player
    from pbem.game_file import whose_move

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
        passes = how_often(match.invite.lists)
        console.say(
            "Not proved until the game is closed: that cards were granted at random; and a deck "
            f"with wrong cards would have passed a shuffle {passes}."
        )


def _say_finding(report: Report, finding: Finding) -> None:
    """Print what fails, and what to do; the author is named only where the finding proves it."""
    author = _author(report.match, finding)
    signed = "signed by" if finding.accuses else "in the name of"
    console.item(f"record: {finding.record} of {report.total_records - 1}, {signed} {author}")
    console.item(f"what fails: {finding.rule}")
    console.item(console.clean(finding.sentence))
    if finding.record:
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
    from pbem.cli.report import player

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

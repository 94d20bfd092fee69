"""`acres audit`: what a file proves, to anybody."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import console

if TYPE_CHECKING:
    from pbem.audit import Report


def audit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file of a game, by anybody.")],
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
) -> None:
    """Check everything in a file, whoever wrote it.

    The exit status is 0 if it holds and 1 if it does not.
    """
    from pbem.audit import audit as check
    from pbem.files import read_file

    report = check(read_file(file))
    if json:
        from json import dumps

        console.say_whole(dumps(report.as_plain(), indent=2))
    else:
        say_report(report)
    if not report.is_clean:
        raise typer.Exit(1)


def say_report(report: Report) -> None:
    """Print the verdict: what is proved and what not yet, or the finding."""
    from pbem.cli.game_commands import game_line
    from pbem.cli.report import player
    from pbem.game_file import whose_move

    match = report.match
    if match.records:
        console.say(game_line(match), style="bold")
    for side in match.entrants:
        console.item(player(match, side))
    _say_counts(report)
    finding = report.finding
    if finding is not None:
        console.say()
        console.say("This file does not hold.", style="bold red")
        author = finding.author if finding.author != "any" else "the inviter"
        console.item(f"record: {finding.record} of {report.total_records - 1}, signed as {author}")
        console.item(f"what fails: {finding.rule}")
        console.item(console.clean(finding.sentence))
        console.say("All records before it are in order. Ask its author for the right file.")
        return
    console.say(console.clean(whose_move(match)))
    console.say()
    console.say("Everything in this file is proved.", style="bold green")
    if match.is_joined:
        lists = match.invite.lists
        console.say(
            "Not proved until the game is closed: that cards were granted at random; and a deck "
            f"with wrong cards would have passed a shuffle once in {lists}."
        )


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

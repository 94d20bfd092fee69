"""`acres audit`: what a file proves, to anybody."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from language import phrase
from pbem.cli import console
from pbem.cli.completion import saves
from pbem.cli.given import INPUT, Fork, read_or_restore, take
from pbem.cli.moment import now
from pbem.cli.progress import CHECKING, progress
from pbem.errors import WrongUse


def audit(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="The file of a game, by anybody, or of a fork.",
            autocompletion=saves,
        ),
    ],
    other: Annotated[
        Path | None,
        typer.Argument(
            metavar="OTHER",
            help="Another file of that game, to find a fork.",
            autocompletion=saves,
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
    hands: Annotated[
        bool,
        typer.Option("--hands", help="Look back: how both hands changed, once it is closed."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where the evidence goes. Usual: fork-GAME-INDEX.toml, here."
        ),
    ] = None,
) -> None:
    """Check everything in a file, whoever wrote it.

    With OTHER, find out whether a player signed two different turns from one position: that is a
    fork, and the evidence is written for anybody to check. The exit status is 0 if all holds,
    evidence too; 1 if a file does not hold, or two are a fork; 2 if one cannot be read.
    """
    from pbem.cli import audit_report, fork_report

    if str(file) == str(other) == INPUT:
        raise WrongUse(phrase("Standard input is one of the two files, and cannot be both."))
    if hands and other is not None:
        raise WrongUse(
            phrase("--hands looks back on one file: name the one whose hands you want to see.")
        )
    if other is not None:
        files = take(context, file), take(context, other)
        fork_report.audit_two(files, output, json=json)
        return
    try:
        given = take(context, file, compares=True)
    except Fork as fork:
        fork_report.audit_two(fork.files, output, json=json)
        return
    if output is not None:
        raise WrongUse(
            phrase("--output is for the evidence of a fork, which takes two files to find.")
        )
    from pbem.audit import audit as check
    from pbem.cli.findings import explaining
    from pbem.document import OtherFormat
    from pbem.fork import FORMAT

    try:
        with explaining(given.data, where=given.where), progress(CHECKING) as course:
            report = read_or_restore(given, lambda data: check(data, course.passing))
    except OtherFormat as error:
        if error.format != FORMAT:
            raise
        if hands:
            raise WrongUse(phrase("There are no hands in the evidence of a fork.")) from None
        fork_report.audit_evidence(given.data, json=json)
        return
    if json:
        from json import dumps

        console.say_whole(dumps(report.as_plain(with_hands=hands), indent=2))
    else:
        audit_report.say_report(report, now())
        if hands:
            audit_report.say_hands(report)
    if not report.is_clean:
        raise typer.Exit(1)

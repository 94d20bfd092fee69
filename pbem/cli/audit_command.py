"""`acres audit`: what a file proves, to anybody."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import console
from pbem.cli.completion import saves
from pbem.cli.given import read_or_restore, take
from pbem.cli.progress import CHECKING, progress
from pbem.errors import WrongUse
from pbem.mail.given import INPUT, TwoWays
from pbem.play.home import now

if TYPE_CHECKING:
    from pbem.play.audit import Report
    from pbem.protocol.fork import Evidence


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
    from pbem.mail.mend import names_of
    from pbem.play.audit import Report

    if str(file) == str(other) == INPUT:
        raise WrongUse("Standard input is one of the two files, and cannot be both.")
    if hands and other is not None:
        raise WrongUse("--hands looks back on one file: name the one whose hands you want to see.")
    if other is not None:
        files = take(context, file), take(context, other)
        fork_report.audit_two(files, output, json=json)
        return
    try:
        given = take(context, file, compares=True)
    except TwoWays as fork:
        fork_report.audit_two(fork.files, output, json=json)
        return
    if output is not None:
        raise WrongUse("--output is for the evidence of a fork, which takes two files to find.")
    report, given = read_or_restore(given, _checked)
    if not isinstance(report, Report):
        if hands:
            raise WrongUse("There are no hands in the evidence of a fork.")
        fork_report.audit_evidence(report, given.mends, json=json)
        return
    if json:
        from json import dumps

        facts = report.as_plain(with_hands=hands) | {"mended": names_of(given.mends)}
        console.say_whole(dumps(facts, indent=2, default=str))
    else:
        audit_report.say_report(report, now(), given)
        if hands:
            audit_report.say_hands(report)
    if not report.is_clean:
        raise typer.Exit(1)


def _checked(data: bytes) -> Report | Evidence:
    """The audit of a file; or what is in it, where it is the evidence of a fork."""
    from pbem.play.audit import audit as check
    from pbem.savefile.document import OtherFormat
    from pbem.savefile.evidence import FORMAT, EvidenceFile

    try:
        with progress(CHECKING) as course:
            return check(data, course.passing)
    except OtherFormat as error:
        if error.format != FORMAT:
            raise
    return EvidenceFile.read(data).evidence

"""`acres audit`: what a file proves, to anybody."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message, labelled, with_colon
from pbem.cli import console
from pbem.cli.app import program
from pbem.cli.completion import saves
from pbem.cli.file_argument import file_meant, optional_file, take
from pbem.cli.progress import checking_records
from pbem.errors import Unreadable, WrongUse, exists
from pbem.foreign import quoted, shown
from pbem.play import audit as checking
from pbem.play.audit import AuditReport, TwoFiles, evidence_path, keep, may_be_damage
from pbem.play.files import check_new
from pbem.play.inbox.choice import TwoWays
from pbem.play.inbox.incoming import INPUT, IncomingFile
from pbem.protocol.fork import Evidence, NoFork, Relation
from pbem.savefile.disk import AlreadyThere
from pbem.savefile.document import OtherFormat
from pbem.savefile.evidence import FORMAT, EvidenceFile
from pbem.sources import now
from pbem.text.proof.finding import explaining
from pbem.text.proof.verdict import (
    audit_facts,
    audited,
    comparison_told,
    evidence_facts,
    evidence_told,
    hands_told,
    two_files_facts,
    unreadable_facts,
)


def audit(
    file: Annotated[
        Path | None,
        optional_file(
            "A file of any game, or the evidence of a fork. Without it: the game that is "
            "waiting for you."
        ),
    ] = None,
    other: Annotated[
        Path | None,
        typer.Argument(
            metavar="OTHER", help="Another file of that game, to find a fork.", autocompletion=saves
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
    hands: Annotated[
        bool,
        typer.Option("--hands", help="Look back: how both hands changed, once the game is closed."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where the evidence goes. Default: fork-GAME-INDEX.toml, here."
        ),
    ] = None,
) -> None:
    """Check everything in a file, whoever wrote it.

    With OTHER, find out whether a player signed two different turns from one position: that is a
    fork, and the evidence is written for anybody to check. The exit status is 0 if everything is
    valid, evidence too; 1 if a file is not valid, or the two show a fork; 2 if one cannot be read.
    """
    if str(file) == str(other) == INPUT:
        raise WrongUse("Standard input can be one of the two files, not both.")
    if hands and other is not None:
        raise WrongUse("--hands looks back at one file: name the one whose hands you want to see.")
    file = file_meant(file)
    try:
        given = take(file, compares=other is None)
        files = (given, take(other)) if other else None
    except TwoWays as fork:
        if other is not None:
            raise
        files = fork.files
    except Unreadable as error:
        _say_unreadable(error, json=json)
        raise
    if files is not None:
        _audit_two(files, output, json=json)
        return
    if output is not None:
        raise WrongUse("--output is for the evidence of a fork, which takes two files to find.")
    try:
        with explaining(given.data, checking=checking_records):
            report = _checked(given.data)
    except Unreadable as error:
        _say_unreadable(error, json=json)
        raise
    if isinstance(report, Evidence):
        if hands:
            raise WrongUse("There are no hands in the evidence of a fork.")
        _audit_evidence(report, given, json=json)
        return
    if json:
        console.say_data(audit_facts(report, given.mends, with_hands=hands))
    else:
        _say_report(report, given)
        console.say_lines(hands_told(report) if hands else ())
    if not report.is_clean:
        raise typer.Exit(1)


def _say_unreadable(error: Unreadable, *, json: bool) -> None:
    if json:
        console.say_data(unreadable_facts(error))


def _checked(data: bytes) -> AuditReport | Evidence:
    """Return the audit of a file; or what is in it, where it is the evidence of a fork."""
    try:
        return _report(data)
    except OtherFormat as error:
        if error.format != FORMAT:
            raise
    return EvidenceFile.read(data).evidence


def _report(data: bytes) -> AuditReport:
    with checking_records() as passing:
        return checking.audit(data, passing)


def _say_report(report: AuditReport, given: IncomingFile) -> None:
    is_damaged = report.finding is not None and may_be_damage(report.finding, given.data)
    console.say_lines(audited(report, now(), is_damaged=is_damaged))


def _audit_evidence(evidence: Evidence, given: IncomingFile, *, json: bool) -> None:
    failing = None
    try:
        evidence.check()
    except NoFork as error:
        failing = error
    if json:
        console.say_data(evidence_facts(evidence, failing, given.mends))
    else:
        console.say_lines(evidence_told(evidence, failing.said if failing else ""))
    if failing:
        raise typer.Exit(1)


# --- two files


def _audit_two(
    files: tuple[IncomingFile, IncomingFile], output: Path | None, *, json: bool
) -> None:
    """Check two files, compare them, and write the evidence where they prove a fork."""
    if output and not exists(output):
        check_new(output)
    one, other = map(_of_two, files)
    two = TwoFiles((one, other))
    comparison, evidence, path = two.comparison, two.evidence, output
    if two.is_clean and comparison and comparison.relation is Relation.TWO_GAMES:
        raise WrongUse(
            "These files belong to two different games, so there is nothing to compare. Check each "
            "on its own: {command} audit FILE",
            command=program(),
        )
    if evidence:
        path = path or evidence_path(one.match.id, evidence)
    if json:
        if evidence and path:
            _keep(evidence, path)
        console.say_data(two_files_facts(two, [each.mends for each in files], path))
    else:
        _say_two(files, two)
        if evidence and path:
            is_new = _keep(evidence, path)
            new = Message("The evidence is written:")
            old = Message("The evidence was already there:")
            console.say_below(new if is_new else old, shown(path))
            check = f"{program()} audit {quoted(path)}"
            console.say_whole(Message("Anybody can check it: {command}", command=check))
    if evidence or not two.is_clean:
        raise typer.Exit(1)


def _of_two(given: IncomingFile) -> AuditReport:
    """Return the audit of one of two files; raises WrongUse for evidence."""
    try:
        with explaining(given.data, checking=checking_records):
            return _report(given.data)
    except Unreadable as error:
        if isinstance(error, OtherFormat) and error.format == FORMAT:
            raise WrongUse(
                "{file} is evidence on its own and needs no other file. To check it: {command}",
                file=given.label,
                command=f"{program()} audit {given.word}",
            ) from None
        raise Unreadable(labelled(given.label, error.said)) from None


def _keep(evidence: Evidence, path: Path) -> bool:
    try:
        is_new = keep(evidence, path)
    except AlreadyThere:
        raise WrongUse(
            "There is already another file {file}, so the evidence was not written: name another "
            "with --output.",
            file=path,
        ) from None
    if is_new:
        console.note_file(path)
    return is_new


def _say_two(files: tuple[IncomingFile, IncomingFile], two: TwoFiles) -> None:
    """Print what is wrong with either, and how they stand to each other."""
    for given, report in zip(files, two.reports, strict=True):
        if not report.is_clean:
            console.say_whole(with_colon(given.label))
            _say_report(report, given)
            console.say()
    if two.comparison is None or not (two.is_clean or two.evidence):
        return
    one, other = files
    console.say_lines(comparison_told(two, (one.label, other.label)))

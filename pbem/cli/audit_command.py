"""The command `acres audit`, with which anybody can check everything that a file proves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message, with_colon, with_label
from pbem.cli import console
from pbem.cli.app import program
from pbem.cli.completion import save_files
from pbem.cli.file_argument import checking_records, open_incoming, optional_file, resolve_file
from pbem.cli.options import Json, argument, flag, option
from pbem.errors import InputError, UsageError, exists
from pbem.foreign import display_path, shell_quote
from pbem.play import audit as checking
from pbem.play.audit import AuditReport, TwoFiles, evidence_path, may_be_damage, write_evidence
from pbem.play.incoming import STANDARD_INPUT, IncomingFile
from pbem.play.message import DivergentFilesError
from pbem.play.signing import check_new
from pbem.protocol.fork import Evidence, NoForkError, Relation
from pbem.savefile.disk import TargetExistsError
from pbem.savefile.document import WrongFormatError
from pbem.savefile.save_file import FORMAT, EvidenceFile
from pbem.sources import now
from pbem.text.proof import verdict
from pbem.text.proof.finding import explain_failures


def audit(
    file: Annotated[
        Path | None,
        optional_file(
            "A file of any game, or the evidence of a fork. Without it: the game that is "
            "waiting for you."
        ),
    ] = None,
    other: Annotated[
        Path | None, argument("OTHER", "Another file of that game, to find a fork.", save_files)
    ] = None,
    json: Json = False,
    hands: Annotated[
        bool, flag("--hands", "Look back: how both hands changed, once the game is closed.")
    ] = False,
    output: Annotated[
        Path | None, option("FILE", "Where the evidence goes. Default: fork-GAME-INDEX.toml, here.")
    ] = None,
) -> None:
    """Check everything in a file, whoever wrote it.

    With OTHER, find out whether a player signed two different turns from one position: that is a
    fork, and the evidence is written for anybody to check. The exit status is 0 if everything is
    valid, evidence too; 1 if a file is not valid, or the two show a fork; 2 if one cannot be read.

    $ acres audit game.toml  # needs no key: anybody can do it
    $ acres audit one.toml other.toml  # did somebody sign two turns?
    """
    if str(file) == str(other) == STANDARD_INPUT:
        raise UsageError("Standard input can be one of the two files, not both.")
    if hands and other is not None:
        raise UsageError(
            "--hands looks back at one file: name the one whose hands you want to see."
        )
    file = resolve_file(file)
    try:
        incoming, *others = _open_files(file, other)
        if output is not None and not others:
            raise UsageError(
                "--output is for the evidence of a fork, which takes two files to find."
            )
        result = None if others else _audit_file(incoming)
    except InputError as error:
        if json:
            console.say_data(verdict.unreadable_facts(error))
        raise
    if result is None:
        is_valid = _audit_two((incoming, *others), output, json=json)
    elif isinstance(result, Evidence):
        if hands:
            raise UsageError("There are no hands in the evidence of a fork.")
        is_valid = _audit_evidence(result, incoming, json=json)
    else:
        is_valid = result.is_clean
        if json:
            console.say_data(verdict.audit_facts(result, incoming.repairs, include_hands=hands))
        else:
            _say_report(result, incoming)
            console.say_lines(verdict.hands_text(result) if hands else ())
    if not is_valid:
        raise typer.Exit(1)


def _open_files(file: Path, other: Path | None) -> Sequence[IncomingFile]:
    """Return the two files, or one file, or two contradicting files found in one place.

    Raises the same errors as `open_incoming`.
    """
    if other is not None:
        return open_incoming(file), open_incoming(other)
    try:
        return [open_incoming(file, to_compare=True)]
    except DivergentFilesError as fork:
        return fork.files


def _audit_file(incoming: IncomingFile) -> AuditReport | Evidence:
    """Return the audit of a file, or the evidence in it if it is evidence of a fork."""
    try:
        return _audit_records(incoming)
    except WrongFormatError as error:
        if error.format != FORMAT:
            raise
    with explain_failures(incoming.data, show_progress=checking_records):
        return EvidenceFile.read(incoming.data).evidence


def _audit_records(incoming: IncomingFile) -> AuditReport:
    with explain_failures(incoming.data, None, checking_records), checking_records() as progress:
        return checking.audit(incoming.data, progress)


def _say_report(report: AuditReport, incoming: IncomingFile) -> None:
    is_damaged = report.finding is not None and may_be_damage(report.finding, incoming.data)
    console.say_lines(verdict.audit_text(report, now(), is_damaged=is_damaged))


def _audit_evidence(evidence: Evidence, incoming: IncomingFile, *, json: bool) -> bool:
    """Check evidence of a fork and print the result; return True if the evidence is valid."""
    fault = None
    try:
        evidence.check()
    except NoForkError as error:
        fault = error
    if json:
        console.say_data(verdict.evidence_facts(evidence, fault, incoming.repairs))
    else:
        console.say_lines(verdict.evidence_text(evidence, fault.message if fault else ""))
    return fault is None


# --- two files


def _audit_two(files: Sequence[IncomingFile], output: Path | None, *, json: bool) -> bool:
    """Check and compare two files, and write evidence if they prove a fork.

    The result is True if both are valid and prove no fork.
    """
    if output and not exists(output):
        check_new(output)
    first, second = map(_audit_one, files)
    two = TwoFiles((first, second))
    comparison, evidence = two.comparison, two.evidence
    if two.is_clean and comparison and comparison.relation is Relation.TWO_GAMES:
        raise UsageError(
            "These files belong to two different games, so there is nothing to compare. Check each "
            "on its own: {command} audit FILE",
            command=program(),
        )
    path = evidence_path(first.match.id, evidence, output) if evidence else None
    if json:
        if evidence is not None and path is not None:
            _write_evidence(evidence, path)
        console.say_data(verdict.two_files_facts(two, [file.repairs for file in files], path))
        return two.is_clean and evidence is None
    for file, report in zip(files, two.reports, strict=True):
        if not report.is_clean:
            console.say_unwrapped(with_colon(file.label))
            _say_report(report, file)
            console.say()
    if comparison is not None and (two.is_clean or evidence):
        console.say_lines(verdict.comparison_text(two, (files[0].label, files[1].label)))
    if evidence is not None and path is not None:
        heading = Message("The evidence was already there:")
        if _write_evidence(evidence, path):
            heading = Message("The evidence is written:")
        console.say_below(heading, display_path(path))
        check = f"{program()} audit {shell_quote(path)}"
        console.say_unwrapped("Anybody can check it: {command}", command=check)
    return two.is_clean and evidence is None


def _audit_one(incoming: IncomingFile) -> AuditReport:
    """Return the audit of one of two files. Raises UsageError for evidence."""
    try:
        return _audit_records(incoming)
    except InputError as error:
        if isinstance(error, WrongFormatError) and error.format == FORMAT:
            raise UsageError(
                "{file} is evidence on its own and needs no other file. To check it: {command}",
                file=incoming.label,
                command=f"{program()} audit {incoming.as_argument}",
            ) from None
        raise InputError(with_label(incoming.label, error.message)) from None


def _write_evidence(evidence: Evidence, path: Path) -> bool:
    try:
        is_new = write_evidence(evidence, path)
    except TargetExistsError:
        raise UsageError(
            "There is already another file {file}, so the evidence was not written: name another "
            "with --output.",
            file=path,
        ) from None
    if is_new:
        console.note_file(path)
    return is_new

"""Two files of one game beside each other, and the evidence of a fork, in words and as data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from engine.message import Message, Run, Said, labelled, with_colon
from engine.sides import Side
from pbem.cli import console
from pbem.cli.home import program
from pbem.cli.paths import note_written, quoted, shown
from pbem.cli.progress import CHECKING, progress
from pbem.errors import Unreadable, WrongUse
from pbem.mail.mend import names_of
from pbem.play.home import now
from pbem.play.output import check_new
from pbem.savefile.disk import exists, write_new

if TYPE_CHECKING:
    from pbem.mail.given import Given
    from pbem.mail.mend import Mend
    from pbem.play.audit import Report
    from pbem.protocol.fork import Comparison, Evidence
    from pbem.protocol.match import Match
    from pbem.protocol.record import Record
    from pbem.words.phrases import Name


# --- an evidence file


def audit_evidence(evidence: Evidence, mends: frozenset[Mend], *, json: bool) -> None:
    """Check evidence and print what it proves; Exit with status 1 if it is nothing.

    `mends` are what had to be undone to read it.
    """
    from pbem.cli.audit_report import say_mends
    from pbem.protocol.fork import NoFork

    reason: Said = ""
    try:
        evidence.check()
    except NoFork as error:
        reason = error.said
    if json:
        facts = {"proved": not reason, "reason": reason} | _plain_evidence(evidence)
        _say_data(facts | {"mended": names_of(mends)})
    elif reason:
        console.say(Message("This evidence does not hold."), style="bold red")
        console.item(reason)
        say_mends(mends)
    else:
        _say_evidence(evidence)
        say_mends(mends)
    if reason:
        raise typer.Exit(1)


def _say_evidence(evidence: Evidence) -> None:
    from pbem.words.phrases import fingerprint
    from pbem.words.proof.records import usual_names

    signed_twice = Message(
        "The holder of {key} signed two different records with index {number}, after the same "
        "record.",
        key=fingerprint(evidence.key),
        number=evidence.index,
    )
    console.say(signed_twice, style="bold")
    for record in evidence.records:
        # Both have a side: an invitation, which may leave it open, is no evidence.
        who = Message.within("subject", "the {side}", side=Side(record.side).label)
        _say_record(record, who, usual_names)
    console.say()
    console.say(Message("The fork is proved."), style="bold green")
    _say_meaning()
    console.say(Message("Whose key that is, the audit of any file of that game says."))


def _say_meaning() -> None:
    """Print what a fork shows."""
    console.say(
        Message(
            "So that player played twice from one and the same position. Nobody else could have "
            "signed either record, and whoever sees both can check it."
        )
    )


def _say_record(record: Record, who: Said, name: Name) -> None:
    from pbem.words.dates import instant
    from pbem.words.proof.records import deeds_of

    digits = record.hash.hex()[:16]
    told = Message(
        "{digits}: {player}, signed {time}", digits=digits, player=who, time=instant(record.time)
    )
    console.item(told)
    console.item(console.clean(console.told(deeds_of(record, name))), indent=4)


def _orders(record: Record) -> list[str]:
    from pbem.protocol.steps import OrderStep

    return [step.order for step in record.steps if isinstance(step, OrderStep)]


def _plain_evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "key": evidence.key.hex(),
        "index": evidence.index,
        "records": [
            {
                "hash": record.hash.hex(),
                "previous": record.previous.hex(),
                "side": record.side,
                "time": record.time,
                "orders": _orders(record),
            }
            for record in evidence.records
        ],
    }


# --- two files


def audit_two(files: tuple[Given, Given], output: Path | None, *, json: bool) -> None:
    """Check two files, compare them, and write the evidence where they prove a fork.

    Raises WrongUse for files of two games; Exit with status 1 for a fork, and for a file that does
    not hold.
    """
    from pbem.protocol.fork import Relation

    if output and not exists(output):
        check_new(output)
    (one, mended_one), (two, mended_two) = _checked(files[0]), _checked(files[1])
    reports, files = (one, two), (mended_one, mended_two)
    is_clean = all(report.is_clean for report in reports)
    comparison = _compared(reports)
    if is_clean and comparison and comparison.relation is Relation.TWO_GAMES:
        raise WrongUse(
            "These are files of two different games, so that there is nothing to compare. "
            "Check each by itself: {command} audit FILE",
            command=program(),
        )
    evidence = comparison.evidence if comparison else None
    path = output or _evidence_path(reports[0].match, evidence)
    if json:
        if evidence:
            _keep(evidence, path)
        _say_data(_plain(files, reports, comparison, path))
    else:
        _say_findings(files, reports)
        if comparison and (is_clean or evidence):
            _say_comparison(files, reports, comparison)
            _say_mended(files, reports)
        if evidence:
            is_new = _keep(evidence, path)
            new, old = Message("Evidence, written:"), Message("Evidence, which was there already:")
            console.say(new if is_new else old)
            console.say_whole(f"  {shown(path)}")
            check = f"{program()} audit {quoted(path)}"
            console.say_whole(Message("Anybody can check it: {command}", command=check))
    if evidence or not is_clean:
        raise typer.Exit(1)


def _checked(given: Given) -> tuple[Report, Given]:
    """The audit of one of two files, and the file, with what had to be mended."""
    from pbem.cli.given import read_or_restore
    from pbem.play.audit import audit
    from pbem.savefile.document import OtherFormat
    from pbem.savefile.evidence import FORMAT

    def read(data: bytes) -> Report:
        with progress(CHECKING) as course:
            return audit(data, course.passing)

    try:
        return read_or_restore(given, read)
    except Unreadable as error:
        if isinstance(error, OtherFormat) and error.format == FORMAT:
            raise WrongUse(
                "{file} is evidence by itself, to be checked without another file: {command}",
                file=given.label,
                command=f"{program()} audit {given.word}",
            ) from None
        raise Unreadable(labelled(given.label, error.said)) from None


def _compared(reports: tuple[Report, Report]) -> Comparison | None:
    """The two chains beside each other as far as they hold; None where one holds nothing.

    What comes after a fork may not hold: the fork is proved all the same.
    """
    from pbem.protocol.fork import compare

    one, two = (report.match.records for report in reports)
    return compare(one, two) if one and two else None


def _evidence_path(match: Match, evidence: Evidence | None) -> Path:
    """Where the evidence goes if the player names no other place."""
    return Path(f"fork-{match.id.hex()[:8]}-{evidence.index}.toml") if evidence else Path()


def _keep(evidence: Evidence, path: Path) -> bool:
    """Write the evidence, never over another file; False where it is there already."""
    from pbem.savefile.disk import read_file
    from pbem.savefile.evidence import EvidenceFile

    data = EvidenceFile(evidence).write()
    if exists(path):
        if path.is_file() and read_file(path) == data:
            return False
        raise WrongUse(
            "There is another file {file} already, so that the evidence was not written: name "
            "one with --output.",
            file=path,
        )
    write_new(path, data)
    note_written(path)
    return True


def _say_findings(files: tuple[Given, Given], reports: tuple[Report, Report]) -> None:
    """Print the report of each file that does not hold."""
    from pbem.cli.audit_report import say_report

    for given, report in zip(files, reports, strict=True):
        if not report.is_clean:
            console.say_whole(with_colon(given.label))
            say_report(report, now(), given)
            console.say()


def _say_mended(files: tuple[Given, Given], reports: tuple[Report, Report]) -> None:
    """Print of each file that holds what had to be mended."""
    from pbem.cli.audit_report import say_mends

    for given, report in zip(files, reports, strict=True):
        if report.is_clean and given.mends:
            console.say_whole(with_colon(given.label))
            say_mends(given.mends)


def _say_comparison(
    files: tuple[Given, Given], reports: tuple[Report, Report], comparison: Comparison
) -> None:
    """Print how two files of one game stand to each other."""
    from pbem.cli.game_rules import game_line
    from pbem.protocol.fork import Relation
    from pbem.words.phrases import records_counted

    console.say(game_line(reports[0].match), style="bold")
    common = comparison.common
    numbers = [len(report.match.records) for report in reports]
    match comparison.relation:
        case Relation.SAME:
            same = Message.counted(
                "Both files hold the same {count} record, proved: there is no fork.",
                "Both files hold the same {count} records, proved: there is no fork.",
                common,
            )
            console.say(same)
        case Relation.CONTINUED:
            continued = Message.counted(
                "{count} record at the beginning of both files is the same, and {file} goes on "
                "with {records}. All are proved: there is no fork.",
                "{count} records at the beginning of both files are the same, and {file} goes on "
                "with {records}. All are proved: there is no fork.",
                common,
                file=files[numbers.index(max(numbers))].label,
                records=records_counted(max(numbers) - common),
            )
            console.say(continued)
        case Relation.TWO_GUESTS:
            _say_two_guests(files, reports)
        case Relation.FORK:
            assert comparison.evidence is not None
            _say_fork(files, reports[0].match, comparison.evidence)


def _say_two_guests(files: tuple[Given, Given], reports: tuple[Report, Report]) -> None:
    from pbem.protocol.chain import author_key
    from pbem.words.phrases import fingerprint

    console.say(
        Message("Two players accepted this invitation. That is no fork: neither signed twice.")
    )
    for given, report in zip(files, reports, strict=True):
        records = report.match.records
        key = author_key(records[1], records)
        console.item(
            labelled(given.label, Run((_player(report.match, key), ", ", fingerprint(key))))
        )
    console.say(
        Message(
            "An invitation is good for one guest: the acceptance that was answered first counts."
        )
    )
    if all(len(report.match.records) > 2 for report in reports):
        console.say(Message("The inviter answered both, and should have answered one."))


def _say_fork(files: tuple[Given, Given], match: Match, evidence: Evidence) -> None:
    from pbem.words.phrases import fingerprint
    from pbem.words.proof.records import names_in

    who, name = _player(match, evidence.key), names_in(match.records)
    fork = Message(
        "A fork: {player}, {key}, signed two different records with index {number}.",
        player=who,
        key=fingerprint(evidence.key),
        number=evidence.index,
    )
    console.say(fork, style="bold red")
    for given, record in zip(files, evidence.records, strict=True):
        console.say_whole(Run(("  ", with_colon(given.label))))
        _say_record(record, who, name)
    _say_meaning()


def _player(match: Match, key: bytes) -> Message:
    """The name and side of whoever plays with that key."""
    from pbem.words.phrases import player

    return next(player(match, side) for side, who in match.entrants.items() if who.key == key)


def _plain(
    files: tuple[Given, Given],
    reports: tuple[Report, Report],
    comparison: Comparison | None,
    path: Path,
) -> dict[str, Any]:
    evidence = comparison.evidence if comparison else None
    fork = None
    if evidence is not None:
        match = reports[0].match
        names = [who.name for who in match.entrants.values() if who.key == evidence.key]
        fork = _plain_evidence(evidence) | {"name": names[0], "evidence": str(path)}
    return {
        "clean": all(report.is_clean for report in reports) and fork is None,
        "relation": comparison.relation.value if comparison else None,
        "common_records": comparison.common if comparison else 0,
        "fork": fork,
        "files": [
            report.as_plain() | {"mended": names_of(given.mends)}
            for given, report in zip(files, reports, strict=True)
        ],
    }


def _say_data(facts: dict[str, Any]) -> None:
    from json import dumps

    console.say_whole(dumps(facts, indent=2, default=str))

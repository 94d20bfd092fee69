"""Two files of one game beside each other, and the evidence of a fork, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from engine.message import Made, Message, Run, Said, labelled, with_colon
from engine.sides import Side
from pbem.foreign import clean
from pbem.play.two_files import TwoFiles
from pbem.protocol.fork import Evidence, Relation
from pbem.protocol.match import Match
from pbem.protocol.record import Record, author_key
from pbem.text.dates import instant
from pbem.text.lines import Line, Tone, item
from pbem.text.phrases import Name, fingerprint, player, records_counted
from pbem.text.proof.records import deeds_of, names_in, usual_names
from pbem.text.rules.editions import game_line


def evidence_told(evidence: Evidence, reason: Said) -> Iterator[Line]:
    """What evidence of a fork proves, or for what `reason` it proves nothing."""
    if reason:
        yield Line(Message("This evidence is not valid."), Tone.BAD)
        yield item(reason)
        return
    yield Line(
        Message(
            "The holder of {key} signed two different records with index {number}, after the same "
            "record.",
            key=fingerprint(evidence.key),
            number=evidence.index,
        ),
        Tone.HEAD,
    )
    for record in evidence.records:
        # Both have a side: an invitation, which may leave it open, is no evidence.
        who = Message.within("subject", "the {side}", side=Side(record.side).label)
        yield from _record(record, who, usual_names)
    yield Line()
    yield Line(Message("The fork is proved."), Tone.GOOD)
    yield _meaning()
    yield Line(Message("The audit of any file of that game says whose key that is."))


def comparison_told(two: TwoFiles, labels: tuple[Said, Said]) -> Iterator[Line]:
    """How two files of one game stand to each other that are called so."""
    match, comparison = two.reports[0].match, two.comparison
    assert comparison is not None
    yield Line(game_line(match), Tone.HEAD)
    numbers = [len(report.match.records) for report in two.reports]
    if comparison.relation is Relation.SAME:
        yield Line(
            Message.counted(
                "Both files hold the same {count} record, proved: there is no fork.",
                "Both files hold the same {count} records, proved: there is no fork.",
                comparison.common,
            )
        )
    elif comparison.relation is Relation.CONTINUED:
        yield Line(
            Message.counted(
                "{count} record at the beginning of both files is the same, and {file} goes on "
                "with {records}. All are proved: there is no fork.",
                "{count} records at the beginning of both files are the same, and {file} goes on "
                "with {records}. All are proved: there is no fork.",
                comparison.common,
                file=labels[numbers.index(max(numbers))],
                records=records_counted(max(numbers) - comparison.common),
            )
        )
    elif comparison.relation is Relation.TWO_GUESTS:
        yield from _two_guests(two, labels)
    elif comparison.evidence is not None:
        yield from _fork(match, comparison.evidence, labels)


def _two_guests(two: TwoFiles, labels: tuple[Said, Said]) -> Iterator[Line]:
    matches = [report.match for report in two.reports]
    yield Line(
        Message("Two players accepted this invitation. That is no fork: neither signed twice.")
    )
    for label, match in zip(labels, matches, strict=True):
        key = author_key(match.records[1], match.records)
        yield item(labelled(label, Run((_player(match, key), ", ", fingerprint(key)))))
    yield Line(
        Message(
            "An invitation is good for one guest: the acceptance that was answered first counts."
        )
    )
    if all(len(match.records) > 2 for match in matches):
        yield Line(Message("The inviter answered both, and should have answered only one."))


def _fork(match: Match, evidence: Evidence, labels: tuple[Said, Said]) -> Iterator[Line]:
    who, name = _player(match, evidence.key), names_in(match.records)
    yield Line(
        Message(
            "A fork: {player}, {key}, signed two different records with index {number}.",
            player=who,
            key=fingerprint(evidence.key),
            number=evidence.index,
        ),
        Tone.BAD,
    )
    for label, record in zip(labels, evidence.records, strict=True):
        yield Line(Run(("  ", with_colon(label))), is_whole=True)
        yield from _record(record, who, name)
    yield _meaning()


def _meaning() -> Line:
    """What a fork shows."""
    return Line(
        Message(
            "So that player moved twice from the same position. Nobody else could have signed "
            "either record, and anyone who has both can check it."
        )
    )


def _record(record: Record, who: Said, name: Name) -> Iterator[Line]:
    digits = record.hash.hex()[:16]
    yield item(
        Message(
            "{digits}: {player}, signed {time}",
            digits=digits,
            player=who,
            time=instant(record.time),
        )
    )
    yield item(Made(clean, deeds_of(record, name)), indent=4)


def _player(match: Match, key: bytes) -> Message:
    """The name and side of the player with that key."""
    return next(player(match, side) for side, who in match.entrants.items() if who.key == key)

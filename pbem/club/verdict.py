"""The verdict on one game, from its files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.message import Message, Phrase
from engine.orders import Start
from engine.position import score
from engine.sides import Side
from pbem.club.games import Accusation, ClubGame, Missing, Owed, Player, Result, UnreadableFile
from pbem.club.games import Verdict as Kind
from pbem.errors import InputError, VerificationError
from pbem.play.audit import AuditReport, audit, explain_damage
from pbem.protocol.fork import Evidence, Relation, compare
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.state_of_play import pending_record
from pbem.savefile.save_file import EvidenceFile, SaveFile

FORK = Message("a player signed two different records after the same record.")


class _File:
    """A file that was audited, or the reason why it could not be."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.report: AuditReport | None = None
        self.reason: Phrase = ""
        try:
            self.report = audit(data)
        except InputError as error:
            self.reason = explain_damage(error, data).message
        else:
            if (finding := self.report.finding) is not None:
                self.reason = VerificationError(finding).message

    @property
    def records(self) -> list[Record]:
        """The records that are proved."""
        return self.report.match.records if self.report else []


def judge(files: Sequence[tuple[str, bytes]]) -> ClubGame | None:
    """Return a game with its verdict from its files, by name; None if no record verifies.

    All have the same invitation, and the same guest if any. A file with no more records than
    another one is not audited if its records are the beginning of the other's.
    """
    audited: list[_File] = []
    unreadable: list[UnreadableFile] = []
    for name, data in files:
        if not any(_is_beginning(data, file.records) for file in audited):
            audited.append(_File(name, data))
    proved = [file for file in audited if file.records]
    if not proved:
        return None
    main = max(proved, key=lambda file: (len(file.records), not file.reason))
    assert main.report is not None
    game = _game(main.report.match)
    unreadable = [
        UnreadableFile(file.name, file.reason, game.id) for file in audited if file.reason
    ]
    accusations = [*_accusations(audited, main)]
    claims = [
        Missing(file.report.total_records - 1, file.name)
        for file in audited
        if file.report and file.reason and file.report.total_records > game.records
    ]
    kind = Kind.DAMAGED if main.reason else Kind.HONEST
    if accusations:
        kind = Kind.FORKED if any(one.evidence for one in accusations) else Kind.CHEATED
    return replace(
        game,
        verdict=kind,
        accusations=tuple(accusations),
        missing=max(claims, key=lambda claim: claim.index, default=None),
        files=tuple(name for name, _ in files),
        unreadable=tuple(unreadable),
    )


def _is_beginning(data: bytes, records: Sequence[Record]) -> bool:
    """Return True if the records in a file begin these records."""
    try:
        save = SaveFile.read(data)
    except InputError:
        return False
    hashes = [record.hash for record in save.records]
    return hashes == [record.hash for record in records[: len(hashes)]]


def _accusations(files: Sequence[_File], main: _File) -> Iterator[Accusation]:
    for file in files:
        report = file.report
        if report and report.finding and report.accused:
            finding = report.finding
            yield Accusation(report.accused, finding.record, finding.rule.number, finding.sentence)
    for file in files:
        if file is not main and file.records:
            comparison = compare(main.records, file.records)
            if comparison.relation is Relation.FORK:
                assert comparison.evidence is not None
                yield accuse(comparison.evidence)


def accuse(evidence: Evidence) -> Accusation:
    """Return the accusation of a fork."""
    data = EvidenceFile(evidence).write()
    return Accusation(evidence.key, evidence.index, "", FORK, data)


def _game(match: Match) -> ClubGame:
    """Return the facts of a match of at least one record, with an honest verdict."""
    invite = match.invite
    return ClubGame(
        id=match.id,
        inviter=Player(invite.key, invite.name),
        players={side: Player(who.key, who.name) for side, who in match.entrants.items()},
        edition=invite.edition,
        house_rules=tuple(sorted(invite.house_rules)),
        home_support=invite.home_support,
        lists=invite.lists,
        records=len(match.records),
        turns=_turns(match),
        first=match.records[0].time,
        last=match.last.time,
        result=_result(match),
        closed=tuple(side for side in Side if side in match.secrets),
        verdict=Kind.HONEST,
        accusations=(),
        owed=_owed(match),
        hashes=b"".join(record.hash[:8] for record in match.records),
    )


def _turns(match: Match) -> dict[Side, int]:
    """Return the number of turns in which each side gave orders."""
    turns = {
        (move.side, move.turn)
        for move in match.moves
        if move.order is not None and not isinstance(move.order, Start)
    }
    # The British take the first turn; orders in the other's turn are replies.
    taken = [side for side, turn in turns if side is [*Side][turn % 2]]
    return {side: taken.count(side) for side in Side}


def _result(match: Match) -> Result | None:
    outcome = match.state.outcome if match.has_table else None
    if outcome is None:
        return None
    points = {side: score(match.state, side).total for side in Side}
    return Result(outcome.winner, outcome.by, outcome.cause, points)


def _owed(match: Match) -> Owed | None:
    if not match.is_joined:
        return Owed(match.next_side, match.last.time, "join")
    pending = pending_record(match)
    return None if pending is None else Owed(pending.side, pending.since, pending.due.value)

"""The verdict on one game, from its files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module

from engine.message import Message, Phrase, mark
from engine.orders import Start
from engine.position import score
from engine.sides import Side
from pbem.club.games import (
    Accusation,
    ClubGame,
    ClubPlayer,
    Missing,
    Owed,
    Result,
    Row,
    UnreadableFile,
)
from pbem.club.games import Verdict as Kind
from pbem.errors import InputError, VerificationError
from pbem.play.audit import AuditReport, audit, explain_damage
from pbem.protocol.cache import storable
from pbem.protocol.fork import compare
from pbem.protocol.match import Match
from pbem.protocol.record import MAX_RECORDS, RECORD_HEADER, Record
from pbem.protocol.state_of_play import pending_record
from pbem.savefile.save_file import EvidenceFile, SaveFile

with suppress(ImportError):
    # If it is installed, `pbem.protocol.deck` uses it.
    import_module("numpy")

FORK = mark("two different records are signed after the same record.")


class _File:
    """A file that was audited, or the reason why it could not be.

    `claimed` is the number of records that it seems to have.
    """

    def __init__(self, name: str, data: bytes, game: bytes) -> None:
        self.name = name
        self.claimed = data.count(RECORD_HEADER.encode())
        self.report: AuditReport | None = None
        self.reason: Phrase = ""
        try:
            self.report = audit(data)
        except InputError as error:
            self.reason = storable(explain_damage(error, data).message)
            return
        if (finding := self.report.finding) is not None:
            self.reason = storable(VerificationError(finding).message)
        if self.records and self.records[0].hash != game:
            self.reason, self.report = Message("its beginning is not what it seems."), None

    @property
    def records(self) -> list[Record]:
        """The records that are proved."""
        return self.report.match.records if self.report else []

    def begins_with(self, data: bytes) -> int:
        """Return the number of records in another file if they begin the proved ones, else 0."""
        try:
            records = SaveFile.read(data).records
        except InputError:
            return 0
        hashes = [record.hash for record in records]
        own = [record.hash for record in self.records[: len(hashes)]]
        return len(hashes) if hashes == own else 0


def judge(game: bytes, files: Sequence[tuple[str, bytes]], clean: int = 0) -> list[Row]:
    """Return a game, by its id, with its verdict from its files by name.

    If none of its records is proved, return its unreadable files instead.

    The files have the same invitation, and the same guest if any; the longest comes first. Another
    file is not audited if its records begin those of an audited one. `clean` is the number of
    records in the longest file that is left out because its text begins that of the first.
    """
    audited: list[_File] = []
    for name, data in files:
        known = max((file.begins_with(data) for file in audited), default=0)
        clean = max(clean, known)
        if not known:
            audited.append(_File(name, data, game))
    proved = [file for file in audited if file.records]
    unreadable = [UnreadableFile(file.name, file.reason, game) for file in audited if file.reason]
    if not proved:
        return [*unreadable]
    main = max(proved, key=lambda file: (len(file.records), not file.reason))
    assert main.report is not None
    facts = _game(main.report.match)
    accusations = (*_rule_breaches(audited), *_forks(main, proved))
    claims = [
        Missing(min(file.claimed, MAX_RECORDS) - 1, file.name)
        for file in audited
        if file.reason and file.claimed > facts.records
    ]
    verified = replace(
        facts,
        verdict=kind_of(accusations, is_whole=not main.reason or clean >= facts.records),
        accusations=accusations,
        missing=max(claims, key=lambda claim: claim.index, default=None),
        unreadable=tuple(unreadable),
    )
    return [verified]


def kind_of(accusations: Sequence[Accusation], *, is_whole: bool) -> Kind:
    """Return the kind of a verdict; `is_whole` is True if a file verifies to its end."""
    if accusations:
        return Kind.FORKED if any(one.evidence for one in accusations) else Kind.CHEATED
    return Kind.HONEST if is_whole else Kind.DAMAGED


def _rule_breaches(files: Sequence[_File]) -> Iterator[Accusation]:
    for file in files:
        report = file.report
        if report and report.finding and report.accused:
            finding = report.finding
            sentence = storable(finding.sentence)
            yield Accusation(report.accused, finding.record, finding.rule.number, sentence)


def _forks(main: _File, files: Sequence[_File]) -> Iterator[Accusation]:
    for file in files:
        evidence = compare(main.records, file.records).evidence
        if evidence is not None:
            yield accuse(evidence.key, evidence.index, EvidenceFile(evidence).write())


def accuse(key: bytes, index: int, evidence: bytes) -> Accusation:
    """Return the accusation of a fork."""
    return Accusation(key, index, "", Message(FORK), evidence)


def _game(match: Match) -> ClubGame:
    """Return the facts of a match of at least one record, with an honest verdict."""
    invite = match.invite
    return ClubGame(
        id=match.id,
        inviter=ClubPlayer(invite.key, invite.name),
        players={side: ClubPlayer(who.key, who.name) for side, who in match.entrants.items()},
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
    sides = [side for side, turn in turns if side is [*Side][turn % 2]]
    return {side: sides.count(side) for side in Side}


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

"""The games of a club as their files prove them, each with its verdict.

`pbem.club.club_audit` reads the files. Games are values: pickled between processes, and kept in the
cache of verdicts. `judge` makes one from its files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias

from engine.message import Message, Phrase, mark
from engine.orders import Start
from engine.position import score
from engine.sides import Side
from engine.state import EndReason
from pbem.errors import InputError, VerificationError
from pbem.play.audit import AuditReport, audit, explain_damage
from pbem.protocol.cache import register, storable
from pbem.protocol.deck import load_numpy
from pbem.protocol.fork import compare
from pbem.protocol.match import Match
from pbem.protocol.record import MAX_RECORDS, RECORD_HEADER, Record
from pbem.protocol.state_of_play import pending_record
from pbem.savefile.save_file import EvidenceFile, SaveFile


class Verdict(StrEnum):
    """The verdict on a game.

    - `honest`: everything in its newest file is proved.
    - `cheated`: a player signed a record that breaks a rule.
    - `forked`: a player signed two different records after one record.
    - `damaged`: no file of it verifies to its end, and nobody is accused.
    """

    HONEST = "honest"
    CHEATED = "cheated"
    FORKED = "forked"
    DAMAGED = "damaged"


@dataclass(frozen=True)
class ClubPlayer:
    """A player of a game: the public key, 32 bytes, and the name, which anybody can choose."""

    key: bytes
    name: str


@dataclass(frozen=True)
class Result:
    """The end of a game by the rules: there is always a winner.

    `by` is the kind of end (`EndReason.RESIGNING` for a resignation), `cause` the reason as a
    clause, `points` the victory points of both sides, `time` the time of the record that decided.
    """

    winner: Side
    by: EndReason
    cause: Phrase
    points: Mapping[Side, int]
    time: str


@dataclass(frozen=True)
class Accusation:
    """A proof that the owner of `key` cheated with the record at `index`.

    `rule` is the number of the broken rule, such as R-7.1, and `sentence` says how. A fork has no
    rule, but the bytes of its evidence file.
    """

    key: bytes
    index: int
    rule: str
    sentence: Phrase
    evidence: bytes = b""


@dataclass(frozen=True)
class Owed:
    """A file that is due: `due` is join, play, opening or close.

    `side` is None if an open invitation awaits a guest. `since` is the signed time of the last
    record.
    """

    side: Side | None
    since: str
    due: str


@dataclass(frozen=True)
class Missing:
    """A record newer than all files of its game that verify: its `index`, and the `file` with it.

    That file is damaged, or a message that answers the missing one. It proves nothing, because
    anybody can write it, but it is a reason to ask for the newer file.
    """

    index: int
    file: str


@dataclass(frozen=True)
class UnreadableFile:
    """A file that cannot be read or does not verify, with the reason in words.

    `game` is the id of its game, 32 bytes, if that is known.
    """

    name: str
    reason: Phrase
    game: bytes | None = None


@dataclass(frozen=True)
class ForkEvidence:
    """Valid evidence that the owner of `key` signed two records, in a game that has no file here.

    `index` is the index of both records, and `data` the evidence file.
    """

    name: str
    key: bytes
    index: int
    data: bytes


@dataclass(frozen=True)
class ClubGame:
    """A game of a club, as its files prove it.

    - `id`: the hash of the invitation, 32 bytes. Two guests may accept one open invitation: these
      are two games with one id (see `unique_id`).
    - `inviter`: the player who invited. `players`: the players by side; empty or incomplete before
      both have entered.
    - `edition`, `house_rules` (sorted ids), `home_support`, `lists`: the options of the invitation.
    - `records`: the number of records that verify; the newest has the index `records - 1`.
    - `turns`: the number of turns taken by each side.
    - `first`, `last`: the signed times of the first and the last record, which their authors claim.
      They may be in the future.
    - `result`: the end by the rules, or None. `closed`: the sides that have closed the game.
    - `accusations`: the proofs that a player cheated.
    - `owed`: the file that is due, or None after the last one.
    - `missing`: a newer record that no file here has, or None.
    - `newest`: the digest of the file with most records that verify. `files`: the names of all its
      files, this one first, then by their records. `unreadable`: files of this game that cannot be
      read or do not verify.
    - `hashes`: the first 8 bytes of the hashes of all records, in one string.
    """

    id: bytes
    inviter: ClubPlayer
    players: Mapping[Side, ClubPlayer]
    edition: str
    house_rules: tuple[str, ...]
    home_support: str
    lists: int
    records: int
    turns: Mapping[Side, int]
    first: str
    last: str
    result: Result | None
    closed: tuple[Side, ...]
    verdict: Verdict
    accusations: tuple[Accusation, ...]
    owed: Owed | None
    missing: Missing | None = None
    files: tuple[str, ...] = ()
    unreadable: tuple[UnreadableFile, ...] = ()
    hashes: bytes = field(default=b"", repr=False)
    newest: bytes = b""

    @property
    def unique_id(self) -> str:
        """The id in hexadecimal digits, with the beginning of the guest's key after a hyphen."""
        keys = [who.key for who in self.players.values() if who.key != self.inviter.key]
        return "-".join([self.id.hex(), *(key.hex()[:16] for key in keys)])

    @property
    def is_provisional(self) -> bool:
        """True if the game is over and a side has not closed it yet."""
        return self.result is not None and len(self.closed) < len(Side)

    def side_of(self, key: bytes) -> Side | None:
        """Return the side of the owner of `key`, or None."""
        return next((side for side, who in self.players.items() if who.key == key), None)


Row: TypeAlias = ClubGame | ForkEvidence | UnreadableFile
_KEPT = (Verdict, ClubPlayer, Result, Accusation, Owed, Missing, UnreadableFile, ClubGame)
register(*_KEPT)


# --- judging

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
        return len(records) if [*records] == self.records[: len(records)] else 0


def judge(game: bytes, files: Sequence[tuple[str, bytes]], clean: Iterable[int] = ()) -> list[Row]:
    """Return a game, by its id, with its verdict from its files by name.

    If none of its records is proved, return its unreadable files instead.

    The files have the same invitation, and the same guest if any; the longest comes first. Another
    file is not audited if its records begin those of an audited one. `clean` are the numbers of
    records in files that are left out because their text begins that of the first.
    """
    load_numpy()
    beginnings = {*clean}
    audited: list[_File] = []
    for name, data in files:
        known = max((file.begins_with(data) for file in audited), default=0)
        beginnings.add(known)
        if not known:
            audited.append(_File(name, data, game))
    proved = [file for file in audited if file.records]
    unreadable = [UnreadableFile(file.name, file.reason, game) for file in audited if file.reason]
    if not proved:
        return [*unreadable]
    main = max(proved, key=lambda file: (len(file.records), not file.reason))
    assert main.report is not None
    facts = _game(main.report.match)
    proofs = (*_rule_breaches(audited), *_forks(main, proved))
    # Two files may have one invalid record.
    accusations = tuple({(one.key, one.index, one.evidence): one for one in proofs}.values())
    claims = [
        Missing(min(file.claimed, MAX_RECORDS) - 1, file.name)
        for file in audited
        if file.reason and file.claimed > facts.records
    ]
    verified = replace(
        facts,
        verdict=kind_of(accusations, is_whole=not main.reason or facts.records in beginnings),
        accusations=accusations,
        missing=max(claims, key=lambda claim: claim.index, default=None),
        unreadable=tuple(unreadable),
        newest=bytes.fromhex(main.name),
    )
    return [verified]


def kind_of(accusations: Sequence[Accusation], *, is_whole: bool) -> Verdict:
    """Return the kind of a verdict; `is_whole` is True if a file verifies to its end."""
    if accusations:
        return Verdict.FORKED if any(one.evidence for one in accusations) else Verdict.CHEATED
    return Verdict.HONEST if is_whole else Verdict.DAMAGED


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
        verdict=Verdict.HONEST,
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
    time = match.records[match.moves[-1].record].time
    return Result(outcome.winner, outcome.by, outcome.cause, points, time)


def _owed(match: Match) -> Owed | None:
    if not match.is_joined:
        return Owed(match.next_side, match.last.time, "join")
    pending = pending_record(match)
    return None if pending is None else Owed(pending.side, pending.since, pending.due.value)

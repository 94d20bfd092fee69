"""The games of a club as their files prove them, each with its verdict.

`read_entries` reads only the beginnings of files; `judge` verifies the files of a game. Items and
games are values: pickled between processes, and kept in the cache of `pbem.club.club_audit`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from engine.message import Message, Phrase, mark, message_of
from engine.orders import Start
from engine.position import score
from engine.sides import Side
from engine.state import EndReason
from pbem.errors import InputError, VerificationError, bug_message
from pbem.play.audit import AuditReport, audit, explain_damage
from pbem.play.incoming import find_record_ids, is_save_file
from pbem.play.message import extract_files, may_hold_file, read_envelope
from pbem.protocol.cache import register, storable
from pbem.protocol.deck import load_numpy
from pbem.protocol.fork import NoForkError, compare
from pbem.protocol.match import Match
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.record import MAX_RECORDS, RECORD_HEADER, Record
from pbem.protocol.state_of_play import pending_record
from pbem.savefile.disk import as_utf8
from pbem.savefile.document import WrongFormatError
from pbem.savefile.save_file import FORMAT, EvidenceFile, FileScan, SaveFile, first_records


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

    `game` is the id of its game, 32 bytes, if that is known, and `records` the number of records
    that it seems to have.
    """

    name: str
    reason: Phrase
    game: bytes | None = None
    records: int = 0


@dataclass(frozen=True)
class ForkEvidence:
    """Valid evidence that the owner of `key` signed two records, perhaps of a game without files.

    `index` is the index of both records, and `data` the evidence in this program's layout.
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


@dataclass(frozen=True)
class SavedGame:
    """A save file that was not verified: its digest, its game, and the keys of the players.

    `guest` is empty before there is one. `time` is that of its first record, `records` their
    number. `length` and `text` are the length and the digest of the text of all records; `text` is
    empty if the layout is another than this program's.
    """

    digest: bytes
    game: bytes
    inviter: bytes
    guest: bytes
    time: str
    records: int
    length: int = 0
    text: bytes = b""

    def is_beginning_of(self, other: FileScan | None) -> bool:
        """Return True if the records of another file begin with those of this one."""
        return other is not None and digest(other.beginning(self.length)) == self.text


Item: TypeAlias = SavedGame | ForkEvidence | Missing | UnreadableFile
"""Something in a file about a game, before anything is verified."""
Row: TypeAlias = ClubGame | ForkEvidence | UnreadableFile
register(Verdict, ClubPlayer, Result, Accusation, Owed, ClubGame)
register(SavedGame, ForkEvidence, Missing, UnreadableFile)


def digest(data: bytes) -> bytes:
    """Return the digest by which a file is known, 32 bytes."""
    return tagged_hash(Tag.CACHE, b"\3", data)


# --- the items in a file

_OWN = b"acres-"
"""A text in every file of this program."""


Entry: TypeAlias = tuple[bytes | None, Item]
"""An item without a name, after its subject: a game, its beginning, a player's key, or None."""


def read_entries(data: bytes, *, is_called_save: bool) -> Iterator[Entry]:
    """Yield the items in the file or message `data`; none if it is not of this program.

    A file with the name of a save file may be a damaged one.
    """
    data = as_utf8(data)
    is_message = may_hold_file(data)
    if (is_save_file(data) and _OWN in data) or (is_called_save and not is_message):
        yield from _read_file(data)
    elif is_message:
        try:
            for file in extract_files(data):
                yield from _read_file(file.data)
        except InputError as error:
            yield _unreadable(message_of(error))
        envelope = read_envelope(data)
        # Of each game, the latest record is the last one here.
        mentions = sorted(find_record_ids(f"{envelope.message_id} {envelope.references}"))
        for game, index in {game: index for game, index in mentions if index < MAX_RECORDS}.items():
            yield game, Missing(index, "")


def find_file(data: bytes, wanted: bytes) -> bytes | None:
    """Return the save file with the digest `wanted` in a source, or None."""
    data = as_utf8(data)
    if digest(data) == wanted:
        return data
    with suppress(InputError):
        return next((f.data for f in extract_files(data) if digest(f.data) == wanted), None)
    return None


def _read_file(data: bytes) -> Iterator[Entry]:
    """Yield the item in a file that should be a save file or evidence; none for a foreign one."""
    if (scan := FileScan.of(data)) is not None:
        yield _saved(data, scan.records, scan.number, scan.text)
        return
    try:
        records = SaveFile.read(data).records
        yield _saved(data, records, len(records))
    except WrongFormatError as error:
        if error.format == FORMAT:
            yield _read_evidence(data)
        elif _OWN in data:
            yield _unreadable(error.message)
    except InputError as error:
        game = None
        with suppress(InputError, ValueError, LookupError):
            # The first record may be whole.
            game = first_records(data, 1)[0].hash
        reason = explain_damage(error, data).message
        yield _unreadable(reason, game, data.count(RECORD_HEADER.encode()))


def _read_evidence(data: bytes) -> Entry:
    try:
        evidence = EvidenceFile.read(data).evidence
        evidence.check()
    except (InputError, NoForkError) as error:
        return _unreadable(error.message)
    text = EvidenceFile(evidence).write()
    return evidence.key, ForkEvidence("", evidence.key, evidence.index, text)


def _saved(data: bytes, records: Sequence[Record], number: int, text: bytes = b"") -> Entry:
    inviter, guest = [*(getattr(one.steps[0], "key", b"") for one in records[:2]), b""][:2]
    game, time = records[0].hash, records[0].time
    facts = game, inviter, guest, time, number, len(text), digest(text) if text else b""
    return game, SavedGame(digest(data), *facts)


def _unreadable(reason: Phrase, game: bytes | None = None, records: int = 0) -> Entry:
    return game, UnreadableFile("", storable(reason), game, records)


# --- judging

FORK = mark("two different records are signed after the same record.")


def judge(game: bytes, items: Sequence[Item], files: Sequence[bytes]) -> list[Row]:
    """Return a game, by its id, with its verdict; if no record is proved, its unreadable files.

    Return nothing if a file is empty, because it has changed.

    `items` are all that is known of the game, the longest files first, and `files` the save files
    among them, each at its number. In the rows the number of its item stands for the name of a
    file.
    """
    load_numpy()
    reports: dict[int, AuditReport] = {}
    scans: dict[int, FileScan | None] = {}
    unreadable: list[UnreadableFile] = []
    saves: dict[int, SavedGame] = {}
    for number, item in enumerate(items):
        if isinstance(item, UnreadableFile):
            unreadable.append(replace(item, name=str(number)))
        if not isinstance(item, SavedGame):
            continue
        saves[number] = item
        if any(map(item.is_beginning_of, scans.values())):
            continue
        if not files[number]:
            return []
        report, reason = _audit(files[number], game)
        if reason:
            reason = storable(reason)
            unreadable.append(UnreadableFile(str(number), reason, game, item.records))
        if report and report.match.records:
            reports[number], scans[number] = report, FileScan.of(files[number])
    if not reports:
        return [*unreadable]
    newest = max(reports, key=lambda n: (len(reports[n].match.records), reports[n].is_clean))
    match, is_whole, scan = reports[newest].match, reports[newest].is_clean, scans[newest]
    for number, item in saves.items():
        is_proved = item.records == len(match.records) and item.is_beginning_of(scan)
        if is_proved and not is_whole:
            newest, is_whole = number, True
    # Two files may have one invalid record.
    proofs = {(p.key, p.index, p.evidence): p for p in _proofs(match, reports.values(), items)}
    verdict = Verdict.HONEST
    if proofs:
        is_fork = any(proof.evidence for proof in proofs.values())
        verdict = Verdict.FORKED if is_fork else Verdict.CHEATED
    elif not is_whole:
        verdict = Verdict.DAMAGED
    game_facts = _game(
        match,
        verdict=verdict,
        accusations=tuple(proofs.values()),
        missing=_missing(match, items, unreadable),
        files=tuple(map(str, (newest, *saves))),
        unreadable=tuple(unreadable),
        newest=saves[newest].digest,
    )
    return [game_facts]


def _audit(data: bytes, game: bytes) -> tuple[AuditReport | None, Phrase]:
    """Return the audit of a file of a game, and the reason why it does not verify, if any.

    Without a report it cannot be read.
    """
    try:
        report = audit(data)
    except InputError as error:
        return None, explain_damage(error, data).message
    except MemoryError:
        raise
    except Exception as error:
        # A stranger's file must not hide what another one proves.
        return None, bug_message(error)
    records = report.match.records
    if records and records[0].hash != game:
        return None, Message("its beginning is not what it seems.")
    return report, VerificationError(report.finding).message if report.finding else ""


def _proofs(
    match: Match, reports: Iterable[AuditReport], items: Iterable[Item]
) -> Iterator[Accusation]:
    """Yield the proofs against the players of a match, from all its files and from evidence."""
    records = match.records
    for report in reports:
        if (finding := report.finding) and report.accused:
            sentence = storable(finding.sentence)
            yield Accusation(report.accused, finding.record, finding.rule.number, sentence)
        if evidence := compare(records, report.match.records).evidence:
            data = EvidenceFile(evidence).write()
            yield Accusation(evidence.key, evidence.index, "", Message(FORK), data)
    for item in items:
        if isinstance(item, ForkEvidence) and item.index <= len(records):
            previous = EvidenceFile.read(item.data).records[0].previous
            if previous == records[item.index - 1].hash:
                yield Accusation(item.key, item.index, "", Message(FORK), item.data)


def _missing(
    match: Match, items: Iterable[Item], unreadable: Iterable[UnreadableFile]
) -> Missing | None:
    """Return the latest record that a file mentions or seems to have, if it is newer."""
    claims = [Missing(min(file.records, MAX_RECORDS) - 1, file.name) for file in unreadable]
    for number, item in enumerate(items):
        if isinstance(item, Missing):
            claims.append(replace(item, file=str(number)))
    newer = [claim for claim in claims if claim.index >= len(match.records)]
    return max(newer, key=lambda claim: claim.index, default=None)


def _game(match: Match, **findings: Any) -> ClubGame:
    """Return the facts of a match of at least one record, with the findings about its files."""
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
        owed=_owed(match),
        **findings,
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
    if pending := pending_record(match):
        return Owed(pending.side, pending.since, pending.due.value)
    return None if match.is_joined else Owed(match.next_side, match.last.time, "join")

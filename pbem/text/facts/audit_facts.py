"""What files prove, as plain data, for other programs: an audit, two files, evidence of a fork."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from engine.scoring import score
from engine.sides import Side
from pbem.errors import Unreadable
from pbem.play.audit import AuditReport
from pbem.play.game_file import whose_move
from pbem.play.two_files import TwoFiles
from pbem.protocol.fork import Evidence, NoFork
from pbem.protocol.record import Record
from pbem.protocol.state_of_play import silence, unclosed
from pbem.protocol.steps import OrderStep

Facts: TypeAlias = dict[str, Any]


def audit_facts(
    report: AuditReport, mended: Sequence[str] = (), *, with_hands: bool = False
) -> Facts:
    """What an audit found of a file, and what had to be `mended` to read it."""
    match = report.match
    begun, joined = bool(match.records), match.is_joined
    outcome = match.state.outcome if joined else None
    waits = silence(match) if begun else None
    facts = {
        "clean": report.is_clean,
        "game": match.id.hex() if begun else None,
        "edition": match.invite.edition if begun else None,
        "house_rules": list(match.invite.house_rules) if begun else [],
        "players": {
            side.value: {"name": entrant.name, "key": entrant.key.hex()}
            for side, entrant in match.entrants.items()
        },
        "records": report.total_records,
        "records_verified": len(match.records),
        "steps_verified": report.counts,
        "turn": match.turn,
        "points": {s.value: score(match.state, s).total for s in Side} if joined else {},
        "winner": outcome.winner.value if outcome else None,
        "reason": outcome.reason if outcome else None,
        "next": str(whose_move(match)) if begun else None,
        "waiting": waits._asdict() if waits else None,
        "closed": {side.value: done._asdict() for side, done in report.closed.items()},
        "unclosed": [side.value for side in unclosed(match)],
        "finding": _finding(report),
    }
    hands = {"hands": _hands(report)} if with_hands else {}
    return facts | hands | {"mended": list(mended)}


def _finding(report: AuditReport) -> Facts | None:
    finding = report.finding
    if finding is None:
        return None
    key = report.accused.hex() if report.accused else None
    named = {"rule": finding.rule.topic, "number": finding.rule.number}
    return finding._asdict() | named | {"accuses": finding.accuses, "key": key}


def _hands(report: AuditReport) -> list[Facts]:
    return [
        {
            side.value: {
                "cards": hand if hand is not None else list(held[side].known),
                "face_down": 0 if hand is not None else len(held[side].hidden),
            }
            for side, hand in hands.items()
        }
        for hands, held in zip(report.hands, report.held, strict=True)
    ]


def unreadable_facts(error: Unreadable) -> Facts:
    """What is said of a file that cannot be read."""
    number = error.rule.number if error.rule else None
    return {"clean": False, "finding": None, "unreadable": error.said, "number": number}


def evidence_facts(evidence: Evidence, failing: NoFork | None, mended: Sequence[str]) -> Facts:
    """What evidence of a fork proves, or why it proves nothing."""
    why = {"reason": failing.said if failing else "", "number": failing and failing.rule.number}
    return {"proved": failing is None, **why, **_twice(evidence), "mended": list(mended)}


def two_files_facts(two: TwoFiles, mended: Sequence[Sequence[str]], path: Path | None) -> Facts:
    """How two files stand to each other; the evidence of a fork lies at that path."""
    comparison, evidence, fork = two.comparison, two.evidence, None
    if evidence is not None:
        players = two.reports[0].match.entrants.values()
        name = next(who.name for who in players if who.key == evidence.key)
        fork = {**_twice(evidence), "name": name, "evidence": str(path)}
    return {
        "clean": two.is_clean and fork is None,
        "relation": comparison.relation.value if comparison else None,
        "common_records": comparison.common if comparison else 0,
        "fork": fork,
        "files": [audit_facts(*each) for each in zip(two.reports, mended, strict=True)],
    }


def _twice(evidence: Evidence) -> Facts:
    return {
        "key": evidence.key.hex(),
        "index": evidence.index,
        "records": [_record(record) for record in evidence.records],
    }


def _record(record: Record) -> Facts:
    return {
        "hash": record.hash.hex(),
        "previous": record.previous.hex(),
        "side": record.side,
        "time": record.time,
        "orders": [step.order for step in record.steps if isinstance(step, OrderStep)],
    }

"""The audit: what a file proves about a game, to anybody, from the file alone.

docs/protocol.md, What is caught, and when.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from engine.scoring import score
from engine.sides import Side
from pbem.errors import Finding, NotProved
from pbem.game_file import whose_move
from pbem.match import Match
from pbem.savefile import SaveFile


@dataclass(frozen=True)
class Report:
    """What an audit found.

    `match` is as far as the records hold; `finding` is the first thing that does not, or None;
    `counts` says how many of each kind of step were checked.
    """

    match: Match
    total_records: int
    counts: dict[str, int]
    finding: Finding | None

    @property
    def is_clean(self) -> bool:
        """Whether everything in the file is proved."""
        return self.finding is None

    def as_plain(self) -> dict[str, Any]:
        """The report as plain data, the same facts for other programs."""
        match = self.match
        joined = match.is_joined
        outcome = match.state.outcome if joined else None
        return {
            "clean": self.is_clean,
            "game": match.id.hex() if match.records else None,
            "edition": match.invite.edition if match.records else None,
            "house_rules": list(match.invite.house_rules) if match.records else [],
            "players": {
                side.value: {"name": entrant.name, "key": entrant.key.hex()}
                for side, entrant in match.entrants.items()
            },
            "records": self.total_records,
            "records_verified": len(match.records),
            "steps_verified": self.counts,
            "turn": match.state.turn + 1 if joined else 0,
            "points": {s.value: score(match.state, s).total for s in Side} if joined else {},
            "winner": outcome.winner.value if outcome else None,
            "reason": outcome.reason if outcome else None,
            "next": whose_move(match) if match.records else None,
            "finding": _plain(self.finding) if self.finding else None,
        }


def _plain(finding: Finding) -> dict[str, Any]:
    return asdict(finding) | {"accuses": finding.accuses}


def audit(data: bytes) -> Report:
    """Check everything in a file. Raises Unreadable for what is no save file."""
    save = SaveFile.read(data)
    match, finding = Match(), None
    counts: Counter[str] = Counter()
    for record in save.records:
        try:
            match.add(record)
        except NotProved as error:
            finding = error.finding
            # What was carried out of the record that failed is not proved: start over without it.
            match = Match.replay(save.records[: len(match.records)])
            break
        counts.update(step.kind for step in record.steps)
    return Report(match, len(save.records), dict(sorted(counts.items())), finding)

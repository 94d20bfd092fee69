"""The audit: what a file proves about a game, to anybody, from the file alone.

docs/protocol.md, What is caught, and when.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from engine.scoring import score
from engine.sides import Side
from pbem.errors import Finding, NotProved
from pbem.play.game_file import whose_move
from pbem.protocol.chain import author_key
from pbem.protocol.hand import Held, Hindsight, held
from pbem.protocol.match import Match, Passing
from pbem.protocol.silence import silence, unclosed
from pbem.savefile.save_file import SaveFile


class Recomputed(NamedTuple):
    """How much was made again from the game secret of a side that has closed the game."""

    shuffles: int
    grants: int
    hands: int


@dataclass(frozen=True)
class Report:
    """What an audit found.

    `match` is as far as the records hold; `finding` is the first thing that does not, or None;
    `counts` says how many of each kind of step were checked; `held` what lay in both hands after
    each record. `accused` is the key that signed what does not hold, None where nobody is accused.
    """

    match: Match
    total_records: int
    counts: dict[str, int]
    finding: Finding | None
    held: tuple[dict[Side, Held], ...] = ()
    accused: bytes | None = None

    @property
    def is_clean(self) -> bool:
        """Whether everything in the file is proved."""
        return self.finding is None

    @cached_property
    def hands(self) -> list[dict[Side, list[str] | None]]:
        """The hands after each record, sorted; None for a side that has not closed the game."""
        hindsight = Hindsight(self.match, self.match.secrets)
        return [
            {side: hindsight.hand(side, hand) for side, hand in hands.items()}
            for hands in self.held
        ]

    @property
    def closed(self) -> dict[Side, Recomputed]:
        """The sides that have closed the game, with what was recomputed for each."""
        return {
            side: Recomputed(
                len(self.match.table.shuffles[side]),
                len(self.match.table.grants[side]),
                sum(hands.get(side) is not None for hands in self.hands),
            )
            for side in Side
            if side in self.match.secrets
        }

    def as_plain(self, *, with_hands: bool = False) -> dict[str, Any]:
        """The report as plain data, the same facts for other programs."""
        match = self.match
        joined = match.is_joined
        outcome = match.state.outcome if joined else None
        waits = silence(match) if match.records else None
        facts = {
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
            "next": str(whose_move(match)) if match.records else None,
            "waiting": waits._asdict() if waits else None,
            "closed": {side.value: done._asdict() for side, done in self.closed.items()},
            "unclosed": [side.value for side in unclosed(match)],
            "finding": self._plain_finding(),
        }
        return facts | {"hands": self._plain_hands()} if with_hands else facts

    def _plain_finding(self) -> dict[str, Any] | None:
        finding = self.finding
        if finding is None:
            return None
        key = self.accused.hex() if self.accused else None
        return finding._asdict() | {"accuses": finding.accuses, "key": key}

    def _plain_hands(self) -> list[dict[str, Any]]:
        return [
            {
                side.value: {
                    "cards": hand if hand is not None else list(held[side].known),
                    "face_down": 0 if hand is not None else len(held[side].hidden),
                }
                for side, hand in hands.items()
            }
            for hands, held in zip(self.hands, self.held, strict=True)
        ]


def audit(data: bytes, passing: Passing = iter) -> Report:
    """Check everything in a file. Raises Unreadable for what is no save file.

    Through `passing` the records go one by one, each as soon as those before it are checked.
    """
    save = SaveFile.read(data)
    match, finding, accused = Match(), None, None
    counts: Counter[str] = Counter()
    hands: list[dict[Side, Held]] = []
    for record in passing(save.records):
        # What is carried out of a record that fails is not proved. To copy takes a fraction of the
        # time in which a long file would be replayed once more.
        proved = match.copy()
        try:
            match.add(record)
        except NotProved as error:
            match, finding = proved, error.finding
            if finding.accuses:
                accused = author_key(record, match.records)
            break
        counts.update(step.kind for step in record.steps)
        hands.append(held(match))
    total = len(save.records)
    return Report(match, total, dict(sorted(counts.items())), finding, tuple(hands), accused)

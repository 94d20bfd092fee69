"""Two files of one game side by side, and the evidence of a fork as a file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pbem.errors import exists
from pbem.play.audit import AuditReport
from pbem.protocol.fork import Comparison, Evidence, compare
from pbem.savefile.disk import AlreadyThere, read_file, write_new
from pbem.savefile.evidence import EvidenceFile


@dataclass(frozen=True)
class TwoFiles:
    """The audits of two files."""

    reports: tuple[AuditReport, AuditReport]

    @property
    def is_clean(self) -> bool:
        """Whether everything in both is proved."""
        return all(report.is_clean for report in self.reports)

    @cached_property
    def comparison(self) -> Comparison | None:
        """Both chains side by side as far as they hold; None where one holds nothing.

        What comes after a fork may not hold: the fork is proved all the same.
        """
        one, two = (report.match.records for report in self.reports)
        return compare(one, two) if one and two else None

    @property
    def evidence(self) -> Evidence | None:
        """That somebody signed twice, where both files together prove it."""
        return self.comparison.evidence if self.comparison else None


def evidence_path(game: bytes, evidence: Evidence) -> Path:
    """Where the evidence goes if nobody names another place."""
    return Path(f"fork-{game.hex()[:8]}-{evidence.index}.toml")


def keep(evidence: Evidence, path: Path) -> bool:
    """Write the evidence; False where it is there already, AlreadyThere where another file is."""
    data = EvidenceFile(evidence).write()
    if exists(path):
        if path.is_file() and read_file(path) == data:
            return False
        raise AlreadyThere("There is already a file {file}; it was not touched.", file=path)
    write_new(path, data)
    return True

"""The figures of earlier releases, and what has become worse since.

`history/VERSION.toml` holds the ratios that were measured for a release. Ratios alone: seconds and
megabytes are those of a machine.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import tomli_w

from benchmarks.timing import Claim

FOLDER = Path(__file__).parent / "history"
ALLOWED = 1.2
"""How many times the ratio of the last release a ratio may be: a fifth more."""


@dataclass(frozen=True)
class Release:
    """What was measured for a release: ratios, by the words of their claims."""

    version: str
    ratios: Mapping[str, float]

    @classmethod
    def last(cls, folder: Path = FOLDER) -> Release | None:
        """The one with the highest version in a folder; None where there is none yet."""
        files = sorted(folder.glob("*.toml"), key=lambda file: order(file.stem))
        if not files:
            return None
        return cls(files[-1].stem, tomllib.loads(files[-1].read_text())["ratios"])

    @classmethod
    def measured(cls, version: str, claims: Iterable[Claim]) -> Release:
        """A release with the ratios among some claims."""
        ratios = {claim.what: round(claim.value, 3) for claim in claims if claim.is_ratio}
        return cls(version, ratios)

    def save(self, folder: Path = FOLDER) -> Path:
        """Write the ratios to a folder, over those of the same version; returns the file."""
        folder.mkdir(exist_ok=True)
        file = folder / f"{self.version}.toml"
        file.write_text(tomli_w.dumps({"ratios": dict(self.ratios)}))
        return file

    def change(self, claim: Claim) -> float | None:
        """How many times the ratio of this release a claim is; None where it has none."""
        before = self.ratios.get(claim.what) if claim.is_ratio else None
        return claim.value / before if before else None

    def is_worse(self, claim: Claim) -> bool:
        """Whether a ratio is worse than it was by more than a fifth."""
        change = self.change(claim)
        return change is not None and change > ALLOWED

    def comparison(self, claim: Claim) -> str:
        """A claim's ratio of this release, for the end of its line; empty where it has none."""
        if self.change(claim) is None:
            return ""
        flag = "WORSE than in" if self.is_worse(claim) else "in"
        return f"{flag} {self.version}: {self.ratios[claim.what]:.2f}{claim.unit}"

    def not_measured(self, claims: Iterable[Claim]) -> list[str]:
        """What was claimed for this release and is not among some claims."""
        measured = {claim.what for claim in claims}
        return [what for what in self.ratios if what not in measured]


def order(version: str) -> tuple[int, ...]:
    """What versions are ordered by; ValueError for what is no version, such as 1.12.0."""
    return tuple(int(part) for part in version.split("."))

"""The figures of earlier releases, and the ratios that have become worse since.

`history/VERSION.toml` holds the ratios measured for a release, and no times or sizes, because these
depend on the machine.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import tomli_w

from benchmarks.timing import Claim

FOLDER = Path(__file__).parent / "history"
MAX_RATIO_CHANGE = 1.2
"""The maximum factor between a ratio and the ratio of the last release."""


@dataclass(frozen=True)
class Release:
    """The ratios measured for a release, by the name of the claim."""

    version: str
    ratios: Mapping[str, float]

    @classmethod
    def last(cls, folder: Path = FOLDER) -> Release | None:
        """Return the release with the highest version in a folder, or None if there is none."""
        files = sorted(folder.glob("*.toml"), key=lambda file: order(file.stem))
        if not files:
            return None
        return cls(files[-1].stem, tomllib.loads(files[-1].read_text())["ratios"])

    @classmethod
    def from_claims(cls, version: str, claims: Iterable[Claim]) -> Release:
        """Return a release with the ratios among some claims."""
        ratios = {claim.name: round(claim.value, 3) for claim in claims if claim.is_ratio}
        return cls(version, ratios)

    def save(self, folder: Path = FOLDER) -> Path:
        """Write the ratios to a folder, replacing the same version. Return the file."""
        folder.mkdir(exist_ok=True)
        file = folder / f"{self.version}.toml"
        file.write_text(tomli_w.dumps({"ratios": dict(self.ratios)}))
        return file

    def change(self, claim: Claim) -> float | None:
        """Return a claim divided by its ratio in this release, or None if it has no ratio."""
        previous = self.ratios.get(claim.name) if claim.is_ratio else None
        return claim.value / previous if previous else None

    def is_worse(self, claim: Claim) -> bool:
        """Return True if a ratio is worse than in this release by more than a fifth."""
        change = self.change(claim)
        return change is not None and change > MAX_RATIO_CHANGE

    def comparison(self, claim: Claim) -> str:
        """Return the ratio of a claim in this release as text, or an empty string."""
        if self.change(claim) is None:
            return ""
        flag = "WORSE than in" if self.is_worse(claim) else "in"
        return f"{flag} {self.version}: {self.ratios[claim.name]:.2f}{claim.unit}"

    def missing_claims(self, claims: Iterable[Claim]) -> list[str]:
        """Return the names of the ratios of this release that are not among some claims."""
        names = {claim.name for claim in claims}
        return [name for name in self.ratios if name not in names]


def order(version: str) -> tuple[int, ...]:
    """Return the sort key of a version such as 1.12.0. Raises ValueError for any other text."""
    return tuple(int(part) for part in version.split("."))

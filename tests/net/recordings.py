"""The archive of recordings, and the differences of a replay.

`recorded.tar.xz` has one JSON file for each script, and depends only on the recordings.
"""

from __future__ import annotations

import io
import json
import lzma
import tarfile
import tomllib
from collections import Counter
from collections.abc import Mapping
from difflib import unified_diff
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.net.world import Recording

HERE = Path(__file__).parent
ARCHIVE = HERE / "recorded.tar.xz"
ALLOWED = HERE / "allowed.toml"
MAX_ARCHIVE_BYTES = 3_000_000
"""The maximum size of the archive, in bytes."""
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 26}]


@cache
def recordings() -> dict[str, Recording]:
    """Return all recordings by the names of their scripts."""
    with tarfile.open(ARCHIVE, "r:xz") as archive:
        return {
            member.name.removesuffix(".json"): json.load(
                archive.extractfile(member) or io.BytesIO()
            )
            for member in archive
        }


def pack_recordings(recordings: Mapping[str, Recording]) -> bytes:
    """Return the archive of these recordings."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, recording in sorted(recordings.items()):
            data = json.dumps(recording, ensure_ascii=False, indent=0).encode()
            member = tarfile.TarInfo(f"{name}.json")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return lzma.compress(plain.getvalue(), filters=_FILTERS)


class AllowedDifference(NamedTuple):
    """An intended difference: a line in the diff of a text, and the reason."""

    script: str
    where: str
    line: str
    reason: str


def allowed() -> list[AllowedDifference]:
    """Return the entries of `allowed.toml`."""
    tables = tomllib.loads(ALLOWED.read_text(encoding="utf-8")).get("allowed", [])
    return [AllowedDifference(**table) for table in tables]


def differences(
    name: str, before: Recording, now: Recording, entries: list[AllowedDifference] | None = None
) -> str:
    """Return the diff between a recording and a replay, without allowed lines.

    An unused entry for this script is a difference too.
    """
    entries = [
        entry for entry in (allowed() if entries is None else entries) if entry.script == name
    ]
    left = Counter((entry.where, entry.line) for entry in entries)
    lines_of_diff: list[str] = []
    for place in dict.fromkeys([*before, *now]):
        old, new = before.get(place, ""), now.get(place, "")
        title = f"{name}, {place}"
        diff = [
            entry.rstrip("\n")
            for entry in unified_diff(
                old.splitlines(keepends=True), new.splitlines(keepends=True), title, title, n=2
            )
        ]
        if (place in before) != (place in now):
            # An empty text counts too.
            diff = diff or [
                f"--- {title}",
                f"+++ {title}",
                f"{'-' if place in before else '+'}(an empty text)",
            ]
        changed = Counter((place, line) for line in diff[2:] if line[:1] in ("+", "-"))
        if changed - left:
            lines_of_diff += diff
        left -= changed
    lines_of_diff += [
        f"allowed.toml: nothing is {line!r} in {name}, {place}" for place, line in left
    ]
    return "\n".join(lines_of_diff)

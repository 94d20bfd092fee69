"""The commands that are crashed: their starting points, and the invariants after a crash."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.crash.stage import Fault, Outcome, Stage
from tests.crash.state import (
    find_double_signatures,
    find_strays,
    is_whole,
    last_record,
    library_records,
)

LATER = "2031-01-01T00:00:00Z"
"""The time at which a command is run again; a record signed then would differ."""
DAY = os.environ.get("CRASH_DAY") or date.today().isoformat()
"""The seed for the moments of a short run."""


@dataclass(frozen=True)
class Scene:
    """A command that signs: its `words`, the home that runs it, and the file it writes.

    `other` are the words of a command that would sign another record in the same place, if there is
    one. `is_replaced` says whether the file replaces an existing one. The scene begins in a copy of
    the folder `begin`.
    """

    name: str
    begin: Path
    home: str
    words: tuple[str, ...]
    file: str
    other: tuple[str, ...] = ()
    is_replaced: bool = False

    def set_up(self, folder: Path) -> Path:
        """Return a folder in which the command can run."""
        return Path(shutil.copytree(self.begin, folder, dirs_exist_ok=True))

    def run(self, stage: Stage, folder: Path, *, other: bool = False, **fault: Any) -> Outcome:
        """Run the command, or the other one, with a fault."""
        words = self.other if other else self.words
        return stage.run(*words, folder=folder, home=self.home, fault=Fault(**fault))


def moments_of(
    scene: Scene,
    folder: Path,
    stage: Stage,
    sample: int | None = None,
    pick: Callable[[Sequence[int], int], Sequence[int]] | None = None,
) -> Sequence[int]:
    """Return the moments of a command at which a fault can happen, in order.

    With `sample`, return that many moments of the second half, in which the command writes.
    """
    scene.set_up(folder)
    outcome = scene.run(stage, folder, list_moments=True)
    assert outcome.status == 0, outcome
    shutil.rmtree(folder)
    return second_half(outcome.moments, sample, pick or draw_moments)


def second_half(
    moments: Sequence[int], sample: int | None, pick: Callable[[Sequence[int], int], Sequence[int]]
) -> Sequence[int]:
    """Return `sample` moments of the second half, or all moments without a sample."""
    return pick(moments[len(moments) // 2 :], sample) if sample else moments


def spread_moments(moments: Sequence[int], number: int) -> Sequence[int]:
    """Return about `number` of these moments, evenly spread, with the last one."""
    return moments[:: -(len(moments) // number)][::-1]


def few_or_all(few: int) -> pytest.MarkDecorator:
    """Parametrise `sample`: `few` moments in every run, and all (None) in the long one."""
    every = pytest.param(None, marks=pytest.mark.long, id="every line")
    return pytest.mark.parametrize("sample", [pytest.param(few, id="some lines"), every])


def draw_moments(moments: Sequence[int], number: int) -> Sequence[int]:
    """Return a moment from each of `number` stretches, and the last; they change every day.

    A failing test prints them, and the variable that repeats them.
    """
    draw, length = Random(DAY), len(moments) / number
    ends = [round(length * count) for count in range(number + 1)]
    chosen = [draw.choice(moments[begin:end]) for begin, end in pairwise(ends)]
    chosen[-1] = moments[-1]
    print(f"Tried at {chosen}; CRASH_DAY={DAY} tries them again.")
    return chosen


def check_after_crash(scene: Scene, folder: Path, stage: Stage, tally: Counter[str]) -> None:
    """Check the state after a crash, run the command again, and check that it succeeds."""
    file, home = folder / scene.file, folder / scene.home
    before = {record.hash for _, record in library_records(scene.begin / scene.home)}
    new = {record.hash for _, record in library_records(home)} - before
    old_file = (scene.begin / scene.file).read_bytes() if scene.is_replaced else None
    is_written = file.exists() and file.read_bytes() != old_file
    tally["new" if is_written else "signed, not written" if new else "old"] += 1

    # The folder has the old state or the new one, and the library has every written record.
    assert old_file is None or file.exists()
    assert len(new) <= 1
    if is_written:
        assert is_whole(file)
        assert new == {last_record(file).hash}
    check_signed_once(scene, folder)

    # The same command at another time writes the record that was signed.
    content = file.read_bytes() if is_written else None
    again = scene.run(stage, folder, now=LATER)
    assert "Traceback" not in again.err
    assert is_whole(file)
    if is_written and not scene.is_replaced:
        assert (again.status, file.read_bytes()) == (2, content), again
        assert "There is already a file" in again.err
    else:
        assert again.status == 0, again
        signed = last_record(file).hash
        assert signed in {record.hash for _, record in library_records(home)}
        assert scene.name == "new" or new <= {signed}
    check_signed_once(scene, folder)

    # No other record can be signed in its place.
    if scene.other:
        other = scene.run(stage, folder, other=True, now=LATER)
        assert other.status == 2, other
        assert "already answered this file" in other.err, other
        check_signed_once(scene, folder)
    assert not find_strays(folder)
    assert not list(home.glob("*-journal"))


def check_signed_once(scene: Scene, folder: Path) -> None:
    """Check that no two records are signed in one place, unless the player said --replace."""
    twice = find_double_signatures(folder)
    if not scene.is_replaced:
        assert not twice
    else:
        assert [len(hashes) for hashes in twice.values()] in ([], [2])


def crash(
    scene: Scene,
    folder: Path,
    stage: Stage,
    tally: Counter[str],
    run: Callable[[], Outcome] | None = None,
    **fault: Any,
) -> Outcome:
    """Set up the scene, crash it by a fault or by `run`, and check the state."""
    scene.set_up(folder)
    outcome = run() if run else scene.run(stage, folder, **fault)
    assert "Traceback" not in outcome.err
    check_after_crash(scene, folder, stage, tally)
    shutil.rmtree(folder)
    return outcome

"""A command that is killed at any line: the old state or the new one, and nothing twice."""

import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import COMMAND, environment
from tests.crash.scenes import Scene, check_after_crash, crash, few_or_all, moments_of
from tests.crash.stage import Stage

SAMPLE = 3
"""The number of lines at which the short run kills each command."""
SYSTEM_CALLS = (
    "openat", "write", "pwrite64", "ftruncate", "fsync", "fdatasync", "chmod", "mkdir", "link",
    "rename", "unlink",
)  # fmt: skip
"""The system calls that change a disk."""


@few_or_all(SAMPLE)
@pytest.mark.parametrize("how", ["kill_at", "interrupt_at"])
def test_game_survives_a_kill_at_any_line(
    scene: Scene, stage: Stage, tmp_path: Path, how: str, sample: int | None
) -> None:
    folder, tally = tmp_path / "game", Counter[str]()
    for moment in moments_of(scene, folder, stage, sample):
        outcome = crash(scene, folder, stage, tally, None, **{how: moment})
        if how == "kill_at":
            assert outcome.was_killed
        else:
            assert outcome.status == 130
            assert "acres: Stopped. " in outcome.err
    assert tally["new"] or how == "interrupt_at"
    assert sample or len(tally) == 3 or how == "interrupt_at"


# --- kills between changes of the disk


def strace(
    scene: Scene, folder: Path, *options: str
) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    trace = folder.with_name("trace")
    outcome = subprocess.run(
        ["strace", "-qq", "-y", "-o", trace, "-e", f"trace={','.join(SYSTEM_CALLS)}", *options,
         *COMMAND, "--home", scene.home, *scene.words],
        cwd=folder, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    return outcome, trace.read_text().splitlines()


def find_disk_changes(scene: Scene, folder: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and number of each system call that changes something below the folder.

    Calls of one name are counted from 1.
    """
    scene.set_up(folder)
    outcome, trace = strace(scene, folder)
    assert outcome.returncode == 0, outcome.stderr
    shutil.rmtree(folder)
    counted = Counter[str]()
    for line in trace:
        call = line.partition("(")[0]
        counted[call] += 1
        reads = call == "openat" and "O_CREAT" not in line
        if str(folder) in line and not reads:
            yield call, counted[call]


@pytest.mark.long
@pytest.mark.skipif(shutil.which("strace") is None, reason="it takes strace to stop at a call")
def test_game_survives_a_kill_at_any_system_call(
    scene: Scene, stage: Stage, tmp_path: Path
) -> None:
    """The calls include those of SQLite; between two of them the disk does not change."""
    folder, tally = tmp_path / "game", Counter[str]()
    for call, number in list(find_disk_changes(scene, folder)):
        scene.set_up(folder)
        outcome, _ = strace(scene, folder, "-e", f"inject={call}:signal=KILL:when={number}")
        assert outcome.returncode != 0
        assert "Traceback" not in outcome.stderr
        check_after_crash(scene, folder, stage, tally)
        shutil.rmtree(folder)
    assert len(tally) == 3

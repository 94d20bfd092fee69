"""A command that is killed at any line: the old state or the new one, and nothing twice."""

import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import COMMAND, environment
from tests.crash.scenes import Scene, crash, few_or_all, moments_of, settle
from tests.crash.stage import Stage

SAMPLE = 3
"""The number of lines of each command that the short run of the tests tries."""
SYSTEM_CALLS = (
    "openat", "write", "pwrite64", "ftruncate", "fsync", "fdatasync", "chmod", "mkdir", "link",
    "rename", "unlink",
)  # fmt: skip
"""Through which a disk is changed."""


@few_or_all(SAMPLE)
@pytest.mark.parametrize("how", ["killed", "interrupted"])
def test_killed_at_lines(
    scene: Scene, stage: Stage, tmp_path: Path, how: str, sample: int | None
) -> None:
    folder, tally = tmp_path / "game", Counter[str]()
    for moment in moments_of(scene, folder, stage, sample):
        ended = crash(scene, folder, stage, tally, None, **{how: moment})
        assert ended.was_killed or how == "interrupted"
        assert how == "killed" or (ended.status, "acres: Stopped. " in ended.err) == (130, True)
    assert tally["new"] or how == "interrupted"
    assert sample or len(tally) == 3 or how == "interrupted"


# --- between any two changes of the disk


def strace(
    scene: Scene, folder: Path, *options: str
) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    trace = folder.with_name("trace")
    ended = subprocess.run(
        ["strace", "-qq", "-y", "-o", trace, "-e", f"trace={','.join(SYSTEM_CALLS)}", *options,
         *COMMAND, "--home", scene.home, *scene.words],
        cwd=folder, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    return ended, trace.read_text().splitlines()


def changes_of_the_disk(scene: Scene, folder: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and number of each system call that changes something below the folder.

    Calls of one name are counted from 1.
    """
    scene.set_up(folder)
    ended, trace = strace(scene, folder)
    assert ended.returncode == 0, ended.stderr
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
def test_killed_at_every_system_call(scene: Scene, stage: Stage, tmp_path: Path) -> None:
    """Those within SQLite too; between two of them the disk does not change."""
    folder, tally = tmp_path / "game", Counter[str]()
    for call, number in list(changes_of_the_disk(scene, folder)):
        scene.set_up(folder)
        ended, _ = strace(scene, folder, "-e", f"inject={call}:signal=KILL:when={number}")
        assert ended.returncode != 0
        assert "Traceback" not in ended.stderr
        settle(scene, folder, stage, tally)
        shutil.rmtree(folder)
    assert len(tally) == 3

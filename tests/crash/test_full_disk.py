"""A full disk at any moment: one sentence, the old state, and success later."""

import errno
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.commands import is_one_sentence
from tests.crash.scenes import Scene, crash
from tests.crash.stage import Outcome, Stage

FAILING = ("os.fsync", "os.link", "pathlib.Path.replace", "pathlib.Path.chmod", "os.open")
"""Functions of the system that may be the first to find the disk full."""
MIN_LIMIT = 2048
"""The minimum limit in bytes; the output of a command needs that much space."""
PAGE = 4096
RUNS = [pytest.param(1, marks=pytest.mark.long, id="finely"), pytest.param(15, id="coarsely")]
"""The growth of the free space, in the smallest steps."""


def check_failure(scene: Scene, outcome: Outcome) -> bool:
    """Return whether a command failed; check that it printed one sentence if so."""
    lines = outcome.err.splitlines(keepends=True)
    failures = "".join(line for line in lines if not line.startswith("Note: "))
    if not outcome.status:
        assert not failures, outcome
        return False
    assert outcome.status == 2, outcome
    assert is_one_sentence(failures), outcome
    return True


@pytest.mark.parametrize("failing_function", FAILING)
def test_game_survives_a_full_disk_at_any_call(
    scene: Scene, stage: Stage, tmp_path: Path, failing_function: str
) -> None:
    tally = Counter[str]()
    outcome = crash(scene, tmp_path / "game", stage, tally, failing_function=failing_function)
    # A failed command leaves nothing: its record is taken back.
    assert set(tally) == ({"old"} if outcome.status else {"new"}), outcome
    if outcome.status:
        assert outcome.status == 2
        assert os.strerror(errno.ENOSPC) in outcome.err


@pytest.mark.parametrize("step", RUNS)
def test_game_survives_any_limit_of_file_size(
    scene: Scene, stage: Stage, tmp_path: Path, step: int
) -> None:
    """Try limits from a size that stops every write to one that stops none."""
    folder, tally, limit, failed = tmp_path / "game", Counter[str](), MIN_LIMIT, 0
    while True:
        outcome = crash(scene, folder, stage, tally, max_bytes=limit)
        if not check_failure(scene, outcome):
            break
        failed += 1
        limit += step * 512
    assert failed > 3
    assert tally["old"] >= failed - 1
    assert tally["new"] == 1


# --- a real full disk


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[None]:
    """Mount a disk of that many bytes; skips the test if that is not possible."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder],
        capture_output=True, check=False,
    )  # fmt: skip
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("mount") is None,
    reason="only root can mount a small disk",
)
@pytest.mark.parametrize("step", RUNS)
def test_game_survives_a_disk_with_few_free_pages(
    scene: Scene, stage: Stage, tmp_path: Path, step: int
) -> None:
    folder, tally, failed = tmp_path / "disk" / "game", Counter[str](), 0
    with small_disk(folder.parent, 4 * 1024 * 1024):
        for pages in range(0, 80, (step + 2) // 3):
            filler = folder.parent / "filler"

            def fill_and_run(filler: Path = filler, pages: int = pages) -> Outcome:
                free = os.statvfs(folder).f_bavail
                with filler.open("wb") as file:
                    file.write(bytes((free - pages) * PAGE))
                outcome = scene.run(stage, folder)
                filler.unlink()
                return outcome

            outcome = crash(scene, folder, stage, tally, fill_and_run)
            if not check_failure(scene, outcome):
                break
            failed += 1
    assert failed > 1
    assert tally["new"] == 1

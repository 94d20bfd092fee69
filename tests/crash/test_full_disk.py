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
from tests.crash.stage import Ended, Stage

FAILING = ("os.fsync", "os.link", "pathlib.Path.replace", "pathlib.Path.chmod", "os.open")
"""Functions of the system that may be the first to find the disk full."""
LEAST = 2048
"""The least limit of bytes: the output of a command goes to files, too."""
PAGE = 4096
RUNS = [pytest.param(1, marks=pytest.mark.long, id="finely"), pytest.param(15, id="coarsely")]
"""The growth of the free space, in least steps."""


def check_failure(scene: Scene, ended: Ended) -> bool:
    """Return True if a command failed, with one sentence."""
    lines = ended.err.splitlines(keepends=True)
    failures = "".join(line for line in lines if not line.startswith("Note: "))
    if not ended.status:
        assert not failures, ended
        return False
    assert (ended.status, is_one_sentence(failures)) == (2, True), ended
    return True


@pytest.mark.parametrize("failing", FAILING)
def test_full_disk_at_any_call(scene: Scene, stage: Stage, tmp_path: Path, failing: str) -> None:
    tally = Counter[str]()
    ended = crash(scene, tmp_path / "game", stage, tally, failing=failing)
    # What failed left nothing: the record was taken back.
    assert set(tally) == ({"old"} if ended.status else {"new"}), ended
    if ended.status:
        assert ended.status == 2
        assert os.strerror(errno.ENOSPC) in ended.err


@pytest.mark.parametrize("step", RUNS)
def test_limit_of_file_size(scene: Scene, stage: Stage, tmp_path: Path, step: int) -> None:
    """From a limit that stops everything to one that stops nothing, through library and file."""
    folder, tally, limit, failed = tmp_path / "game", Counter[str](), LEAST, 0
    while True:
        ended = crash(scene, folder, stage, tally, longest=limit)
        if not check_failure(scene, ended):
            break
        failed += 1
        limit += step * 512
    assert failed > 3
    assert tally["old"] >= failed - 1
    assert tally["new"] == 1


# --- a disk that is full indeed


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
def test_disk_with_few_free_pages(scene: Scene, stage: Stage, tmp_path: Path, step: int) -> None:
    folder, tally, failed = tmp_path / "disk" / "game", Counter[str](), 0
    with small_disk(folder.parent, 4 * 1024 * 1024):
        for pages in range(0, 80, (step + 2) // 3):
            filler = folder.parent / "filler"

            def fill_and_run(filler: Path = filler, pages: int = pages) -> Ended:
                free = os.statvfs(folder).f_bavail
                with filler.open("wb") as file:
                    file.write(bytes((free - pages) * PAGE))
                ended = scene.run(stage, folder)
                filler.unlink()
                return ended

            ended = crash(scene, folder, stage, tally, fill_and_run)
            if not check_failure(scene, ended):
                break
            failed += 1
    assert failed > 1
    assert tally["new"] == 1

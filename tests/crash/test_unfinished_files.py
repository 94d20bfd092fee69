"""Unfinished files: the next process removes those of killed processes, and no others."""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest

from pbem.savefile import disk
from pbem.savefile.disk import check_can_create, replace_private, reserve_file, write_new
from tests.crash.scenes import Scene, few_or_all, moments_of
from tests.crash.stage import Fault, Stage, StoppedCommand
from tests.crash.state import find_unfinished, is_whole

PASSES = ("pass", "pass")


def moments_leaving_files(
    scene: Scene, stage: Stage, folder: Path, moments: Sequence[int]
) -> Iterator[int]:
    """Yield the moments at which a killed command leaves a file behind."""
    for moment in moments:
        shutil.rmtree(folder, ignore_errors=True)
        scene.set_up(folder)
        assert scene.run(stage, folder, kill_at=moment).was_killed
        if find_unfinished(folder):
            yield moment


@few_or_all(3)
def test_next_command_removes_unfinished_files(
    scene: Scene, stage: Stage, tmp_path: Path, sample: int | None
) -> None:
    folder = tmp_path / "game"
    moments = moments_of(scene, folder, stage)
    # A command writes at its end.
    leaving = moments_leaving_files(scene, stage, folder, moments[-1:0:-7] if sample else moments)
    tries = 0
    for _ in islice(leaving, sample):
        tries += 1
        again = scene.run(stage, folder)
        assert again.status in (0, 2), again
        assert not find_unfinished(folder)
        assert is_whole(folder / scene.file)
    assert tries >= 3


def test_file_of_a_live_process_is_not_removed(
    scenes: dict[str, Scene], stage: Stage, tmp_path: Path
) -> None:
    """The process is stopped after it reserved space, and another command writes a file."""
    scene, folder = scenes["new"], tmp_path / "game"
    moments = moments_of(scene, folder, stage)
    leftover = moments_leaving_files(scene, stage, folder, moments[-1:0:-7])
    moment = next(child for child in leftover if not (folder / scene.file).exists())
    shutil.rmtree(folder)
    scene.set_up(folder)
    fault = Fault(stop_at=moment)
    stopped = stage.stop(*scene.words, folder=folder, home=scene.home, fault=fault)
    assert isinstance(stopped, StoppedCommand)
    (alive,) = find_unfinished(folder)
    other = stage.run("turn", "apply", "game-003.toml", *PASSES, folder=folder, home="british")
    assert other.status == 0, other
    assert find_unfinished(folder) == [alive]
    outcome = stopped.resume()
    assert outcome.status == 0, outcome
    assert is_whole(folder / scene.file)
    assert not find_unfinished(folder)


# --- single functions


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game-001.toml"


def leave_unfinished_file(path: Path, data: bytes = b"new") -> Path:
    """Leave the unfinished file of a killed process, and return its path."""
    child = os.fork()
    if not child:
        with reserve_file(path, len(data)):
            os._exit(0)
    os.waitpid(child, 0)
    (leftover,) = find_unfinished(path.parent)
    return leftover


@pytest.mark.parametrize(
    "write_another",
    [
        lambda path: write_new(path.with_name("other.toml"), b"other"),
        lambda path: replace_private(path.with_name("config.toml"), b"other"),
        lambda path: disk.remove_unfinished(path.parent),
    ],
)
def test_unfinished_file_is_removed_at_once(
    path: Path, write_another: Callable[[Path], object]
) -> None:
    leave_unfinished_file(path)
    write_another(path)
    assert not find_unfinished(path.parent)


def test_file_of_this_process_is_not_removed(path: Path) -> None:
    with reserve_file(path, 3) as file:
        child = os.fork()
        if not child:
            write_new(path.with_name("other.toml"), b"other")
            replace_private(path, b"another")
            os._exit(len(find_unfinished(path.parent)))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
        path.unlink()
        file.commit(b"new")
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("name", ["flock", "_host_id"])
def test_age_decides_without_locks(path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The drive has no locks, or the file belongs to another computer."""

    def raise_no_locks(*_arguments: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    leftover = leave_unfinished_file(path)
    monkeypatch.setattr(
        f"pbem.savefile.disk.{name}", raise_no_locks if name == "flock" else lambda: "abcdef"
    )
    write_new(path.with_name("other.toml"), b"other")
    assert find_unfinished(path.parent) == [leftover]
    long_ago = time.time() - disk.ABANDONED_SECONDS - 60
    os.utime(leftover, (long_ago, long_ago))
    write_new(path.with_name("third.toml"), b"third")
    assert not find_unfinished(path.parent)


def test_old_file_of_a_live_process_is_not_removed(path: Path) -> None:
    """A computer may continue after a night in standby."""
    with reserve_file(path, 3) as file:
        (leftover,) = find_unfinished(path.parent)
        os.utime(leftover, (0, 0))
        child = os.fork()
        if not child:
            disk.remove_unfinished(path.parent)
            os._exit(0)
        os.waitpid(child, 0)
        file.commit(b"new")
    assert path.read_bytes() == b"new"


def test_other_files_and_links_are_not_removed(path: Path) -> None:
    """Anybody may give such a name to a pipe, a folder, or a link to another file."""
    end = f"-{disk._host_id()}.acres-part"
    other = path.with_name("other.toml")
    other.write_bytes(b"other")
    path.with_name(f".way.{end}").symlink_to(other)
    os.mkfifo(path.with_name(f".pipe.{end}"))
    path.with_name(f".folder.{end}").mkdir()
    write_new(path, b"new")
    assert other.read_bytes() == b"other"
    assert path.with_name(f".folder.{end}").is_dir()


def test_concurrent_processes_do_not_remove_each_others_files(path: Path) -> None:
    children = []
    for number in range(4):
        child = os.fork()
        if not child:
            status = 0
            try:
                for turn in range(60):
                    check_can_create(path)
                    write_new(path.with_name(f"{number}-{turn}.toml"), b"new")
            except BaseException:
                status = 1
            os._exit(status)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(item, 0)[1]) for item in children] == [0] * 4
    assert len(list(path.parent.glob("*.toml"))) == 240
    assert not find_unfinished(path.parent)

"""Two commands at once: one wins, the other reports it, and neither waits for ever."""

import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.commands import COMMAND, OTHER_ORDERS, PASSES, environment, is_one_sentence
from tests.crash.scenes import Scene, moments_of, spread_moments
from tests.crash.stage import Fault, Outcome, Stage, StoppedCommand
from tests.crash.state import (
    find_double_signatures,
    find_strays,
    is_whole,
    last_record,
    library_records,
)
from tests.sample import sample

SAMPLE, MANY = 2, 120
"""The number of moments at which the first command is stopped, in the short and the long run."""
BUSY_SECONDS = 0.3
"""The number of seconds that the second command waits; by default it waits longer."""
APPLY = ("turn", "apply", "game-003.toml")


def run_overlapping(
    stage: Stage,
    folder: Path,
    first: tuple[str, ...],
    second: tuple[str, ...],
    home: str,
    moment: int,
) -> tuple[Outcome, Outcome]:
    """Stop the first command at a moment, run the second to its end, and let the first go on."""
    fault = Fault(stop_at=moment, now="2030-01-01T00:00:00Z")
    stopped = stage.stop(*first, folder=folder, home=home, fault=fault)
    assert isinstance(stopped, StoppedCommand), stopped
    fault = Fault(busy_seconds=BUSY_SECONDS, now="2031-01-01T00:00:00Z")
    ran = stage.run(*second, folder=folder, home=home, fault=fault)
    return stopped.resume(), ran


def check_one_failed(outcomes: tuple[Outcome, Outcome]) -> Outcome:
    """Check that one command succeeded, and return the other, which failed with one sentence."""
    assert sorted(outcome.status for outcome in outcomes) == [0, 2], outcomes
    (loser,) = (outcome for outcome in outcomes if outcome.status)
    lines = [line for line in loser.err.splitlines(keepends=True) if not line.startswith("Note:")]
    assert is_one_sentence("".join(lines)), loser
    return loser


SECOND = {
    "other orders": ("apply", (*APPLY, *OTHER_ORDERS)),
    "other orders elsewhere": ("apply", (*APPLY, *OTHER_ORDERS, "--output", "other.toml")),
    "the same orders": ("apply", (*APPLY, *PASSES)),
    "a copy of the game": ("apply", ("turn", "apply", "copies/game-003.toml", *OTHER_ORDERS)),
    "another side": ("join", ("join", "any-000.toml", "--side", "british")),
}
"""The second commands, and the scene with the first."""


few_or_many = pytest.mark.parametrize(
    "number", [SAMPLE, pytest.param(MANY, marks=pytest.mark.long)]
)


@few_or_many
@pytest.mark.parametrize("second", SECOND)
def test_one_of_two_overlapping_answers_is_signed(
    scenes: dict[str, Scene], stage: Stage, tmp_path: Path, second: str, number: int
) -> None:
    name, words = SECOND[second]
    scene, folder, winners = scenes[name], tmp_path / "game", []
    for moment in spread_moments(moments_of(scene, folder, stage), number):
        scene.set_up(folder)
        (folder / "copies").mkdir()
        shutil.copy(folder / "game-003.toml", folder / "copies")
        before = {last_record(file).hash for file in games(folder)}
        outcomes = run_overlapping(stage, folder, scene.words, words, scene.home, moment)
        if "locked" not in check_one_failed(outcomes).err:
            winners.append(0 if outcomes[0].status == 0 else 1)
        assert not find_double_signatures(folder)
        (answer,) = [file for file in games(folder) if last_record(file).hash not in before]
        assert is_whole(answer)
        known = {record.hash for _, record in library_records(folder / scene.home)}
        assert last_record(answer).hash in known
        assert not find_strays(folder)
        shutil.rmtree(folder)
    # The command that signs first wins. The other reports a locked library or the first answer.
    if name == "apply":
        assert winners == sorted(winners, reverse=True) or second == "the same orders"
        assert set(winners) == {0, 1}


def games(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*.toml") if file.name != "identity.toml"]


def test_one_of_two_overlapping_invitations_is_signed(
    scenes: dict[str, Scene], stage: Stage, tmp_path: Path
) -> None:
    """The record of the command that failed is removed from the library."""
    scene, folder = scenes["new"], tmp_path / "game"
    moments = moments_of(scene, folder, stage)
    for moment in spread_moments(moments, SAMPLE):
        scene.set_up(folder)
        known = len(library_records(folder / scene.home))
        outcomes = run_overlapping(stage, folder, scene.words, scene.words, scene.home, moment)
        assert (
            "There is already a file" in check_one_failed(outcomes).err
            or "locked" in check_one_failed(outcomes).err
        )
        assert is_whole(folder / scene.file)
        new = library_records(folder / scene.home)[known:]
        assert [record.hash for _, record in new] == [last_record(folder / scene.file).hash]
        shutil.rmtree(folder)


# --- commands that run to their end


@pytest.mark.parametrize("name", sample(["apply", "join", "new"], first=1))
def test_one_of_two_simultaneous_processes_signs(
    scenes: dict[str, Scene], tmp_path: Path, name: str
) -> None:
    scene, folder = scenes[name], tmp_path / "game"
    scene.set_up(folder)
    command = [*COMMAND, "--home", scene.home]
    second = scene.other or scene.words
    running = [
        subprocess.Popen(
            [*command, *words], cwd=folder, env=environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for words in (scene.words, second)
    ]  # fmt: skip
    results = [(process.communicate(timeout=60)[1], process.returncode) for process in running]
    assert sorted(status for _, status in results) == [0, 2], results
    assert not any("Traceback" in err for err, _ in results)
    assert not find_double_signatures(folder)


def test_locked_library_is_waited_for_and_reported(
    scenes: dict[str, Scene], stage: Stage, tmp_path: Path
) -> None:
    scene, folder = scenes["apply"], tmp_path / "game"
    scene.set_up(folder)
    library = folder / scene.home / "library.sqlite3"
    with closing(sqlite3.connect(library, isolation_level=None)) as other:
        for lock in ("BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"):
            other.execute(lock)
            refused = scene.run(stage, folder, busy_seconds=BUSY_SECONDS)
            assert refused.status == 2, refused
            assert is_one_sentence(refused.err), refused
            assert "locked" in refused.err
            assert "run this again" in refused.err
            assert not (folder / scene.file).exists()
            # Showing a file needs no lock.
            shown = stage.run("turn", "show", "game-003.toml", folder=folder, home=scene.home,
                              fault=Fault(busy_seconds=BUSY_SECONDS))  # fmt: skip
            assert shown.status == 0, shown
            other.execute("ROLLBACK")
    result = scene.run(stage, folder)
    assert result.status == 0, result

"""Two commands at once: one wins, the other reports it, and neither waits for ever."""

import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.commands import COMMAND, OTHER, PASSES, environment, is_one_sentence
from tests.crash.scenes import Scene, moments_of, spread
from tests.crash.stage import Ended, Fault, Stage, Stopped
from tests.crash.state import is_whole, last_record, library_records, rubbish, signed_twice
from tests.sample import sample

SAMPLE, MANY = 2, 120
"""The number of moments at which the first is stopped, in the short and the long run."""
IMPATIENT = 0.3
"""The seconds that the second command waits; a player's waits longer."""
APPLY = ("turn", "apply", "game-003.toml")


def meet(
    stage: Stage,
    folder: Path,
    first: tuple[str, ...],
    second: tuple[str, ...],
    home: str,
    moment: int,
) -> tuple[Ended, Ended]:
    """Stop the first command at a moment, run the second to its end, and let the first go on."""
    fault = Fault(stopped=moment, now="2030-01-01T00:00:00Z")
    standing = stage.stop(*first, folder=folder, home=home, fault=fault)
    assert isinstance(standing, Stopped), standing
    fault = Fault(busy=IMPATIENT, now="2031-01-01T00:00:00Z")
    ran = stage.run(*second, folder=folder, home=home, fault=fault)
    return standing.go_on(), ran


def check_one_failed(ended: tuple[Ended, Ended]) -> Ended:
    """Check that one command succeeded, and return the other, which failed with one sentence."""
    assert sorted(ended_command.status for ended_command in ended) == [0, 2], ended
    (loser,) = (ended_command for ended_command in ended if ended_command.status)
    lines = [line for line in loser.err.splitlines(keepends=True) if not line.startswith("Note:")]
    assert is_one_sentence("".join(lines)), loser
    return loser


SECOND = {
    "other orders": ("apply", (*APPLY, *OTHER)),
    "other orders elsewhere": ("apply", (*APPLY, *OTHER, "--output", "other.toml")),
    "the same orders": ("apply", (*APPLY, *PASSES)),
    "a copy of the game": ("apply", ("turn", "apply", "copies/game-003.toml", *OTHER)),
    "another side": ("join", ("join", "any-000.toml", "--side", "british")),
}
"""The second commands, and the scene with the first."""


few_or_many = pytest.mark.parametrize(
    "number", [SAMPLE, pytest.param(MANY, marks=pytest.mark.long)]
)


@few_or_many
@pytest.mark.parametrize("second", SECOND)
def test_two_answers_at_once(
    scenes: dict[str, Scene], stage: Stage, tmp_path: Path, second: str, number: int
) -> None:
    name, words = SECOND[second]
    scene, folder, winners = scenes[name], tmp_path / "game", []
    for moment in spread(moments_of(scene, folder, stage), number):
        scene.set_up(folder)
        (folder / "copies").mkdir()
        shutil.copy(folder / "game-003.toml", folder / "copies")
        before = {last_record(file).hash for file in games(folder)}
        ended = meet(stage, folder, scene.words, words, scene.home, moment)
        if "locked" not in check_one_failed(ended).err:
            winners.append(0 if ended[0].status == 0 else 1)
        assert not signed_twice(folder)
        (answer,) = [file for file in games(folder) if last_record(file).hash not in before]
        assert is_whole(answer)
        known = {record.hash for _, record in library_records(folder / scene.home)}
        assert last_record(answer).hash in known
        assert not rubbish(folder)
        shutil.rmtree(folder)
    # The first to sign wins, at any later moment. While one reads or writes the library the other
    # is told so.
    if name == "apply":
        assert winners == sorted(winners, reverse=True) or second == "the same orders"
        assert set(winners) == {0, 1}


def games(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*.toml") if file.name != "identity.toml"]


def test_two_invitations_at_once(scenes: dict[str, Scene], stage: Stage, tmp_path: Path) -> None:
    """The one that lost is forgotten: nobody will ever see it."""
    scene, folder = scenes["new"], tmp_path / "game"
    moments = moments_of(scene, folder, stage)
    for moment in spread(moments, SAMPLE):
        scene.set_up(folder)
        known = len(library_records(folder / scene.home))
        ended = meet(stage, folder, scene.words, scene.words, scene.home, moment)
        assert (
            "There is already a file" in check_one_failed(ended).err
            or "locked" in check_one_failed(ended).err
        )
        assert is_whole(folder / scene.file)
        new = library_records(folder / scene.home)[known:]
        assert [record.hash for _, record in new] == [last_record(folder / scene.file).hash]
        shutil.rmtree(folder)


# --- not stopped anywhere


@pytest.mark.parametrize("name", sample(["apply", "join", "new"], first=1))
def test_two_processes_at_once(scenes: dict[str, Scene], tmp_path: Path, name: str) -> None:
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
    ended = [(process.communicate(timeout=60)[1], process.returncode) for process in running]
    assert sorted(status for _, status in ended) == [0, 2], ended
    assert not any("Traceback" in err for err, _ in ended)
    assert not signed_twice(folder)


def test_locked_library_is_waited_for_and_reported(
    scenes: dict[str, Scene], stage: Stage, tmp_path: Path
) -> None:
    scene, folder = scenes["apply"], tmp_path / "game"
    scene.set_up(folder)
    library = folder / scene.home / "library.sqlite3"
    with closing(sqlite3.connect(library, isolation_level=None)) as other:
        for lock in ("BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"):
            other.execute(lock)
            refused = scene.run(stage, folder, busy=IMPATIENT)
            assert (refused.status, is_one_sentence(refused.err)) == (2, True), refused
            assert "locked" in refused.err
            assert "run this again" in refused.err
            assert not (folder / scene.file).exists()
            # Looking needs no lock of one's own.
            looked = stage.run("turn", "show", "game-003.toml", folder=folder, home=scene.home,
                               fault=Fault(busy=IMPATIENT))  # fmt: skip
            assert looked.status == 0, looked
            other.execute("ROLLBACK")
    result = scene.run(stage, folder)
    assert result.status == 0, result

"""An answer with a draft, killed at any line: the same command completes both files."""

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.play.message import extract_files
from tests.crash.scenes import (
    LATER,
    Scene,
    check_signed_once,
    few_or_all,
    moments_of,
    spread_moments,
)
from tests.crash.stage import Stage
from tests.crash.state import find_strays, is_whole

SAMPLE = 6
"""The number of lines at which the short run kills the command."""


@pytest.fixture
def scene(scenes: dict[str, Scene]) -> Scene:
    answering = scenes["apply"]
    return replace(answering, words=(*answering.words, "--mail"))


def check(scene: Scene, folder: Path, stage: Stage) -> tuple[str, ...]:
    """Run the command again, check both files, and return the suffixes of missing ones."""
    file, draft = folder / scene.file, (folder / scene.file).with_suffix(".eml")
    missing = [path.suffix for path in (file, draft) if not path.exists()]
    content = file.read_bytes() if file.exists() else None
    check_signed_once(scene, folder)
    again = scene.run(stage, folder, now=LATER)
    assert again.status == 0, again
    assert is_whole(file)
    assert content in (None, file.read_bytes())
    (results,) = extract_files(draft.read_bytes())
    assert results.data == file.read_bytes()
    check_signed_once(scene, folder)
    assert find_strays(folder) == [draft]
    return tuple(missing)


@few_or_all(SAMPLE)
def test_draft_survives_a_kill(
    scene: Scene, stage: Stage, tmp_path: Path, sample: int | None
) -> None:
    folder, tally = tmp_path / "game", Counter[tuple[str, ...]]()
    for moment in moments_of(scene, folder, stage, sample, spread_moments):
        scene.set_up(folder)
        assert scene.run(stage, folder, kill_at=moment).was_killed
        tally[check(scene, folder, stage)] += 1
        shutil.rmtree(folder)
    # The answer comes first: its draft alone is never there.
    assert set(tally) == {(".toml", ".eml"), (".eml",), ()}


@pytest.mark.parametrize("failing_function", ["os.fsync", "os.link", "os.open"])
def test_draft_survives_a_full_disk(
    scene: Scene, stage: Stage, tmp_path: Path, failing_function: str
) -> None:
    folder = scene.set_up(tmp_path / "game")
    outcome = scene.run(stage, folder, failing_function=failing_function)
    assert "Traceback" not in outcome.err
    check(scene, folder, stage)

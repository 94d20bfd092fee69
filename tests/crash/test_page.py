"""A board that is killed while a page plays and signs a turn: the turn is found again."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.commands import OTHER_ORDERS, PASSES
from tests.crash.scenes import LATER, Scene, few_or_all, second_half, spread_moments
from tests.crash.stage import PAGE, Fault, Outcome, Stage
from tests.crash.state import (
    find_double_signatures,
    find_unfinished,
    is_whole,
    last_record,
    library_records,
)

SAMPLE = 3
"""The number of lines at which the short run kills the board."""
FROM, TO = "game-003.toml", "game-004.toml"
SIGN = (PAGE, *PASSES, "end")


@pytest.fixture
def base_folder(scenes: dict[str, Scene], stage: Stage, tmp_path: Path) -> Path:
    """A game that waits for the British, in their list of games."""
    folder = scenes["apply"].set_up(tmp_path / "base")
    assert stage.run("games", "add", FROM, folder=folder, home="british").status == 0
    return folder


class Board:
    """The board of the British; the library knows the files of the game by their paths."""

    def __init__(self, base_folder: Path, stage: Stage, tally: Counter[str]) -> None:
        self.folder = base_folder
        self._original = shutil.copytree(base_folder, base_folder.with_name("kept"))
        self._stage = stage
        self._tally = tally

    def sign(self, **fault: object) -> Outcome:
        """Play the turn on the page, and sign it."""
        return self._run(*SIGN, **fault)

    def _run(self, *words: str, **fault: object) -> Outcome:
        return self._stage.run(
            *words,
            folder=self.folder,
            home="british",
            fault=Fault(**fault),  # type: ignore[arg-type]
        )

    def moments(self) -> Sequence[int]:
        """Sign the turn once, and return the moments at which a fault can happen."""
        outcome = self.sign(list_moments=True)
        assert (outcome.status, outcome.err) == (0, "")
        self.reset()
        return outcome.moments

    def reset(self) -> None:
        """Restore the folder of the game."""
        shutil.rmtree(self.folder)
        shutil.copytree(self._original, self.folder)

    def kill_at(self, moment: int) -> None:
        """Kill the board, and continue with another: nothing is lost or signed twice."""
        assert self.sign(kill_at=moment).was_killed
        file, signed = self.folder / TO, self._signed()
        is_written = file.exists()
        state = "new" if is_written else "signed, not written" if signed else "old"
        self._tally[state] += 1
        assert len(signed) <= 1
        again = self.sign(now=LATER)
        assert "Traceback" not in again.err
        if is_written:
            assert (again.status, again.err) == (2, "It is not your turn to write in this game.\n")
        else:
            # The page reports the signed turn, and writes it unchanged.
            assert (again.status, again.err) == (0, "")
            assert ("You signed this turn on" in again.out) == bool(signed)
        assert is_whole(file)
        assert not signed or signed == {last_record(file).hash}
        assert self._signed() == {last_record(file).hash}
        other = self._run("turn", "apply", FROM, *OTHER_ORDERS, "--output", "other.toml", now=LATER)
        assert other.status == 2
        assert "already answered this file" in other.err
        assert not find_double_signatures(self.folder)
        assert not find_unfinished(self.folder)
        self.reset()

    def _signed(self) -> set[bytes]:
        """Return the records that were signed on the page."""
        before = {record.hash for _, record in library_records(self._original / "british")}
        return {record.hash for _, record in library_records(self.folder / "british")} - before


@few_or_all(SAMPLE)
def test_page_survives_a_kill_at_any_line(
    base_folder: Path, stage: Stage, sample: int | None
) -> None:
    board = Board(base_folder, stage, tally := Counter[str]())
    for moment in second_half(board.moments(), sample, spread_moments):
        board.kill_at(moment)
    assert tally["new"] or tally["signed, not written"]
    assert sample or len(tally) == 3

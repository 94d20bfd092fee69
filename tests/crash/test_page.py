"""A board that is killed while a turn is given and signed on its page: it is found again."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.commands import OTHER, PASSES
from tests.crash.scenes import LATER, Scene, few_or_all, second_half, spread
from tests.crash.stage import PAGE, Ended, Fault, Stage
from tests.crash.state import is_whole, last_record, left_over, library_records, signed_twice

SAMPLE = 3
"""The number of its lines that the short run of the tests tries."""
FROM, TO = "game-003.toml", "game-004.toml"
SIGN = (PAGE, *PASSES, "end")


@pytest.fixture
def begun(scenes: dict[str, Scene], stage: Stage, tmp_path: Path) -> Path:
    """A game in which the British are to answer, as it stands in their list."""
    folder = scenes["apply"].set_up(tmp_path / "begun")
    assert stage.run("games", "add", FROM, folder=folder, home="british").status == 0
    return folder


class Board:
    """The board of the British in a copy of the game; the library knows files by their place."""

    def __init__(self, begun: Path, stage: Stage, tally: Counter[str]) -> None:
        self.folder = begun
        self._original = shutil.copytree(begun, begun.with_name("kept"))
        self._stage = stage
        self._tally = tally

    def sign(self, **fault: object) -> Ended:
        """Give the turn on the page, and sign it."""
        return self._run(*SIGN, **fault)

    def _run(self, *words: str, **fault: object) -> Ended:
        return self._stage.run(
            *words,
            folder=self.folder,
            home="british",
            fault=Fault(**fault),  # type: ignore[arg-type]
        )

    def moments(self) -> Sequence[int]:
        """Run the whole once and return the moments at which a fault may happen."""
        ended = self.sign(lists_moments=True)
        assert (ended.status, ended.err) == (0, "")
        self.set_back()
        return ended.moments

    def set_back(self) -> None:
        """Have it all be as it was in the beginning."""
        shutil.rmtree(self.folder)
        shutil.copytree(self._original, self.folder)

    def kill_at(self, moment: int) -> None:
        """Kill it there, and go on with another board: nothing is lost, nor signed twice."""
        assert self.sign(killed=moment).was_killed
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
            # What was signed is told, and written as it was: nobody need know it by heart.
            assert (again.status, again.err) == (0, "")
            assert ("You signed this turn on" in again.out) == bool(signed)
        assert is_whole(file)
        assert not signed or signed == {last_record(file).hash}
        assert self._signed() == {last_record(file).hash}
        other = self._run("turn", "apply", FROM, *OTHER, "--output", "other.toml", now=LATER)
        assert (other.status, "already answered this file" in other.err) == (2, True)
        assert not signed_twice(self.folder)
        assert not left_over(self.folder)
        self.set_back()

    def _signed(self) -> set[bytes]:
        """Return the records that were signed on the page."""
        before = {record.hash for _, record in library_records(self._original / "british")}
        return {record.hash for _, record in library_records(self.folder / "british")} - before


@few_or_all(SAMPLE)
def test_page_killed_at_lines(begun: Path, stage: Stage, sample: int | None) -> None:
    board = Board(begun, stage, tally := Counter[str]())
    for moment in second_half(board.moments(), sample, spread):
        board.kill_at(moment)
    assert tally["new"] or tally["signed, not written"]
    assert sample or len(tally) == 3

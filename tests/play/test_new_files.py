"""New files in folders, for repeated scans."""

from __future__ import annotations

import os
from pathlib import Path

from pbem.play.incoming import NewFileFinder


class RepeatedScan:
    def __init__(self, *places: Path) -> None:
        self.places, self.new = places, NewFileFinder()

    def looks(self, times: int) -> list[str]:
        return [path.name for _ in range(times) for path in self.new.find(self.places)]


def test_file_is_returned_once_and_not_while_it_grows(tmp_path: Path) -> None:
    looking = RepeatedScan(tmp_path)
    for length in range(1, 6):
        (tmp_path / "a.toml").write_text("a" * length)
        assert looking.looks(1) == []
    assert looking.looks(3) == ["a.toml"]


def test_changed_or_restored_file_is_returned_again(tmp_path: Path) -> None:
    looking, file = RepeatedScan(tmp_path), tmp_path / "a.toml"
    for text in ("one", "other", "", "other"):
        file.write_text(text)
        os.utime(file, ns=(1, 1))
        if not text:
            file.unlink()
        assert looking.looks(2) == ["a.toml"] * bool(text)


def test_files_of_games_are_known_by_their_names(tmp_path: Path) -> None:
    names = ["A.TOML", "DOC-WA0003.", "a", "a.Eml", "a.toml (1)", "a.toml.part", "a.txt", "a.zip"]
    for name in (*names, ".a.toml", "a.png", "a.tomlet", "b.txt.gz"):
        (tmp_path / name).write_text("a")
    assert sorted(RepeatedScan(tmp_path).looks(2)) == names


def test_empty_files_folders_pipes_and_dead_links_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").touch()
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "dead.toml").symlink_to(tmp_path / "nowhere")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.toml")
    assert RepeatedScan(tmp_path, tmp_path / "gone", tmp_path / "empty.toml").looks(2) == []


def test_file_that_could_not_be_taken_in_comes_again(tmp_path: Path) -> None:
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text("a")
    looking = RepeatedScan(tmp_path)
    assert sorted(looking.looks(3)) == ["a.toml", "b.toml"]
    looking.new.forget(tmp_path / "a.toml")
    assert looking.looks(3) == ["a.toml"]

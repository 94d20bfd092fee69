"""Files that are new in folders, however they come to be there."""

from __future__ import annotations

import os
from pathlib import Path

from pbem.play.new_files import NewFiles


def settled(folders: NewFiles, *places: Path) -> list[str]:
    """What is told at the second of two looks; at the first it may still be being written."""
    folders.look(places)
    return [path.name for path in folders.look(places)]


def test_a_file_is_told_once_and_not_while_it_grows(tmp_path: Path) -> None:
    folders = NewFiles()
    for length in range(1, 6):
        (tmp_path / "a.toml").write_text("a" * length)
        assert folders.look([tmp_path]) == []
    assert folders.look([tmp_path]) == [tmp_path / "a.toml"]
    assert settled(folders, tmp_path) == []


def test_one_that_has_changed_is_told_again(tmp_path: Path) -> None:
    folders, file = NewFiles(), tmp_path / "a.toml"
    file.write_text("one")
    assert settled(folders, tmp_path) == ["a.toml"]
    file.write_text("two")
    os.utime(file, ns=(1, 1))
    assert settled(folders, tmp_path) == ["a.toml"]
    file.unlink()
    assert settled(folders, tmp_path) == []
    file.write_text("two")
    os.utime(file, ns=(1, 1))
    assert settled(folders, tmp_path) == ["a.toml"]


def test_files_of_games_are_known_by_their_names(tmp_path: Path) -> None:
    for name in ("A.TOML", "a.Eml", "a.toml.part", ".a.toml", "a.txt", "toml"):
        (tmp_path / name).write_text("a")
    assert sorted(settled(NewFiles(), tmp_path)) == ["A.TOML", "a.Eml"]


def test_empty_files_folders_pipes_and_dead_links_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").touch()
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "dead.toml").symlink_to(tmp_path / "nowhere")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.toml")
    assert settled(NewFiles(), tmp_path, tmp_path / "gone", tmp_path / "empty.toml") == []

"""Files that are new in folders, however they come to be there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.play.new_files import NewFiles


def settled(folders: NewFiles, *places: Path) -> list[str]:
    """What is told at the second of two looks; at the first it may still be being written."""
    folders.look(places)
    return [path.name for path in folders.look(places)]


def test_a_file_is_told_once(tmp_path: Path) -> None:
    folders = NewFiles()
    (tmp_path / "a.toml").write_text("a")
    assert folders.look([tmp_path]) == []
    assert folders.look([tmp_path]) == [tmp_path / "a.toml"]
    assert settled(folders, tmp_path) == []


def test_while_it_grows_it_is_not_told(tmp_path: Path) -> None:
    folders = NewFiles()
    for length in range(1, 6):
        (tmp_path / "a.toml").write_text("a" * length)
        assert folders.look([tmp_path]) == []
    assert folders.look([tmp_path]) == [tmp_path / "a.toml"]


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


@pytest.mark.parametrize("name", ["A.TOML", "a.Eml"])
def test_names_in_capitals_are_names_of_a_file_too(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("a")
    assert settled(NewFiles(), tmp_path) == [name]


@pytest.mark.parametrize("name", ["a.toml.part", ".a.toml", "a.txt", "toml"])
def test_what_is_no_file_of_a_game_by_its_name_is_not_looked_at(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("a")
    assert settled(NewFiles(), tmp_path) == []


def test_empty_files_folders_pipes_and_dead_links_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").touch()
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "dead.toml").symlink_to(tmp_path / "nowhere")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.toml")
    assert settled(NewFiles(), tmp_path, tmp_path / "gone", tmp_path / "empty.toml") == []

"""Commands printed for copying name the program correctly."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pbem.cli.app import program


def test_program_off_the_path_is_named_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The README runs `.venv/bin/acres`, which is not on the PATH.
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [".venv/bin/acres", "demo"])
    assert program() == ".venv/bin/acres"
    monkeypatch.setattr(sys, "argv", ["my games/acres", "demo"])
    assert program() == "'my games/acres'"


def test_program_on_the_path_is_named_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "acres"
    installed.write_text("#!/bin/sh\n")
    installed.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [str(installed), "demo"])
    assert program() == "acres"


def test_commands_of_a_single_file_name_its_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The file needs one kind of Python, and `python3` may be another.
    monkeypatch.setattr(sys, "argv", ["my games/acres.pyz", "demo"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python3.11"))
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    assert program() == f"{tmp_path}/python3.11 'my games/acres.pyz'"
    (tmp_path / "python3.11").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() == "python3.11 'my games/acres.pyz'"

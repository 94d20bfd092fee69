"""The program as a single file, run without installed packages and network."""

from __future__ import annotations

import ast
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli import zipapp_main
from tests.cli.commands import ROOT, Result, environment
from tools import single_file

ISOLATED_RUN = """
import runpy, sys
def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        raise SystemExit(f"the network was asked: {event} {arguments}")
sys.addaudithook(refuse)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""A program that runs another in isolation, and ends it at any use of the network."""

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the file, before its first run."""
    folder = tmp_path_factory.mktemp("single")
    command = [sys.executable, "-m", "tools.single_file", str(folder / "acres.pyz")]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder


@pytest.fixture
def run(folder: Path) -> Run:
    """A function that runs the file with a Python without installed packages."""
    python = os.path.realpath(sys.executable)

    def run(*arguments: object) -> Result:
        result = subprocess.run(
            # This ignores variables, the folder and installed packages.
            [python, "-I", "-S", "-c", ISOLATED_RUN, folder / "acres.pyz", *map(str, arguments)],
            cwd=folder,
            env=environment(HOME=str(folder), PYTHONPATH=""),
            capture_output=True,
            text=True,
            timeout=60,
        )
        return Result(result.returncode, result.stdout, result.stderr)

    return run


# The file takes seconds to build.
@pytest.mark.long
def test_single_file_plays_a_game_without_other_packages(folder: Path, run: Run) -> None:
    """The file needs compiled parts for keys, pictures and translations."""
    run("--home", "anna", "init", "--name", "Anna", "--email", "").succeeds()
    new_game = run(
        "--home", "anna", "new", "--side", "british", "--output", "game-000.toml"
    ).succeeds()
    assert f"{folder}/acres.pyz --home anna turn show FILE" in " ".join(new_game.out.split())
    for name in ("game-041.toml", "british"):
        source = ROOT / "saves" / "practice" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    position = run("--home", "british", "--lang", "ru", "turn", "show", "game-041.toml").succeeds()
    assert "Ваша рука" in position.out
    run("board", "game-041.toml", "--png", "board.png").succeeds()
    assert (folder / "board.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.long
def test_single_file_that_cannot_unpack_itself_names_the_variable(folder: Path) -> None:
    command = [sys.executable, str(folder / "acres.pyz"), "--version"]
    variables = environment(SHIV_ROOT=str(folder / "acres.pyz" / "cache"))
    ended = subprocess.run(command, env=variables, capture_output=True, text=True)
    assert ended.returncode == 2 and "Traceback" not in ended.stderr
    assert "SHIV_ROOT" in ended.stderr and "acres.pyz/cache" in ended.stderr


def test_single_file_refuses_another_python_and_names_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pbem" / "cli").mkdir(parents=True)
    (tmp_path / zipapp_main.MARKER_FILE).write_text("Python 2.7, Amiga m68k")
    monkeypatch.setattr(zipapp_main, "__file__", str(tmp_path / "pbem" / "cli" / "zipapp_main.py"))
    with pytest.raises(SystemExit) as end:
        zipapp_main.run()
    assert end.value.code == 2
    error = capsys.readouterr().err
    assert "Python 2.7, Amiga m68k" in error
    assert zipapp_main.describe_python() in error


def test_python_kind_depends_on_the_c_library(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = set()
    for library in ("glibc", "musl", ""):
        monkeypatch.setattr(platform, "libc_ver", lambda library=library: (library, "1"))
        kinds.add(zipapp_main.describe_python())
    assert len(kinds) == 3 and all(kind == kind.strip() for kind in kinds)


def test_modules_that_refuse_an_old_python_parse_there() -> None:
    # Old versions of Python can still parse everything before that check.
    for module in ("__init__.py", "cli/__init__.py", "cli/zipapp_main.py"):
        source = (ROOT / "pbem" / module).read_text(encoding="utf-8")
        tree = ast.parse(source, feature_version=(3, 7))
        imported = {n.module for n in tree.body if isinstance(n, ast.ImportFrom)}
        imported |= {a.name for n in tree.body if isinstance(n, ast.Import) for a in n.names}
        assert imported <= {"__future__", "pathlib", "platform", "sys", "typing"}


def test_single_file_contains_requirements_and_no_test_tools() -> None:
    names = {name.lower().replace("-", "_") for name in single_file.find_requirements()}
    assert {"cryptography", "cffi", "typer", "resvg_py", "rich", "pygments"} <= names
    assert not {"pytest", "babel", "shiv", "mypy", "playwright"} & names

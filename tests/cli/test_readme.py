"""The commands of README.md and docs/turns.md print the output shown there."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import acres_process, environment
from tests.requirements import skip_without

PROJECT = Path(__file__).parents[2]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
TURNS = (PROJECT / "docs" / "turns.md").read_text(encoding="utf-8")
STATUS = re.compile(r"^\[exit status (\d+)\]\n", re.M)
PLAIN = re.compile(r"acres [^\\|&;<>$*?~`#{}\[\]]+")
"""A command without shell syntax."""


def session(document: str) -> list[tuple[str, str]]:
    """Return the commands of all console blocks, in order, each with its output."""
    blocks = re.findall(r"^```console\n(.*?)^```", document, re.M | re.S)
    commands = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(blocks), re.M)
    return [(command, output) for command, output in commands]


def git(*arguments: str, folder: Path = PROJECT, stdin: str = "") -> str:
    """Return the output of a git command, without settings of the user."""
    if shutil.which("git") is None:
        skip_without("git", "git")
    variables = environment(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull)
    command = ["git", *arguments]
    result = subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, input=stdin
    )
    return result.stdout


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder in which git ignores files as in a clone."""
    git("init", "-q", folder=tmp_path)
    shutil.copy(PROJECT / ".gitignore", tmp_path)
    return tmp_path


def run(command: str, folder: Path, variables: dict[str, str]) -> tuple[int, str]:
    """Return status and output of a line of a document; a shell runs lines that are not plain."""
    if PLAIN.fullmatch(command):
        result = acres_process(*shlex.split(command)[1:], folder=folder)
        return result.status, result.out + result.err
    shell = subprocess.run(
        command, shell=True, cwd=folder, env=variables, capture_output=True, text=True
    )
    return shell.returncode, shell.stdout + shell.stderr


@pytest.mark.slow
def test_sessions_of_both_pages_print_the_output_shown(clone: Path) -> None:
    commands = [*session(README), *session(TURNS)]
    assert len(session(README)) > 5
    assert len(session(TURNS)) > 5
    (clone / "saves").symlink_to(PROJECT / "saves")
    acres = clone / "bin" / "acres"
    acres.parent.mkdir()
    acres.write_text(f'#!/bin/sh\nexec {sys.executable} -m pbem.cli "$@"\n')
    acres.chmod(0o755)
    path = f"{acres.parent}:{os.environ['PATH']}"
    variables = environment(PATH=path, COLUMNS="80", HOME=str(clone))
    for command, expected in commands:
        status = STATUS.search(expected)
        ended, printed = run(command, clone, variables)
        assert ended == (int(status[1]) if status else 0), printed
        checker, pattern = doctest.OutputChecker(), STATUS.sub("", expected)
        if not checker.check_output(pattern, printed, doctest.ELLIPSIS):
            pytest.fail(f"$ {command}\nIt is said to print:\n{pattern}\nIt prints:\n{printed}")
    unknown = set(git("ls-files", "--others", "--exclude-standard", folder=clone).splitlines())
    assert (clone / "anna" / "identity.toml").exists()
    assert unknown == {".gitignore", "bin/acres", "saves"}, "git would commit what a player wrote"


OF_PLAYERS = [
    "identity.toml",
    "my games/carol/identity.toml",
    "saves/carol/identity.toml",
    "carol/config.toml",
    "carol/recovery-2.txt",
    "carol/games/from anna.toml",
    "carol/library.sqlite3-wal",
    "carol/.identity.toml.k3j2-0123abcd.acres-part",
    "carol.toml",
    "recovery.txt",
    "table/game-012.toml",
    "played/game-012 (2).toml",
    "acres-0123abcd-004.toml",
    "downloads/acres-0123abcd-004.eml",
    "game.html",
    "dist/acres.pyz",
]
OF_THE_PROJECT = [
    "pyproject.toml",
    "engine/data/game-boxes.toml",
    "pbem/text/rules/topics/new.toml",
    "tests/old_files/9.0.0/game-104.toml",
    "tests/old_files/9.0.0/british/identity.toml",
    "tests/mail/corpus/new.eml",
    "pbem/web/config.toml",
    "pbem/text/games/new.toml",
    "saves/expansion/game-012.toml",
    "tests/old_files/9.0.0/british/recovery.txt",
]


def test_git_ignores_the_files_of_players_and_none_of_the_project(clone: Path) -> None:
    paths = "\n".join((*OF_PLAYERS, *OF_THE_PROJECT))
    assert git("check-ignore", "--stdin", folder=clone, stdin=paths).splitlines() == OF_PLAYERS


@pytest.mark.parametrize("end", ["acres demo", "pytest"])
def test_set_up_commands_are_on_separate_lines(end: str) -> None:
    # `.ci/run` reads its command from this page.
    lines = [line for line in README.splitlines() if line.startswith("python3 -m venv .venv && ")]
    assert sum(line.endswith(end) for line in lines) == 1

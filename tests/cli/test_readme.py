"""The README and docs/turns.md, followed at the prompt: each command prints what they say."""

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

from pbem.cli.main import COMMANDS
from tests.cli.using import acres_process, environment
from tests.present import leave_out

PROJECT = Path(__file__).parents[2]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
TURNS = (PROJECT / "docs" / "turns.md").read_text(encoding="utf-8")
STATUS = re.compile(r"^\[exit status (\d+)\]\n", re.M)
PLAIN = re.compile(r"acres [^\\|&;<>$*?~`#{}\[\]]+")
"""A command without anything that only a shell would understand."""


def session(document: str) -> list[tuple[str, str]]:
    """The commands of all console blocks, in order, each with what is said that it prints."""
    blocks = re.findall(r"^```console\n(.*?)^```", document, re.M | re.S)
    shown = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(blocks), re.M)
    return [(command, output) for command, output in shown]


def git(*arguments: str, folder: Path = PROJECT, given: str = "") -> str:
    """What a command of git prints, by no settings but those of the folder."""
    if shutil.which("git") is None:
        leave_out("git", "git")
    variables = environment(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull)
    command = ["git", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, input=given
    )
    return done.stdout


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder in which git ignores what it ignores in a clone of the project."""
    git("init", "-q", folder=tmp_path)
    shutil.copy(PROJECT / ".gitignore", tmp_path)
    return tmp_path


def run(command: str, folder: Path, variables: dict[str, str]) -> tuple[int, str]:
    """How a line of a document ends, and what it prints; a shell reads what is not plain."""
    if PLAIN.fullmatch(command):
        told = acres_process(*shlex.split(command)[1:], folder=folder)
        return told.status, told.out + told.err
    done = subprocess.run(
        command, shell=True, cwd=folder, env=variables, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def test_the_session_goes_as_the_readme_says_and_as_the_page_of_turns_goes_on(clone: Path) -> None:
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
        checker, wanted = doctest.OutputChecker(), STATUS.sub("", expected)
        if not checker.check_output(wanted, printed, doctest.ELLIPSIS):
            pytest.fail(f"$ {command}\nIt is said to print:\n{wanted}\nIt prints:\n{printed}")
    unknown = set(git("ls-files", "--others", "--exclude-standard", folder=clone).splitlines())
    assert (clone / "anna" / "identity.toml").exists()
    assert unknown == {".gitignore", "bin/acres", "saves"}, "git would commit what a player wrote"


OWN = [
    "identity.toml",
    "carol/identity.toml",
    "my games/carol/identity.toml",
    "saves/carol/identity.toml",
    "carol/config.toml",
    "carol/recovery.txt",
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
    "acres.pyz",
    "dist/acres.pyz",
]
THE_PROJECTS = [
    "pyproject.toml",
    "engine/data/game-boxes.toml",
    "pbem/board/templates/new.html",
    "pbem/text/rules/topics/new.toml",
    "tests/old_files/9.0.0/game-104.toml",
    "tests/old_files/9.0.0/british/identity.toml",
    "tests/mail/corpus/new.eml",
    "docs/new.txt",
    "pbem/web/config.toml",
    "pbem/text/games/new.toml",
    "saves/expansion/game-012.toml",
    "tests/old_files/9.0.0/british/recovery.txt",
]


def test_git_ignores_what_a_player_has_and_nothing_of_the_project(clone: Path) -> None:
    listed = "\n".join((*OWN, *THE_PROJECTS))
    assert git("check-ignore", "--stdin", folder=clone, given=listed).splitlines() == OWN


def test_no_file_of_the_project_is_ignored_by_git() -> None:
    """One that is, nobody sees as new, and it is left out of what a clone has."""
    of_players = "saves/practice/"
    ignored = git("ls-files", "--cached", "--ignored", "--exclude-standard").splitlines()
    assert [name for name in ignored if not name.startswith(of_players)] == []


FIRST_SCREEN = 20
"""How many lines of the README are seen at once, with a picture among them."""


def test_the_first_screen_is_a_picture_and_three_commands_to_install_to_play_and_to_look() -> None:
    first = README.splitlines()[:FIRST_SCREEN]
    fences = [number for number, line in enumerate(first) if line == "```"]
    assert len(fences) == 2
    shown = [line.partition("#")[0].split() for line in first[fences[0] + 1 : fences[1]]]
    assert shown == [["pipx", "install", "."], ["acres", "play", "robot"], ["acres", "board"]]
    assert {name for _, name, *_ in shown[1:]} <= COMMANDS.keys()
    assert sum(line.startswith("![") for line in first) == 1


def test_how_acres_gets_on_the_path_is_said_once() -> None:
    assert len(re.findall(r"\bPATH\b", README)) == 1


@pytest.mark.parametrize("end", ["acres demo", "pytest"])
def test_both_set_up_commands_stand_on_lines_of_their_own(end: str) -> None:
    """`.ci/run` takes its command from here."""
    lines = [line for line in README.splitlines() if line.startswith("python3 -m venv .venv && ")]
    assert sum(line.endswith(end) for line in lines) == 1

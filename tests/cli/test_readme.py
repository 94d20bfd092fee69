"""The README, followed at the prompt: every command it shows prints what it says."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.using import environment

PROJECT = Path(__file__).parents[2]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
STATUS = re.compile(r"^\[exit status (\d+)\]\n", re.M)


def session() -> list[tuple[str, str]]:
    """The commands of all console blocks, in order, each with what the README says it prints."""
    blocks = re.findall(r"^```console\n(.*?)^```", README, re.M | re.S)
    shown = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(blocks), re.M)
    return [(command, output) for command, output in shown]


def test_the_session_goes_as_the_readme_says(tmp_path: Path) -> None:
    commands = session()
    assert len(commands) > 5
    (tmp_path / "saves").symlink_to(PROJECT / "saves")
    acres = tmp_path / "bin" / "acres"
    acres.parent.mkdir()
    acres.write_text(f'#!/bin/sh\nexec {sys.executable} -m pbem.cli "$@"\n')
    acres.chmod(0o755)
    path = f"{acres.parent}:{os.environ['PATH']}"
    variables = environment(PATH=path, COLUMNS="80", HOME=str(tmp_path))
    for command, expected in commands:
        status = STATUS.search(expected)
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=variables, capture_output=True, text=True
        )
        printed = done.stdout + done.stderr
        assert done.returncode == (int(status[1]) if status else 0), printed
        checker, wanted = doctest.OutputChecker(), STATUS.sub("", expected)
        if not checker.check_output(wanted, printed, doctest.ELLIPSIS):
            pytest.fail(f"$ {command}\nThe README says:\n{wanted}\nIt prints:\n{printed}")


@pytest.mark.parametrize("end", ["acres demo", "pytest"])
def test_both_set_up_commands_stand_on_lines_of_their_own(end: str) -> None:
    """`.ci/run` takes its command from here."""
    lines = [line for line in README.splitlines() if line.startswith("python3 -m venv .venv && ")]
    assert sum(line.endswith(end) for line in lines) == 1

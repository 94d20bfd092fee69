"""Progress of slow commands is shown on a terminal, and removed at the end."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol.record import Record

pytest.importorskip("pexpect")
pytest.importorskip("pyte")

from pbem.play.audit import audit
from pbem.play.game_file import GameFile
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import ROOT
from tests.cli.screen import Terminal

PRACTICE = ROOT / "saves" / "practice"
FILE = PRACTICE / "game-041.toml"
SHOW_CURSOR, HIDE_CURSOR = b"\x1b[?25h", b"\x1b[?25l"
"""Codes that show and hide the cursor of a terminal."""
SLOW = """
import sys, time
import pbem.cli.file_argument as progress
from pbem.protocol.match import Match
quick = Match.add
def slow(match, record):
    time.sleep({seconds})
    quick(match, record)
Match.add = slow
progress.PROGRESS_DELAY_SECONDS = progress.LINE_INTERVAL_SECONDS = 0.2
from pbem.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
"""The command with slow records, and a short delay of the progress bar."""
COMMANDS = {"audit": ["audit", "game-041.toml"], "show": ["turn", "show", "game-041.toml"]}


def run_slowly(
    command: str, *options: str, seconds: float = 0.03, folder: Path = PRACTICE, **variables: Any
) -> Terminal:
    program = [sys.executable, "-c", SLOW.format(seconds=seconds), *options, *COMMANDS[command]]
    return Terminal(program, folder=folder, columns=100, rows=200, **variables)


@pytest.mark.parametrize("command", COMMANDS)
def test_progress_bar_appears_and_disappears(command: str) -> None:
    with run_slowly(command, ACRES_HOME="british") as terminal:
        terminal.wait_for("Checking: ")
        assert terminal.wait_for_exit() == 0
        counted = [int(number) for number in re.findall(rb"Checking: (\d+) of 42", terminal.raw)]
        assert counted == sorted(counted)
        assert len(set(counted)) > 2
        assert "Checking" not in terminal.text
        assert terminal.all_lines[0].startswith("A Few Acres of Snow")
        assert terminal.raw.rfind(SHOW_CURSOR) > terminal.raw.rfind(HIDE_CURSOR) >= 0


def test_ctrl_c_removes_the_progress_bar() -> None:
    with run_slowly("audit", seconds=0.2) as terminal:
        terminal.wait_for("Checking: ")
        terminal.child.sendintr()
        assert terminal.wait_for_exit() == 130
        assert "Checking" not in terminal.text
        assert terminal.raw.rfind(SHOW_CURSOR) > terminal.raw.rfind(HIDE_CURSOR) >= 0


@pytest.mark.slow
def test_ctrl_c_ends_an_analysis_and_its_worker_processes() -> None:
    with Terminal.acres("analyse", "game-130.toml", folder=PRACTICE, columns=100) as terminal:
        terminal.wait_for(" of 104 turns.")
        children = children_of(terminal.child.pid)
        assert children
        terminal.child.sendintr()
        assert terminal.wait_for_exit() == 130
    until = time.monotonic() + 5
    while any(Path(f"/proc/{child}/exe").exists() for child in children):
        assert time.monotonic() < until, "a process of the analysis goes on"
        time.sleep(0.05)


def children_of(process: int) -> list[int]:
    """Return the child processes of a process, if the system lists them."""
    lists = [*Path(f"/proc/{process}/task").glob("*/children")]
    if not lists:
        pytest.skip("the system does not tell who began whom")
    return [int(number) for child in lists for number in child.read_text("ascii").split()]


@pytest.mark.parametrize(
    ("options", "variables", "word"),
    [(["--lang", "fr", "--plain"], {}, "Vérification"), ([], {"TERM": "dumb"}, "Checking")],
)
def test_plain_progress_is_printed_in_sentences(
    options: Sequence[str], variables: dict[str, Any], word: str
) -> None:
    # Another thread prints them, in the language of the command.
    with run_slowly("audit", *options, **variables) as terminal:
        assert terminal.wait_for_exit() == 0
        lines = [line for line in terminal.all_lines if line.startswith(word)]
        counted = [int(re.findall(r"\d+", line)[0]) for line in lines]
        assert len(counted) > 2
        assert counted == sorted(counted)
        # The cursor only moves forward.
        assert set(re.findall(rb"\x1b\[[\d;?]*(.)", terminal.raw)) <= {b"m"}


@pytest.mark.slow
def test_pipe_gets_no_progress() -> None:
    program = [sys.executable, "-c", SLOW.format(seconds=0.01), *COMMANDS["audit"]]
    result = subprocess.run(program, cwd=PRACTICE, capture_output=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"Checking" not in result.stdout


def test_each_record_is_counted_once_in_order() -> None:
    data = Path(FILE).read_bytes()
    records = SaveFile.read(data).records
    for read in (lambda progress: GameFile.read(data, progress=progress), lambda p: audit(data, p)):
        passed: list[Record] = []

        def progress(things: Sequence[Record], passed: list[Record] = passed) -> Iterator[Record]:
            for thing in things:
                passed.append(thing)
                yield thing

        read(progress)
        assert passed == list(records)

"""What takes long says how far it is, where somebody looks on, and leaves nothing behind."""

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
from tests.cli.screen import Terminal
from tests.cli.using import ROOT

PRACTICE = ROOT / "saves" / "practice"
FILE = PRACTICE / "game-041.toml"
SHOWN, HIDDEN = b"\x1b[?25h", b"\x1b[?25l"
"""What shows and hides the cursor of a terminal."""
SLOW = """
import sys, time
import pbem.cli.file_argument as progress
from pbem.protocol.match import Match
quick = Match.add
def slow(match, record):
    time.sleep({seconds})
    quick(match, record)
Match.add = slow
progress.MOMENT, progress.EVERY = 0.2, 0.2
from pbem.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
"""The command on a computer that takes so long for each record, and a moment that is short."""
COMMANDS = {
    "audit": ["audit", "game-041.toml"],
    "show": ["turn", "show", "game-041.toml"],
    "two files": ["audit", "game-041.toml", "game-130.toml"],
}


def slow(
    command: str, *options: str, seconds: float = 0.03, folder: Path = PRACTICE, **variables: Any
) -> Terminal:
    program = [sys.executable, "-c", SLOW.format(seconds=seconds), *options, *COMMANDS[command]]
    return Terminal(program, folder=folder, columns=100, rows=200, **variables)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_bar_appears_and_is_gone_when_it_is_done(command: str) -> None:
    with slow(command, ACRES_HOME="british") as terminal:
        terminal.wait_for("Checking: ")
        assert terminal.ended() == 0
        counted = [int(number) for number in re.findall(rb"Checking: (\d+) of 42", terminal.raw)]
        assert counted == sorted(counted)
        assert len(set(counted)) > 2
        assert "Checking" not in terminal.text
        assert terminal.everything[0].startswith("A Few Acres of Snow")
        assert terminal.raw.rfind(SHOWN) > terminal.raw.rfind(HIDDEN) >= 0


def test_ctrl_c_takes_the_bar_away() -> None:
    with slow("audit", seconds=0.2) as terminal:
        terminal.wait_for("Checking: ")
        terminal.child.sendintr()
        assert terminal.ended() == 130
        lines = [line for line in terminal.everything if line.strip("^C")]
        assert lines == ["acres: Stopped. Nothing was written."]
        assert terminal.raw.rfind(SHOWN) > terminal.raw.rfind(HIDDEN) >= 0


def test_ctrl_c_ends_an_analysis_and_the_processes_that_help() -> None:
    with Terminal.acres("analyse", "game-130.toml", folder=PRACTICE, columns=100) as terminal:
        terminal.wait_for(" of 104 turns.")
        helping = children_of(terminal.child.pid)
        assert helping
        terminal.child.sendintr()
        assert terminal.ended() == 130
        lines = [line for line in terminal.everything if line.strip("^C")]
        assert lines == ["acres: Stopped. Nothing was written."]
    assert not [each for each in helping if is_running(each)]


def children_of(process: int) -> list[int]:
    """The processes that one has begun, as far as the system tells."""
    lists = [*Path(f"/proc/{process}/task").glob("*/children")]
    if not lists:
        pytest.skip("the system does not tell who began whom")
    return [int(number) for each in lists for number in each.read_text("ascii").split()]


def is_running(process: int) -> bool:
    """Whether a process is not over within a moment."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state == "Z":
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize(
    ("options", "variables"),
    [(["--plain"], {}), ([], {"TERM": "dumb"}), ([], {"ACRES_PLAIN": "1"})],
)
def test_in_plain_mode_sentences_say_it(options: Sequence[str], variables: dict[str, Any]) -> None:
    with slow("audit", *options, **variables) as terminal:
        assert terminal.ended() == 0
        told = [line for line in terminal.everything if line.startswith("Checking")]
        assert len(told) > 2
        assert all(line.endswith(" of 42 records.") for line in told)
        counted = [int(line.split()[1]) for line in told]
        assert counted == sorted(counted)
        # The cursor goes nowhere but on.
        assert set(re.findall(rb"\x1b\[[\d;?]*(.)", terminal.raw)) <= {b"m"}


def test_it_is_said_in_the_language_of_the_command() -> None:
    """Another thread says it, which has no language of its own."""
    with slow("audit", "--plain", "--lang", "fr") as terminal:
        assert terminal.ended() == 0
        told = [line for line in terminal.everything if line.startswith("Vérification")]
        assert len(told) > 2
        assert b"Checking" not in terminal.raw


def test_what_is_quick_shows_nothing() -> None:
    with Terminal.acres("audit", "game-041.toml", folder=PRACTICE) as terminal:
        assert terminal.ended() == 0
        assert b"Checking" not in terminal.raw
        assert HIDDEN not in terminal.raw


def test_nothing_is_told_where_nobody_looks_on() -> None:
    program = [sys.executable, "-c", SLOW.format(seconds=0.03), *COMMANDS["audit"]]
    done = subprocess.run(program, cwd=PRACTICE, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Checking" not in done.stdout


def test_each_record_passes_once_and_in_its_place() -> None:
    data = Path(FILE).read_bytes()
    records = SaveFile.read(data).records
    for read in (lambda passing: GameFile.read(data, passing=passing), lambda p: audit(data, p)):
        passed: list[Record] = []

        def passing(things: Sequence[Record], passed: list[Record] = passed) -> Iterator[Record]:
            for thing in things:
                passed.append(thing)
                yield thing

        read(passing)
        assert passed == list(records)

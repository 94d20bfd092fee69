"""Width, plain mode and colour of the output."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from types import SimpleNamespace

import pytest
from rich.table import Table
from rich.text import Text

from pbem.cli import console
from tests.cli.commands import Result, acres_process


@pytest.fixture(autouse=True)
def colour_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("COLUMNS", "ACRES_PLAIN", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(console.settings, "is_plain", False)


@pytest.mark.parametrize(
    ("terminal", "columns", "width"), [(40, 40, 40), (100, 100, 80), (160, 160, 80), (300, 160, 80)]
)
def test_screens_take_the_terminal_and_prose_80_columns(
    monkeypatch: pytest.MonkeyPatch, terminal: int, columns: int, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(terminal))
    assert (console.columns(), console.width()) == (columns, width)


def test_new_size_of_the_terminal_is_noticed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for terminal in (100, 50, 120):
        monkeypatch.setenv("COLUMNS", str(terminal))
        console.show_lines([Text("x" * 200)])
        console.say("word " * 60)
        crossed, *prose = capsys.readouterr().out.splitlines()
        assert len(crossed) == terminal
        assert min(80, terminal) - 5 <= max(map(len, prose)) <= min(80, terminal)


@pytest.mark.parametrize("value", ["80", "", "0", "many"])
def test_unknown_width_is_80(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("COLUMNS", value)
    monkeypatch.setattr(os, "get_terminal_size", lambda fd: os.terminal_size((0, 0)))
    assert console.columns() == 80


@pytest.mark.parametrize(
    ("variables", "plain"),
    [
        ({}, False),
        ({"NO_COLOR": "1"}, False),
        ({"ACRES_PLAIN": "1"}, True),
        ({"ACRES_PLAIN": "0"}, False),
        ({"ACRES_PLAIN": ""}, False),
        ({"TERM": "dumb"}, True),
        ({"TERM": "DUMB"}, True),
    ],
)
def test_variables_select_plain_output(
    monkeypatch: pytest.MonkeyPatch, variables: Mapping[str, str], plain: bool
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert console.is_plain() is plain


@pytest.mark.parametrize(
    ("encoding", "plain"), [("utf-8", False), ("ascii", True), ("cp1252", True), ("latin-1", True)]
)
def test_encoding_without_boxes_selects_plain_output(
    monkeypatch: pytest.MonkeyPatch, encoding: str, plain: bool
) -> None:
    monkeypatch.setattr("sys.stdout", SimpleNamespace(encoding=encoding))
    assert console.is_plain() is plain


def test_lines_are_cropped_by_their_width_on_the_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "10")
    console.show_lines([Text("日本語日本語"), Text("a  "), Text(""), Text("é" * 12)])
    assert capsys.readouterr().out.split("\n") == ["日本語日本", "a", "", "é" * 10, ""]


@pytest.mark.parametrize("columns", range(24, 40, 3))
def test_no_line_begins_with_a_mark_behind_a_no_break_space(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    # The console that takes this for a terminal is not cached for other tests.
    monkeypatch.setattr(console, "_console_for", console._console_for.__wrapped__)
    console.warn("Il manque quelque chose\u00a0: lequel\u00a0? Un fichier\u00a0; et vite\u00a0!")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 1
    assert not [line for line in lines if line[0] in ":;?!"]


def test_no_control_character_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "a\x1b[31mb\u202ec\x9b2Jd\u2028e\nf"
    console.show_lines([Text(hostile)])
    table = Table(box=None)
    table.add_column(hostile)
    table.add_row(hostile)
    console.show(table)
    console.show_lines([])
    out = capsys.readouterr().out
    assert not [c for c in out if c in "\x1b\x9b\u202e\u2028"]


def run_in_colour(**variables: str) -> Result:
    return acres_process("rules", "editions", FORCE_COLOR="1", TERM="xterm-256color", **variables)


@pytest.mark.slow
def test_colour_follows_the_variables_of_the_terminal() -> None:
    # FORCE_COLOR makes a pipe as good as a terminal; the heads of this table are bold.
    assert "\x1b[1m" in run_in_colour().out
    assert "\x1b" not in acres_process("rules", "editions", TERM="xterm-256color").out
    bold = run_in_colour(NO_COLOR="1").out
    assert re.findall(r"\x1b\[([\d;]*)m", bold)
    assert set(re.findall(r"\x1b\[([\d;]*)m", bold)) <= {"", "0", "1", "2", "3", "4", "7"}
    assert "\x1b" not in acres_process("rules", "editions", FORCE_COLOR="1", TERM="dumb").out


def test_word_is_not_broken_if_it_has_room_below_its_label(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    console.say_hanging("House rules that change this one here: ", "one (natives-fight-in-sieges)")
    assert "(natives-fight-in-sieges)\n" in capsys.readouterr().out

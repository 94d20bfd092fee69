"""Notices outside of the terminal: what is called to show them, and what it learns."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from engine.message import Message
from pbem.cli import notice
from pbem.cli.notice import VARIABLE, find_notices, own_notices
from pbem.errors import WrongUse
from pbem.words.games.notice import Notice, of_invitation

SHOWN = Notice(Message("Game 0123abcd against Bela"), Message("It is your move: turn 7."))
TOLD = ["Game 0123abcd against Bela", "It is your move: turn 7."]
SECRET = "ACRES_PASSPHRASE"


class Recorder:
    """A program that writes down how it was called, under any name in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept = folder / "called.json"

    def install(self, name: str, then: str = "") -> Path:
        program = self.folder / name
        program.write_text(
            f"#!{sys.executable}\n"
            "import json, os, pathlib, sys\n"
            f"kept = pathlib.Path({str(self.kept)!r})\n"
            "calls = json.loads(kept.read_text()) if kept.exists() else []\n"
            "kept.write_text(json.dumps([*calls, [sys.argv[1:], dict(os.environ)]]))\n"
            f"{then}\n"
        )
        program.chmod(0o755)
        return program

    @property
    def calls(self) -> list[tuple[list[str], dict[str, str]]]:
        return json.loads(self.kept.read_text()) if self.kept.exists() else []


@pytest.fixture
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv(SECRET, "correct horse")
    monkeypatch.delenv(VARIABLE, raising=False)
    return Recorder(tmp_path)


def show_on(platform: str) -> None:
    notices = find_notices(platform)
    assert notices is not None
    notices.show(SHOWN)


def test_a_command_of_the_players_own_gets_title_and_text(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder.install("notify-send")
    monkeypatch.setenv(VARIABLE, f"'{recorder.install('tell me')}' --loudly")
    own_notices().show(SHOWN)
    [(arguments, _)] = recorder.calls
    assert arguments == ["--loudly", *TOLD]


def test_on_linux_no_word_of_a_notice_is_read_as_an_option(recorder: Recorder) -> None:
    recorder.install("notify-send")
    show_on("linux")
    [(arguments, _)] = recorder.calls
    assert arguments[arguments.index("--") + 1 :] == TOLD


def test_on_macos_no_word_of_a_notice_stands_in_the_script(
    recorder: Recorder,
) -> None:
    recorder.install("osascript")
    show_on("darwin")
    [(arguments, _)] = recorder.calls
    assert arguments[-2:] == TOLD
    assert not any(word in part for part in arguments[:-2] for word in TOLD)


def test_on_windows_no_word_of_a_notice_stands_in_the_script(
    recorder: Recorder,
) -> None:
    recorder.install("powershell.exe")
    show_on("win32")
    [(arguments, variables)] = recorder.calls
    named = [name for name, value in variables.items() if value in TOLD]
    assert [variables[name] for name in sorted(named, reverse=True)] == TOLD
    assert all(f"$env:{name}" in arguments[-1] for name in named)
    assert not any(word in part for part in arguments for word in TOLD)
    # A quote of that kind would end the argument.
    assert '"' not in arguments[-1]


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_no_passphrase_is_handed_on(recorder: Recorder, platform: str) -> None:
    for name in ("notify-send", "osascript", "powershell.exe"):
        recorder.install(name)
    show_on(platform)
    [(_, variables)] = recorder.calls
    assert SECRET not in variables
    assert "correct horse" not in variables.values()


def test_without_a_program_it_is_said_what_helps(recorder: Recorder) -> None:
    assert not any(map(find_notices, ("linux", "darwin", "win32", "freebsd14")))
    with pytest.raises(WrongUse, match=r"notify-send.*ACRES_NOTIFY"):
        own_notices()


def test_a_command_that_is_none_is_told(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "'")
    with pytest.raises(WrongUse, match=VARIABLE):
        own_notices()


@pytest.mark.parametrize("command", ["fails", "is-not-there"])
def test_a_program_that_fails_is_told_of_once(
    recorder: Recorder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    recorder.install("fails", "sys.exit(3)")
    monkeypatch.setenv(VARIABLE, command)
    notices = own_notices()
    notices.show(SHOWN)
    notices.show(SHOWN)
    assert capsys.readouterr().err.count(command) == 1


def test_a_program_that_takes_long_is_not_waited_for(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(notice, "PATIENCE", 0.01)
    monkeypatch.setenv(VARIABLE, str(recorder.install("rings", "sys.stdin.read()")))
    notices = own_notices()
    notices.show(SHOWN)
    assert capsys.readouterr().err == ""


def test_what_a_stranger_wrote_is_never_first_and_never_in_the_text() -> None:
    """The text may be read as markup, and what begins with a dash as an option."""
    told = of_invitation("-<b>Bela", "0123abcd")
    assert not str(told.title).startswith(("-", "<"))
    assert "Bela" in str(told.title)
    assert "Bela" not in str(told.text)

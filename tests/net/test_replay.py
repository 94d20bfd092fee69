"""Replays of scripts report differences, except for allowed lines."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli import main as command_line
from tests.net import replay
from tests.net.fixed import fixed_sources
from tests.net.recordings import AllowedDifference, differences, recordings
from tests.net.scripts import Script, scripts
from tests.net.world import ROOT, Recording

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths look otherwise there")
NAME = "joined"
STATUS = "step 1 (anna: new --side british --lists 4 --output game-000.toml), status"
FILE = "step 2 (bela: join game-000.toml), file game-001.toml"


def change_byte(recording: Recording) -> Recording:
    text = recording[FILE]
    at = text.index('signature = """\\\n  ') + len('signature = """\\\n  ') + 7
    return recording | {FILE: text[:at] + ("a" if text[at] != "a" else "b") + text[at + 1 :]}


def rename_file(recording: Recording) -> Recording:
    return {key.replace("game-001.toml", "game-002.toml"): text for key, text in recording.items()}


CHANGES: dict[str, Callable[[Recording], Recording]] = {
    f"{FILE}": change_byte,
    f"{STATUS}": lambda recording: recording | {STATUS: "1\n"},
    "file game-002.toml": rename_file,
}


@pytest.mark.parametrize("place", CHANGES)
def test_difference_is_reported_with_its_place(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = recordings() | {NAME: CHANGES[place](recordings()[NAME])}
    monkeypatch.setattr(replay, "recordings", lambda: changed)
    report = replay.replay_script(NAME)
    assert f"{NAME}, step " in report and place in report
    assert "\n-" in report and "\n+" in report
    assert not replay.replay_script("two-homes")


def test_different_exit_status_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    run = command_line.main
    monkeypatch.setattr(command_line, "main", lambda arguments: run(arguments) or 3)
    report = replay.replay_script(NAME)
    assert STATUS in report and "\n-0\n+3" in report


def test_different_random_byte_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = scripts()[NAME]
    other = Script(NAME, usual.subject, usual.steps, usual.prelude, seed="another")
    monkeypatch.setattr(replay, "scripts", lambda: {NAME: other})
    report = replay.replay_script(NAME)
    assert FILE in report
    assert "\n-signature" not in report
    assert '\n-nonce = "' in report


def test_new_or_missing_text_is_reported() -> None:
    for one, other in (({}, {"answer": ""}), ({"answer": ""}, {})):
        assert "x, answer" in differences("x", one, other, [])


def test_allowed_line_is_reported_only_if_unused() -> None:
    before, now = {"answer": "one\ntwo\n"}, {"answer": "one\n2\n"}
    two, number = (AllowedDifference("x", "answer", line, "a reason") for line in ("-two", "+2"))
    assert differences("x", before, now, [two, number]) == ""
    assert "-two" in differences("x", before, now, [number])
    assert "nothing is '+2' in x" in differences("x", before, before, [number])
    assert "-two" in differences("x", before, now, [two._replace(script="y"), number])
    # An entry allows exactly one whole line in one text.
    assert "+2" in differences("x", before, now, [two, number._replace(line="+")])
    assert "+2" in differences("x", before, {"answer": "one\n2\n2\n"}, [two, number])
    assert "+2" in differences("x", before, now, [two, number._replace(where="status")])


def test_fixed_bytes_depend_on_their_purpose_alone() -> None:
    with fixed_sources("a seed") as sources:
        one = sources.bytes(32, "a nonce")
        again = sources.bytes(32, "a nonce")
        sources.next_step()
        later = sources.bytes(32, "a nonce")
    with fixed_sources("a seed") as sources:
        sources.bytes(32, "a salt")
        assert sources.bytes(32, "a nonce") == one
        sources.next_step()
        assert sources.bytes(32, "a nonce") == later
    assert len({one, again, later}) == 3


def test_no_recording_has_the_name_of_a_computer() -> None:
    own = {str(ROOT), str(Path.home()), platform.node(), platform.python_version(), sys.prefix}
    all_of_it = "\n".join(t for recording in recordings().values() for t in recording.values())
    assert [recording for recording in own if len(recording) > 2 and recording in all_of_it] == []
    assert "Traceback" not in all_of_it
    assert "/tmp/" not in all_of_it and "/dev/shm/" not in all_of_it
    assert "/the/folder/" in all_of_it

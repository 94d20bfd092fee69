"""The net itself: what it catches, what it lets pass, and that it is the same everywhere."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli import main as command_line
from tests.net import replay
from tests.net.fixed import fixed_sources
from tests.net.recordings import Allowed, differences, packed, recordings
from tests.net.scripts import Script, Step, scripts
from tests.net.world import PLACE, PREFIX, ROOT, Recording, World

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths look otherwise there")
NAME = "joined"
STATUS = "step 1 (anna: new --side british --lists 4 --output game-000.toml), status"
FILE = "step 2 (bela: join game-000.toml), file game-001.toml"


def changed_byte(recording: Recording) -> Recording:
    text = recording[FILE]
    at = text.index('signature = """\\\n  ') + len('signature = """\\\n  ') + 7
    return recording | {FILE: text[:at] + ("a" if text[at] != "a" else "b") + text[at + 1 :]}


def renamed(recording: Recording) -> Recording:
    return {key.replace("game-001.toml", "game-002.toml"): text for key, text in recording.items()}


CHANGES: dict[str, Callable[[Recording], Recording]] = {
    f"{FILE}": changed_byte,
    f"{STATUS}": lambda recording: recording | {STATUS: "1\n"},
    "file game-002.toml": renamed,
}


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_differs_is_told_with_the_script(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = recordings() | {NAME: CHANGES[what](recordings()[NAME])}
    monkeypatch.setattr(replay, "recordings", lambda: changed)
    told = replay.replayed(NAME)
    assert f"{NAME}, step " in told and what in told
    assert "\n-" in told and "\n+" in told
    assert not replay.replayed("two-homes")


def test_another_exit_status_of_the_program_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    run = command_line.main
    monkeypatch.setattr(command_line, "main", lambda arguments: run(arguments) or 3)
    told = replay.replayed(NAME)
    assert STATUS in told and "\n-0\n+3" in told


def test_another_byte_of_chance_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = scripts()[NAME]
    other = Script(NAME, usual.subject, usual.steps, usual.prelude, seed="another")
    monkeypatch.setattr(replay, "scripts", lambda: {NAME: other})
    told = replay.replayed(NAME)
    assert FILE in told
    assert "\n-signature" not in told
    assert '\n-nonce = "' in told


def test_a_text_that_is_new_or_gone_is_told() -> None:
    for one, other in (({}, {"answer": ""}), ({"answer": ""}, {})):
        assert "x, answer" in differences("x", one, other, [])


def test_a_line_that_is_allowed_is_not_told_and_one_that_nothing_needs_is() -> None:
    before, now = {"answer": "one\ntwo\n"}, {"answer": "one\n2\n"}
    two, number = (Allowed("x", "answer", line, "a reason") for line in ("-two", "+2"))
    assert differences("x", before, now, [two, number]) == ""
    assert "-two" in differences("x", before, now, [number])
    assert "nothing is '+2' in x" in differences("x", before, before, [number])
    assert "-two" in differences("x", before, now, [two._replace(script="y"), number])
    # It is exactly this line, no part of one, once and in this text.
    assert "+2" in differences("x", before, now, [two, number._replace(line="+")])
    assert "+2" in differences("x", before, {"answer": "one\n2\n2\n"}, [two, number])
    assert "+2" in differences("x", before, now, [two, number._replace(where="status")])


def test_bytes_follow_from_the_purpose_and_not_from_other_calls() -> None:
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


def test_the_same_recordings_are_the_same_archive() -> None:
    one, other = {"answer": "x\n"}, {"answer": "y\n"}
    assert packed({"a": one, "b": other}) == packed({"b": other, "a": one})


def test_nothing_in_the_recordings_is_of_a_computer() -> None:
    own = {str(ROOT), str(Path.home()), platform.node(), platform.python_version(), sys.prefix}
    all_of_it = "\n".join(t for each in recordings().values() for t in each.values())
    assert [each for each in own if len(each) > 2 and each in all_of_it] == []
    assert "Traceback" not in all_of_it
    assert "/tmp/" not in all_of_it and "/dev/shm/" not in all_of_it
    assert "/the/folder/" in all_of_it


def test_a_folder_has_always_the_same_length() -> None:
    assert len(f"{PLACE}/{PREFIX}") == len("/tmp/net_________")
    with World(Script("x", "x", [Step("acres")])) as world:
        assert len(str(world.folder)) == len("/tmp/net_________") + 8

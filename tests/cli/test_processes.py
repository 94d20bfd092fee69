"""A fork of the program is, to what it runs, what a process is that was started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.cli.processes import environment, fork, wait_for_end
from tests.cli.screen import Spawn

LOOKS = """
import json, os, signal, sys
streams = [
    (each.fileno(), each.encoding, each.errors, each.line_buffering, each.isatty(), each.newlines)
    for each in (sys.stdin, sys.stdout, sys.stderr)
]
environment = {name: value for name, value in os.environ.items() if name != "LC_CTYPE"}
found = {
    "arguments": sys.argv, "folder": os.getcwd(), "environment": environment, "streams": streams,
    "leads": os.getpid() == os.getpgrp() == os.getsid(0), "parent": os.getppid(),
    "Ctrl-C": signal.getsignal(signal.SIGINT) is signal.default_int_handler,
    "files": sorted(os.listdir("/proc/self/fd"))[:3],
}
if sys.stdin.isatty():
    found["size"] = tuple(os.get_terminal_size(0))
    found["in charge"] = os.tcgetpgrp(os.open("/dev/tty", os.O_RDWR)) == os.getpgrp()
print(json.dumps(found))
sys.exit(3)
"""
COMMAND = [sys.executable, "-c", LOOKS, "a word", "é"]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there are no forks")


def test_with_files_for_streams(tmp_path: Path) -> None:
    given, out = environment(ACRES_LANG="fr"), tmp_path / "out"
    with Path(os.devnull).open("r+") as nothing, out.open("w") as file:
        streams = nothing.fileno(), file.fileno(), nothing.fileno()
        number = fork(COMMAND, *streams, folder=tmp_path, variables=given)
        assert number is not None
        assert wait_for_end(number, seconds=60) == 3
    started = subprocess.run(
        COMMAND, cwd=tmp_path, env=given, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, start_new_session=True, check=False,
    )  # fmt: skip
    assert json.loads(out.read_text()) == json.loads(started.stdout)


def test_at_a_terminal(tmp_path: Path) -> None:
    found = []
    for spawn in (Spawn, pexpect.spawn):
        child: Any = spawn(
            COMMAND[0], COMMAND[1:], cwd=str(tmp_path), env=environment(), dimensions=(7, 5000)
        )
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 3
        found.append(json.loads(child.before))
    assert found[0] == found[1]
    assert found[0]["in charge"]


def test_what_is_read_while_python_starts_takes_a_start(tmp_path: Path) -> None:
    for variables in ({"PYTHONIOENCODING": "latin-1"}, {"HOME": str(tmp_path)}):
        assert fork(COMMAND, 0, 1, 2, folder=None, variables=environment(**variables)) is None

"""Processes for tests, forked from one that has already imported the program."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.record_cache import cache_records

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "pbem.cli"]
MAX_JOB_BYTES = 1 << 17
"""The maximum size of a job, which is its arguments and environment."""
READ_LATE = ("ACRES_", "PYTEST_", "LC_", "LANG", "TERM", "NO_COLOR", "EDITOR", "VISUAL")
"""Prefixes of variables that a fork can still read; `PYTHONUTF8` sets encodings."""
READ_OFTEN = (
    ROOT / "tests" / "old_files" / "before-follow-ups" / "game-104.toml",
    ROOT / "saves" / "practice" / "game-041.toml",
)
"""Games that many forks read, whose openings are verified before the first fork."""
SUBREAPER = 36
"""`PR_SET_CHILD_SUBREAPER`: orphaned descendants become children of this process."""


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a process that runs the command in any folder.

    Its width is that of its own terminal. It caches bytecode and buffers output like an installed
    program, and has no pager unless a test names one.
    """
    foreign = ("COLUMNS", "LINES", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    plain = {k: v for k, v in os.environ.items() if not k.startswith("ACRES_") and k not in foreign}
    own = {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "ACRES_LANG": "en", "ACRES_PAGER": ""}
    return plain | own | more


def heed_interrupts() -> None:
    """Restore Ctrl-C in a new process, because tests in the background ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _read_early(variables: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in variables.items() if not k.startswith(READ_LATE)}


ORIGINAL_ENVIRONMENT = environment()
"""The environment before any test has changed it."""


def fork(
    command: Sequence[str], *streams: int, folder: Path | str | None, variables: Mapping[str, str]
) -> int | None:
    """Return the number of a new process for `python -m` or `-c`, or None if it must not fork.

    `streams` are the three files that it reads and writes; if they are a terminal, it controls it.
    """
    program, kind, *words = command
    if sys.platform != "linux" or program != sys.executable or kind not in ("-m", "-c"):
        return None
    if _read_early(variables) != _read_early(ORIGINAL_ENVIRONMENT):
        return None
    job = {"kind": kind, "words": words, "folder": str(Path(folder or "").absolute())}
    channel, _ = _server()
    socket.send_fds(channel, [json.dumps(job | {"variables": dict(variables)}).encode()], streams)
    return int(channel.recv(MAX_JOB_BYTES))


@cache
def _server() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Return the channel to the forking process, and the process, which ends with this one."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with other:
        begin = [sys.executable, "-m", "tests.cli.processes"]
        return own, subprocess.Popen(
            begin, cwd=ROOT, env=ORIGINAL_ENVIRONMENT, stdin=other.fileno()
        )


def wait_for_end(number: int, seconds: float) -> int:
    """Return the exit status of a fork, negative for a signal; kill it after that many seconds."""
    if sys.platform != "linux":
        raise NotImplementedError("Nothing forks elsewhere.")
    handle = os.pidfd_open(number)
    if not select.select([handle], [], [], seconds)[0]:
        os.kill(number, signal.SIGKILL)
    os.close(handle)
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


# --- the forking process


def import_program() -> None:
    """Import every module of the program that does not run on import, and that runs here.

    This excludes prompt_toolkit, which only commands with a menu import.
    """
    for package in ("engine", "pbem"):
        for module in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if not module.name.endswith(("__main__", "menu_session", "_noble")):
                __import__(module.name)


def _serve() -> dict[str, Any]:
    """Answer each job with the number of its process; in that process, return the job."""
    channel = socket.socket(fileno=0)
    while True:
        data, streams, *_ = socket.recv_fds(channel, MAX_JOB_BYTES, 3)
        if not data:
            sys.exit()
        reading, writing = os.pipe()
        waiting, continuing = os.pipe()
        between = os.fork()
        if not between:
            number = os.fork()
            if not number:
                # The fork becomes a child of the requesting process when its parent has ended.
                os.read(waiting, 1)
                return _begin(channel, json.loads(data), streams)
            os.write(writing, str(number).encode())
            os._exit(0)
        os.waitpid(between, 0)
        os.write(continuing, b".")
        channel.send(os.read(reading, 20))
        for descriptor in (reading, writing, waiting, continuing, *streams):
            os.close(descriptor)


def _begin(channel: socket.socket, job: dict[str, Any], streams: Sequence[int]) -> dict[str, Any]:
    """Give a forked process the state of a newly started process."""
    channel.detach()
    os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, 64)
    if os.isatty(0):
        # The first terminal that the leader of a session opens controls the session.
        os.close(os.open(os.ttyname(0), os.O_RDWR))
    os.chdir(job["folder"])
    os.environ.clear()
    os.environ.update(job["variables"])
    time.tzset()
    heed_interrupts()
    # Python opens the streams like this in UTF-8 mode.
    sys.stdin = os.fdopen(0, errors="surrogateescape", closefd=False)
    sys.stdout = os.fdopen(1, "w", errors="surrogateescape", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, errors="backslashreplace", closefd=False)
    return job


def _run(kind: str, program: str, *words: str) -> None:
    sys.argv = [kind, *words]
    if kind == "-m":
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        exec(program, {"__name__": "__main__"})


if __name__ == "__main__":
    import_program()
    cache_records(READ_OFTEN)
    gc.collect()
    gc.freeze()
    job = _serve()
    try:
        _run(job["kind"], *job["words"])
    except SystemExit as end:
        for thread in threading.enumerate():
            if not thread.daemon and thread is not threading.current_thread():
                thread.join()
        sys.stdout.flush()
        sys.stderr.flush()
        # A normal exit would destroy all modules, which takes longer than the fork.
        os._exit(int(end.code or 0))

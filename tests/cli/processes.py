"""Processes that run the command: begun by the system, or forks of one that has imported it.

To start Python and to import takes a fifth of a second, which hundreds of tests would pay for. A
fork has its own arguments, folder, environment, streams and terminal, and becomes a child of
whoever asked for it. What is read from the environment while Python starts and imports, it cannot
get: where such a variable is not as usual, and where the system is not Linux, there is no fork.
Run as a program, this module is the process that forks, and its input a socket with jobs.
"""

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

from tests.read_once import cache_records

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "pbem.cli"]
LIMIT = 1 << 17
"""Bytes of a job: its arguments and environment."""
READ_LATE = ("ACRES_", "PYTEST_", "LC_", "LANG", "TERM", "NO_COLOR", "EDITOR", "VISUAL")
"""How variables begin that are read when they are used. Encodings are no matter: `PYTHONUTF8`."""
READ_OFTEN = (
    ROOT / "tests" / "old_files" / "before-follow-ups" / "game-104.toml",
    ROOT / "saves" / "practice" / "game-041.toml",
)
"""Games that many forks read: their openings are verified before there is any fork."""
SUBREAPER = 36
"""`PR_SET_CHILD_SUBREAPER`: whichever descendant's parent ends becomes a child of this process."""


def environment(**more: str) -> dict[str, str]:
    """The environment of a process that runs the command from anywhere.

    How wide its terminal is, the terminal says, and not the one in which the tests run. It may keep
    its bytecode and what it prints, as an installed program does: hundreds of them start here.
    What is more than a screen is printed as it is, unless a test names a pager.
    """
    foreign = ("COLUMNS", "LINES", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    plain = {k: v for k, v in os.environ.items() if not k.startswith("ACRES_") and k not in foreign}
    ours = {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "ACRES_LANG": "en", "ACRES_PAGER": ""}
    return plain | ours | more


def heed_interrupts() -> None:
    """Before a process begins: where tests run in the background, it would ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _read_early(variables: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in variables.items() if not k.startswith(READ_LATE)}


USUAL = environment()
"""Before any test has changed anything."""


def fork(
    command: Sequence[str], *streams: int, folder: Path | str | None, variables: Mapping[str, str]
) -> int | None:
    """The number of a process that runs `python -m` or `-c`, a child of this one.

    Streams are the three files that it reads and writes; where they are a terminal, it is in charge
    of it. None where it takes a real start.
    """
    program, kind, *words = command
    if sys.platform != "linux" or program != sys.executable or kind not in ("-m", "-c"):
        return None
    if _read_early(variables) != _read_early(USUAL):
        return None
    job = {"kind": kind, "words": words, "folder": str(Path(folder or "").absolute())}
    channel, _ = _server()
    socket.send_fds(channel, [json.dumps(job | {"variables": dict(variables)}).encode()], streams)
    return int(channel.recv(LIMIT))


@cache
def _server() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """The process that forks, and the way to it; it ends when this one does."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        begin = [sys.executable, "-m", "tests.cli.processes"]
        return ours, subprocess.Popen(begin, cwd=ROOT, env=USUAL, stdin=theirs.fileno())


def wait_for_end(number: int, seconds: float) -> int:
    """The exit status of a fork, negative for a signal; after that many seconds it is killed."""
    if sys.platform != "linux":
        raise NotImplementedError("Nothing forks elsewhere.")
    handle = os.pidfd_open(number)
    if not select.select([handle], [], [], seconds)[0]:
        os.kill(number, signal.SIGKILL)
    os.close(handle)
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


# --- the process that forks


def import_program() -> None:
    """Import every module of the program, but for those that run when they are imported.

    And for what asks with a menu: who forks is to be without its library, as a command is.
    """
    for package in ("engine", "pbem"):
        for module in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if not module.name.endswith(("__main__", "menu_session")):
                __import__(module.name)


def _serve() -> dict[str, Any]:
    """Answer jobs, each with the number of its process; in that process, return the job."""
    channel = socket.socket(fileno=0)
    while True:
        data, streams, *_ = socket.recv_fds(channel, LIMIT, 3)
        if not data:
            sys.exit()
        reading, writing = os.pipe()
        waiting, going = os.pipe()
        between = os.fork()
        if not between:
            number = os.fork()
            if not number:
                # Until its parent has ended it is not the child of the process that asked for it.
                os.read(waiting, 1)
                return _begin(channel, json.loads(data), streams)
            os.write(writing, str(number).encode())
            os._exit(0)
        os.waitpid(between, 0)
        os.write(going, b".")
        channel.send(os.read(reading, 20))
        for each in (reading, writing, waiting, going, *streams):
            os.close(each)


def _begin(channel: socket.socket, job: dict[str, Any], streams: Sequence[int]) -> dict[str, Any]:
    """Give this process what one has that is started."""
    channel.detach()
    os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, 64)
    if os.isatty(0):
        # The first terminal that the leader of a session opens is the one in whose charge it is.
        os.close(os.open(os.ttyname(0), os.O_RDWR))
    os.chdir(job["folder"])
    os.environ.clear()
    os.environ.update(job["variables"])
    time.tzset()
    heed_interrupts()
    # As Python makes them where it is told to use UTF-8.
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
        # To take apart all that was imported would take longer than the fork.
        os._exit(int(end.code or 0))

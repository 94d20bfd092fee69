"""A stage on which commands are killed, stopped and starved while they write.

All commands are children of one process that has already imported the program; some hundreds of
them take a minute. A child counts the lines that it executes in the modules that write, and the
fault happens before one of these lines. Run as a program, this module is the parent process, which
reads jobs from its standard input.
"""

from __future__ import annotations

import errno
import gc
import json
import os
import pkgutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from types import FrameType
from typing import IO, Any

from tests.cli.processes import ROOT, environment, import_program

WRITING = tuple(
    f"{ROOT}/pbem/{name}"
    for name in ("savefile/disk.py", "play/store/", "play/keyfile.py", "play/signing.py")
)
"""The modules in which every line is a moment for a fault."""
# A package that moved would otherwise silently lose its moments.
assert all(Path(path).exists() for path in WRITING), WRITING
PAGE = "page"
"""The first word of a command that `tests/crash/on_page.py` runs on a page."""


@dataclass(frozen=True)
class Fault:
    """A fault of a command, and its surroundings.

    The command is killed, stopped, or interrupted by Ctrl-C before the line with that number. None
    of its files may be longer than `max_bytes`; the system function `failing_function` finds the
    disk full. `busy_seconds` is the time that it waits for another command, `now` the time of its
    clock; `passphrase` and `secret` are the passphrase and a new one in its environment.
    `list_moments` requests the numbers of its lines.
    """

    kill_at: int | None = None
    stop_at: int | None = None
    interrupt_at: int | None = None
    max_bytes: int | None = None
    failing_function: str | None = None
    busy_seconds: float | None = None
    now: str | None = None
    passphrase: str | None = None
    secret: str | None = None
    list_moments: bool = False

    @property
    def needs_count(self) -> bool:
        """True if the lines of the command have to be counted, which takes time."""
        return self.list_moments or bool(self.kill_at or self.stop_at or self.interrupt_at)


@dataclass(frozen=True)
class Outcome:
    """The end of a command: its status, negative for a signal, and its output.

    `moments` are the numbers of the executed lines, if requested: the first and the last execution
    of each line.
    """

    status: int
    out: str
    err: str
    moments: tuple[int, ...] = ()

    @property
    def was_killed(self) -> bool:
        """True if it was killed."""
        return self.status == -signal.SIGKILL


class StoppedCommand:
    """A command that was stopped by a signal."""

    def __init__(self, stage: Stage, pid: int) -> None:
        self._stage = stage
        self._pid = pid

    def resume(self) -> Outcome:
        """Continue the command to its end."""
        return self._stage.do({"go on": self._pid})


class Stage:
    """Runs commands, one at a time except for stopped ones."""

    def __init__(self, server: subprocess.Popen[str]) -> None:
        self._server = server

    def run(self, *words: object, folder: Path, home: str, fault: Fault | None = None) -> Outcome:
        """Run a command to its end, or until it is killed."""
        return self.do(self._job(words, folder, home, fault or Fault()))

    def stop(
        self, *words: object, folder: Path, home: str, fault: Fault
    ) -> StoppedCommand | Outcome:
        """Run a command until it is stopped or ends."""
        answer = self._request(self._job(words, folder, home, fault))
        return StoppedCommand(self, answer["stopped"]) if "stopped" in answer else Outcome(**answer)

    def do(self, job: dict[str, Any]) -> Outcome:
        """Do a job, and return the outcome of its command."""
        return Outcome(**self._request(job))

    def _job(
        self, words: tuple[object, ...], folder: Path, home: str, fault: Fault
    ) -> dict[str, Any]:
        return {
            "words": ["--home", home, *map(str, words)],
            "folder": str(folder),
            "fault": vars(fault),
        }

    def _request(self, job: dict[str, Any]) -> dict[str, Any]:
        assert self._server.stdin and self._server.stdout
        self._server.stdin.write(json.dumps(job) + "\n")
        self._server.stdin.flush()
        answer: dict[str, Any] = json.loads(self._server.stdout.readline())
        return answer


@contextmanager
def run_stage() -> Iterator[Stage]:
    """Run a stage until the end of the block."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.crash.stage"],
        env=environment(),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        yield Stage(server)
        assert server.stdin
        server.stdin.close()


# --- the parent process of the commands


def _serve() -> None:
    import_program()
    _warm_up()
    # Children then do not search existing objects for garbage, and share their memory pages.
    gc.freeze()
    children: dict[int, Child] = {}
    for line in sys.stdin:
        job = json.loads(line)
        if "go on" in job:
            child = children.pop(job["go on"])
            os.kill(child.pid, signal.SIGCONT)
        else:
            child = Child.of(job)
        _, status = os.waitpid(child.pid, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            children[child.pid] = child
            answer: dict[str, Any] = {"stopped": child.pid}
        else:
            answer = child.report(os.waitstatus_to_exitcode(status))
        print(json.dumps(answer), flush=True)


def _warm_up() -> None:
    """Play a few turns, so that children find cached values."""
    from pbem.cli.main import main

    orders = ("--home", "british", "turn", "apply")
    with (
        TemporaryDirectory() as folder,
        chdir(folder),
        redirect_stdout(StringIO()),
        redirect_stderr(StringIO()),
    ):
        for words in (
            ("--home", "british", "init", "--name", "British"),
            ("--home", "french", "init", "--name", "French"),
            ("--home", "british", "new", "--side", "british", "--output", "game-000.toml"),
            ("--home", "french", "join", "game-000.toml"),
            (*orders, "game-001.toml", "pass"),
            (*orders, "game-001.toml", "draft Rangers"),
        ):
            main(words)


@dataclass(frozen=True)
class Child:
    """A running command, its output, and the file with its moments."""

    pid: int
    out: IO[bytes]
    err: IO[bytes]
    moments: IO[bytes]

    @classmethod
    def of(cls, job: dict[str, Any]) -> Child:
        """Start the command of a job."""
        out, err, moments = (TemporaryFile() for _ in range(3))  # noqa: SIM115
        pid = os.fork()
        if not pid:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            os._exit(_act(job, moments))
        return cls(pid, out, err, moments)

    def report(self, status: int) -> dict[str, Any]:
        """Return the status, output and moments of the ended command."""
        out, err, moments = (_read_all(file) for file in (self.out, self.err, self.moments))
        return {"status": status, "out": out, "err": err, "moments": json.loads(moments or "[]")}


def _read_all(file: IO[bytes]) -> str:
    with file:
        file.seek(0)
        return file.read().decode()


def _act(job: dict[str, Any], moments: IO[bytes]) -> int:
    """Run the command in this process, with its fault."""
    from pbem.cli.main import main
    from tests.crash.on_page import run_on_page

    os.chdir(job["folder"])
    # A test run in the background ignores Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    fault = Fault(**job["fault"])
    _prepare(fault)
    counted = 0
    first: dict[tuple[str, int], int] = {}
    last: dict[tuple[str, int], int] = {}

    def count_line(frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        nonlocal counted
        if event == "line":
            counted += 1
            line = (frame.f_code.co_filename, frame.f_lineno)
            first.setdefault(line, counted)
            last[line] = counted
            if counted == fault.kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
            if counted == fault.stop_at:
                os.kill(os.getpid(), signal.SIGSTOP)
            if counted == fault.interrupt_at:
                os.kill(os.getpid(), signal.SIGINT)
        return count_line

    def enter(frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        return count_line if frame.f_code.co_filename.startswith(WRITING) else None

    if fault.needs_count:
        sys.settrace(enter)
        # A page signs in a thread.
        threading.settrace(enter)
    home, *words = job["words"][1:]
    status = run_on_page(home, *words[1:]) if words[0] == PAGE else main(job["words"])
    sys.settrace(None)
    sys.stdout.flush()
    sys.stderr.flush()
    os.write(moments.fileno(), json.dumps(sorted({*first.values(), *last.values()})).encode())
    return status


def _prepare(fault: Fault) -> None:
    import pbem.play.keyfile
    import pbem.play.store
    import pbem.sources
    from pbem.play.keyfile import Cost

    # Sealing a key is slow by design; these tests do not depend on it.
    vars(pbem.play.keyfile)["DEFAULT_COST"] = Cost(2**14, 1, 1)
    if fault.busy_seconds is not None:
        pbem.play.store.BUSY_SECONDS = fault.busy_seconds
    variables = {"ACRES_PASSPHRASE": fault.passphrase, "ACRES_NEW_PASSPHRASE": fault.secret}
    os.environ.update({name: text for name, text in variables.items() if text is not None})
    if fault.now:
        moment = datetime.fromisoformat(fault.now)
        vars(pbem.sources)["_system_clock"] = lambda: moment
    if fault.failing_function:
        owner, name = fault.failing_function.rsplit(".", 1)
        setattr(pkgutil.resolve_name(owner), name, _full)
    if fault.max_bytes is not None:
        import resource

        # Without this the signal would end the process before a write can fail.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault.max_bytes, resource.RLIM_INFINITY))


def _full(*_arguments: object, **_options: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


if __name__ == "__main__":
    _serve()

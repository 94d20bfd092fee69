"""Running the command, in this process or in one of its own."""

from __future__ import annotations

import errno
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from threading import Thread
from types import SimpleNamespace

import pytest

from pbem.cli.main import main
from pbem.play import keyfile
from pbem.play.robot import PracticeGame
from pbem.play.signing import SignedFile
from pbem.play.store import Store
from pbem.play.store.entries import records_by
from pbem.protocol.identity import Identity
from pbem.savefile.save_file import SaveFile
from tests.cli.processes import COMMAND as COMMAND
from tests.cli.processes import ROOT as ROOT
from tests.cli.processes import environment as environment
from tests.cli.processes import fork, wait_for_end
from tests.cli.processes import heed_interrupts as heed_interrupts
from tests.play.store.players import records_in

OLD = ROOT / "tests" / "old_files" / "before-follow-ups"
"""A practice game that no later version plays again: its positions stay what they are."""
FILE = "game-017.toml"
"""A file of the quiet game that the British answer; their last record before it is number 16."""
PASSES = ["pass", "pass"]
OTHER = ["draft Rangers", "pass"]
"""Two answers to it."""


@dataclass(frozen=True)
class Result:
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str

    def succeeds(self) -> Result:
        """Return it, if it succeeded."""
        assert self.status == 0, self.err
        return self

    def succeeds_quietly(self) -> Result:
        """Return it, if it succeeded, and warned of nothing."""
        assert (self.status, self.err) == (0, "")
        return self

    def fails(self, status: int = 2) -> Result:
        """Return it, if it failed with one sentence."""
        assert (self.status, is_one_sentence(self.err)) == (status, True), self.err
        return self


def acres(*arguments: object, home: Path | str | None = None) -> Result:
    """Run a command in this process, away from a terminal."""
    out, err = io.StringIO(), io.StringIO()
    before = ["--home", str(home)] if home else []
    with redirect_stdout(out), redirect_stderr(err):
        status = main([*before, *map(str, arguments)])
    return Result(status, out.getvalue(), err.getvalue())


def do(*arguments: object, home: Path | str | None = None) -> Result:
    """Run a command that has to succeed."""
    return acres(*arguments, home=home).succeeds()


def apply(*words: str, file: str = FILE, home: str = "british") -> Result:
    """Answer a file of the quiet game, in whose folder the test runs."""
    return acres("turn", "apply", file, *words, home=Path(home))


def acres_process(
    *arguments: object,
    home: Path | str | None = None,
    folder: Path | str | None = None,
    reads: bytes | str = b"",
    **variables: str,
) -> Result:
    """Run a command in a process of its own; `reads` is what comes by its standard input."""
    before = ["--home", str(home)] if home else []
    command, given = [*COMMAND, *before, *map(str, arguments)], environment(**variables)
    encoding = variables.get("PYTHONIOENCODING", "utf-8")
    with (
        TemporaryFile() if reads else Path(os.devnull).open("rb") as into,
        TemporaryFile() as out,
        TemporaryFile() as err,
    ):
        if reads:
            into.write(reads if isinstance(reads, bytes) else reads.encode())
            into.seek(0)
        streams = into.fileno(), out.fileno(), err.fileno()
        number = fork(command, *streams, folder=folder, variables=given)
        if number is None:
            done = subprocess.run(
                command, cwd=folder, env=given, stdin=into, stdout=out, stderr=err, timeout=60
            )
            status = done.returncode
        else:
            status = wait_for_end(number, seconds=60)
        out.seek(0)
        err.seek(0)
        return Result(status, out.read().decode(encoding), err.read().decode(encoding))


def start(*arguments: object, home: Path | str, **variables: str) -> subprocess.Popen[str]:
    """A command that runs in a process of its own."""
    return subprocess.Popen(
        [*COMMAND, "--home", str(home), *map(str, arguments)], env=environment(**variables),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts,
    )  # fmt: skip


def python(program: str, *arguments: object, **variables: str) -> Result:
    """Run a program by this Python, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=ROOT, env=environment(**variables), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    return Result(done.returncode, done.stdout, done.stderr)


@contextmanager
def pipe(path: Path, data: bytes) -> Iterator[None]:
    """A pipe under that name; whoever opens it takes that data, and waits for nothing."""
    os.mkfifo(path)
    writer = Thread(target=_fill, args=(path, data))
    writer.start()
    yield
    # Where nobody opened it, the writer still waits, or has yet to begin to.
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    while writer.is_alive():
        with suppress(BlockingIOError):
            os.read(reader, 65536)
        writer.join(0.01)
    os.close(reader)


def _fill(path: Path, data: bytes) -> None:
    with suppress(BrokenPipeError):
        path.write_bytes(data)


def play_practice_files(
    folder: Path, count: int, seed: int = 1, lists: int = 16
) -> list[SignedFile]:
    """The first files of a practice game; its homes are `folder / "british"` and so on."""
    return list(islice(PracticeGame(folder, seed, lists).play(), count))


def copy_practice_save(count: int, folder: Path) -> Path:
    """A file with the first records of the old practice game, and the homes of both players."""
    save = SaveFile.read((OLD / "game-104.toml").read_bytes())
    for side in ("british", "french"):
        shutil.copytree(OLD / side, folder / side)
    file = folder / f"game-{count - 1:03}.toml"
    file.write_bytes(SaveFile(save.records[:count]).write())
    return file


def remember(home: Path, *files: Path) -> None:
    """Have a home know what its player signed in these files, and no more, as if it was there."""
    key = keyfile.read(home / "identity.toml").public_key
    library = Store(home / "library.sqlite3", key)
    library.complete()
    for file in files:
        records = SaveFile.read(file.read_bytes()).records
        for record in records_by(records, key):
            library.remember(records[0].hash, record)


def key_of(side: str) -> Identity:
    """The identity of a player of the old practice game."""
    return keyfile.load(OLD / side / "identity.toml", lambda: "")


def public_key_in(home: Path) -> bytes:
    """The public key of whoever plays from a home."""
    return keyfile.read(home / "identity.toml").public_key


def make_library_read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """No library can be opened for writing, whatever the user of the tests may do."""
    opened, may, told = os.open, os.access, os.statvfs

    def is_library(path: Path | str) -> bool:
        return str(path).endswith("library.sqlite3")

    def guarded(path: Path | str, flags: int, *arguments: int, **options: int) -> int:
        if is_library(path):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return opened(path, flags, *arguments, **options)

    def of_a_medium(path: Path | str) -> object:
        return SimpleNamespace(f_flag=os.ST_RDONLY) if is_library(path) else told(path)

    monkeypatch.setattr("os.open", guarded)
    monkeypatch.setattr("os.access", lambda path, mode: not is_library(path) and may(path, mode))
    monkeypatch.setattr("os.statvfs", of_a_medium)


def snapshot(folder: Path) -> dict[Path, object]:
    """All files below a folder, with what is in them; of libraries, what was signed."""
    return {path: _content(path) for path in folder.rglob("*") if path.is_file()}


def _content(path: Path) -> object:
    if path.name != "library.sqlite3":
        return path.read_bytes()
    return sorted(records_in(path), key=lambda row: row[:2])


def is_one_sentence(err: str) -> bool:
    """Whether that is all a player should see of a failure, and not that the program failed."""
    is_foreseen = "Traceback" not in err and "Something happened that should not have" not in err
    return err.startswith("acres: ") and err.count("\n") == 1 and is_foreseen

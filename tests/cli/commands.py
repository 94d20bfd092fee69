"""Functions that run the command, in this process or in a separate process."""

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
"""A practice game of an old version, with fixed positions."""
FILE = "game-017.toml"
"""A file of the quiet game that the British answer; they wrote record 16 last."""
PASSES = ["pass", "pass"]
OTHER_ORDERS = ["draft Rangers", "pass"]
"""Another answer to the same file than `PASSES`."""


@dataclass(frozen=True)
class Result:
    """The exit status of a command, and its output."""

    status: int
    out: str
    err: str

    def succeeds(self) -> Result:
        """Return the result if the command succeeded."""
        assert self.status == 0, self.err
        return self

    def succeeds_quietly(self) -> Result:
        """Return the result if the command succeeded without a warning."""
        assert (self.status, self.err) == (0, "")
        return self

    def fails(self, status: int = 2) -> Result:
        """Return the result if the command failed with a single sentence."""
        assert self.status == status, self.err
        assert is_one_sentence(self.err), self.err
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
    stdin: bytes | str = b"",
    **variables: str,
) -> Result:
    """Run a command in a separate process; `stdin` is its standard input."""
    before = ["--home", str(home)] if home else []
    command, env = [*COMMAND, *before, *map(str, arguments)], environment(**variables)
    encoding = variables.get("PYTHONIOENCODING", "utf-8")
    with (
        TemporaryFile() if stdin else Path(os.devnull).open("rb") as into,
        TemporaryFile() as out,
        TemporaryFile() as err,
    ):
        if stdin:
            into.write(stdin if isinstance(stdin, bytes) else stdin.encode())
            into.seek(0)
        streams = into.fileno(), out.fileno(), err.fileno()
        number = fork(command, *streams, folder=folder, variables=env)
        if number is None:
            result = subprocess.run(
                command, cwd=folder, env=env, stdin=into, stdout=out, stderr=err, timeout=60
            )
            status = result.returncode
        else:
            status = wait_for_end(number, seconds=60)
        out.seek(0)
        err.seek(0)
        return Result(status, out.read().decode(encoding), err.read().decode(encoding))


def start(*arguments: object, home: Path | str, **variables: str) -> subprocess.Popen[str]:
    """Start a command in a separate process."""
    return subprocess.Popen(
        [*COMMAND, "--home", str(home), *map(str, arguments)], env=environment(**variables),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts,
    )  # fmt: skip


def run_python(program: str, *arguments: object, **variables: str) -> Result:
    """Run a Python program in a separate process."""
    result = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=ROOT, env=environment(**variables), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    return Result(result.returncode, result.stdout, result.stderr)


@contextmanager
def open_pipe(path: Path, data: bytes) -> Iterator[None]:
    """Make a named pipe at `path`, whose first reader gets `data`."""
    os.mkfifo(path)
    writer = Thread(target=_fill, args=(path, data))
    writer.start()
    yield
    # The writer still waits if no reader has opened the pipe.
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
    """Play the first files of a practice game; its homes are `folder / "british"` and so on."""
    return list(islice(PracticeGame(folder, seed, lists).play(), count))


def copy_practice_save(count: int, folder: Path) -> Path:
    """Write the first records of the old practice game, with the homes of both players."""
    save = SaveFile.read((OLD / "game-104.toml").read_bytes())
    for side in ("british", "french"):
        shutil.copytree(OLD / side, folder / side)
    file = folder / f"game-{count - 1:03}.toml"
    file.write_bytes(SaveFile(save.records[:count]).write())
    return file


def remember(home: Path, *files: Path) -> None:
    """Fill the library of a home with exactly its player's records in `files`."""
    key = keyfile.read(home / "identity.toml").public_key
    library = Store(home / "library.sqlite3", key)
    library.mark_complete()
    for file in files:
        records = SaveFile.read(file.read_bytes()).records
        for record in records_by(records, key):
            library.remember(records[0].hash, record)


def load_key(side: str) -> Identity:
    """Return the identity of a player of the old practice game."""
    return keyfile.load(OLD / side / "identity.toml", lambda: "")


def public_key_in(home: Path) -> bytes:
    """Return the public key of a home."""
    return keyfile.read(home / "identity.toml").public_key


def sit_at_computer(monkeypatch: pytest.MonkeyPatch, computer: int) -> None:
    """Continue on the computer with this id, with the same files."""
    for module in ("schema.computer_id", "computer_id"):
        monkeypatch.setattr(f"pbem.play.store.{module}", lambda: computer)


def make_library_read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every library read-only, even for root."""
    open_file, access, statvfs = os.open, os.access, os.statvfs

    def is_library(path: Path | str) -> bool:
        return str(path).endswith("library.sqlite3")

    def open_guarded(path: Path | str, flags: int, *arguments: int, **options: int) -> int:
        if is_library(path):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return open_file(path, flags, *arguments, **options)

    def of_a_medium(path: Path | str) -> object:
        return SimpleNamespace(f_flag=os.ST_RDONLY) if is_library(path) else statvfs(path)

    monkeypatch.setattr("os.open", open_guarded)
    monkeypatch.setattr("os.access", lambda path, mode: not is_library(path) and access(path, mode))
    monkeypatch.setattr("os.statvfs", of_a_medium)


def snapshot(folder: Path) -> dict[Path, object]:
    """Return the content of all files below a folder; for a library, its signed records."""
    return {path: _content(path) for path in folder.rglob("*") if path.is_file()}


def _content(path: Path) -> object:
    if path.name != "library.sqlite3":
        return path.read_bytes()
    return sorted(records_in(path), key=lambda row: row[:2])


def is_one_sentence(err: str) -> bool:
    """True if a text is a single error sentence, not a traceback."""
    is_foreseen = "Traceback" not in err and "Something happened that should not have" not in err
    return err.startswith("acres: ") and err.count("\n") == 1 and is_foreseen

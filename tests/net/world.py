"""The folder in which a script runs, with a fixed environment, randomness and clock.

A step makes a `Recording`: texts by kind (the status, an answer, a file). The golden screens
(tests/screens) have the output of commands.
"""

from __future__ import annotations

import errno
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
import time
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager, nullcontext, suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self
from unittest.mock import patch

from pbem.cli import console
from pbem.cli import main as command_line
from pbem.play import keyfile, recovery
from pbem.play.keyfile import Cost
from tests.net.browser import Browser
from tests.net.fixed import fixed_sources
from tests.net.mail_server import MailServer, mail_server
from tests.net.scripts import REQUESTS, Script, Step

ROOT = Path(__file__).parents[2]
STARTS = {
    "practice": ROOT / "saves" / "practice",
    **{path.name: path for path in (ROOT / "tests" / "old_files").iterdir() if path.is_dir()},
}
MEMORY_FOLDER = os.path.realpath("/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp")
"""A folder in memory, if available, because disks are slow."""
PREFIX = "net".ljust(16 - len(MEMORY_FOLDER), "_")
"""The prefix of folders, which makes all paths equally long, so that lines wrap alike."""
ENVIRONMENT = {
    "ACRES_LANG": "en",
    "COLUMNS": "80",
    "EDITOR": "true",
    "LANG": "C.UTF-8",
    "LINES": "24",
    "PATH": os.defpath,
    "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    "TERM": "xterm",
    "TZ": "UTC",
}
_DISK_IS_FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
MAX_REPEATED_LINES = 4
"""The maximum number of lines of a part that is recorded even if it is repeated."""
MAX_TEXT = 1500
"""The length from which scripts and style sheets in pages are recorded as hashes."""
# Drawings, fonts, compressed data and sealed boxes are hashed too.
_INLINE = re.compile(r"(<(script|style)\b[^>]*>)(.*?)(</\2>)", re.DOTALL)
_DATA = re.compile(r"data:[\w/+.-]+;base64,[\w+/=]{200,}")
_PACKED = re.compile(r"eN[\w+/]{200,}={0,2}")
_SEALED = re.compile(r'"""\\\n([^"]{700,})"""')

Recording = dict[str, str]
"""The record of a script: texts by the number and line of the step, and by kind."""


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


class _Keyboard(_Terminal):
    """Lines typed at a terminal, which shows them."""

    def __init__(self, typed: str, screen: io.BytesIO) -> None:
        super().__init__(io.BytesIO(typed.encode()), "utf-8")
        self._screen = screen

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        line = super().readline(size)
        self._screen.write(f"{line.rstrip() or '^D' * (not line)}\n".encode())
        return line


class World:
    """The folder of a running script, with its randomness and time."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self._stack = ExitStack()
        self._parts: dict[str, tuple[str, int]] = {}
        self._before: dict[str, bytes] = {}
        self._browsers: dict[str, Browser] = {}
        self._mail: MailServer | None = None
        self.screen = ""
        """The text of the last step on the player's screen: output, errors and lines typed."""

    def __enter__(self) -> Self:
        enter = self._stack.enter_context
        self._stack.callback(_reset_caches)
        self.folder = Path(enter(tempfile.TemporaryDirectory(prefix=PREFIX, dir=MEMORY_FOLDER)))
        home = {"HOME": str(self.folder / "user")}
        enter(chdir(self.folder))
        enter(patch.dict(os.environ, ENVIRONMENT | home | dict(self.script.env), clear=True))
        enter(patch.object(sys, "argv", ["acres"]))
        enter(patch("resvg_py.svg_to_bytes", _render_picture))
        for module in (keyfile, recovery):
            enter(patch.object(module, "DEFAULT_COST", Cost(2**14, 1, 1)))
        self.sources = enter(fixed_sources(self.script.seed))
        _reset_caches()
        for name in self.script.start:
            shutil.copytree(STARTS[name], self.folder, dirs_exist_ok=True)
        if self.script.has_mail_server:
            self._mail = enter(mail_server(self.folder))
        self.files()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def run(self, step: Step) -> Recording:
        """Execute a step, and return its recording."""
        self.sources.next_step(step.days)
        self.screen = ""
        if self._mail is not None:
            return self._run_with_mail(step, self._mail)
        return self._run(step)

    def _run_with_mail(self, step: Step, mail: MailServer) -> Recording:
        line, stdin = step.line, step.stdin
        for name, port in mail.ports.items():
            line, stdin = line.replace(name, port), stdin.replace(name, port)
        is_for_server = mail.change(line)
        recording = {} if is_for_server else self._run(replace(step, line=line, stdin=stdin))
        messages = mail.deliver(self.sources.time)
        if not is_for_server:
            recording |= {kind: self._describe(kind, data) for kind, data in messages.items()}
        return recording | mail.mailbox_changes()

    def _run(self, step: Step) -> Recording:
        if step.line.startswith("!"):
            _change(step)
            self.files()
            return {}
        home, _, line = step.line.partition(": ")
        if line.startswith(REQUESTS):
            return self._request(home, line, step) | self.files()
        with _readable_pipe(step.descriptor) as descriptor:
            line = step.line.replace("{descriptor}", str(descriptor))
            return self._command(replace(step, line=line)) | self.files()

    def _request(self, home: str, line: str, step: Step) -> Recording:
        if home not in self._browsers:
            self._browsers[home] = Browser(home)
            self._stack.callback(self._browsers[home].end)
        recording = self._browsers[home].ask(line, step.headers)
        return {kind: self.text(data) for kind, data in recording.items()}

    def _command(self, step: Step) -> Recording:
        variables = dict(step.env) | ({"TERM": "dumb"} if step.terminal else {})
        if step.line.startswith("TAB "):
            arguments = []
            variables |= _completion_variables(*step.line.split(" ", 2)[1:])
        else:
            first, *arguments = shlex.split(step.line)
            if first != "acres":
                arguments = ["--home", first.removesuffix(":"), *arguments]
        screen = io.BytesIO()
        stdin: io.TextIOWrapper = io.TextIOWrapper(io.BytesIO(step.stdin.encode()), "utf-8")
        if step.terminal:
            stdin = _Keyboard(step.stdin, screen)
        kind = _Terminal if step.terminal else io.TextIOWrapper
        stdout = kind(screen, "utf-8", write_through=True)
        stderr = io.TextIOWrapper(screen, "utf-8", write_through=True)
        with (
            patch.dict(os.environ, variables),
            patch.object(sys, "stdin", stdin),
            patch.object(sys, "stdout", stdout),
            patch.object(sys, "stderr", stderr),
            patch("os.fsync", side_effect=_DISK_IS_FULL) if step.disk_is_full else nullcontext(),
        ):
            status = command_line.main(arguments)
        if data := screen.getvalue():
            self.screen = self.text(data)
        return {"status": f"{status}\n"}

    def text(self, data: bytes, name: str = "") -> str:
        """Return the recorded form of data: text if possible, without the folder's name."""
        if data.startswith(b"SQLite format 3\0") or name.endswith(("-wal", "-shm", "-journal")):
            return "(a library)\n"
        try:
            text = data.replace(os.fsencode(self.folder), b"/the/folder").decode()
        except UnicodeDecodeError:
            return f"({_hash(data)})\n"
        if "\0" in text:
            return f"({_hash(data)})\n"
        for port_name, port in self._mail.ports.items() if self._mail is not None else ():
            text = re.sub(rf"\b{port}\b", port_name, text)
        text = _PACKED.sub(_unpack, text)
        if text.lstrip().startswith(("<!doctype html", "<!DOCTYPE html", "<svg", "<?xml")):
            text = _INLINE.sub(_shorten, text)
            text = _DATA.sub(lambda match: f"({_hash(match[0].encode())})", text)
        text = _SEALED.sub(lambda match: f'"""({_hash(match[1].encode())})"""', text)
        if not text.endswith("\n"):
            text += "␄\n"
        return text.replace("\r", "␍")

    def files(self) -> Recording:
        """Return the files that were written, changed or removed since the last call."""
        recording: Recording = {}
        for name, data in self._changed_files().items():
            recording[f"file {name}"] = (
                "(removed)\n" if data is None else self._describe(name, data)
            )
        return recording

    def _changed_files(self) -> Mapping[str, bytes | None]:
        now = {
            path.relative_to(self.folder).as_posix(): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }
        before, self._before = self._before, now
        changed = {name: data for name, data in now.items() if before.get(name) != data}
        for name in changed.keys() & before.keys():
            if changed[name].startswith(b"SQLite format 3\0"):
                del changed[name]
        return changed | dict.fromkeys(sorted(before.keys() - now.keys()))

    def _describe(self, name: str, data: bytes) -> str:
        """Return the text of a file, with references to parts of earlier files."""
        text = self.text(data, name)
        if text.count("␍\n") == text.count("\n"):
            text = "(Lines end with CR and LF.)\n" + text.replace("␍\n", "\n")
        parts: list[str | tuple[str, int, int]] = []
        for number, part in enumerate(text.split("\n\n"), start=1):
            file, at = self._parts.setdefault(part, (name, number))
            match parts[-1:]:
                case [(other, first, last)] if (other, last + 1) == (file, at):
                    parts[-1] = file, first, at
                case _ if file != name and part.count("\n") >= MAX_REPEATED_LINES:
                    parts.append((file, at, at))
                case _:
                    parts.append(part)
        return "\n\n".join(
            part if isinstance(part, str) else "({}: parts {} to {})".format(*part)
            for part in parts
        )


@contextmanager
def _readable_pipe(text: str) -> Iterator[int]:
    """Yield a file descriptor with `text`."""
    reader, writer = os.pipe()
    os.write(writer, text.encode())
    os.close(writer)
    try:
        yield reader
    finally:
        with suppress(OSError):
            os.close(reader)


def _hash(data: bytes) -> str:
    return f"{len(data)} bytes, SHA-256 {sha256(data).hexdigest()}"


def _shorten(match: re.Match[str]) -> str:
    begin, _, inner, end = match.groups()
    return match[0] if len(inner) < MAX_TEXT else f"{begin}({_hash(inner.encode())}){end}"


def _unpack(match: re.Match[str]) -> str:
    """Return a hash of the decompressed data, because compression depends on the computer."""
    with suppress(ValueError, zlib.error):
        return f"(compressed: {_hash(zlib.decompress(b64decode(match[0])))})"
    return match[0]


def _render_picture(svg_string: str, width: int, **_: object) -> bytes:
    """Return a substitute for a PNG that depends only on the drawing."""
    text = f"{width} pixels wide, SHA-256 {sha256(svg_string.encode()).hexdigest()}"
    return b"\x89PNG\r\n\x1a\n" + text.encode()


def _reset_caches() -> None:
    """Reset caches of the environment: the default home, colours and time zone."""
    command_line.commands.cache_clear()
    console._console_for.cache_clear()
    time.tzset()


def _completion_variables(shell: str, line: str) -> dict[str, str]:
    """Return the variables with which a shell requests completions at the end of a line."""
    return {
        "_ACRES_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_TYPER_COMPLETE_WORD_TO_COMPLETE": line.rpartition(" ")[2],
        "COMP_WORDS": line.replace(" ", "\n"),
        "COMP_CWORD": str(line.count(" ")),
    }


def _change(step: Step) -> None:
    """Change files as a player, a mail program or a disk does between commands."""
    word, *names = shlex.split(step.line[1:])
    first, *others = map(Path, names)
    last = others[-1] if others else first
    last.parent.mkdir(parents=True, exist_ok=True)
    match word:
        case "cp":
            (shutil.copytree if first.is_dir() else shutil.copyfile)(first, last)
        case "mv":
            first.rename(last)
        case "rm":
            (shutil.rmtree if first.is_dir() else Path.unlink)(first)
        case "write":
            first.write_text(step.stdin, encoding="utf-8")
        case "sub":
            text = first.read_text(encoding="utf-8")
            assert names[1] in text, f"{first} has no {names[1]}"
            first.write_text(text.replace(names[1], names[2], 1), encoding="utf-8")
        case "cut":
            first.write_bytes(first.read_bytes()[: int(names[1])])
        case "mkdir":
            first.mkdir(parents=True, exist_ok=True)
        case "mbox":
            separator = b"From player@example.org Mon Mar  1 09:30:00 2027\n"
            letters = (path.read_bytes().replace(b"\r\n", b"\n") for path in others)
            first.write_bytes(b"".join(separator + letter + b"\n" for letter in letters))
        case _:
            raise AssertionError(f"there is no step !{word}")


def record_script(script: Script) -> Recording:
    """Run a script and return its recording."""
    recording: Recording = {}
    with World(script) as world:
        for number, step in enumerate(script.steps):
            try:
                did = world.run(step)
            except Exception as error:
                error.add_note(f"in the script {script.name}: {step.line}")
                raise
            if number >= script.prelude:
                number -= script.prelude
                recording |= {f"step {number + 1} ({step.line}), {k}": did[k] for k in did}
    return recording

"""Only `pbem.sources` reads randomness and the clock, and starts other programs."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import sources
from pbem.sources import now, random_bytes

PASSWORDS = ("MAIL", "SMTP", "IMAP")
ROOT = Path(__file__).parents[1]
SEAM = "pbem/sources.py"
MODULES = ("secrets", "uuid", "random", "subprocess", "webbrowser", "pty", "pydoc")
"""Modules that may not be imported, except for `random.Random`, which needs a seed."""
CALLS = (
    "os.urandom",
    "os.getrandom",
    "SystemRandom",
    "datetime.now",
    "datetime.today",
    "datetime.utcnow",
    "date.today",
    "time.time",
    "time.time_ns",
    "make_msgid",
    "formatdate",
    "localtime",
    "gmtime",
    "Ed25519PrivateKey.generate",
    "generate_key",
    "os.umask",
    "os.system",
    "os.popen",
    "os.startfile",
    *(f"os.{name}" for name in dir(os) if re.match("exec|fork|posix_spawn|spawn", name)),
    "create_subprocess_exec",
    "create_subprocess_shell",
    "subprocess_exec",
    "subprocess_shell",
    "typer.launch",
    "typer.edit",
)
"""Functions and attributes that may not be used, by their usual names."""
SOURCE_WORDS = re.compile(
    rb"secrets|uuid|urandom|getrandom|Random|import \w*random|from (random|time)\b|msgid|formatdate"
    rb"|localtime|gmtime|umask|subprocess|webbrowser|\bpty|pydoc|system|popen|startfile|exec|fork|spawn|launch|edit|generate\(|generate_key|date\w*\.(now|today|utcnow)|time\.time"
)
"""Words in every source that may use randomness or a clock; others need no parsing."""
ALLOWED = {
    ("pbem/savefile/disk.py", "time.time"): "compared with when unfinished files were changed",
    ("pbem/web/game_service.py", "time.time_ns"): "compared with when the library was changed",
}


def names_asked(path: Path) -> Iterator[str]:
    """Yield the names of sources of randomness or time that a module uses."""
    source = path.read_bytes()
    for node in ast.walk(ast.parse(source)) if SOURCE_WORDS.search(source) else ():
        match node:
            case ast.Import(names=names) | ast.ImportFrom(module=None, names=names):
                yield from (name.name for name in names if name.name in MODULES)
            case ast.ImportFrom(module=str(module), names=names):
                names = [name for name in names if (module, name.name) != ("random", "Random")]
                yield from (module for _ in names if module in MODULES)
                for name in names:
                    yield from (c for c in CALLS if c in (name.name, f"{module}.{name.name}"))
            case ast.Name(id=name):
                yield from (call for call in CALLS if call == name)
            case ast.Attribute(value=ast.Name(id=of) | ast.Attribute(attr=of), attr=name):
                yield from (call for call in CALLS if call in (name, f"{of}.{name}"))
            case ast.Call(func=ast.Name("Random") | ast.Attribute(attr="Random"), args=[]):
                yield "Random()"


MODULES_OF_PROGRAM = sorted(
    path.relative_to(ROOT).as_posix()
    for package in ("engine", "pbem")
    for path in (ROOT / package).rglob("*.py")
)


def test_randomness_clock_and_programs_are_used_in_one_module() -> None:
    uses = {(path, name) for path in MODULES_OF_PROGRAM for name in names_asked(ROOT / path)}
    assert {name for name in uses if name[0] != SEAM} == {*ALLOWED}
    assert {name for path, name in uses if path == SEAM} == {
        "secrets", "datetime.now", "subprocess", "webbrowser"
    }  # fmt: skip


@pytest.mark.parametrize(
    "source",
    [
        "import secrets",
        "from secrets import token_hex",
        "import os\nos.urandom(3)",
        "from os import urandom",
        "from random import SystemRandom",
        "from random import random",
        "import random",
        "from random import Random\nRandom()",
        "from datetime import datetime\nclock = datetime.now",
        "import datetime\ndatetime.datetime.now()",
        "import time\ntime.time()",
        "from time import time",
        "def f():\n    import uuid",
        "Ed25519PrivateKey.generate()",
        "from subprocess import run",
        "import os\nos.execvp('less', ['less'])",
        "import asyncio\nasyncio.create_subprocess_exec('less')",
    ],
)
def test_other_sources_of_randomness_and_time_are_detected(tmp_path: Path, source: str) -> None:
    file = tmp_path / "module.py"
    file.write_text(source)
    assert [*names_asked(file)]


@pytest.mark.slow
def test_no_program_gets_a_secret_of_the_environment(tmp_path: Path) -> None:
    browser, got = tmp_path / "browser", tmp_path / "got"
    browser.write_text(f"#!/bin/sh\nenv >> {got}\n")
    browser.chmod(0o700)
    names = ("PASSPHRASE", "NEW_PASSPHRASE", "MAIL_TOKEN", *(f"{of}_PASSWORD" for of in PASSWORDS))
    started = "sources.browse('http://127.0.0.1'), sources.run([sys.argv[1]])"
    line = f"import sys, pbem.cli.__main__; from pbem import sources; {started}"
    secrets = {f"ACRES_{name}": "xyzzy" for name in names} | {"BROWSER": f"{browser} %s"}
    command = [sys.executable, "-c", line, str(browser)]
    subprocess.run(command, env=os.environ | secrets, cwd=ROOT, check=True)
    assert got.read_text().count("\nBROWSER=") + got.read_text().startswith("BROWSER=") == 2
    assert "xyzzy" not in got.read_text()


def test_default_sources_use_the_system() -> None:
    assert len({random_bytes(32, "the same purpose") for _ in range(20)}) == 20
    assert {len(random_bytes(size, "")) for size in (1, 24, 32)} == {1, 24, 32}
    assert now() == f"{sources._system_clock():%Y-%m-%dT%H:%M:%SZ}"


def test_year_has_four_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    early = sources._system_clock().replace(year=7)
    monkeypatch.setattr(sources, "_system_clock", lambda: early)
    assert now().startswith("0007-")

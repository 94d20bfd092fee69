"""Random bytes, the time, secrets of the environment and other programs, for all other modules.

Each call names the purpose of its bytes, with the game, the record or the key, so that no two
purposes are equal. The program ignores the purpose. Tests replace `_system_bytes` and derive the
bytes from it, so that they do not depend on the order of calls.
"""

from __future__ import annotations

import os
import re
import signal
from collections import ChainMap
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def random_bytes(size: int, purpose: str) -> bytes:
    """Return `size` fresh random bytes, suitable for keys and secrets."""
    return _system_bytes(size, purpose)


def now() -> str:
    """Return the time in UTC in the form of a record, such as 2026-11-21T10:03:00Z."""
    # The year has four digits even if the clock is wrong by centuries.
    return _system_clock().replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _system_bytes(size: int, _purpose: str) -> bytes:
    # Imported lazily: most commands need no random bytes, and the import is slow.
    import secrets

    return secrets.token_bytes(size)


def _system_clock() -> datetime:
    return datetime.now(UTC)


# --- secrets of the environment, and other programs

_OWN = "ACRES_"
"""The prefix of this program's variables."""
_SECRET = rf"{_OWN}\w*(?:PASSPHRASE|PASSWORD|TOKEN)"
_secrets: dict[str, str] = {}
ENVIRONMENT: Mapping[str, str] = ChainMap(os.environ, _secrets)
"""The variables of the environment, with the secrets that were taken out of it."""


def take_secrets() -> None:
    """Take the secrets out of the environment, so that no program that a library starts has them.

    >>> os.environ["ACRES_MAIL_TOKEN"] = "t"
    >>> take_secrets()
    >>> os.environ.get("ACRES_MAIL_TOKEN"), ENVIRONMENT["ACRES_MAIL_TOKEN"]
    (None, 't')
    """
    for name in filter(re.compile(_SECRET).fullmatch, [*os.environ]):
        _secrets[name] = os.environ.pop(name)


def run(command: Sequence[str], text: bytes | None = None, **variables: str) -> int:
    """Run a program with `text` as its input, and return its status. Raises OSError.

    This program's own variables are not passed on. Ctrl-C interrupts the other program, and does
    not end this one.
    """
    # The other program would inherit SIG_IGN, but not an empty handler.
    handler = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        status, _ = _run(command, variables, input=text)
        return status
    finally:
        signal.signal(signal.SIGINT, handler)


def capture(command: Sequence[str], folder: Path) -> tuple[int, str]:
    """Run a program in a folder, and return its status and its error messages. Raises OSError."""
    return _run(command, {}, cwd=folder, capture_output=True, encoding="utf-8", errors="replace")


def _run(command: Sequence[str], variables: dict[str, str], **options: Any) -> tuple[int, str]:
    # Imported lazily: most commands run no program.
    import subprocess

    environment = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
    process = subprocess.run(command, env=environment | variables, **options)
    return process.returncode, process.stderr


_TERMINAL_BROWSERS = ("www-browser", "elinks", "links", "lynx", "w3m")
"""Browsers that take over the terminal and run no scripts."""


def browse(address: str) -> None:
    """Open an address in the user's browser, if there is one; this may take long."""
    # Imported lazily: most commands open no browser.
    import webbrowser

    with suppress(webbrowser.Error, OSError):
        browser = webbrowser.get()
        if Path(getattr(browser, "name", "")).name not in _TERMINAL_BROWSERS:
            browser.open(address)

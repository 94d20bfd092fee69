"""A screen that nobody sees, with windows on it, and a hand at its keyboard."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from tests.mail.tried.bench import LONGEST, Bench


class Desktop:
    """A program with windows (Xvfb, xdotool); a context that ends it."""

    def __init__(self, bench: Bench, *command: str | Path, **variables: str) -> None:
        self._bench = bench
        self._variables = variables
        self._command: Sequence[str] = list(map(str, command))

    def __enter__(self) -> Self:
        reads, writes = os.pipe()
        screen = ["-screen", "0", "1200x900x24", "-nolisten", "tcp"]
        self._screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writes), *screen],
            pass_fds=[writes],
            stderr=subprocess.DEVNULL,
        )
        os.close(writes)
        with os.fdopen(reads) as told:
            self._environment = self._bench.environment | {
                "DISPLAY": f":{told.readline().strip()}",
                "NO_AT_BRIDGE": "1",
                **self._variables,
            }
        self._program = subprocess.Popen(
            self._command,
            env=self._environment,
            cwd=self._bench.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return self

    def __exit__(self, *failure: object) -> None:
        for process in (self._program, self._screen):
            process.terminate()
            process.wait(LONGEST)

    def at(self, title: str) -> None:
        """Turn to the window with that in its title, once there is one."""
        ends = time.monotonic() + LONGEST
        while not (found := self._hand("search", "--onlyvisible", "--name", title).split()):
            assert time.monotonic() < ends, f"There never was a window “{title}”"
            time.sleep(0.2)
        # Nothing tells whether it has come to wait for keys.
        time.sleep(1)
        self._hand("windowfocus", "--sync", found[-1])

    def press(self, *keys: str) -> None:
        """Press keys, by the names of X."""
        for key in keys:
            self._hand("key", key)
            time.sleep(0.3)

    def type(self, text: str) -> None:
        """Type a text."""
        self._hand("type", "--delay", "20", text)

    def choose(self, file: Path) -> None:
        """Type the name of a file where one is to be chosen."""
        # The first key opens the field in some of these windows.
        self.type(str(file)[0])
        time.sleep(1)
        self.type(str(file)[1:])
        # The window completes it first.
        time.sleep(1)
        self.press("Return")

    def _hand(self, *words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )
        return done.stdout

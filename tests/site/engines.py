"""Firefox and WebKitGTK, driven by the protocols of WebDriver, which run scripts in their pages."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Protocol
from urllib.error import HTTPError
from urllib.request import Request, urlopen

START_SECONDS = 60
SCRIPT_SECONDS = 300
"""The time for all that a script waits for, on a busy computer."""


class Engine(Protocol):
    """A browser with one visible tab."""

    def open(self, address: str) -> None:
        """Open an address in the tab."""

    def open_tab(self) -> None:
        """Open another tab, and use it from now on."""

    def run(self, script: str, *arguments: object) -> Any:
        """Return the value that a script passes to its last argument, a function."""


class Firefox:
    """Firefox, by the protocol Marionette, which geckodriver speaks too."""

    def __init__(self, port: int) -> None:
        self._number = 0
        self._stream = _connect(port).makefile("rwb")
        self._read()
        self._ask("NewSession", capabilities={})
        self._ask("SetTimeouts", script=SCRIPT_SECONDS * 1000)

    def open(self, address: str) -> None:
        self._ask("Navigate", url=address)

    def open_tab(self) -> None:
        handle = self._ask("NewWindow", type="tab")["handle"]
        self._ask("SwitchToWindow", handle=handle)

    def run(self, script: str, *arguments: object) -> Any:
        return self._ask("ExecuteAsyncScript", script=script, args=arguments)["value"]

    def _ask(self, command: str, **parameters: object) -> Any:
        self._number += 1
        data = json.dumps([0, self._number, f"WebDriver:{command}", parameters]).encode()
        self._stream.write(b"%d:%s" % (len(data), data))
        self._stream.flush()
        _, _, error, result = self._read()
        assert error is None, error
        return result

    def _read(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self._stream.read(1)
        return json.loads(self._stream.read(int(length[:-1])))


class WebKit:
    """WebKitGTK's MiniBrowser, by WebKitWebDriver."""

    def __init__(self, port: int) -> None:
        _connect(port).close()
        self._address = f"http://127.0.0.1:{port}/session"
        self._address += "/" + self._ask("", capabilities={})["sessionId"]
        self._ask("/timeouts", script=SCRIPT_SECONDS * 1000)

    def open(self, address: str) -> None:
        self._ask("/url", url=address)

    def open_tab(self) -> None:
        self._ask("/window", handle=self._ask("/window/new", type="tab")["handle"])

    def run(self, script: str, *arguments: object) -> Any:
        return self._ask("/execute/async", script=script, args=arguments)

    def _ask(self, path: str, **parameters: object) -> Any:
        request = Request(self._address + path, json.dumps(parameters).encode())
        try:
            with urlopen(request) as response:
                return json.load(response)["value"]
        except HTTPError as error:
            raise AssertionError(error.read().decode()) from None


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _connect(port: int) -> socket.socket:
    """Return a connection to a program that is starting. Raises OSError if it takes too long."""
    deadline = monotonic() + START_SECONDS
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            if monotonic() > deadline:
                raise
            sleep(0.2)


@contextmanager
def firefox(folder: Path) -> Iterator[Engine]:
    """Run Firefox with a new profile in a folder."""
    port, program = _free_port(), shutil.which("firefox-esr") or "firefox"
    settings = {"marionette.port": port, "intl.accept_languages": "en"}
    lines = (f'user_pref("{name}", {json.dumps(value)});\n' for name, value in settings.items())
    (folder / "user.js").write_text("".join(lines), encoding="utf-8")
    with _running(program, "--headless", "--marionette", "--profile", str(folder), home=folder):
        yield Firefox(port)


@contextmanager
def webkit(folder: Path) -> Iterator[Engine]:
    """Run WebKitGTK on a screen of its own, with its data in a folder."""
    port = _free_port()
    with _running("xvfb-run", "-a", "WebKitWebDriver", f"--port={port}", home=folder):
        yield WebKit(port)


@contextmanager
def _running(*command: str, home: Path) -> Iterator[None]:
    """Run a program, and end it with all processes that it has started."""
    environment = {**os.environ, "HOME": str(home), "LANG": "en_GB.UTF-8"}
    log = (home / "log").open("wb")
    with (
        log,
        subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, start_new_session=True
        ) as process,
    ):
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)

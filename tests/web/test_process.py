"""`acres board` as a process: how it begins, what it prints, how it ends."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from time import monotonic

import pytest

from pbem.web.server import PATIENCE, open_socket
from tests.cli.using import COMMAND, ROOT, do
from tests.sample import sample
from tests.web.serving import Visitor

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent as on Unix")


@contextmanager
def started(home: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and the address that it printed."""
    command = [*COMMAND, "--home", str(home), "board", "--no-browser", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # A shell that runs tests in the background has them ignore Ctrl-C, which would be inherited.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(command, **pipes, text=True, cwd=ROOT) as process:  # type: ignore[call-overload]
        signal.signal(signal.SIGINT, before)
        try:
            line = process.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+/\?enter=\S+", line)
            assert address, process.stderr.read()
            yield process, address[0]
        finally:
            process.kill()


def led_in(address: str) -> tuple[Visitor, str]:
    """A browser that came in by that address, and the page to which it was led."""
    port, path = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/.*)", address).groups()  # type: ignore[union-attr]
    answer = Visitor(int(port)).ask(path)
    assert answer.status == 303
    browser = Visitor(int(port), answer.headers["set-cookie"].partition(";")[0])
    return browser, answer.headers["location"]


def came_in(address: str) -> Visitor:
    """A browser that came in by that address."""
    return led_in(address)[0]


def test_answers_are_not_held_back_by_the_system() -> None:
    """Not even those in two pieces: a browser may wait for 40 ms before it confirms the first."""
    with (
        open_socket() as at,
        socket.create_connection(at.getsockname()),
        at.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_ctrl_c_ends_it_at_once_and_nothing_secret_was_printed(anna: Path) -> None:
    with started(anna / "home") as (process, address):
        browser = came_in(address)
        assert "Béla" in browser.ask("/").text
        assert browser.ask("/nowhere").status == 404
        # Two streams that nobody reads, as pages keep them.
        with browser.streaming("/events"), browser.streaming("/events"):
            began = monotonic()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
            assert monotonic() - began < PATIENCE
    assert process.returncode == 130
    assert out == ""
    assert err.strip() == "acres: Stopped. Everything that was signed is saved."


def test_two_of_them_serve_the_same_games(anna: Path) -> None:
    with started(anna / "home") as (_, one), started(anna / "home") as (_, other):
        first, second = came_in(one), came_in(other)
        assert first.ask("/").text == second.ask("/").text
        assert second.ask("/", cookie=f"{first.cookie}").status == 403


@pytest.mark.parametrize("kind", sample(["file", "letter", "invitation"], first=1))
def test_a_file_opens_its_game_however_it_came(own: Path, kind: str) -> None:
    file = own / "first-001.toml"
    if kind == "letter":
        message = EmailMessage()
        message.set_content("Here it is.\n")
        message.add_attachment(file.read_bytes(), maintype="text", subtype="x", filename="a.toml")
        file = own / "letter.eml"
        file.write_bytes(message.as_bytes())
    elif kind == "invitation":
        file = own / "third-000.toml"
        do("new", "--side", "french", "--lists", 1, "--output", file, home=own / "bela")
    with started(own / "home", str(file)) as (_, address):
        browser, path = led_in(address)
        assert path.startswith("/games/")
        assert path in browser.ask("/").text


def test_an_invitation_is_there_for_whoever_is_new(own: Path) -> None:
    file = own / "third-000.toml"
    do("new", "--side", "french", "--lists", 1, "--output", file, home=own / "bela")
    with started(own / "new", str(file)) as (_, address):
        browser, path = led_in(address)
        assert browser.ask(path).headers["location"] == "/welcome"
        do("init", "--name", "Carla", home=own / "new")
        assert "Béla &lt;b&gt;" in browser.ask("/").text


def test_a_file_opens_its_game_where_nothing_is_listed_yet(tmp_path: Path) -> None:
    practice = ROOT / "saves" / "practice"
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(practice / "british" / "identity.toml", home)
    file = shutil.copy(practice / "game-041.toml", tmp_path)
    with started(home, str(file)) as (_, address):
        browser, path = led_in(address)
        page = browser.ask(path)
        assert page.status == 200
        assert "block with a card" in page.text
        assert path in browser.ask("/").text

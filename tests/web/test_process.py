"""`acres board`: the page that it opens, its output, and its end."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
from email.message import EmailMessage
from pathlib import Path
from time import monotonic

import pytest

from pbem.web.server import STOP_SECONDS, LocalHost, open_socket
from tests.cli.commands import COMMAND, ROOT, do
from tests.web.serving import Serving, Visitor, serving


def test_responses_in_two_pieces_are_not_delayed() -> None:
    """Without TCP_NODELAY the second piece waits for the browser, up to 40 ms."""
    with (
        open_socket() as connection,
        socket.create_connection(connection.getsockname()),
        connection.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are sent as on Unix")
def test_ctrl_c_ends_the_server_at_once_without_printing_secrets(anna: Path) -> None:
    command = [*COMMAND, "--home", str(anna / "home"), "board", "--no-browser"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # A shell that runs tests in the background ignores Ctrl-C, and the process inherits this.
    session_count = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(command, **pipes, text=True, cwd=ROOT) as process:  # type: ignore[call-overload]
        signal.signal(signal.SIGINT, session_count)
        try:
            line = process.stdout.readline()
            link = re.search(r"http://127\.0\.0\.1:(\d+)(/\?enter=\S+)", line)
            assert link, process.stderr.read()
            assert "until you close the last page or press Ctrl-C" in line
            answer = Visitor(int(link[1])).ask(link[2])
            browser = Visitor(int(link[1]), answer.headers["set-cookie"].partition(";")[0])
            assert "Béla" in browser.ask("/").text
            # Two streams without a reader, as pages keep them.
            with browser.streaming("/events"), browser.streaming("/events"):
                began = monotonic()
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=60)
                assert monotonic() - began < STOP_SECONDS
        finally:
            process.kill()
    assert (process.returncode, out) == (130, "")
    assert err.strip() == "acres: Stopped. Everything that was signed is saved."


def test_two_servers_share_games_but_not_cookies(served: Serving, anna: Path) -> None:
    with serving(anna / "home") as port:
        first, second = served.browser(), port.browser()
        first_page, second_page = first.ask("/").text, second.ask("/").text
        assert first_page.replace(served.access.key, port.access.key) == second_page != first_page
        assert second.ask("/", cookie=first.cookie).status == 403


# --- the page of a file


def page_of(file: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, LocalHost]:
    """Run the command without serving. Return the path that it opens, and its host."""
    hosts: list[LocalHost] = []

    class Idle:
        def __init__(self, host: LocalHost) -> None:
            hosts.append(host)

        def run(self, sockets: list[socket.socket]) -> None:
            pass

    monkeypatch.setattr("pbem.cli.board_server.PageServer", Idle)
    token = re.search(r"\?enter=(\S+)", do("board", file, "--no-browser", home=home).out)
    assert token
    return str(hosts[0].access.redeem(token[1])), hosts[0]


@pytest.mark.parametrize("kind", ["file", "letter", "invitation"])
def test_file_opens_its_game(own: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
    path, host = page_of(file, own / "home", monkeypatch)
    assert path in [f"/games/{entries.id.hex()}" for entries in host.pages.service.games()]


def test_newcomer_finds_the_invitation(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = own / "third-000.toml"
    do("new", "--side", "french", "--lists", 1, "--output", file, home=own / "bela")
    path, host = page_of(file, own / "new", monkeypatch)
    assert path == "/"
    do("init", "--name", "Carla", home=own / "new")
    assert [entries.game.opponent for entries in host.pages.service.games()] == ["Béla <b>"]


def test_file_opens_its_game_if_none_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    practice, home = ROOT / "saves" / "practice", tmp_path / "home"
    home.mkdir()
    shutil.copy(practice / "british" / "identity.toml", home)
    path, host = page_of(Path(shutil.copy(practice / "game-041.toml", tmp_path)), home, monkeypatch)
    (entries,) = host.pages.service.games()
    assert path == f"/games/{entries.id.hex()}"
    assert host.pages.service.open(entries.id.hex()).game.match.is_joined

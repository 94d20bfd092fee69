"""Other users of this computer can reach the port, and get no answer."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from pbem.web import server
from pbem.web.server import TABLES, is_stranger
from tests.web.serving import Serving

OWN = getattr(os, "geteuid", lambda: 0)()
OTHER = OWN + 1000
REMOTE, LOCAL = ("127.0.0.1", 40000), ("127.0.0.1", 5000)
IPV4, IPV6 = "0100007F", "0000000000000000FFFF00000100007F"


def table(folder: Path, address: str, state: str, *rows: tuple[int, int, int]) -> list[Path]:
    """Return a list of connections in Linux's format, with rows of two ports and a user id."""
    head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"
    lines = (
        f"   0: {address}:{port:04X} {address}:{own_port:04X} {state} 00000000:00000000 "
        f"00:00000000 00000000 {uid:>5}        0 12345 1\n"
        for port, own_port, uid in rows
    )
    path = folder / "tcp"
    path.write_text(head + "".join(lines))
    return [path]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="a system without user ids")
@pytest.mark.parametrize(
    ("uid", "state", "address", "expected"),
    [
        (OTHER, "01", IPV4, True),
        (OTHER, "01", IPV6, True),
        (OWN, "01", IPV4, False),
        (0, "01", IPV6, False),
        # Linux lists root as the owner of a closed connection.
        (0, "05", IPV4, OWN != 0),
    ],
)
def test_connections_of_other_users_are_recognized(
    tmp_path: Path,
    uid: int,
    state: str,
    address: str,
    expected: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "_ask_kernel", lambda *_: None)
    tables = table(tmp_path, address, state, (40000, 5000, uid), (5000, 40000, OWN))
    assert is_stranger(REMOTE, LOCAL, tables) == expected


def test_unreadable_connection_lists_refuse_no_connection(tmp_path: Path) -> None:
    assert not is_stranger(REMOTE, LOCAL, [tmp_path / "none"])
    (tmp_path / "odd").write_text("a\nb c\n 0: a:9C40 b:1388 1 1 1 1 x\n")
    assert not is_stranger(REMOTE, LOCAL, [tmp_path / "odd"])


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or OWN != 0 or not TABLES[0].exists(),
    reason="only root can change its user id, and Linux lists the owners of connections",
)
@pytest.mark.parametrize("host", ["127.0.0.1", "::ffff:127.0.0.1"])
def test_another_user_gets_no_response_and_costs_no_list_of_connections(
    served: Serving, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_owners", None)
    assert bytes_answered(served.port, host, as_user=0) > 0
    assert bytes_answered(served.port, host, as_user=65534) == 0


def bytes_answered(port: int, host: str, *, as_user: int) -> int:
    """Return the number of bytes, at most 100, of the response to a process of a user."""
    child = os.fork()
    if child == 0:
        count = 255
        try:
            os.setuid(as_user)
            with socket.create_connection((host, port), timeout=60) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                count = len(connection.recv(100))
        except ConnectionError:
            count = 0
        finally:
            os._exit(count)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

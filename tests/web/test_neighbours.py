"""Other users of the same host reach the port, and get no answer there."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from pbem.web.server import TABLES, is_stranger
from tests.web.serving import Serving

HEAD = (
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout\n"
)
ROW = (
    "   0: {one} {other} {state} 00000000:00000000 00:00000000 00000000 {uid:>5}        0 12345 1\n"
)


def table(
    folder: Path, *rows: tuple[int, int, int], address: str = "0100007F", state: str = "01"
) -> Path:
    """A list of connections as Linux has it: from a port, to a port, whose."""
    path = folder / "tcp"
    told = (
        ROW.format(one=f"{address}:{one:04X}", other=f"{address}:{other:04X}", uid=uid, state=state)
        for one, other, uid in rows
    )
    path.write_text(HEAD + "".join(told))
    return path


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="a system without user ids")
@pytest.mark.parametrize("address", ["0100007F", "0000000000000000FFFF00000100007F"])
def test_another_user_is_a_stranger(tmp_path: Path, address: str) -> None:
    own, other = os.geteuid(), os.geteuid() + 1000
    rows = [(40000, 5000, other), (5000, 40000, own), (40001, 5000, own), (40002, 5000, 0)]
    listed = [table(tmp_path, *rows, address=address)]
    assert is_stranger(40000, 5000, listed)
    assert not is_stranger(40001, 5000, listed)
    assert not is_stranger(40002, 5000, listed)


def test_who_has_left_already_is_one(tmp_path: Path) -> None:
    """Linux says of a connection that its owner has closed that it is of root."""
    listed = [table(tmp_path, (40000, 5000, 0), state="05")]
    assert is_stranger(40000, 5000, listed) == (hasattr(os, "geteuid") and os.geteuid() != 0)


def test_where_nobody_can_tell_nobody_is_one(tmp_path: Path) -> None:
    assert not is_stranger(40000, 5000, [tmp_path / "none"])
    (tmp_path / "odd").write_text("a\nb c\n 0: a:9C40 b:1388 1 1 1 1 x\n")
    assert not is_stranger(40000, 5000, [tmp_path / "odd"])


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or not TABLES[0].exists(),
    reason="only root can be somebody else, and Linux tells who is who",
)
def test_another_user_gets_no_answer(served: Serving) -> None:
    assert bytes_answered(served.port, as_user=0) > 0
    assert bytes_answered(served.port, as_user=65534) == 0


def bytes_answered(port: int, *, as_user: int) -> int:
    """How many bytes, up to a hundred, a process of that user is answered."""
    child = os.fork()
    if child == 0:
        heard = 255
        try:
            os.setuid(as_user)
            with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                heard = len(connection.recv(100))
        except ConnectionError:
            heard = 0
        finally:
            os._exit(heard)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

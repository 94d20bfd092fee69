"""Dovecot, a real IMAP server, on loopback, as an ordinary user in a folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from time import sleep

from tests.mail.certificates import Certificate

START_SECONDS = 60
DATA = Path(__file__).parent / "data"
_PLACES = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin")

_SECONDS = count(10**9)


def program() -> str | None:
    """Return the path of Dovecot, or None if it is not installed."""
    return shutil.which("dovecot", path=os.pathsep.join((os.environ.get("PATH", ""), *_PLACES)))


class Dovecot:
    """A running server: its ports, and its users, each with a Maildir.

    The port `plain` offers STARTTLS, and accepts a login without it too; `tls` is encrypted from
    the start.
    """

    def __init__(self, folder: Path, plain: int, tls: int) -> None:
        self.folder = folder
        self.plain = plain
        self.tls = tls

    def add_user(self, name: str, password: str) -> None:
        """Add a user with an empty inbox, or change the password of a user."""
        path = self.folder / "users"
        before = int(path.stat().st_mtime)
        others = [line for line in path.read_text().splitlines() if not line.startswith(f"{name}:")]
        path.write_text("\n".join([*others, f"{name}:{{PLAIN}}{password}", ""]))
        # They are read again where the time of change is another one, in whole seconds, and at most
        # once a second.
        os.utime(path, times=(before + 1, before + 1))
        ends = time.monotonic() + START_SECONDS
        while not self.accepts_password(name, password):
            assert time.monotonic() < ends, f"Dovecot does not let {name} in"
            sleep(0.1)

    def accepts_password(self, name: str, password: str) -> bool:
        """Return True if the server already accepts this password."""
        credentials = b64encode(f"\0{name}\0{password}".encode())
        with socket.create_connection(("127.0.0.1", self.plain), START_SECONDS) as client:
            client.sendall(b"a AUTHENTICATE PLAIN " + credentials + b"\r\n")
            lines = iter(client.makefile("rb"))
            return next(line for line in lines if line.startswith(b"a ")).startswith(b"a OK")

    def maildir(self, name: str) -> Path:
        """Return the Maildir of a user."""
        return self.folder / "mail" / name

    def deliver(self, name: str, message: bytes) -> None:
        """Put a message into the inbox of a user, as a mail system does."""
        maildir = self.maildir(name)
        for below in ("", "tmp", "new", "cur"):
            folder = maildir / below
            folder.mkdir(exist_ok=True)
            self.chown_to_server(folder)
        with tempfile.NamedTemporaryFile(dir=maildir / "tmp", delete=False) as file:
            file.write(message)
        # Messages get their numbers by the seconds in their names, whatever the clock says.
        path = Path(file.name)
        self.chown_to_server(path)
        path.rename(maildir / "new" / f"{next(_SECONDS)}.{path.name}.test")

    def messages(self, name: str) -> list[bytes]:
        """Return the messages in the inbox of a user, in order of arrival."""
        paths = [*self.maildir(name).glob("new/*"), *self.maildir(name).glob("cur/*")]
        return [path.read_bytes() for path in sorted(paths, key=lambda path: path.name)]

    def clear(self, name: str) -> None:
        """Remove all messages from the inbox of a user."""
        for path in (*self.maildir(name).glob("new/*"), *self.maildir(name).glob("cur/*")):
            path.unlink()

    @staticmethod
    def chown_to_server(path: Path) -> None:
        """Make the server's user the owner of a file that this process wrote."""
        user = _user()
        if user is not None:
            os.chown(path, user.pw_uid, user.pw_gid)


@contextmanager
def dovecot(certificate: Certificate) -> Iterator[Dovecot]:
    """Run a server with a certificate until the end of the block."""
    executable = program()
    assert executable is not None
    # Not where pytest has its folders, which are for whoever runs it alone.
    with tempfile.TemporaryDirectory(prefix="acres-dovecot-") as place:
        server = Dovecot(Path(place), *free_ports(2))
        config = _write_config(server, certificate, executable)
        user = _user()
        process = subprocess.Popen(
            [executable, "-F", "-c", str(config)],
            cwd=place,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=None if user is None else user.pw_uid,
            group=None if user is None else user.pw_gid,
            extra_groups=None if user is None else [],
        )
        try:
            _wait_for(server, process)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(START_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _write_config(server: Dovecot, certificate: Certificate, executable: str) -> Path:
    """Write the configuration of a server, and return its path."""
    folder = server.folder
    for path in (folder, folder / "run", folder / "mail"):
        path.mkdir(exist_ok=True)
    user = _user() or pwd.getpwuid(os.geteuid())
    copied = Certificate(folder / "server.crt", folder / "server.key")
    copied.chain.write_bytes(certificate.chain.read_bytes())
    copied.key.write_bytes(certificate.key.read_bytes())
    (folder / "users").touch()
    is_new = _version(executable) >= (2, 4)
    # The version of the configuration has to come first.
    names = ("2.4", "common") if is_new else ("common", "2.3")
    text = "".join((DATA / f"dovecot-{name}.conf").read_text() for name in names)
    config = folder / "dovecot.conf"
    config.write_text(
        text.format(
            folder=folder,
            user=user.pw_name,
            group=_group(user),
            plain=server.plain,
            tls=server.tls,
            certificate=copied,
        )
    )
    for path in (folder, *folder.iterdir()):
        server.chown_to_server(path)
    return config


def _version(executable: str) -> tuple[int, ...]:
    output = subprocess.run(
        [executable, "--version"], capture_output=True, text=True, check=True
    ).stdout
    return tuple(map(int, output.split()[0].split(".")[:2]))


def _user() -> pwd.struct_passwd | None:
    """Return the user for the server if the tests run as root, which Dovecot refuses."""
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else None


def _group(user: pwd.struct_passwd) -> str:
    import grp

    return grp.getgrgid(user.pw_gid).gr_name


def free_ports(count: int) -> list[int]:
    """Return ports of loopback on which no server listens now."""
    sockets = [socket.socket() for _ in range(count)]
    for sock in sockets:
        sock.bind(("127.0.0.1", 0))
    ports = [sock.getsockname()[1] for sock in sockets]
    for sock in sockets:
        sock.close()
    return ports


def _wait_for(server: Dovecot, process: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + START_SECONDS
    while time.monotonic() < ends and process.poll() is None:
        with (
            suppress(OSError),
            socket.create_connection(("127.0.0.1", server.plain), 1) as connection,
        ):
            if connection.recv(4) == b"* OK":
                return
        sleep(0.05)
    log = server.folder / "log"
    raise RuntimeError(log.read_text() if log.exists() else "Dovecot does not start")

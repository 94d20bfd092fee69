"""A bench at which a mail program is tried: a letter with a file, a place for what comes out."""

from __future__ import annotations

import mailbox
import os
import pwd
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope, Session

from pbem.errors import Unreadable
from pbem.mail.draft import as_handed_over, as_marked
from pbem.mail.drafting import drafted
from pbem.mail.taking import all_files
from pbem.play.game_file import GameFile
from tests.mail.dovecot import free_ports

FILE = Path(__file__).parents[1] / "corpus" / "invitation.toml"
ANNA, BELA = "anna@example.org", "bela@example.org"
LONGEST = 60.0
"""How many seconds a program has for one step."""


class Bench:
    """A letter with `FILE` from Anna to Bela, and a folder that is the home of whoever tries."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "invitation.toml"
        self.file.write_bytes(FILE.read_bytes())
        self.sink = folder / "sink"
        self._sent = folder / "sent.eml"
        self.sink.write_text(
            f"#!/bin/sh\ncat > '{folder}/going' && mv '{folder}/going' '{self._sent}'\n"
        )
        self.sink.chmod(0o755)
        match = GameFile.read(FILE.read_bytes()).match
        # In two languages, one of them beyond ASCII.
        self._letter = drafted(match, FILE.read_bytes(), FILE.name, BELA, ANNA, language="fr")

    # --- what goes in

    def letter(self) -> Path:
        """The draft for a program that is handed a letter."""
        return self.kept("letter", as_handed_over(self._letter))

    def draft(self) -> Path:
        """The draft for a program that opens files."""
        return self.kept("draft.eml", as_marked(self._letter))

    def arrived(self) -> bytes:
        """The letter as it lies in a mailbox."""
        return b"Return-Path: <anna@example.org>\n" + as_handed_over(self._letter)

    def mbox(self, name: str = "inbox") -> Path:
        """A mailbox with the letter in it."""
        box = mailbox.mbox(self.folder / name)
        box.add(self.arrived())
        box.close()
        return self.folder / name

    @contextmanager
    def server(self) -> Iterator[int]:
        """A mail server that takes what is sent; at which port of this computer."""
        bench = self

        class Handler:
            async def handle_DATA(  # noqa: N802 - so aiosmtpd calls it
                self, server: Any, session: Session, envelope: Envelope
            ) -> str:
                bench.kept("sent.eml", (envelope.original_content or b"").replace(b"\r\n", b"\n"))
                return "250 OK"

        (port,) = free_ports(1)
        controller = Controller(Handler(), hostname="127.0.0.1", port=port)
        controller.start()
        try:
            yield port
        finally:
            controller.stop()

    def kept(self, name: str, data: bytes) -> Path:
        """A file in the folder with that content."""
        path = self.folder / name
        path.write_bytes(data)
        return path

    # --- what comes out

    def sent(self, path: Path | None = None) -> Path:
        """What the program has sent, or a file that it writes, once that is there."""
        path, ends = path or self._sent, time.monotonic() + LONGEST
        before = 0
        while not before or before != path.stat().st_size:
            assert time.monotonic() < ends, f"There never was {path.name}"
            before = path.stat().st_size if path.exists() else 0
            # Some make the file first, and write into it later.
            time.sleep(1 if before else 0.1)
        return path

    def run(self, *command: str | Path, given: str | bytes = b"", **variables: str) -> bytes:
        """Run a command to its end; what it prints."""
        data = given.encode() if isinstance(given, str) else given
        done = subprocess.run(
            list(map(str, command)),
            input=data,
            capture_output=True,
            cwd=self.folder,
            env=self.environment | variables,
            timeout=LONGEST,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @property
    def servant(self) -> str:
        """In whose name Exim writes: never in that of root."""
        return pwd.getpwuid(os.geteuid()).pw_name if os.geteuid() else "Debian-exim"

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a program that is tried: nothing of whoever runs this."""
        kept = {name: os.environ[name] for name in ("PATH", "DISPLAY") if name in os.environ}
        return {"HOME": str(self.folder), "LANG": "C.UTF-8", "TERM": "xterm-256color"} | kept


def hashes(found: Path) -> list[str]:
    """The hash of each file that is taken out of a letter or a mailbox; none where it has none."""
    try:
        return [sha256(given.data).hexdigest() for given, _ in all_files(found, lambda said: None)]
    except Unreadable:
        return []


HASH = sha256(FILE.read_bytes()).hexdigest()

"""A mail server for a script: SMTP and IMAP on loopback, with mailboxes for some players.

It runs if a step of the script names one of its `ports`, for example `{imaps}`; recordings have the
same names. It trusts `authority.pem`. Its own lines are:

- `!deliver anna@example.org letter.eml…` delivers messages;
- `!folder anna@example.org Sent` makes a folder in a mailbox;
- `!matter refuses "450 4.3.2 Busy"` sets a fault for later steps (`FAULTS`).

A message sent by SMTP arrives at the end of its step, by the clock of the script. The network
traffic is not recorded.
"""

from __future__ import annotations

import getpass
import logging
import os
import shlex
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from email import message_from_bytes, policy
from pathlib import Path
from unittest.mock import patch

import keyring
from keyring.backend import KeyringBackend

from tests.mail.certificates import Authority
from tests.mail.dovecot import dovecot
from tests.mail.servers import PostOffice, post_office

ADDRESSES = [f"{name}@example.org" for name in ("anna", "bela", "carl", "robot")]
PASSWORD = "correct-horse"
PORTS = ("smtps", "imaps", "smtp", "imap")
FOLDERS = {"INBOX": ".", "Sent": ".Sent"}
"""Folders of a mailbox, with their paths in a Maildir."""
FAULTS = {"refuses": "recipient_refusal", "spurns": "message_refusal", "hangs_up": "hangs_up"}
"""The words of `!matter`, with the attributes that they set."""
logging.getLogger("mail").addHandler(logging.NullHandler())


class MailServer:
    """The server of a running script; `ports` are the port numbers by their names in braces."""

    def __init__(self, office: PostOffice) -> None:
        self._office = office
        self._listed: dict[str, str] = {}
        # Sent messages wait for the end of the step.
        office.faults.holds_mail = True
        self.ports = {f"{{{name}}}": str(getattr(office, name)) for name in PORTS}

    def change(self, line: str) -> bool:
        """Execute a step for the server, or return False for any other step."""
        if not line.startswith(("!deliver ", "!folder ", "!matter ")):
            return False
        word, first, *others = shlex.split(line)
        match word:
            case "!deliver":
                self._office.faults.waiting += [(first, Path(name).read_bytes()) for name in others]
            case "!folder":
                for name in ("", "cur", "new", "tmp"):
                    path = self._office.dovecot.maildir(first) / f".{others[0]}" / name
                    path.mkdir()
                    self._office.dovecot.chown_to_server(path)
            case "!matter":
                setattr(self._office.faults, FAULTS[first], others[0])
        return True

    def deliver(self, time: datetime) -> dict[str, bytes]:
        """Deliver waiting messages, and return them with the senders of their envelopes."""
        recording, before = {}, self._unseen()
        for number, (address, data) in enumerate(self._office.faults.waiting, 1):
            recording[f"message {number} to {address}"] = data.replace(b"\r\n", b"\n")
            self._office.deliver(address, data)
        self._office.faults.waiting.clear()
        # The server searches by the dates of the files.
        for path in self._unseen() - before:
            os.utime(path, (time.timestamp(), time.timestamp()))
        if self._office.senders:
            recording["senders"] = "".join(
                f"{sender}\n" for sender in self._office.senders
            ).encode()
            self._office.senders.clear()
        return recording

    def mailbox_changes(self) -> dict[str, str]:
        """Return the changed folders, with the subject and flags of each message."""
        recording = {}
        for address in ADDRESSES:
            for name, folder in FOLDERS.items():
                maildir = self._office.dovecot.maildir(address) / folder
                paths = [*maildir.glob("new/*"), *maildir.glob("cur/*")]
                lines = map(_list_message, sorted(paths, key=lambda path: path.name))
                text, place = "".join(lines), f"mailbox {address} {name}"
                if text != self._listed.get(place, ""):
                    self._listed[place] = recording[place] = text
        return recording

    def _unseen(self) -> set[Path]:
        return {*self._office.dovecot.folder.glob("mail/*/new/*")}


@contextmanager
def mail_server(folder: Path) -> Iterator[MailServer]:
    """Run a server whose certificate and authority are in a folder."""
    authority = Authority(folder)
    certificate = authority.issue("server")
    with (
        warnings.catch_warnings(action="ignore", category=UserWarning),
        patch.object(getpass, "getpass", _read_secret),
        dovecot(certificate) as imap,
        post_office(authority, imap, certificate) as office,
    ):
        # Closing them one by one would take a second each.
        lines = [f"{address}:{{PLAIN}}{PASSWORD}\n" for address in ADDRESSES]
        (imap.folder / "users").write_text("".join(lines))
        office.passwords.update(dict.fromkeys(ADDRESSES, PASSWORD))
        assert all(imap.accepts_password(address, PASSWORD) for address in ADDRESSES)
        before = keyring.get_keyring()
        keyring.set_keyring(_Keyring())
        try:
            yield MailServer(office)
        finally:
            keyring.set_keyring(before)


class _Keyring(KeyringBackend):
    """A keyring for one script."""

    priority = 1

    def __init__(self) -> None:
        self._passwords: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self._passwords.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._passwords[service, username] = password


def _read_secret(prompt: str) -> str:
    """Return the next line of standard input instead of reading the terminal."""
    print(prompt)
    if line := sys.stdin.readline():
        return line.rstrip("\n")
    raise EOFError


def _list_message(path: Path) -> str:
    subject = message_from_bytes(path.read_bytes(), policy=policy.default)["Subject"]
    return f"{subject} [{path.name.partition(':2,')[2]}]\n"

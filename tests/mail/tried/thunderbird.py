"""Thunderbird, in its windows, whose commands are given by Marionette.

That is the protocol by which Mozilla tests its programs: JSON over TCP.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tests.mail.dovecot import free_ports
from tests.mail.tried.bench import ANNA, BELA, LONGEST, Bench
from tests.mail.tried.desktop import Desktop

_SETTINGS: dict[str, object] = {
    "mail.accountmanager.accounts": "account1,account2",
    "mail.accountmanager.defaultaccount": "account1",
    "mail.accountmanager.localfoldersserver": "server2",
    "mail.account.account1.server": "server1",
    "mail.account.account1.identities": "id1",
    "mail.account.account2.server": "server2",
    "mail.server.server1.type": "pop3",
    "mail.server.server1.name": BELA,
    "mail.server.server1.hostname": "127.0.0.1",
    "mail.server.server1.userName": "bela",
    "mail.server.server1.login_at_startup": False,
    "mail.server.server2.type": "none",
    "mail.server.server2.name": "Local Folders",
    "mail.server.server2.hostname": "Local Folders",
    "mail.server.server2.userName": "nobody",
    "mail.identity.id1.fullName": "Bela",
    "mail.identity.id1.useremail": BELA,
    "mail.identity.id1.valid": True,
    "mail.identity.id1.smtpServer": "smtp1",
    "mail.identity.id1.fcc": False,
    "mail.identity.id1.compose_html": False,
    "mail.smtpservers": "smtp1",
    "mail.smtp.defaultserver": "smtp1",
    "mail.smtpserver.smtp1.hostname": "127.0.0.1",
    "mail.smtpserver.smtp1.authMethod": 1,
    "mail.smtpserver.smtp1.try_ssl": 0,
    "mail.smtpserver.smtp1.hello_argument": "example.org",
    "mail.compose.attachment_reminder": False,
    "mail.provider.suppress_dialog_on_startup": True,
    "mail.shell.checkDefaultClient": False,
    "mailnews.start_page.enabled": False,
    "app.donation.eoy.version.viewed": 999,
    "app.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.connectivity-service.enabled": False,
}
_LISTENS = {"MOZ_MARIONETTE": "1", "MOZ_REMOTE_ALLOW_SYSTEM_ACCESS": "1"}
"""As options they would keep it from opening a file."""
_IS_THERE = "return Services.wm.getMostRecentWindow(arguments[0]) !== null"
_COMMAND = "Services.wm.getMostRecentWindow(arguments[0]).goDoCommand(arguments[1])"
_SAVE = """
Services.wm.getMostRecentWindow(arguments[0]).messageBrowser.contentWindow
  .HandleAllAttachments("save")
"""
_COMPOSING, _READING = "msgcompose", "mail:messageWindow"


class Thunderbird:
    """Thunderbird, which is given files to open."""

    def draft(self, bench: Bench) -> Path:
        with self._opened(bench, bench.draft()) as (driver, _):
            return self._sent(bench, driver)

    def reply(self, bench: Bench) -> Path:
        with self._opened(bench, bench.kept("arrived.eml", bench.arrived())) as (driver, desktop):
            driver.command(_READING, "cmd_reply")
            driver.wait_for(_COMPOSING)
            driver.command(_COMPOSING, "cmd_attachFile")
            desktop.at("Attach")
            desktop.choose(bench.file)
            return self._sent(bench, driver)

    def forward(self, bench: Bench, command: str = "cmd_forwardInline") -> Path:
        with self._opened(bench, bench.kept("arrived.eml", bench.arrived())) as (driver, desktop):
            driver.command(_READING, command)
            driver.wait_for(_COMPOSING)
            desktop.at("Write: Fwd")
            desktop.type(f"{ANNA}\n")
            return self._sent(bench, driver)

    def attached(self, bench: Bench) -> Path:
        return self.forward(bench, "cmd_forwardAttachment")

    def letter(self, bench: Bench) -> Path:
        kept = bench.folder / "kept.eml"
        with self._opened(bench, bench.kept("arrived.eml", bench.arrived())) as (driver, desktop):
            driver.command(_READING, "cmd_saveAsFile")
            desktop.at("Save")
            desktop.press("ctrl+a")
            desktop.choose(kept)
            return bench.sent(kept)

    def file(self, bench: Bench) -> Path:
        chosen = bench.folder / "chosen"
        chosen.mkdir()
        with self._opened(bench, bench.kept("arrived.eml", bench.arrived())) as (driver, desktop):
            driver.save_attachments(_READING)
            desktop.at("Save")
            desktop.choose(chosen)
            return bench.sent(chosen / bench.file.name)

    def _sent(self, bench: Bench, driver: _Marionette) -> Path:
        driver.wait_for(_COMPOSING)
        driver.command(_COMPOSING, "cmd_sendNow")
        return bench.sent()

    @contextmanager
    def _opened(self, bench: Bench, file: Path) -> Iterator[tuple[_Marionette, Desktop]]:
        profile = bench.folder / "profile"
        profile.mkdir()
        (port,) = free_ports(1)
        with bench.server() as smtp:
            ports = {"mail.smtpserver.smtp1.port": smtp, "marionette.port": port}
            settings = {**_SETTINGS, **ports}
            lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in settings.items()]
            (profile / "user.js").write_text("".join(lines))
            command = ("thunderbird", "--profile", profile, file)
            with Desktop(bench, *command, **_LISTENS) as desktop, _Marionette(port) as driver:
                driver.wait_for(_COMPOSING if file.name == "draft.eml" else _READING)
                yield driver, desktop


class _Marionette:
    """A connection to a program of Mozilla's that waits at that port for commands."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._numbers = count(1)

    def __enter__(self) -> _Marionette:
        ends = time.monotonic() + LONGEST
        while True:
            try:
                self._door = socket.create_connection(("127.0.0.1", self._port), LONGEST)
                break
            except OSError:
                assert time.monotonic() < ends, "Thunderbird does not listen"
                time.sleep(0.2)
        self._stream = self._door.makefile("rb")
        self._read()
        self._ask("WebDriver:NewSession", {})
        self._ask("Marionette:SetContext", {"value": "chrome"})
        return self

    def __exit__(self, *failure: object) -> None:
        self._stream.close()
        self._door.close()

    def wait_for(self, window: str) -> None:
        """Wait until there is a window of that type, which waits for commands."""
        ends = time.monotonic() + LONGEST
        while not self._run(_IS_THERE, window):
            assert time.monotonic() < ends, f"There never was a window {window}"
            time.sleep(0.2)
        # Nothing tells when it has read what it shows.
        time.sleep(3)

    def command(self, window: str, command: str) -> None:
        """Have a window do what a menu or a key would."""
        self._run(_COMMAND, window, command)

    def save_attachments(self, window: str) -> None:
        """Press the button beside the attached files of a letter."""
        self._run(_SAVE, window)

    def _run(self, script: str, *words: str) -> Any:
        given = {"script": script, "args": words, "sandbox": "system"}
        return self._ask("WebDriver:ExecuteScript", given)["value"]

    def _ask(self, name: str, given: dict[str, Any]) -> Any:
        data = json.dumps([0, next(self._numbers), name, given]).encode()
        self._door.sendall(b"%d:%s" % (len(data), data))
        _, _, error, answer = self._read()
        assert error is None, error
        return answer

    def _read(self) -> Any:
        length = b""
        while (byte := self._stream.read(1)) != b":":
            length += byte
        return json.loads(self._stream.read(int(length)))

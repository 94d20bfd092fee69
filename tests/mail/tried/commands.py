"""Programs that are given words: s-nail, and those that only carry letters or keep them."""

from __future__ import annotations

import mailbox
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.mail.certificates import Authority
from tests.mail.dovecot import Dovecot, dovecot
from tests.mail.tried.bench import ANNA, BELA, Bench

_WORD = "zanzibar"
_S_NAIL = """
set v15-compat mta={bench.sink} from={bela} hostname=example.org sendwait
set nosave norecord quiet nohold keepsave
"""


class SNail:
    """s-nail, which reads its commands from a file as from a keyboard."""

    def draft(self, bench: Bench) -> Path:
        """It has no way to go on with a letter; it sends one on as it is."""
        return self._sent(bench, bench.mbox(), f"resend 1 {BELA}")

    def reply(self, bench: Bench) -> Path:
        return self._sent(bench, bench.mbox(), f"reply 1\nHere it is.\n~@ {bench.file}\n~.")

    def forward(self, bench: Bench) -> Path:
        return self._sent(bench, bench.mbox(), f"forward 1 {ANNA}\n~.")

    def attached(self, bench: Bench) -> Path:
        return self._sent(bench, bench.mbox(), f"set forward-as-attachment\nforward 1 {ANNA}\n~.")

    def letter(self, bench: Bench) -> Path:
        self._run(bench, bench.mbox(), f"copy 1 {bench.folder}/kept")
        return bench.folder / "kept"

    def file(self, bench: Bench) -> Path:
        self._run(bench, bench.mbox(), f"write 1 {bench.folder}/text")
        # There is a file of that name already.
        return bench.folder / f"{bench.file.name}#1.2"

    def _sent(self, bench: Bench, inbox: Path, commands: str) -> Path:
        self._run(bench, inbox, commands)
        return bench.sent()

    def _run(self, bench: Bench, inbox: Path, commands: str) -> None:
        settings = bench.folder / "settings"
        settings.write_text(_S_NAIL.format(bench=bench, bela=BELA))
        bench.run(
            "s-nail", "-#", "-:u", "-f", inbox, given=f"{commands}\nxit\n", MAILRC=str(settings)
        )


class Msmtp:
    """msmtp, which hands a letter to a server."""

    def draft(self, bench: Bench) -> Path:
        with bench.server() as port:
            settings = bench.folder / "settings"
            settings.write_text(
                f"account default\nhost 127.0.0.1\nport {port}\nfrom {ANNA}\ndomain example.org\n"
            )
            settings.chmod(0o600)
            bench.run("msmtp", "-C", settings, "-t", given=bench.letter().read_bytes())
        return bench.sent()


_EXIM = """
log_file_path = {bench.folder}/log-%s
spool_directory = {bench.folder}
primary_hostname = example.org
keep_environment =
begin routers
all:
  driver = accept
  transport = file
begin transports
file:
  driver = appendfile
  file = {bench.folder}/sent.eml
  user = {user}
"""


class Sendmail:
    """sendmail, as Exim has it."""

    def draft(self, bench: Bench) -> Path:
        settings = bench.folder / "settings"
        # It writes there in its own name.
        bench.folder.chmod(0o777)
        settings.write_text(_EXIM.format(bench=bench, user=bench.servant))
        bench.run("sendmail", "-C", settings, "-odf", "-t", given=bench.letter().read_bytes())
        return bench.sent()


@contextmanager
def _arrived(bench: Bench) -> Iterator[tuple[Dovecot, Path]]:
    """A server of Dovecot's with the letter in Bela's mailbox, and who signed its certificate."""
    authority = Authority(bench.folder)
    with dovecot(authority.signs("server")) as server:
        server.add_user(BELA, _WORD)
        server.deliver(BELA, bench.arrived())
        yield server, authority.certificate


class Getmail:
    """getmail6, which fetches letters into a Maildir."""

    def letter(self, bench: Bench) -> Path:
        fetched = bench.folder / "fetched"
        mailbox.Maildir(fetched)
        # It does not write in the name of root.
        bench.folder.chmod(0o777)
        for path in (fetched, *fetched.iterdir()):
            Dovecot.give(path)
        writer = "" if os.geteuid() else "user = nobody\n"
        with _arrived(bench) as (server, authority):
            (bench.folder / "getmailrc").write_text(
                "[retriever]\ntype = SimpleIMAPSSLRetriever\nserver = localhost\n"
                f"port = {server.tls}\nusername = {BELA}\npassword = {_WORD}\n"
                f"ca_certs = {authority}\n"
                f"[destination]\ntype = Maildir\npath = {fetched}/\n{writer}"
            )
            bench.run("getmail", "--getmaildir", bench.folder)
        return fetched


class Mbsync:
    """mbsync, which keeps a Maildir as the mailbox is."""

    def letter(self, bench: Bench) -> Path:
        with _arrived(bench) as (server, authority):
            (bench.folder / "settings").write_text(
                f"IMAPAccount bela\nHost localhost\nPort {server.tls}\nUser {BELA}\n"
                f"Pass {_WORD}\nSSLType IMAPS\nCertificateFile {authority}\n\n"
                "IMAPStore far\nAccount bela\n\n"
                f"MaildirStore near\nInbox {bench.folder}/fetched\n\n"
                "Channel all\nFar :far:\nNear :near:\nSyncState *\nPatterns INBOX\nCreate Near\n"
            )
            bench.run("mbsync", "-c", bench.folder / "settings", "-a")
        return bench.folder / "fetched"


class Notmuch:
    """notmuch, which finds letters in a Maildir and shows them."""

    def reply(self, bench: Bench) -> Path:
        self._known(bench)
        return bench.kept("reply", bench.run("notmuch", "reply", "2970cce2"))

    def letter(self, bench: Bench) -> Path:
        self._known(bench)
        return bench.kept("kept", bench.run("notmuch", "show", "--format=raw", "2970cce2"))

    def file(self, bench: Bench) -> Path:
        self._known(bench)
        parts = bench.run("notmuch", "show", "--format=json", "2970cce2").decode()
        (number,) = re.findall(r'"id": (\d+), [^{}]*"filename": "invitation.toml"', parts)
        shown = bench.run("notmuch", "show", f"--part={number}", "--format=raw", "2970cce2")
        return bench.kept("kept.toml", shown)

    def _known(self, bench: Bench) -> None:
        box = mailbox.Maildir(bench.folder / "mail")
        box.add(bench.arrived())
        (bench.folder / ".notmuch-config").write_text(
            f"[database]\npath={bench.folder}/mail\n[user]\nname=Bela\nprimary_email={BELA}\n"
        )
        bench.run("notmuch", "new")

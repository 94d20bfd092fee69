"""The settings in docs/mail.md are valid."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.mail.account import Account
from pbem.play.config import Config
from tests.requirements import require

PROJECT = Path(__file__).parents[2]
DOCUMENT = (PROJECT / "docs" / "mail.md").read_text(encoding="utf-8")


def test_documented_settings_are_valid(tmp_path: Path) -> None:
    (page,) = re.findall(r"^```toml\n(.*?)^```", DOCUMENT, re.M | re.S)
    path = tmp_path / "config.toml"
    path.write_text(page, encoding="utf-8")
    account = require(Account.from_config(Config.read(path)))
    smtp, imap = require(account.smtp), require(account.imap)
    assert (account.address, smtp.user) == ("anna@example.org", "anna")
    assert (imap.port, imap.security, account.mailbox) == (993, "tls", "Games")
    assert imap.user == "anna@example.org"

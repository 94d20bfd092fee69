"""docs/mail.md: what it lets players write, and what it quotes, the program reads and says."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from pbem.mail.account import Account
from pbem.play.config import Config
from tests.present import present

PROJECT = Path(__file__).parents[2]
DOCUMENT = (PROJECT / "docs" / "mail.md").read_text(encoding="utf-8")
TROUBLE = DOCUMENT.partition("## Trouble")[2].partition("\n## ")[0]
SAID = [row.split("|")[1].strip() for row in re.findall(r"^\| .* \|$", TROUBLE, re.M)][1:]


@cache
def sentences() -> str:
    """Every text in the rooms that mail goes through, one behind the other."""
    found = []
    for folder in ("pbem/mail", "pbem/cli/mail", "pbem/play", "pbem/text"):
        for path in sorted((PROJECT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.append(node.value)
    return " … ".join(found)


def test_the_settings_that_it_shows_are_an_account(tmp_path: Path) -> None:
    (shown,) = re.findall(r"^```toml\n(.*?)^```", DOCUMENT, re.M | re.S)
    path = tmp_path / "config.toml"
    path.write_text(shown, encoding="utf-8")
    account = present(Account.from_config(Config.read(path)))
    smtp, imap = present(account.smtp), present(account.imap)
    assert (account.address, smtp.user) == ("anna@example.org", "anna")
    assert (imap.port, imap.security, account.mailbox) == (993, "tls", "Games")
    assert imap.user == "anna@example.org"


@pytest.mark.parametrize("said", SAID)
def test_what_it_explains_the_program_says(said: str) -> None:
    texts = sentences()
    pieces = [piece.strip() for text in said.split(" / ") for piece in text.split("…")]
    for piece in pieces:
        # Numbers are filled in.
        for part in re.split(r"\d+", piece):
            assert part.strip() in texts, part

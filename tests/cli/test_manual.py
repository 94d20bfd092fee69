"""The manual page is complete, current, and readable by man."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
import typer

from pbem.cli.main import app
from tests.cli.commands import ROOT
from tools.manual import manual

PAGE = ROOT / "docs" / "acres.1"
MAIN = typer.main.get_command(app)


def plain(text: str) -> str:
    """Return the words of the page without formatting."""
    return text.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\").replace("\\&", "")


@pytest.fixture(scope="module")
def page() -> str:
    return plain(PAGE.read_text("utf-8"))


def without_brackets(page: str) -> str:
    """Return the page without brackets around values, in which versions of typer differ."""
    return re.sub(r"(?m)^\.B .*$", lambda line: re.sub(r"[][<>]", "", line[0]), page)


def test_manual_equals_the_current_commands() -> None:
    page = without_brackets(PAGE.read_text("utf-8"))
    assert page == without_brackets(manual(MAIN)), "python -m tools.manual > docs/acres.1"


def test_every_variable_is_described(page: str) -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "pbem").rglob("*.py")]
    names = {name for text in sources for name in re.findall(r'"(ACRES_[A-Z_]+)"', text)}
    environment = page.partition(".SH ENVIRONMENT")[2].partition(".SH")[0]
    assert names >= {"ACRES_HOME", "ACRES_PASSPHRASE", "ACRES_PLAIN", "ACRES_DEBUG"}
    for name in {*names, "NO_COLOR", "COLUMNS", "VISUAL", "EDITOR", "TERM"}:
        assert name in environment


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff here")
def test_groff_has_no_warning() -> None:
    result = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-rLL=78n", "-P-c", str(PAGE)],
        capture_output=True, timeout=60,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, b"")
    assert "acres turn apply" in re.sub(r".\x08", "", result.stdout.decode())

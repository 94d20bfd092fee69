"""The manual page: whole, as the commands are now, and readable by man."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from pbem.cli.help import Command
from pbem.cli.main import app
from tests.cli.using import ROOT, acres
from tools.manual import manual

PAGE = ROOT / "docs" / "acres.1"
MAIN = typer.main.get_command(app)


def plain(text: str) -> str:
    """The words of the page, without what formats them."""
    return text.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\").replace("\\&", "")


@pytest.fixture(scope="module")
def page() -> str:
    return plain(PAGE.read_text("utf-8"))


def without_brackets(page: str) -> str:
    """Leave out what typer puts around the values of an argument or option: versions differ."""
    return re.sub(r"(?m)^\.B .*$", lambda line: re.sub(r"[][<>]", "", line[0]), page)


def test_the_page_is_that_of_these_commands() -> None:
    kept, made = PAGE.read_text("utf-8"), manual(MAIN)
    assert without_brackets(kept) == without_brackets(made), "python -m tools.manual > docs/acres.1"


def commands(command: Any, *names: str) -> Iterator[tuple[tuple[str, ...], Command]]:
    below = getattr(command, "commands", ())
    if not below:
        yield names, command
    for name in below:
        yield from commands(command.get_command(None, name), *names, name)


@pytest.mark.parametrize(("names", "command"), list(commands(MAIN)), ids=str)
def test_every_option_is_described(page: str, names: tuple[str, ...], command: Any) -> None:
    section = page.partition(f'.SS "acres {" ".join(names)}"\n')[2].partition("\n.S")[0]
    # In the page each sentence is on a line of its own.
    words = " ".join(section.split()).replace("\\(lq", "“").replace("\\(rq", "”")
    for paragraph in command.help.split("\n\n"):
        assert " ".join(paragraph.split()) in words
    for parameter in command.params:
        for option in parameter.opts if parameter.param_type_name == "option" else ():
            assert option in words
        assert " ".join(parameter.help.split()) in words


def test_every_variable_that_the_program_reads_is_named(page: str) -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "pbem").rglob("*.py")]
    named = {name for text in sources for name in re.findall(r'"(ACRES_[A-Z_]+)"', text)}
    environment = page.partition(".SH ENVIRONMENT")[2].partition(".SH")[0]
    assert named >= {"ACRES_HOME", "ACRES_PASSPHRASE", "ACRES_PLAIN", "ACRES_DEBUG"}
    for name in {*named, "NO_COLOR", "COLUMNS", "VISUAL", "EDITOR", "TERM"}:
        assert name in environment


def test_every_file_that_the_program_keeps_is_named(page: str, tmp_path: Path) -> None:
    acres("init", "--name", "Zoé", home=tmp_path / "home")
    acres("new", "--side", "any", "--output", tmp_path / "game.toml", home=tmp_path / "home")
    files = page.partition(".SH FILES")[2].partition(".SH")[0]
    kept = [path.name for path in (tmp_path / "home").iterdir()]
    assert len(kept) >= 2
    for name in kept:
        assert name in files


def test_every_exit_status_is_told(page: str) -> None:
    status = page.partition(".SH EXIT STATUS")[2].partition(".SH")[0]
    assert re.findall(r"^\.B (\d+)$", status, re.M) == ["0", "1", "2", "130"]


def test_no_computer_of_a_maker_is_in_it(page: str) -> None:
    assert not re.search(r"/(root|home|Users)\b", page)


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff here")
def test_it_is_set_without_a_warning() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-rLL=78n", "-P-c", str(PAGE)],
        capture_output=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert "acres turn apply" in re.sub(r".\x08", "", done.stdout.decode())


def test_it_comes_with_the_program() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared == {"docs/acres.1": "share/man/man1/acres.1"}

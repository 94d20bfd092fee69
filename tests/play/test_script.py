"""The program of docs/play.md plays a game without a terminal, and its examples are true."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from doctest import DocTestParser, DocTestRunner
from pathlib import Path

import pytest

from pbem.play import keyfile
from pbem.play.audit import audit
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import environment

ROOT = Path(__file__).parents[2]
MOST_LINES = 40
TERMINAL = ("typer", "rich", "prompt_toolkit", "pbem.cli")


PAGE = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")


def script() -> str:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    return str(code)


@pytest.mark.slow
def test_program_plays_a_game_without_terminal_imports(tmp_path: Path) -> None:
    code = script()
    assert len(code.splitlines()) <= MOST_LINES
    report_imports = f"print(sorted(m for m in sys.modules if m.startswith({TERMINAL})))"
    result = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report_imports}", str(tmp_path), "7"],
        env=environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    won, imported = result.stdout.splitlines()
    assert won.endswith(" won")
    assert imported == "[]"
    files = sorted(tmp_path.glob("game-*.toml"))
    report = audit(files[-1].read_bytes())
    assert report.is_clean
    assert len(report.closed) == 2
    keys = {keyfile.read(tmp_path / name / "identity.toml").public_key for name in ("Anna", "Bela")}
    assert {entrant.key for entrant in report.match.entrants.values()} == keys
    assert len(files) == len(SaveFile.read(files[-1].read_bytes()).records)


def test_example_sessions_are_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "saves" / "practice", tmp_path / "practice")
    monkeypatch.chdir(tmp_path / "practice")
    # Python's output ends at the end of the block.
    text = PAGE.replace("\n```\n", "\n\n```\n")
    examples = DocTestParser().get_doctest(text, {}, "play.md", "docs/play.md", 0)
    failed, tried = DocTestRunner().run(examples)
    assert tried > 30
    assert failed == 0

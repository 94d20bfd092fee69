"""The command starts fast, because modules for single commands are imported lazily."""

from pathlib import Path

from tests.cli.commands import run_python

COSTLY = {
    "engine.state",
    "pbem.protocol.match",
    "cryptography",
    "sqlite3",
    "prompt_toolkit",
    "email",
    "ssl",
}
"""Modules that are too slow to import at every start."""
COMPLETION = {"_ACRES_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "acres "}


def modules_imported_by(program: str, **variables: str) -> set[str]:
    """Return the modules that a program has imported."""
    result = run_python(f"{program}; print(*sys.modules, file=sys.stderr)", **variables)
    return set(result.succeeds().err.split())


def test_program_imports_no_costly_modules() -> None:
    imported = modules_imported_by("import sys, pbem.cli.main")
    assert "pbem.cli.main" in imported
    assert not COSTLY & imported


def test_language_setting_imports_no_costly_modules(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('lang = "ru"\n')
    call = f"main(['--home', {str(tmp_path)!r}, '--help'])"
    imported = modules_imported_by(
        f"import sys; from pbem.cli.main import main; {call}", ACRES_LANG=""
    )
    assert "gettext" in imported
    assert not COSTLY & imported


def test_completing_command_names_imports_no_command() -> None:
    call = "from pbem.cli.main import main; main([])"
    imported = modules_imported_by(f"import sys; {call}", **COMPLETION)
    assert "pbem.cli.completion.shells" in imported
    assert not COSTLY & imported


def test_command_runs_after_its_name_was_completed() -> None:
    ask = "from pbem.cli.main import main; import os; main([])"
    call = "os.environ.pop('_ACRES_COMPLETE'); assert main(['turn', 'legal', '--help']) == 0"
    modules_imported_by(f"import sys; {ask}; {call}", **COMPLETION)

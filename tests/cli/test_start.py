"""The command starts fast: what not every command needs is imported where it is needed."""

from pathlib import Path

from tests.cli.using import python

COSTLY = {
    "engine.state",
    "pbem.protocol.match",
    "cryptography",
    "sqlite3",
    "prompt_toolkit",
    "email",
    "ssl",
}
"""Rules, proofs, library, menu, mail: each would be felt at every start."""
ASKED = {"_ACRES_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "acres "}


def imported_by(program: str, **more: str) -> set[str]:
    """The modules that a program has imported at its end, as it prints them to standard error."""
    done = python(f"{program}; print(*sys.modules, file=sys.stderr)", **more)
    return set(done.succeeds().err.split())


def test_nothing_costly_is_imported_before_it_is_known_what_to_do() -> None:
    imported = imported_by("import sys, pbem.cli.main")
    assert "pbem.cli.main" in imported
    assert not COSTLY & imported


def test_nor_is_it_to_speak_the_language_that_is_kept_with_the_settings(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('lang = "ru"\n')
    call = f"main(['--home', {str(tmp_path)!r}, '--help'])"
    imported = imported_by(f"import sys; from pbem.cli.main import main; {call}", ACRES_LANG="")
    assert "gettext" in imported
    assert not COSTLY & imported


def test_a_list_of_commands_that_a_shell_asks_for_imports_none_of_them() -> None:
    call = "from pbem.cli.main import main; main([])"
    imported = imported_by(f"import sys; {call}", **ASKED)
    assert "pbem.cli.completion.shells" in imported
    assert not COSTLY & imported


def test_a_command_runs_after_a_shell_has_asked_for_the_list() -> None:
    ask = "from pbem.cli.main import main; import os; main([])"
    call = "os.environ.pop('_ACRES_COMPLETE'); assert main(['turn', 'legal', '--help']) == 0"
    imported_by(f"import sys; {ask}; {call}", **ASKED)

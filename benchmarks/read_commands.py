"""The times of read-only commands, and the cost of drawing a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.commands import ACRES, import_only
from benchmarks.timing import Claim, compare, compare_added, run
from pbem.cli.file_argument import CHECKING, ProgressReport
from pbem.play.audit import audit
from tests.cli.commands import ROOT

SAVES = ROOT / "saves" / "practice"
FILE = str(SAVES / "game-041.toml")
LAST_FILE = str(SAVES / "game-130.toml")
HOME_OPTION = ["--home", str(SAVES / "british")]
TERMINAL = {"COLUMNS": "160", "FORCE_COLOR": "1"}
"""The environment of the widest screen in colour, with the most to draw."""
DRAW_MODE, READ_MODE = "drawing", "reading"
SCRIPT = f"""
import sys
import typer
from pbem.cli import main, show_command

mode = sys.argv.pop(1)
look_as_user, looks = show_command.look_as_user, []

def look(*arguments):
    looks.append(look_as_user(*arguments))
    if mode == "{DRAW_MODE}":
        return looks[0]
    raise typer.Exit

show_command.look_as_user = look
sys.exit(main.main(sys.argv[1:]) or not looks)
"""
"""The command, or only its first part, which reads the file and finds the viewer."""
COMMANDS: dict[str, tuple[list[str], float | None]] = {
    "--version": (["--version"], 1.1),
    "--help": (["--help"], 1.1),
    "turn show": ([*HOME_OPTION, "turn", "show", FILE], None),
    "turn show --json": ([*HOME_OPTION, "turn", "show", FILE, "--json"], None),
    "turn legal": ([*HOME_OPTION, "turn", "legal", FILE], None),
    "log": ([*HOME_OPTION, "log", FILE], None),
}
"""The arguments of each command, and the bound of its time as a multiple of importing."""
LANGUAGES = ("fr", "ru")
"""The languages compared with English, with the fewest and the most forms of names."""
TAB_LINES = {"commands": "acres tu", "orders": f"acres {' '.join(HOME_OPTION)} turn apply {FILE} "}
"""The lines to complete with TAB, by the kind of completion."""


def measure() -> Iterator[Claim]:
    """Yield each command against importing, and the cost of drawing and of other languages."""
    for name, (arguments, bound) in COMMANDS.items():

        def run_command(arguments: list[str] = arguments) -> None:
            run([*ACRES, *arguments], **TERMINAL)

        yield compare(run_command, import_only).claim(f"{name} / importing", bound)
    for language in LANGUAGES:

        def translated(language: str = language) -> None:
            run([*ACRES, "--lang", language, *HOME_OPTION, "turn", "show", FILE], **TERMINAL)

        def english() -> None:
            run([*ACRES, "--lang", "en", *HOME_OPTION, "turn", "show", FILE], **TERMINAL)

        yield compare(translated, english).claim(f"turn show in {language} / in English", 1.25)
    for name, line in TAB_LINES.items():
        variables = {"_ACRES_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": line}

        def press_tab(variables: dict[str, str] = variables) -> None:
            run(ACRES, **variables)

        yield compare(press_tab, import_only).claim(f"completing {name} / importing")
    for name, file in (("in the middle", FILE), ("at the end", LAST_FILE)):
        show = [*HOME_OPTION, "turn", "show", file]

        def draw(show: list[str] = show) -> None:
            run(["-c", SCRIPT, DRAW_MODE, *show], **TERMINAL)

        def only_read(show: list[str] = show) -> None:
            run(["-c", SCRIPT, READ_MODE, *show], **TERMINAL)

        ratio = compare_added(draw, only_read, import_only)
        claim = ratio.claim(f"turn show {name}: drawing / importing", 0.5)
        yield replace(claim, is_noise=True)
    data = Path(LAST_FILE).read_bytes()
    progress = compare(lambda: audit(data, ProgressReport(CHECKING).track), lambda: audit(data))
    yield replace(progress.claim("audit that says how far it is / audit", 1.1), is_noise=True)


if __name__ == "__main__":
    for claim in measure():
        print(claim, flush=True)

"""Read-only commands: the cost of drawing a game, and the time until each has answered."""

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
LAST = str(SAVES / "game-130.toml")
PLAYER = ["--home", str(SAVES / "british")]
TERMINAL = {"COLUMNS": "160", "FORCE_COLOR": "1"}
"""The widest screen, in colour: the largest amount to draw."""
DRAWING, READING = "drawing", "reading"
COMMAND = f"""
import sys
import typer
from pbem.cli import main, show_command

draws = sys.argv.pop(1) == "{DRAWING}"
who_looks, looked = show_command.who_looks, []

def look(*arguments):
    looked.append(who_looks(*arguments))
    if draws:
        return looked[0]
    raise typer.Exit

show_command.who_looks = look
sys.exit(main.main(sys.argv[1:]) or not looked)
"""
"""The command, or only its first part: it has read the file and knows the viewer."""
COMMANDS: dict[str, tuple[list[str], float | None]] = {
    "--version": (["--version"], 1.1),
    "--help": (["--help"], 1.1),
    "turn show": ([*PLAYER, "turn", "show", FILE], None),
    "turn show --json": ([*PLAYER, "turn", "show", FILE, "--json"], None),
    "turn legal": ([*PLAYER, "turn", "legal", FILE], None),
    "log": ([*PLAYER, "log", FILE], None),
}
"""The arguments of each command, and the bound of its time as a multiple of importing."""
LANGUAGES = ("fr", "ru")
"""Languages compared with English: those with the fewest and the most forms of names."""
TAB = {"commands": "acres tu", "orders": f"acres {' '.join(PLAYER)} turn apply {FILE} "}
"""Lines at whose end TAB is pressed, by the kind of completion."""


def measure() -> Iterator[Claim]:
    """Yield each command against importing, and the cost of drawing and of other languages."""
    for name, (arguments, bound) in COMMANDS.items():

        def ours(arguments: list[str] = arguments) -> None:
            run([*ACRES, *arguments], **TERMINAL)

        yield compare(ours, import_only).claim(f"{name} / importing", bound)
    for language in LANGUAGES:

        def other(language: str = language) -> None:
            run([*ACRES, "--lang", language, *PLAYER, "turn", "show", FILE], **TERMINAL)

        def english() -> None:
            run([*ACRES, "--lang", "en", *PLAYER, "turn", "show", FILE], **TERMINAL)

        yield compare(other, english).claim(f"turn show in {language} / in English", 1.25)
    for name, line in TAB.items():
        variables = {"_ACRES_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": line}

        def press(variables: dict[str, str] = variables) -> None:
            run(ACRES, **variables)

        yield compare(press, import_only).claim(f"completing {name} / importing")
    for name, file in (("in the middle", FILE), ("at the end", LAST)):
        show = [*PLAYER, "turn", "show", file]

        def draw(show: list[str] = show) -> None:
            run(["-c", COMMAND, DRAWING, *show], **TERMINAL)

        def only_read(show: list[str] = show) -> None:
            run(["-c", COMMAND, READING, *show], **TERMINAL)

        added = compare_added(draw, only_read, import_only)
        claim = added.claim(f"turn show {name}: drawing / importing", 0.5)
        yield replace(claim, is_noise=True)
    data = Path(LAST).read_bytes()
    progress = compare(lambda: audit(data, ProgressReport(CHECKING).track), lambda: audit(data))
    yield replace(progress.claim("audit that says how far it is / audit", 1.1), is_noise=True)


if __name__ == "__main__":
    for claim in measure():
        print(claim, flush=True)

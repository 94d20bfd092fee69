"""The command `acres demo`: a whole game between two robots."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from engine.message import Message
from engine.players import MIN_STRENGTH
from engine.position import score
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.sides import Side
from pbem.cli import console
from pbem.cli.app import bare_program
from pbem.cli.file_argument import CHECKING, progress
from pbem.cli.options import Edition, HouseRules, number_option, option, strength_option
from pbem.cli.position import say_position
from pbem.errors import NOT_WRITTEN, UsageError, report_os_errors, strict_exists
from pbem.foreign import display_path, shell_quote
from pbem.play.audit import audit
from pbem.play.robot import PracticeGame
from pbem.play.signing import SignedFile
from pbem.protocol.match import Match
from pbem.savefile.disk import read_file
from pbem.sources import now
from pbem.text.phrases import points_text
from pbem.text.proof.verdict import audit_text

FOLDER = "acres-demo"
LINE_EVERY = 20


Out = Annotated[Path | None, option("DIR", "A new or empty folder. Default: acres-demo.")]


def demo(
    seed: Annotated[
        int | None,
        number_option(
            "--seed",
            "The same seed gives the same game, with keys for it alone. Default: a new game.",
        ),
    ] = None,
    out: Out = None,
    strength: Annotated[
        int | None,
        strength_option("How strong both are; the stronger, the longer it takes. Default: 1."),
    ] = None,
    edition: Edition = None,
    house_rule: HouseRules = None,
) -> None:
    """Watch two robots play a whole game by file.

    $ acres demo --seed 1759  # the same game each time
    """
    ruleset = Ruleset.of(edition or DEFAULT_EDITION, house_rule or ())
    folder = _choose_folder(out)
    game = PracticeGame(folder, seed, ruleset=ruleset, strength=strength or MIN_STRENGTH)
    console.say_below(
        "Two robots play a whole game by file. Each has a key of its own and sees only its own "
        "cards; each turn that arrives is checked. The files are in:",
        display_path(folder),
    )
    paths, match = _play_with_progress(game)
    console.heading("The last position")
    say_position(match.state, None)
    console.heading("The audit of the last file")
    with progress(CHECKING) as bar:
        report = audit(read_file(paths[-1]), bar.track)
    console.say_lines(audit_text(report, now()))
    # The British write every even record, so they answer an odd one.
    middle = paths[min(len(paths) // 2 | 1, len(paths) - 1)]
    game.leave_off_at(middle)
    _say_next(folder, middle, paths[-1])


def _choose_folder(out: Path | None) -> Path:
    """Return a folder that is new or empty."""
    if out is not None:
        with report_os_errors(out):
            is_used = strict_exists(out) and (not out.is_dir() or any(out.iterdir()))
        if is_used:
            raise UsageError("{folder} is not empty; name a new folder with --out.", folder=out)
        return out
    folder, number = Path(FOLDER), 2
    while folder.exists():
        folder, number = Path(f"{FOLDER}-{number}"), number + 1
    return folder


def _play_with_progress(game: PracticeGame) -> tuple[list[Path], Match]:
    """Play the game and show progress; return its files, and the match in the last file."""
    paths, has_bar = [], console.is_terminal() and not console.is_plain()
    columns = (BarColumn(20), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    bar = Progress(*columns, console=console.progress_console(), transient=True)
    # The length of a game is unknown, so the bar shows no progress.
    task = bar.add_task("", total=None)
    with report_os_errors(game.folder, NOT_WRITTEN), bar if has_bar else nullcontext():
        for number, file in enumerate(game.play()):
            if has_bar:
                bar.update(task, description=console.translate(_progress_text(file)))
            elif number % LINE_EVERY == 0:
                console.item(_progress_text(file))
            console.note_written("The turns so far are in {folder}.", folder=game.folder)
            paths.append(file.path)
            match = file.match
    return paths, match


def _progress_text(file: SignedFile) -> Message:
    match = file.match
    if not match.is_joined:
        return Message("invitation")
    points = points_text({side: score(match.state, side).total for side in Side})
    # Translators: {points} is, for example, “British 12, French 9”.
    return Message("turn {number}: {points}", number=match.turn, points=points)


def _say_next(folder: Path, middle: Path, last: Path) -> None:
    home = shell_quote(folder / "british")
    path = shell_quote(middle)
    acres = bare_program()
    console.heading("Look around")
    for command in (
        f"{acres} --home {home} board {path}",
        f"{acres} --home {home} turn show {path}",
        f"{acres} --home {home} turn legal {path}",
        f"{acres} --home {home} turn apply {path} --dry-run",
        f"{acres} audit {shell_quote(last)}",
    ):
        console.say_verbatim(f"  {command}")
    console.say(
        "To play yourself: {command} board, or at the terminal {command} play robot.", command=acres
    )

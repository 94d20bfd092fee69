"""Where the games with the robot on this computer are: a folder for each strength."""

from __future__ import annotations

from pathlib import Path

from engine.players import QUICK, STRENGTHS
from pbem.library import Listed
from pbem.play.home import Home
from pbem.play.robot.robot_home import NAME


def folder_of_robot(home: Home, strength: int = QUICK) -> Path:
    """The folder with the files of the games that the player of that home plays with the robot."""
    folder = home.games / NAME.lower()
    # Before there were several, all games were played with the first.
    return folder if strength == QUICK else folder / f"strength-{strength}"


def strength_at(home: Home, path: Path) -> int | None:
    """How strong the robot plays the game with a file at that path; None where it does not."""
    folder = path.absolute().parent
    folders = {folder_of_robot(home, each).absolute(): each for each in STRENGTHS}
    return folders.get(folder)


def last_strength(home: Home) -> int:
    """How strong it was in the last game played with it; quick at first."""
    folders = {each: folder_of_robot(home, each) for each in STRENGTHS}
    there = {each: folder.stat().st_mtime_ns for each, folder in folders.items() if folder.is_dir()}
    return max(there, key=lambda each: there[each], default=QUICK)


def is_with_robot(home: Home, listed: Listed) -> bool:
    """Whether a game of the player of that home is one with the robot."""
    paths = (listed.file_in, listed.file_out)
    return any(path and strength_at(home, path) is not None for path in paths)

"""Functions that take seconds: a browser calls them in other workers, so that pages respond."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from pbem.play.home import Home
from pbem.play.robot import answer, folder_of_robot, home_of_robot, make_players, open_robot
from pbem.play.signing import OpenQuestionsError
from pbem.text.proof.signature import robot_wording


def call(task: bytes, report: Callable[[str], None]) -> bytes:
    """Call a pickled function with its pickled arguments; return its pickled result or error.

    `report` is called with the function's progress as JSON.
    """
    function, arguments, has_progress = pickle.loads(task)

    def tell(**data: object) -> None:
        report(json.dumps(data))

    try:
        return pickle.dumps((function(*arguments, *([tell] if has_progress else [])), None))
    except Exception as error:
        return pickle.dumps((None, error))


def answer_file(folder: Path, strength: int, keeper: bytes, data: bytes) -> bytes | None:
    """Return the answer of the robot of the home `folder`, or None, as `robot.answer`.

    Raises AcresError with the first open question, and the other errors of `robot.answer`.
    """
    home = Home(folder)
    try:
        return answer(data, open_robot(home), make_players(strength), keeper=keeper)
    except OpenQuestionsError as error:
        inbox = folder_of_robot(home, strength)
        wording = robot_wording("acres", home_of_robot(folder), inbox)
        raise wording.first_refusal(error) from None


def answer_copy(
    files: Mapping[str, bytes], folder: Path, strength: int, keeper: bytes, data: bytes
) -> tuple[bytes | None, dict[str, bytes]]:
    """Return the answer of a robot with the `files` of its home, and these files afterwards."""
    home = home_of_robot(folder)
    shutil.rmtree(home, ignore_errors=True)
    write_files(home, files)
    return answer_file(folder, strength, keeper, data), read_files(home)


def read_files(folder: Path) -> dict[str, bytes]:
    """Return the contents of the files in a folder by name; none if there is no folder."""
    return {path.name: path.read_bytes() for path in folder.glob("*")}


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files by name into a folder, which is made if necessary."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)

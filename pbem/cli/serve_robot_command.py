"""The command `acres serve-robot`: a robot that answers the files in a folder."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

from engine.message import Message, with_label
from engine.players import DEFAULT_STRENGTH
from pbem.cli import console
from pbem.cli.app import current_app
from pbem.cli.consent import OPTIONS
from pbem.cli.file_argument import checking_records
from pbem.cli.games_commands import vouch_for_files
from pbem.cli.homes import own_session, warn_of_opponent
from pbem.cli.options import NewestToServe, flag, lists_option, option, strength_option, time_option
from pbem.errors import NO_FOLDER, UsageError, report_os_errors
from pbem.foreign import display_path
from pbem.play.home import Home
from pbem.play.robot import answer, check_robot, home_of_robot, is_vacant, make_players, make_robot
from pbem.play.robot_folder import RobotFolder, SkippedFile
from pbem.play.session import Session
from pbem.play.store import StoreError
from pbem.protocol.steps import MAX_LISTS, MIN_SAFE_LISTS
from pbem.sources import now
from pbem.text.phrases import fingerprint
from pbem.text.proof.finding import explain_failures
from pbem.text.proof.signature import ForgottenSignaturesError, Wording


def serve_robot(
    inbox: Annotated[Path | None, option("DIR", "The folder in which your files arrive.")] = None,
    outbox: Annotated[
        Path | None, option("DIR", "The folder for its answers; it may be the same one.")
    ] = None,
    every: Annotated[
        int | None, time_option("--every", "How often it looks, such as 30s or 5m. Default: 10s.")
    ] = None,
    once: Annotated[bool, flag("--once", "Answer what is there, and stop.")] = False,
    lists: Annotated[
        int | None,
        lists_option("How many lists a shuffle must have at least. Default: 256.", MAX_LISTS),
    ] = None,
    strength: Annotated[
        int | None,
        strength_option(
            "How strong it is from now on, in all games; the stronger, the longer it thinks. "
            "Default: 2."
        ),
    ] = None,
    newest: NewestToServe = False,
) -> None:
    """Let a robot be your opponent in a folder.

    It joins the games it is invited to, answers every file that it has to answer, and closes
    games that are over, until Ctrl-C stops it. It plays with a key of its own, which it makes in
    the folder robot of your home, or in another --home, and sees its own cards only.

    $ acres serve-robot --inbox . --outbox .  # in your folder
    $ acres serve-robot --inbox in --outbox out --once  # for scripts
    """
    if inbox is None or outbox is None:
        raise UsageError(
            "Robots no longer play by mail: name two folders with --inbox and --outbox."
        )
    app = current_app()
    if app.folder is None:
        app.folder = home_of_robot(app.home.folder)
        app.home = Home(app.folder, clock=now)
    for folder in (inbox, outbox):
        with report_os_errors(folder, NO_FOLDER):
            folder.mkdir(parents=True, exist_ok=True)
    robot = _robot()
    if newest:
        vouch_for_files(inbox, outbox)
    players = make_players(strength or DEFAULT_STRENGTH)

    def reply(data: bytes) -> bytes | None:
        with explain_failures(data, robot.identity.public_key, show_progress=checking_records):
            return answer(data, robot, players, lists=lists or MIN_SAFE_LISTS, newest=newest)

    words = Wording(current_app().command, OPTIONS, is_unattended=True)
    files = RobotFolder(inbox, outbox, reply, words.first_refusal, is_last=once)
    if once:
        _answer_new_files(robot, files)
    else:
        name = console.display_name(robot.identity.name)
        console.say_below(
            "{player} answers what arrives in this folder:", display_path(inbox), player=name
        )
        console.say("To stop it, press Ctrl-C.")
        while True:
            _answer_new_files(robot, files)
            console.flush()
            time.sleep(every or 10)


def _robot() -> Session:
    home = current_app().home
    if is_vacant(home):
        key = fingerprint(make_robot(home).identity.public_key)
        console.say_below(
            "A robot was made, with a key of its own ({key}):",
            display_path(home.identity_path),
            key=key,
        )
    session = own_session()
    advice = Message("Name another home, such as {option}.", option="--home robot")
    check_robot(session.identity, advice)
    return session


def _is_known(robot: Session) -> bool:
    """Return True if the library can be used and is complete, perhaps except for single games."""
    try:
        robot.store.check_writable()
        return robot.store.is_complete()
    except StoreError:
        return False


def _answer_new_files(robot: Session, files: RobotFolder) -> None:
    """Answer new files and print each answer. Raises ForgottenSignaturesError."""
    for result in files.poll():
        if isinstance(result, SkippedFile):
            if isinstance(result.error, ForgottenSignaturesError) and not _is_known(robot):
                raise result.error
            console.say_unwrapped(with_label(result.label, result.reason))
        else:
            console.note_file(result.path)
            match = robot.read(result.data).match
            console.say_unwrapped(result.summary(match))
            if len(match.records) == 2:
                warn_of_opponent(match.records)

"""A player who keeps a robot at home, and games with it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from engine.players import MIN_STRENGTH, STRENGTHS
from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.play.home import Home
from pbem.play.robot import (
    Players,
    answer,
    folder_of_robot,
    home_of_robot,
    make_players,
    open_robot,
)
from pbem.play.robot_folder import AnsweredFile, RobotFolder
from pbem.play.session import Session
from pbem.play.signing import SignedFile
from pbem.protocol.identity import Identity
from pbem.text.proof.signature import robot_wording
from tests.signing import sign_agreed


def choose_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    for strength in STRENGTHS:
        monkeypatch.setitem(STRENGTHS, strength, STRENGTHS[MIN_STRENGTH])


def keeper_at(folder: Path) -> Session:
    """Return a session of Anna, whose home has a folder for games with the robot."""
    session = Session.create(Home(folder), Identity.generate("Anna", ""))
    folder_of_robot(session.home).mkdir(parents=True)
    return session


def inbox_of(keeper: Session, players: Players | None = None) -> RobotFolder:
    """Return the folder of games with the robot, which answers new files at each poll."""
    home, folder = home_of_robot(keeper.home.folder), folder_of_robot(keeper.home)
    reply = partial(
        answer,
        robot=open_robot(keeper.home),
        players=players or make_players(MIN_STRENGTH),
        keeper=keeper.identity.public_key,
    )
    return RobotFolder(folder, folder, reply, robot_wording("acres", home, folder).first_refusal)


def poll_answers(inbox: RobotFolder) -> list[AnsweredFile]:
    return [outcome for outcome in inbox.poll() if isinstance(outcome, AnsweredFile)]


def poll_robot(keeper: Session) -> list[AnsweredFile]:
    return poll_answers(inbox_of(keeper))


def invite_robot(
    keeper: Session, side: Side | None = Side.BRITISH, strength: int = 1
) -> SignedFile:
    invitation = keeper.invite(side, lists=2)
    path = folder_of_robot(keeper.home, strength) / invitation.path
    return sign_agreed(keeper, invitation, path)


def answer_as_keeper(keeper: Session, path: Path, choose: PracticePlayer) -> SignedFile:
    turn = keeper.answer(keeper.read(path))
    while not turn.is_complete:
        turn.order(choose.choose(turn.view()))
    return sign_agreed(keeper, turn)

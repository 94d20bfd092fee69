"""A player who keeps a robot at home, and games with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.players import QUICK, STRENGTHS
from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.play.home import Home
from pbem.play.memory import Written
from pbem.play.robot.at_home import RobotAtHome
from pbem.play.robot.game_folders import folder_of_robot
from pbem.play.robot.robot_home import home_of_robot
from pbem.play.session import Session, Turn
from pbem.protocol.identity import Identity
from pbem.words.proof.signature import told_of_robot


def choose_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have robots of any strength play as the quick one: tests/engine knows what others think."""
    for strength in STRENGTHS:
        monkeypatch.setitem(STRENGTHS, strength, STRENGTHS[QUICK])


def keeper_at(folder: Path) -> Session:
    """Anna, at home there, with a folder for games with the robot."""
    session = Session.create(Home(folder), Identity.generate("Anna", ""))
    folder_of_robot(session.home).mkdir(parents=True)
    return session


def robot_of(keeper: Session) -> RobotAtHome:
    home, folder = home_of_robot(keeper.home.folder), folder_of_robot(keeper.home)
    refused = told_of_robot("acres", home, folder).refused
    return RobotAtHome(keeper.home, keeper.identity.public_key, refused)


def invited(keeper: Session, side: Side | None = Side.BRITISH, strength: int = 1) -> Written:
    invitation = keeper.invite(side, lists=2)
    return invitation.sign(folder_of_robot(keeper.home, strength) / invitation.path)


def signed(turn: Turn) -> Written:
    for question in turn.questions():
        turn.agree(question)
    return turn.sign()


def move(keeper: Session, path: Path, choose: PracticePlayer) -> Written:
    turn = keeper.answer(keeper.read(path))
    while not turn.is_complete:
        turn.order(choose.choose(turn.view()))
    return signed(turn)

"""Two players at home, Anna and Bela, and the files of a game between them."""

from __future__ import annotations

from pathlib import Path

from pbem.play.home import Home
from pbem.play.session import Session
from pbem.play.signing import SignedFile
from pbem.play.turn import Turn
from pbem.text.language import Language
from pbem.text.ordering.reading import read
from tests.signing import sign_agreed

ENGLISH = Language("en")
LAST = 5
"""The number of the last file, which Anna answers like all odd ones."""
NAMES = ("anna", "bela")
NOW = "2026-05-01T12:00:00Z"


def open_home(folder: Path, name: str, time: str = NOW) -> Session:
    return Session.open(Home(folder / name, clock=lambda: time))


def file(folder: Path, number: int) -> Path:
    return folder / f"game-{number:03}.toml"


def begin_turn(session: Session, path: Path, *orders: str, resigns: bool = False) -> Turn:
    result = session.answer(session.read(path), resigns=resigns)
    for order in orders:
        result.order(read(ENGLISH, order, result.view()))
    if not resigns:
        result.end_turn()
    return result


def sign_answer(
    folder: Path, name: str, number: int = LAST, *orders: str, resigns: bool = False
) -> SignedFile:
    """Answer a file with these orders, agreeing to all questions."""
    with open_home(folder, name) as session:
        return sign_agreed(
            session, begin_turn(session, file(folder, number), *orders, resigns=resigns)
        )

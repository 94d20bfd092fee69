"""Where the robot of this computer lives, and where its games are: a folder for each strength.

It has a home, a key and a library of its own in the home of its keeper. A game goes on at the
strength at which it was begun: that of its folder.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from engine.message import NOTHING, Message, Said, sentences
from engine.players import QUICK, STRENGTHS
from pbem.errors import AcresError, WrongUse
from pbem.foreign import named
from pbem.play.game_file import read_and_note
from pbem.play.home import Home
from pbem.play.identity import keyfile
from pbem.play.session import Session
from pbem.play.store import Listed, Store
from pbem.protocol.identity import Identity
from pbem.savefile.disk import AlreadyThere, read_file

NAME = "Robot"
"""Whoever has it in the name is not a person."""


def home_of_robot(usual: Path) -> Path:
    """Return the folder in which a robot lives if none is named: one in the `usual` one."""
    return usual / NAME.lower()


def is_vacant(home: Home) -> bool:
    """Return True if nobody has ever lived there, so that a robot can be made."""
    return not home.has_identity and not home.has_played


def make_robot(home: Home) -> Session:
    """Make a robot at a home that is vacant."""
    return Session.create(home, Identity.generate(NAME, ""))


def check_robot(identity: Identity, hint: Said = NOTHING) -> None:
    """Raise WrongUse for a person's identity; a `hint` says what to do."""
    if NAME.casefold() not in identity.name.casefold():
        why = Message(
            "This home belongs to {player}; a robot plays under a name of its own, with a key of "
            "its own.",
            player=named(identity.name),
        )
        raise WrongUse(sentences(why, hint))


def open_robot(keeper: Home) -> Session:
    """Return the session of the robot in the home of its keeper, made if there is none yet.

    Raises AcresError where it cannot play.
    """
    home = Home(home_of_robot(keeper.folder), clock=keeper.clock)
    if is_vacant(home):
        # Another program may make it just now.
        with suppress(AlreadyThere):
            make_robot(home)
    robot = Session.open(home)
    check_robot(robot.identity)
    return robot


def is_robot_of(usual: Path, key: bytes) -> bool:
    """Return True for the key of the robot in that home: its secret half lies there, too.

    Of a robot that lives elsewhere, nobody can know that it is one.
    """
    try:
        kept = keyfile.read(Home(home_of_robot(usual)).identity_path)
        return not kept.is_sealed and kept.open(lambda: "").public_key == key
    except (AcresError, OSError):
        return False


def take_note(own: Store, path: Path, keeper: Home) -> None:
    """Note in the library of its keeper a file that the robot in that home has written.

    Nobody needs to be asked by telephone whose key it is. Raises AcresError or LibraryFailed.
    """
    records = read_and_note(own, read_file(path), path).match.records
    recognised, key = own.recognise(records), Home(home_of_robot(keeper.folder)).own_key
    if recognised is not None and recognised.person.key == key:
        own.vouch(recognised.person)
    own.end()


# --- its games


def folder_of_robot(home: Home, strength: int = QUICK) -> Path:
    """Return the folder with the games that the player of that home plays with the robot."""
    folder = home.games / NAME.lower()
    # Before there were several, all games were played with the first.
    return folder if strength == QUICK else folder / f"strength-{strength}"


def strength_at(home: Home, path: Path) -> int | None:
    """Return how strong the robot plays the game with a file at that path; None if it does not."""
    folder = path.absolute().parent
    folders = {folder_of_robot(home, each).absolute(): each for each in STRENGTHS}
    return folders.get(folder)


def last_strength(home: Home) -> int:
    """Return how strong it was in the last game played with it; quick at first."""
    folders = {each: folder_of_robot(home, each) for each in STRENGTHS}
    there = {each: folder.stat().st_mtime_ns for each, folder in folders.items() if folder.is_dir()}
    return max(there, key=lambda each: there[each], default=QUICK)


def is_with_robot(home: Home, listed: Listed) -> bool:
    """Return True for a game of the player of that home with the robot."""
    paths = (listed.file_in, listed.file_out)
    return any(path and strength_at(home, path) is not None for path in paths)

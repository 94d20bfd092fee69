"""FILE where the player names a game, or nothing: the newest file of that game, wherever it lies.

Folders are looked through first, so that what came is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeGuard

from engine.message import Message, labelled, sentences
from pbem.cli import console
from pbem.cli.arrivals import invitations, look_through_folders, look_through_mailbox
from pbem.cli.file_argument import names_file
from pbem.cli.own_home import at_home, own_command, own_games, own_library
from pbem.cli.running import current
from pbem.errors import WrongUse
from pbem.play.entry import Invitations
from pbem.play.listed import in_order, is_found, is_invitation, meant, newest_files, the_one
from pbem.play.store import Listed
from pbem.play.store.entries import OPPONENT, YOU
from pbem.savefile.disk import is_there
from pbem.text.games.listing import game_called, which_game
from pbem.text.ordering.verbs import begins_with_verb

# --- FILE


def newest_meant(file: Path | None) -> Path:
    """The file that a player means by FILE, or by a game in its place, or by none.

    Raises WrongUse where it is not clear which, or there is none, and as `own_games`.
    """
    if _is_file(file):
        return file
    listed = _game_now(str(file or ""))
    if listed is None and file is not None and is_there(file):
        return file
    if listed is None:
        raise WrongUse(
            "There is no file {file}, and no game of yours goes by that name. To see them: "
            "{command} games",
            file=file,
            command=own_command(),
        )
    return newest_of(listed)


def newest_and_words(file: Path | None, words: Sequence[str]) -> tuple[Path, list[str]]:
    """That file, and the words behind it, of which the first may stand where FILE would.

    It does where it is no file, and neither a number of a game nor the whole name of an opponent.
    What reads as an order is one, whatever an opponent is called.
    """
    if file is None:
        return newest_meant(None), [*words]
    if _is_file(file):
        return file, [*words]
    is_order = begins_with_verb(console.language(), str(file))
    listed = None if is_order else _game_now(str(file), whole=True)
    if listed is None:
        return newest_meant(None), [str(file), *words]
    return newest_of(listed), [*words]


def own_file_meant(file: Path | None) -> Path:
    """The last own file of the game that a player means, where FILE is one to be sent.

    One that waits for the opponent comes before the others with such a file. Raises WrongUse where
    several may be meant, and as `newest_meant`.
    """
    if _is_file(file):
        return file
    found = all_meant(str(file)) if file is not None else games_listed()
    written = [each for each in found if each.file_out is not None]
    some = [each for each in written if each.game.waits_for == OPPONENT] or written
    if len(some) > 1:
        raise _not_clear(some)
    own = some[0].file_out if some else None
    if own is not None and is_there(own):
        return own
    return newest_of(some[0]) if some else newest_meant(file)


def invitation_meant(file: Path | None) -> Path:
    """The invitation that a player means by FILE, or by whoever invites; or by none, the only one.

    Raises WrongUse where it is not clear which, or there is none, and as `own_games`.
    """
    if _is_file(file):
        return file
    if file is None:
        look_through_mailbox()
    games = all_meant(str(file)) if file is not None else games_listed()
    found = [each for each in games if is_invitation(each)]
    if len(found) > 1:
        raise _not_clear(found)
    if found:
        return newest_of(found[0])
    if file is not None:
        return file
    raise WrongUse(
        "No invitation was found in your folders. Name its file: {command} FILE",
        command=current().command_path,
    )


def _is_file(file: Path | None) -> TypeGuard[Path]:
    """Return True for what can only be a file; else folders are looked through for its game.

    Raises WrongUse where nothing is named, and nobody lives of whose games one could be meant.
    """
    if file is not None and (names_file(str(file)) or own_library() is None):
        return True
    if file is None and own_library() is None and not at_home().has_identity:
        raise WrongUse(
            "Name a FILE: there is no identity in {folder}, and so no list of games. See: "
            "{command}",
            folder=at_home().folder,
            command=f"{current().command_path} --help",
        )
    look_through_folders()
    return file is not None and not games_listed()


# --- games


def _game_now(word: str, *, whole: bool = False) -> Listed | None:
    """The same as `game_meant`, after what came by mail is noted if that may be waited for."""
    games = all_meant(word, whole=whole) if word else games_listed()
    waits_for = {each.game.waits_for for each in games if not is_invitation(each)}
    may_have_come = YOU not in waits_for and (OPPONENT in waits_for or not word)
    if may_have_come:
        look_through_mailbox()
    return game_meant(word, whole=whole)


def games_listed() -> list[Listed]:
    """The player's games, as `acres games` numbers them, and invitations that were found.

    Raises as `own_games`.
    """
    with own_games() as own:
        games = own.games()
    found = Invitations(elsewhere=invitations())
    return in_order([*games, *found.waiting(own.key, {each.id for each in games})])


def game_meant(word: str = "", *, whole: bool = False) -> Listed | None:
    """The game that a word means; without one that which waits, or the only one that goes on.

    None where a word means none. Raises WrongUse where several may be meant, or there is none to be
    meant without a word, and as `own_games`. `whole` is as for `meant`.
    """
    games = games_listed()
    found = all_meant(word, whole=whole) if word else games
    one = the_one(found)
    if one is None and found:
        raise _not_clear(found)
    if one is None and not word:
        begin = Message(
            "To begin one: {command} new, or {command} join FILE", command=own_command()
        )
        raise WrongUse(sentences(Message("No game is listed yet."), begin))
    return one


def _not_clear(found: Sequence[Listed]) -> WrongUse:
    """That one of several games is to be named."""
    games = games_listed()
    return WrongUse(which_game([(games.index(each) + 1, each) for each in found]))


def newest_of(listed: Listed) -> Path:
    """The newest file of a listed game; raises WrongUse where none is found any more.

    Where it is not where it was, it is looked for in all folders.
    """
    if not is_found(listed):
        look_through_folders(anew=True)
        listed = next((each for each in games_listed() if each.id == listed.id), listed)
    files = newest_files(listed)
    if not files:
        gone = Message("No file of this game can be found any more.")
        find = Message("{command} games add FOLDER", command=own_command())
        how = Message("If you have moved it, look for it with: {command}", command=find)
        raise WrongUse(labelled(game_called(listed), sentences(gone, how)))
    if not is_found(listed):
        console.warn(
            Message(
                "The newest file of this game cannot be found any more; this is the one before it: "
                "{file}",
                file=files[0],
            )
        )
    return files[0]


def all_meant(word: str, *, whole: bool = False) -> list[Listed]:
    """All games that a word means; raises as `own_games`."""
    with own_games() as own:
        return meant(games_listed(), word, own.players(), whole=whole)

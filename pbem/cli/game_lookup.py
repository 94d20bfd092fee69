"""FILE where the player names a game, or nothing: the newest file of that game, wherever it lies.

Folders and the mailbox are looked through first, so that what came is known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeGuard, TypeVar

from engine.message import Message, Phrase, semicolon_list, sentences, with_label
from pbem.cli import console
from pbem.cli.app import current_app
from pbem.cli.homes import open_library
from pbem.errors import AcresError, WrongUse
from pbem.mail.account import Account
from pbem.play.config import MAIL, Config
from pbem.play.inbox import Arrival, ArrivalKind, Inbox
from pbem.play.incoming import Pauses, names_file
from pbem.play.listed import (
    in_order,
    is_found,
    is_invitation,
    meant,
    newest_files,
    places,
    the_one,
    watched,
)
from pbem.play.store import Listed, Store
from pbem.play.store.entries import OPPONENT, YOU
from pbem.savefile.disk import path_exists
from pbem.text.games import game_title
from pbem.text.naming import begins_with_verb
from pbem.text.proof.arrivals import folder_news

T = TypeVar("T")

# --- what came


def inbox_of(own: Store) -> Inbox:
    """Return the way in for files of a player; it is the same throughout a command."""
    app = current_app()
    if app.inbox is None or app.inbox.own is not own:
        app.inbox = Inbox(own, app.home.games)
    return app.inbox


def scan_folders(*, anew: bool = False) -> list[Arrival]:
    """Note what came into the folders of the player's games, and those that are watched.

    With `anew` also what was looked at before. Warns of what is to be minded, once during a
    command; the rest is given.
    """
    home, own = current_app().home, current_app().store
    if own is None:
        return []
    folders = places(home, own.listed().values(), [*watched(home), *_of_letters()])
    warned = current_app().warned

    def warn(said: Phrase) -> None:
        if str(said) not in warned:
            console.warn(said)
        warned.add(str(said))

    came = inbox_of(own).look(folders, warn, anew=anew)
    for each in came:
        told = [*folder_news(each, home.clock(), current_app().command)]
        # How a game goes on is shown by the command itself.
        is_shown = each.kind in (ArrivalKind.NEW, ArrivalKind.INVITATION)
        for said in told[is_shown:]:
            warn(said)
    return came


def check_mailbox(*, asks: bool = False) -> None:
    """Note what came by mail, if an account is set up; what fails is told, and stops nobody.

    A password that is kept nowhere is asked for if this `asks`, once during a command.
    """
    if MAIL in Config.read(current_app().home.config_path).tables:
        # Imported lazily: most players have no account.
        from pbem.cli.mail_account import fetch_new_mail

        with open_library() as own:
            fetch_new_mail(inbox_of(own), asks=asks)


def _of_letters() -> list[Path]:
    """Return the folder into which what came by mail is put, if there is one besides the home."""
    with suppress(AcresError):
        account = Account.from_config(Config.read(current_app().home.config_path))
        if account is not None and account.folder is not None:
            return [account.folder.absolute()]
    return []


def poll(look: Callable[[], T | None], every: int, is_back: Callable[[], None] = lambda: None) -> T:
    """Call `look` every so many seconds until it finds something, and return that.

    It is called less often while it fails for a reason that may pass. A failure is reported once,
    and `is_back` is called when it goes well again. Raises what `look` raises and does not pass.
    """
    pauses = Pauses(every)
    while True:
        try:
            found = look()
        except AcresError as error:
            # A full disk may not stay full; a mail server may say that it is in vain.
            if not getattr(error, "may_pass", True):
                raise
            if pauses.fails(error):
                console.warn(sentences(error.message, Message("It will be tried again.")))
        else:
            if found is not None:
                return found
            if pauses.goes_well():
                is_back()
        console.flush()
        time.sleep(pauses.seconds)


# --- FILE


def find_file_and_words(
    file: Path | None, words: Sequence[str] | None = None
) -> tuple[Path, list[str]]:
    """Return the file that a player means by FILE, or by a game in its place, or by none.

    Behind it may be `words`, of which the first may stand where FILE would. It does if it is no
    file, and neither a number of a game nor the whole name of an opponent. What reads as an order
    is one, whatever an opponent is called. Raises WrongUse if it is not clear which game is meant,
    or there is none, and as `open_library`.
    """
    behind = [*(words or ())]
    if _is_file(file):
        return file, behind
    word, may_be_order = str(file or ""), file is not None and words is not None
    is_order = may_be_order and begins_with_verb(console.language(), word)
    listed = None if is_order else _game_now(word, whole=may_be_order)
    if listed is None and words is not None:
        listed, behind = _game_now(""), [word, *words]
    if listed is not None:
        return newest_file(listed), behind
    assert file is not None
    if path_exists(file):
        return file, []
    raise WrongUse(
        "There is no file {file}, and no game of yours goes by that name. To see them: "
        "{command} games",
        file=file,
        command=current_app().command,
    )


def find_own_file(file: Path | None) -> Path:
    """Return the last own file of the game that a player means, if FILE is one to be sent.

    One that waits for the opponent comes before the others with such a file. Raises WrongUse if
    several may be meant, and as `find_file_and_words`.
    """
    if _is_file(file):
        return file
    written = [each for each in find_games(str(file or "")) if each.file_out is not None]
    listed = require_single(
        [each for each in written if each.game.waits_for == OPPONENT] or written
    )
    if listed is None:
        return find_file_and_words(file)[0]
    own = listed.file_out
    return own if own is not None and path_exists(own) else newest_file(listed)


def find_invitation(file: Path | None) -> Path:
    """Return the invitation that a player means by FILE, or by whoever invites; or the only one.

    Raises WrongUse if it is not clear which, or there is none, and as `open_library`.
    """
    if _is_file(file):
        return file
    if file is None:
        check_mailbox()
    found = require_single([each for each in find_games(str(file or "")) if is_invitation(each)])
    if found is not None:
        return newest_file(found)
    if file is not None:
        return file
    raise WrongUse(
        "No invitation was found in your folders. Name its file: {command} FILE",
        command=current_app().context.command_path,
    )


def _is_file(file: Path | None) -> TypeGuard[Path]:
    """Return True for what can only be a file; else folders are looked through for its game.

    Raises WrongUse if nothing is named, and nobody lives of whose games one could be meant.
    """
    if file is not None and (names_file(str(file)) or current_app().store is None):
        return True
    if file is None and current_app().store is None and not current_app().home.has_identity:
        raise WrongUse(
            "Name a FILE: there is no identity in {folder}, and so no list of games. See: "
            "{command}",
            folder=current_app().home.folder,
            command=f"{current_app().context.command_path} --help",
        )
    scan_folders()
    return file is not None and not list_games()


# --- games


def list_games() -> list[Listed]:
    """Return the player's games, as `acres games` numbers them, and invitations that were found.

    Raises as `open_library`.
    """
    with open_library() as own:
        return in_order(inbox_of(own).games())


def find_games(word: str, *, whole: bool = False) -> list[Listed]:
    """Return all games that a word means, without one all there are; raises as `open_library`."""
    games = list_games()
    if not word:
        return games
    with open_library() as own:
        return meant(games, word, own.players(), whole=whole)


def find_game(word: str = "", *, whole: bool = False) -> Listed | None:
    """Return the game that a word means; without one that which waits, or the only one to go on.

    It is None if a word means none. Raises WrongUse if several may be meant, or there is none to be
    meant without a word, and as `open_library`. `whole` is as for `meant`.
    """
    found = find_games(word, whole=whole)
    one = the_one(found) or require_single(found)
    if one is None and not word:
        begin = Message(
            "To begin one: {command} new, or {command} join FILE", command=current_app().command
        )
        raise WrongUse(sentences(Message("No game is listed yet."), begin))
    return one


def _game_now(word: str, *, whole: bool = False) -> Listed | None:
    """Return the same as `find_game`, after noting what came by mail if that may be waited for."""
    games = find_games(word, whole=whole)
    waits_for = {each.game.waits_for for each in games if not is_invitation(each)}
    if YOU not in waits_for and (OPPONENT in waits_for or not word):
        check_mailbox()
    return find_game(word, whole=whole)


def require_single(found: Sequence[Listed]) -> Listed | None:
    """Return the only one of these games, None if there is none; raises WrongUse for several."""
    if len(found) > 1:
        games = list_games()
        told = (
            # Translators: {game} is such as “Game 34de8b95 against Anna (British)”.
            Message("{number} is {game}", number=str(games.index(each) + 1), game=game_title(each))
            for each in found
        )
        raise WrongUse(
            "Say which game you mean, by its number or by your opponent: {games}.",
            games=semicolon_list(told),
        )
    return found[0] if found else None


def newest_file(listed: Listed) -> Path:
    """Return the newest file of a listed game; raises WrongUse if none is found any more.

    If it is not where it was, it is looked for in all folders.
    """
    if not is_found(listed):
        scan_folders(anew=True)
        listed = next((each for each in list_games() if each.id == listed.id), listed)
    files = newest_files(listed)
    if not files:
        gone = Message("No file of this game can be found any more.")
        find = Message("{command} games add FOLDER", command=current_app().command)
        how = Message("If you have moved it, look for it with: {command}", command=find)
        raise WrongUse(with_label(game_title(listed), sentences(gone, how)))
    if not is_found(listed):
        console.warn(
            "The newest file of this game cannot be found any more; this is the one before it: "
            "{file}",
            file=files[0],
        )
    return files[0]

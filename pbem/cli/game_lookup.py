"""Search for the newest file of a game, for an argument FILE that names a game or is missing.

New files in folders and in the mailbox are added first.
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
from pbem.cli.homes import open_store
from pbem.errors import AcresError, UsageError
from pbem.mail.account import Account
from pbem.play.config import MAIL, Config
from pbem.play.game_list import (
    default_game,
    has_newest_file,
    inbox_folders,
    is_invitation,
    newest_files,
    select_games,
    sort_games,
    watched_folders,
)
from pbem.play.inbox import Arrival, ArrivalKind, Inbox
from pbem.play.incoming import Backoff, names_file
from pbem.play.store import GameEntry, Store
from pbem.play.store.entries import OPPONENT, YOU
from pbem.savefile.disk import path_exists
from pbem.text.games import game_title
from pbem.text.naming import has_verb
from pbem.text.proof.arrivals import folder_news

T = TypeVar("T")

# --- new files


def inbox_of(store: Store) -> Inbox:
    """Return the inbox of a player, which is cached during a command."""
    app = current_app()
    if app.inbox is None or app.inbox.store is not store:
        app.inbox = Inbox(store, app.home.games)
    return app.inbox


def scan_folders(*, rescan: bool = False) -> list[Arrival]:
    """Add new files from the folders of the player's games and from watched folders.

    If `rescan` is true, known files are read again. Each warning is printed once in a command; the
    other arrivals are returned.
    """
    home, store = current_app().home, current_app().store
    if store is None:
        return []
    extra, warned = [*watched_folders(home), *_mail_folders()], current_app().printed_warnings
    folders = inbox_folders(home, store.games_by_id().values(), extra)

    def warn(message: Phrase) -> None:
        if str(message) not in warned:
            console.warn(message)
        warned.add(str(message))

    arrivals = inbox_of(store).scan(folders, warn, anew=rescan)
    for arrival in arrivals:
        news = [*folder_news(arrival, home.clock(), current_app().command)]
        # The command itself shows the state of a game.
        is_shown = arrival.kind in (ArrivalKind.NEW, ArrivalKind.INVITATION)
        for message in news[is_shown:]:
            warn(message)
    return arrivals


def check_mailbox(*, may_ask: bool = False) -> None:
    """Fetch new mail if an account is set up; a failure is only printed.

    If `may_ask` is true, the player is asked for a password that is not stored, once in a command.
    """
    if MAIL in Config.read(current_app().home.config_path).tables:
        # Imported lazily: most players have no account.
        from pbem.cli.mail_account import fetch_new_mail

        with open_store() as store:
            fetch_new_mail(inbox_of(store), may_ask=may_ask)


def _mail_folders() -> list[Path]:
    """Return the folder for fetched files, or no folder if the settings do not name one."""
    with suppress(AcresError):
        account = Account.from_config(Config.read(current_app().home.config_path))
        if account is not None and account.folder is not None:
            return [account.folder.absolute()]
    return []


def poll(read: Callable[[], T | None], pause: int, recover: Callable[[], None] = lambda: None) -> T:
    """Call `read` every `pause` seconds until it returns a value, and return the value.

    The intervals grow while `read` fails for a temporary reason. The failure is printed once, and
    `recover` is called when `read` succeeds again. Other errors are raised.
    """
    backoff = Backoff(pause)
    while True:
        try:
            result = read()
        except AcresError as error:
            # A full disk is temporary, but a mail server may refuse permanently.
            if not getattr(error, "may_pass", True):
                raise
            if backoff.note_failure(error):
                console.warn(sentences(error.message, Message("It will be tried again.")))
        else:
            if result is not None:
                return result
            if backoff.note_success():
                recover()
        console.flush()
        time.sleep(backoff.seconds)


# --- FILE


def locate_file(file: Path | None, words: Sequence[str] | None = None) -> tuple[Path, list[str]]:
    """Return the path for the argument FILE, and the remaining words of the command.

    FILE may be a file, or the name or number of a game; without FILE, the result is the file of the
    waiting game. If there are `words`, the argument FILE may itself be the first of them: it is a
    word unless it is a file, the number of a game or an opponent's whole name. A word that begins
    an order is never a name. Raises UsageError if the game is missing or ambiguous, and the same
    errors as `open_store`.
    """
    others = [*(words or ())]
    if _is_file(file):
        return file, others
    word, may_be_order = str(file or ""), file is not None and words is not None
    is_order = may_be_order and has_verb(console.language(), word)
    entry = None if is_order else _fetch_and_find_game(word, whole_name=may_be_order)
    if entry is None and words is not None:
        entry, others = _fetch_and_find_game(""), [word, *words]
    if entry is not None:
        return newest_file(entry), others
    assert file is not None
    if path_exists(file):
        return file, []
    raise UsageError(
        "There is no file {file}, and no game of yours goes by that name. To see them: "
        "{command} games",
        file=file,
        command=current_app().command,
    )


def find_own_file(file: Path | None) -> Path:
    """Return the last file that the player wrote in a game; FILE may name the file or the game.

    Games that wait for the opponent come first. Raises UsageError if several games match, and the
    same errors as `locate_file`.
    """
    if _is_file(file):
        return file
    entries = [entry for entry in find_games(str(file or "")) if entry.file_out is not None]
    entry = require_one([game for game in entries if game.game.waits_for == OPPONENT] or entries)
    if entry is None:
        return locate_file(file)[0]
    path = entry.file_out
    return path if path is not None and path_exists(path) else newest_file(entry)


def find_invitation(file: Path | None) -> Path:
    """Return the invitation in FILE, from the player named FILE, or the only invitation.

    Raises UsageError if there is none or several, and the same errors as `open_store`.
    """
    if _is_file(file):
        return file
    if file is None:
        check_mailbox()
    invitation = require_one([game for game in find_games(str(file or "")) if is_invitation(game)])
    if invitation is not None:
        return newest_file(invitation)
    if file is not None:
        return file
    raise UsageError(
        "No invitation was found in your folders. Name its file: {command} FILE",
        command=current_app().subcommand,
    )


def _is_file(file: Path | None) -> TypeGuard[Path]:
    """Return True if FILE can only be a file; otherwise scan the folders for its game.

    Raises UsageError if FILE is missing and there is no identity, and therefore no list of games.
    """
    if file is not None and (names_file(str(file)) or current_app().store is None):
        return True
    if file is None and current_app().store is None and not current_app().home.has_identity:
        raise UsageError(
            "Name a FILE: there is no identity in {folder}, and so no list of games. See: "
            "{command}",
            folder=current_app().home.folder,
            command=f"{current_app().subcommand} --help",
        )
    scan_folders()
    return file is not None and not list_games()


# --- games


def list_games() -> list[GameEntry]:
    """Return the player's games in the order of `acres games`, and the invitations.

    Raises the same errors as `open_store`.
    """
    with open_store() as store:
        return sort_games(inbox_of(store).games())


def find_games(word: str, *, whole_name: bool = False) -> list[GameEntry]:
    """Return all games that match a word, or all games if the word is empty.

    Raises the same errors as `open_store`.
    """
    games = list_games()
    if not word:
        return games
    with open_store() as store:
        return select_games(games, word, store.known_players(), full=whole_name)


def find_game(word: str = "", *, whole_name: bool = False) -> GameEntry | None:
    """Return the game that a word names, or None if no game matches the word.

    Without a word, the result is the waiting game, or the only one that can be continued. If
    `whole_name` is true, a word matches only an opponent's whole name. Raises UsageError if several
    games match, or if there is no game and no word, and the same errors as `open_store`.
    """
    games = find_games(word, whole_name=whole_name)
    game = default_game(games) or require_one(games)
    if game is None and not word:
        begin = Message(
            "To begin one: {command} new, or {command} join FILE", command=current_app().command
        )
        raise UsageError(sentences(Message("No game is listed yet."), begin))
    return game


def _fetch_and_find_game(word: str, *, whole_name: bool = False) -> GameEntry | None:
    """Return the game as `find_game` does, after fetching mail that may have the answer."""
    games = find_games(word, whole_name=whole_name)
    waits_for = {entry.game.waits_for for entry in games if not is_invitation(entry)}
    if YOU not in waits_for and (OPPONENT in waits_for or not word):
        check_mailbox()
    return find_game(word, whole_name=whole_name)


def require_one(candidates: Sequence[GameEntry]) -> GameEntry | None:
    """Return the only game in a list, or None if it is empty. Raises UsageError for several."""
    if len(candidates) > 1:
        games = list_games()
        choices = (
            # Translators: {game} is, for example, “Game 34de8b95 against Anna (British)”.
            Message("{number} is {game}", number=str(games.index(game) + 1), game=game_title(game))
            for game in candidates
        )
        raise UsageError(
            "Say which game you mean, by its number or by your opponent: {games}.",
            games=semicolon_list(choices),
        )
    return candidates[0] if candidates else None


def newest_file(entry: GameEntry) -> Path:
    """Return the newest file of a listed game. Raises UsageError if there is no file any more.

    If the file is not at its recorded path, all folders are searched.
    """
    if not has_newest_file(entry):
        scan_folders(rescan=True)
        entry = next((game for game in list_games() if game.id == entry.id), entry)
    files = newest_files(entry)
    if not files:
        notice = Message("No file of this game can be found any more.")
        command = Message("{command} games add FOLDER", command=current_app().command)
        hint = Message("If you have moved it, look for it with: {command}", command=command)
        raise UsageError(with_label(game_title(entry), sentences(notice, hint)))
    if not has_newest_file(entry):
        console.warn(
            "The newest file of this game cannot be found any more; this is the one before it: "
            "{file}",
            file=files[0],
        )
    return files[0]

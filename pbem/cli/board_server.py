"""The command `acres board` for playing: it serves the games to the player's browser."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from pbem.cli import console
from pbem.cli.app import close_store, current_app, read_passphrase
from pbem.cli.file_argument import open_incoming, read_incoming_game
from pbem.cli.homes import open_store
from pbem.errors import UsageError, describe_os_error
from pbem.foreign import shell_quote
from pbem.play.inbox import Inbox
from pbem.play.session import spectator_reason
from pbem.savefile.disk import is_folder
from pbem.web.game_service import GameService
from pbem.web.server import LocalHost, PageServer, access_at, open_in_browser, open_sockets


def play(
    file: Path | None, folders: Sequence[Path], port: int | None, *, open_browser: bool
) -> None:
    """Serve the pages of the player's games, and open them in the browser.

    The function returns when the last page is closed. Ctrl-C ends it like any command.
    """
    for folder in folders:
        if not is_folder(folder):
            raise UsageError("There is no folder {folder} to watch.", folder=folder)
    service = GameService(current_app().home, current_app().command)
    path = "/" if file is None else _page_path(service, file)
    passphrase = read_passphrase()
    if passphrase and service.home.has_identity:
        service.unlock(passphrase)
    try:
        listeners = open_sockets(port or 0, with_own=open_browser)
    except OSError as error:
        reason = describe_os_error(error)
        raise UsageError("No page can be shown here: {reason}.", reason=reason) from None
    with closing(listeners[0]):
        own, port = listeners[-1].getsockname()
        access = access_at(port, own)
        host = LocalHost(service, access, console.language(), folders)
        # Each link works once, so the printed link is another one than the browser's. It has the
        # usual address, which programs that forward ports know.
        address = access.new_link(path)
        console.say_unwrapped(
            "Your games, until you close the last page or press Ctrl-C: {address}", address=address
        )
        console.flush()
        console.note_written("Everything that was signed is saved.")
        if open_browser:
            open_in_browser(access.new_link(path, f"{own}:{port}"))
        PageServer(host).run(listeners)


def _page_path(service: GameService, file: Path) -> str:
    """Return the path of the page of the game in a file, after adding the game to the list.

    A file from a message is saved with its game. Raises the same errors as `open_incoming` and
    `read_incoming_game`, and UsageError for a game of other players.
    """
    incoming = open_incoming(file)
    match = read_incoming_game(incoming).match
    if match.is_joined and spectator_reason(current_app().home, match):
        raise UsageError(
            "You do not play in this game. To look at it: {command} board {file} --page game.html",
            command=current_app().command,
            file=shell_quote(file),
        )
    if incoming.is_file and incoming.path is not None and not match.is_joined:
        service.invitations.add(incoming.path.absolute())
    if not service.home.has_identity:
        # A new player creates an identity first, and then finds the invitation in the list.
        return "/"
    with open_store() as store:
        # Reading a file creates no library, but the page needs a listed game.
        if incoming.location or (incoming.is_file and not store.exists):
            Inbox(store, service.home.games).add(incoming)
        close_store(store)
    return f"/games/{match.id.hex()}"

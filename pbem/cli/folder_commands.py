"""The commands `acres games folders`: the folders that are scanned for new files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from engine.message import Message, with_label
from pbem.cli import console
from pbem.cli.app import current_app
from pbem.cli.game_lookup import scan_folders
from pbem.cli.help import LazyCommand, make_app
from pbem.cli.homes import open_store
from pbem.cli.options import argument
from pbem.errors import UsageError
from pbem.foreign import display_path, shell_quote
from pbem.play.game_list import downloads_folder, inbox_folders, unwatch, watch, watched_folders
from pbem.play.inbox import ArrivalKind
from pbem.text.proof.arrivals import folder_news

Folder = Annotated[Path, argument("FOLDER", "The folder; those within it are not looked at.")]


def _say_list(*, json: bool) -> None:
    home = current_app().home
    with open_store() as store:
        watched = watched_folders(home)
        others = [path for path in inbox_folders(home, store.games(), ()) if path not in watched]
    downloads = downloads_folder()
    if json:
        console.say_data({"watched": watched, "others": others, "downloads": downloads})
        return
    if watched:
        _say_folders(Message("Folders that are watched for new files:"), watched)
    _say_folders(Message("Folders of your games, which are watched anyway:"), others)
    if downloads is not None and downloads not in watched:
        console.say("What your browser and your mail program save is not watched.")
        command = f"{current_app().command} games folders add {shell_quote(downloads)}"
        console.say_unwrapped("To watch it too: {command}", command=command)


def _say_folders(heading: Message, folders: Sequence[Path]) -> None:
    console.say(heading, style="bold")
    for folder in folders:
        console.say_verbatim(f"  {display_path(folder)}")


def add(folder: Folder) -> None:
    """Watch a folder for files that arrive, and list what is in it.

    $ acres games folders add ~/Downloads  # downloads are found automatically
    """
    home = current_app().home
    folder = folder.absolute()
    label = Message("This folder is already watched")
    with open_store():
        if watch(home, folder):
            label = Message("From now on, files that arrive in this folder are found automatically")
    console.say_unwrapped(with_label(label, display_path(folder)))
    files = scan_folders()
    # Only the last arrival of each game is printed.
    latest = {arrival.game_id: arrival for arrival in files if arrival.kind is ArrivalKind.NEW}
    for arrival in [*latest.values(), *(arrival for arrival in files if arrival.is_invitation)]:
        console.item(next(folder_news(arrival, home.clock(), current_app().command)))


def forget(folder: Folder) -> None:
    """Stop watching a folder, unless files of your games are in it.

    $ acres games folders forget ~/Downloads  # it is no longer watched
    """
    home = current_app().home
    folder = folder.absolute()
    with open_store() as store:
        if not unwatch(home, folder):
            raise UsageError(
                "{folder} is not one of the watched folders. To see them: {command} games folders",
                folder=folder,
                command=current_app().command,
            )
        store.forget_stamps(folder)
        is_still_watched = folder in inbox_folders(home, store.games(), ())
    label = Message("This folder is no longer watched")
    console.say_unwrapped(with_label(label, display_path(folder)))
    if is_still_watched:
        console.say("It is watched anyway while files of your games are in it.")


_COMMANDS = {name: LazyCommand("folder_commands", name) for name in ("add", "forget")}

app = make_app(
    name="folders",
    help="See where new files are looked for, and add folders.",
    commands=_COMMANDS,
    say_list=_say_list,
)

"""The commands `acres games` and `acres stats`: the list of the player's games."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from engine.message import Concat, Message, sentences, with_label
from pbem.cli import console, game_lookup
from pbem.cli.app import current_app
from pbem.cli.file_argument import CHECKING_FILES, checking_records, open_incoming, progress
from pbem.cli.help import LazyCommand, make_app
from pbem.cli.homes import open_store
from pbem.cli.options import Json, argument, number_parser
from pbem.errors import UsageError, exists
from pbem.play.incoming import MAX_MAILBOX, STANDARD_INPUT, names_file
from pbem.play.robot import is_with_robot
from pbem.play.store import GameEntry, Store
from pbem.savefile.save_file import SaveFile
from pbem.sources import now
from pbem.text import games as games_text
from pbem.text.proof.arrivals import file_warnings
from pbem.text.proof.finding import explain_failures, lost_memory_warning

MAX_PACE_DAYS = 365

Game = Annotated[
    str,
    argument(
        "GAME",
        "The number in the list, the beginning of the game's own number, your opponent's "
        "name, or a file of the game.",
    ),
]


def say_no_games() -> None:
    """Print that no game is listed, and the commands that list one."""
    command = current_app().command
    console.say("No game is listed yet. If you have files of games, find them with:")
    console.say_unwrapped(Concat(("  ", Message("{command} games add FOLDER", command=command))))
    console.say_unwrapped("To begin one: {command} new, or {command} join FILE", command=command)


def say_game(entry: GameEntry, number: int | None = None) -> None:
    """Print the state of a game, the command that continues it, and the path of its last file.

    `number` is the game's number in the list, if it has one.
    """
    command, time = current_app().command, now()
    console.item(Concat((f"{number}. " if number else "", games_text.title_with_rules(entry))))
    console.item(games_text.state_text(entry, time), indent=4)
    if overdue := games_text.overdue_text(entry, time):
        console.item(overdue, "bold", indent=4)
    if number and (hint := games_text.play_hint(entry, number, command)):
        console.say_unwrapped(Concat(("    ", hint)))
    if file_hint := games_text.last_file_hint(entry, command):
        console.say_unwrapped(Concat(("    ", file_hint)))


def _say_list(*, json: bool) -> None:
    game_lookup.scan_folders()
    games = game_lookup.list_games()
    if json:
        console.say_data([games_text.game_entry_facts(game, now()) for game in games])
    elif games:
        _say_games(games)
    else:
        say_no_games()


def _say_games(games: Sequence[GameEntry]) -> None:
    """Print games, grouped by the player who moves next."""
    is_first = True
    for waits_for, heading in games_text.HEADINGS.items():
        entries = [entry for entry in games if entry.game.waits_for == waits_for]
        if entries and not is_first:
            console.say()
        if entries:
            console.say(Message(heading), style="bold")
            is_first = False
        for entry in entries:
            say_game(entry, games.index(entry) + 1)
            if warning := games_text.date_warning(entry, now()):
                console.item(warning, indent=4)


def stats(json: Json = False) -> None:
    """Show how your games went: results by edition and side, and how long they took.

    Only listed games count, and games against the robot do not.

    $ acres stats  # how your games went
    """
    with open_store() as store:
        games, home = store.games(), current_app().home
        with_people = [game for game in games if not is_with_robot(home, game)]
        facts = games_text.statistics(with_people, store.first_signed_times())
    if json:
        console.say_data(facts)
    elif not games:
        say_no_games()
    else:
        console.say_lines(games_text.statistics_text(facts))


def add(
    paths: Annotated[
        list[Path], argument("FILE...", "Files of games, or folders with such files.")
    ],
) -> None:
    """Find your games in files, and list them.

    That also brings back what you have signed, as far as it is in these files, if the library was
    lost.

    $ acres games add . ~/Mail  # your games, wherever their files are
    """
    with open_store() as store:
        add_all(store, [_read_source(path) for path in paths], learn=True)
    console.say_unwrapped("To see them: {command} games", command=current_app().command)


def pace(
    game: Game,
    days: Annotated[
        int,
        argument(
            "DAYS",
            "How many days a move may take; 0 for as many as it needs.",
            parser=number_parser("DAYS"),
        ),
    ],
) -> None:
    """Note the pace that you have agreed on.

    The list then shows what is overdue. Only you see it: it is not written in any file.

    $ acres games pace 34de8b95 3  # three days for a move
    """
    if not 0 <= days <= MAX_PACE_DAYS:
        raise UsageError(
            "DAYS is a number from 0 to {most}, not {number}.", most=MAX_PACE_DAYS, number=days
        )
    with open_store() as store:
        entry = _find_entry(game)
        store.set_pace(entry.id, days or None)
    pace = games_text.pace_text(days or None)
    console.say(Concat((with_label(games_text.game_title(entry), pace), ".")))


def forget(game: Game) -> None:
    """Take a game off the list.

    What you have signed in it is still remembered; a file of it that you open lists it again.

    $ acres games forget 34de8b95  # it is no longer listed
    """
    with open_store() as store:
        entry = _find_entry(game)
        store.forget_game(entry.id)
    # Translators: {game} is, for example, “Game 34de8b95 against Anna (British)”.
    console.say("{game} is no longer listed.", game=games_text.game_title(entry))


def _find_entry(word: str) -> GameEntry:
    """Return the game that the player names. Raises UsageError unless there is exactly one."""
    is_file = exists(Path(word)) and names_file(word)
    candidates = _games_in_file(Path(word)) if is_file else game_lookup.find_games(word)
    if entry := game_lookup.require_one(candidates):
        return entry
    raise UsageError(
        "No listed game of yours is “{number}”. To see them: {command} games",
        number=word,
        command=current_app().command,
    )


def _games_in_file(file: Path) -> list[GameEntry]:
    """Return the game in a file, if it is listed. Raises InputError."""
    incoming = open_incoming(file)
    with explain_failures(incoming.data, show_progress=checking_records):
        game = SaveFile.read(incoming.data).records[0].hash
    return [entry for entry in game_lookup.list_games() if entry.id == game]


def vouch_for_files(*folders: Path) -> None:
    """Learn the files in `folders`, and mark the library as complete on the player's word.

    Nothing is done if it is complete already. Raises UsageError if the library cannot be used.
    """
    with open_store() as store:
        if not store.is_complete():
            add_all(store, [*dict.fromkeys(folders)])
            store.mark_complete(with_games=True)


def _read_source(path: Path) -> Path | bytes:
    return sys.stdin.buffer.read(MAX_MAILBOX + 1) if str(path) == STANDARD_INPUT else path


def add_all(store: Store, sources: Sequence[Path | bytes], *, learn: bool = False) -> None:
    """Find the player's games in files and folders, list them, and print their number.

    Raises InputError if a named file has no game.
    """
    with progress(CHECKING_FILES) as report:
        result = game_lookup.inbox_of(store).collect(
            sources, console.warn, report.track, is_learning=learn
        )
        for arrival in result.arrivals:
            for warning in file_warnings(arrival, current_app().command):
                console.warn(warning)
    arrivals = {arrival.game_id: arrival for arrival in result.arrivals if arrival.game}
    console.say(
        Message.counted(
            "Found {count} game of yours in {files}.",
            "Found {count} games of yours in {files}.",
            len(arrivals),
            files=Message.counted("{count} file", "{count} files", result.files),
        )
    )
    if any(arrival.has_learnt for arrival in result.arrivals):
        notice = Message(
            "What you have signed in them is remembered again, as far as it is in these files."
        )
        console.say(sentences(notice, lost_memory_warning()))


_COMMANDS = {name: LazyCommand("games_commands", name) for name in ("add", "pace", "forget")}
_COMMANDS["folders"] = LazyCommand("folder_commands", "app")

app = make_app(
    name="games",
    help="List your games: whose move it is, since when, and where the last files are.",
    commands=_COMMANDS,
    say_list=_say_list,
)

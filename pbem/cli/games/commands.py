"""`acres games`: its commands put together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.message import Message, Run, labelled
from pbem.cli import console
from pbem.cli.given import read_or_restore, take
from pbem.cli.help import Command, Group
from pbem.cli.home import command_of
from pbem.cli.numbers import number_for
from pbem.cli.own_library import own_games
from pbem.errors import WrongUse
from pbem.play.home import now
from pbem.savefile.disk import exists

if TYPE_CHECKING:
    from pbem.library import Library, Listed

LONGEST_PACE = 365

app = typer.Typer(
    name="games",
    cls=Group,
    help="List your games: whose move it is, since when, and where the last files are.",
    rich_markup_mode=None,
)

Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="The beginning of the game's number, as it is listed; or a file of it."
    ),
]


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
) -> None:
    if context.invoked_subcommand is not None:
        if json:
            raise WrongUse("--json is for the list: acres games --json")
        return
    from pbem.cli.games import listing

    with own_games(context) as own:
        games = own.open().games()
    if json:
        from json import dumps

        console.say_whole(dumps([listing.facts(game, now()) for game in games], indent=2))
    else:
        listing.say_games(games, now(), command_of(context))


def add(
    context: typer.Context,
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Files of games, or folders with such files."),
    ],
) -> None:
    """Find your games in files, and list them.

    That also brings back what you have signed, as far as it is in these files, when the library was
    lost.
    """
    from pbem.cli.games.finding import add_all

    with own_games(context) as own:
        add_all(own.open(is_learning=True), paths)
    console.say_whole(Message("To see them: {command} games", command=command_of(context)))


def pace(
    context: typer.Context,
    game: Game,
    days: Annotated[
        int,
        typer.Argument(
            metavar="DAYS",
            parser=number_for("DAYS"),
            help="How many days a move may take; 0 for as many as it needs.",
        ),
    ],
) -> None:
    """Note the pace that you have agreed on.

    The list then tells what is overdue. Only you see it: it stands in no file.
    """
    if not 0 <= days <= LONGEST_PACE:
        raise WrongUse(
            "DAYS is a number from 0 to {most}, not {number}.", most=LONGEST_PACE, number=days
        )
    from pbem.cli.games.listing import called, pace_told

    with own_games(context) as own:
        meant = _meant(context, own.open(), game)
        own.open().set_pace(meant.id, days or None)
    console.say(Run((labelled(called(meant), pace_told(days or None)), ".")))


def forget(context: typer.Context, game: Game) -> None:
    """Take a game from the list.

    What you have signed in it stays remembered; a file of it that you open lists it again.
    """
    from pbem.cli.games.listing import called

    with own_games(context) as own:
        meant = _meant(context, own.open(), game)
        own.open().forget(meant.id)
    # Translators: {game} is such as “Game 34de8b95 against Anna (British)”.
    console.say(Message("{game} is no longer listed.", game=called(meant)))


def _meant(context: typer.Context, library: Library, game: str) -> Listed:
    """The game that a player means; WrongUse where it is none, or not only one."""
    number = _number_in(context, Path(game)) if exists(Path(game)) else game.lower()
    found = [listed for listed in library.games() if listed.id.hex().startswith(number)]
    if len(found) == 1 and number:
        return found[0]
    if found:
        raise WrongUse("Several games begin with “{number}”: say more of the number.", number=game)
    raise WrongUse(
        "No game of yours that is listed is “{number}”. To see them: {command} games",
        number=game,
        command=command_of(context),
    )


def _number_in(context: typer.Context, file: Path) -> str:
    """The number of the game in a file; raises Unreadable."""
    from pbem.savefile.save_file import SaveFile

    save, _ = read_or_restore(take(context, file), SaveFile.read)
    return save.records[0].hash.hex()


app.command(cls=Command)(add)
app.command(cls=Command)(pace)
app.command(cls=Command)(forget)

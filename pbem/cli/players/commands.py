"""`acres players`: its commands put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from engine.message import Message
from pbem.cli import completion, console
from pbem.cli.help import Command, Group
from pbem.cli.home import command_of
from pbem.cli.own_library import own_games
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from pbem.library import Acquaintance, Players

app = typer.Typer(
    name="players",
    cls=Group,
    help="See who is who: by which keys you know the players you have met.",
    rich_markup_mode=None,
)

Key = Annotated[
    list[str],
    typer.Argument(
        metavar="KEY...",
        help="The beginning of the player's key, as it is listed; or their name or address.",
        autocompletion=completion.players,
    ),
]


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
) -> None:
    if context.invoked_subcommand is not None:
        if json:
            raise WrongUse("--json is for the list: acres players --json")
        return
    from pbem.cli.players import listing

    with own_games(context) as own:
        met = own.players().all()
    if json:
        from json import dumps

        console.say_whole(dumps([listing.facts(one) for one in met], indent=2))
    else:
        listing.say_players(met, command_of(context))


def name(
    context: typer.Context,
    key: Key,
    nickname: Annotated[
        str, typer.Argument(metavar="NAME", help="What you call them: only you see it.")
    ],
) -> None:
    """Call a player what you like, and take the key for theirs.

    Where somebody else is known by the same name or address, you say with this that the key is
    right, and hear no more of it.
    """
    from pbem.cli.players.listing import described
    from pbem.words.phrases import fingerprint

    _check(nickname)
    with own_games(context) as own:
        meant = _meant(context, own.players(), key)
        own.players().call(meant.key, nickname)
    console.say(
        Message(
            "You call {player}, {key}, {nickname} from now on.",
            player=described(meant),
            key=fingerprint(meant.key),
            nickname=console.named(nickname),
        )
    )


def forget(context: typer.Context, key: Key) -> None:
    """Forget a player's key, and what you called them.

    A file of a game with them that you open brings the key back.
    """
    from pbem.cli.players.listing import described
    from pbem.words.phrases import fingerprint

    with own_games(context) as own:
        meant = _meant(context, own.players(), key)
        own.players().forget(meant.key)
    console.say(
        Message(
            "The key of {player} is forgotten: {key}.",
            player=described(meant),
            key=fingerprint(meant.key),
        )
    )


def _check(nickname: str) -> None:
    """Refuse what is no name, as that of a player of their own."""
    from pbem.protocol.schema import NAME

    try:
        NAME.read(nickname)
    except ValueError as error:
        # Translators: {reason} is such as “has to be shorter”.
        raise WrongUse("What you call them {reason}.", reason=error) from None


def _meant(context: typer.Context, players: Players, words: list[str]) -> Acquaintance:
    """The player who is meant; WrongUse where it is none, or not only one."""
    from pbem.library.alike import are_addresses_alike, are_names_alike

    typed = " ".join(words)
    digits = "".join(typed.split()).lower().removeprefix("key")
    met = players.all()
    found = [one for one in met if digits and one.key.hex().startswith(digits)]
    for one in met:
        names = [one.nickname, *(person.name for person in one.people)]
        is_named = any(name and are_names_alike(name, typed) for name in names)
        has_address = any(are_addresses_alike(person.email, typed) for person in one.people)
        if one not in found and (is_named or has_address):
            found.append(one)
    if len(found) == 1:
        return found[0]
    if found:
        raise WrongUse(
            "Several players are “{word}”: name one by the key.", word=console.clean(typed)
        )
    raise WrongUse(
        "No player whom you have met is “{word}”. To see them: {command} players",
        word=console.clean(typed),
        command=command_of(context),
    )


app.command(cls=Command)(name)
app.command(cls=Command)(forget)

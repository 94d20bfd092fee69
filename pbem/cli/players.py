"""The commands `acres players`: the players met so far, with their keys."""

from __future__ import annotations

from typing import Annotated

from engine.message import Concat
from pbem.cli import completion, console
from pbem.cli.app import current_app
from pbem.cli.help import LazyCommand, make_app
from pbem.cli.homes import open_store
from pbem.cli.options import argument
from pbem.errors import UsageError
from pbem.play.store.entries import KnownPlayer
from pbem.protocol.schema import NAME
from pbem.text import games
from pbem.text.phrases import fingerprint

Key = Annotated[
    list[str],
    argument(
        "KEY...",
        "The beginning of the player's key, as it is listed; or their name or address.",
        completion.players,
    ),
]


def _say_list(*, json: bool) -> None:
    with open_store() as store:
        everybody = store.known_players()
    if json:
        console.say_data([*map(games.known_player_facts, everybody)])
        return
    if not everybody:
        console.say(
            "You have met nobody yet: players are listed here once you have signed a turn in a "
            "game with them."
        )
    for player in everybody:
        console.item(games.player_label(player))
        console.item(games.known_player_text(player), indent=4)
        if player.passes_for:
            console.item(games.impostor_warning(player.passes_for), "bold", indent=4)
            hint = games.vouching_hint(player.key, current_app().command)
            console.say_unwrapped(Concat(("    ", hint)))


def name(
    key: Key, nickname: Annotated[str, argument("NAME", "What you call them: only you see it.")]
) -> None:
    """Give a player a name of your own, and accept the key as theirs.

    If you know somebody else by the same name or address, this says that the key is right, and you
    are not warned again.

    $ acres players name 8f1a07c2 Béla  # by the beginning of the key
    """
    try:
        NAME.read(nickname)
    except ValueError as error:
        # Translators: {reason} is, for example, “must be shorter”.
        raise UsageError("What you call them {reason}.", reason=error) from None
    with open_store() as store:
        player = _find_player(store.known_players(), key)
        store.set_nickname(player.key, nickname)
    console.say(
        "You call {player}, {key}, {nickname} from now on.",
        player=games.player_label(player),
        key=fingerprint(player.key),
        nickname=console.display_name(nickname),
    )


def forget(key: Key) -> None:
    """Forget a player's key, and what you called them.

    Opening a file of a game with them brings the key back.

    $ acres players forget 8f1a07c2  # as if you had never met
    """
    with open_store() as store:
        player = _find_player(store.known_players(), key)
        store.forget_player(player.key)
    console.say(
        "The key of {player} is forgotten: {key}.",
        player=games.player_label(player),
        key=fingerprint(player.key),
    )


def _find_player(players: list[KnownPlayer], name_parts: list[str]) -> KnownPlayer:
    """Return the player that the words name. Raises UsageError unless there is exactly one."""
    text = " ".join(name_parts)
    matches = games.find_players(players, text)
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UsageError(
            "Several players are called “{word}”: name one by the key.", word=console.clean(text)
        )
    raise UsageError(
        "No player you have met is called “{word}”. To see them: {command} players",
        word=console.clean(text),
        command=current_app().command,
    )


app = make_app(
    name="players",
    help="See who is who: the keys of the players you have met.",
    commands={"name": LazyCommand("players", "name"), "forget": LazyCommand("players", "forget")},
    say_list=_say_list,
)

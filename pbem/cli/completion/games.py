"""Values that are offered from a game, such as that in the file on the line, or the own library."""

from __future__ import annotations

from pathlib import Path

import typer

from engine import game
from engine.ruleset import Ruleset
from engine.state import new_game
from engine.ways import Ways
from pbem.cli import console
from pbem.cli.completion import Offer, beginning
from pbem.cli.home import at_home, load_identity
from pbem.cli.own_library import own_library
from pbem.cli.passphrases import NoPassphrase
from pbem.cli.reading import take
from pbem.play.answer import Answer
from pbem.play.game_file import GameFile
from pbem.play.home import now
from pbem.protocol.known import nothing_known
from pbem.words.games.invitation import start_cards as to_begin_with
from pbem.words.games.people import called, digits
from pbem.words.orders.completion import AnyOrders, in_either, words_begun
from pbem.words.orders.decision import give_orders
from pbem.words.orders.prefix import as_typed
from pbem.words.phrases import money_counted


def start_cards(_: typer.Context, typed: str) -> Offer:
    """The cards that the French can begin with by the house rule."""
    state = new_game(Ruleset.of(house_rules=["french-start-choice"]))
    return beginning(typed, ((card, "") for card in to_begin_with(console.language(), state)))


def orders(context: typer.Context, typed: str) -> Offer:
    """The orders that can be given and begin as typed, with what they cost.

    Those given before them on the line are given. There are none where the file takes none.
    """
    ways = _ways(context)
    if ways is None:
        return []
    state = ways.worlds[0]
    found = in_either(console.language(), ways, state.ruleset.catalogue.name_of, typed)
    costs = [
        0 if order is None or isinstance(ways, AnyOrders) else game.cost(state, order)
        for _, order in found
    ]
    return [
        (as_typed(text, typed), console.told(money_counted(cost)) if cost else "")
        for (text, _), cost in zip(found, costs, strict=True)
    ]


def words(context: typer.Context, typed: str) -> Offer:
    """The words of orders that can be given now."""
    ways = _ways(context)
    if ways is None:
        return []
    name = ways.worlds[0].ruleset.catalogue.name_of
    found = words_begun(console.language(), ways, name, typed)
    return [(as_typed(word, typed), "") for word in found]


def _ways(context: typer.Context) -> Ways | None:
    """What can be ordered in the file that the line names, after the orders on the line.

    Where the player's hand is not to be seen, what is known without. Raises all that a command
    may raise: the shell is then told nothing.
    """
    _go_home(context)
    given, library = take(context, _file(context)), own_library(context)
    game_file = GameFile.read(given.data, library.known if library else nothing_known)
    try:
        answer = Answer(game_file, load_identity(context), now())
    except NoPassphrase:
        return _any_orders(game_file, at_home(context).own_key)
    give_orders(
        console.language(),
        answer,
        [*(context.params.get("order") or context.params.get("after") or ())],
    )
    return None if answer.takes_no_order else Ways(answer.worlds)


def _any_orders(game_file: GameFile, key: bytes | None) -> AnyOrders:
    match = game_file.match
    side = match.next_side if match.is_joined else None
    if side is None or match.is_over or match.entrants[side].key != key:
        raise LookupError("nothing can be ordered")
    return AnyOrders(match.state, side)


def _file(context: typer.Context) -> Path:
    """The file that the line names; after an option without its value, typer has not read it."""
    file: str | None = context.params.get("file")
    for path in map(Path, [file] if file else context.args):
        if path.suffix in (".toml", ".eml") and path.is_file():
            return path
    raise LookupError("no file")


def players(context: typer.Context, typed: str) -> Offer:
    """The beginning of each key that goes on as what is typed, and whose it is."""
    _go_home(context)
    own = own_library(context)
    met = own.players().all() if own and not context.params.get("key") else []
    fitting = ((digits(one.key), one) for one in met)
    return [(key, console.told(called(one))) for key, one in fitting if key.startswith(typed)]


def _go_home(context: typer.Context) -> None:
    """Take note of the home that the line names: no command has run that would have done it."""
    root = context.find_root()
    home: str | None = root.params.get("home")
    root.obj = Path(home) if home else None

"""Values that are offered from the rules, the file on the line, or the player's library.

A name of several words may be typed in quotes, or word by word as a person would.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import typer

from engine.catalogue import Card, Catalogue, Location
from engine.house_rules import house_rules as known_house_rules
from engine.message import Message
from engine.players import STRENGTHS
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.ruleset import editions as printed
from engine.sides import Side
from engine.state import new_game
from engine.ways import Ways
from pbem.cli import console
from pbem.cli.completion import Offer, beginning
from pbem.cli.file_argument import names_file, take
from pbem.cli.newest_file import game_meant, games_listed
from pbem.cli.own_home import at_home, load_identity, own_library
from pbem.cli.passphrases import NoPassphrase
from pbem.play.game_file import GameFile
from pbem.play.listed import newest_files
from pbem.play.look import Spectator, preview
from pbem.protocol.entrance import ruleset_of
from pbem.protocol.known import nothing_known
from pbem.view.chronicle import Chronicle
from pbem.words.games.listing import game_called
from pbem.words.games.people import digits, player_called
from pbem.words.games.strengths import strength_told
from pbem.words.history.log import Log
from pbem.words.ordering.continuation import AnyOrders, orders_begun, words_begun
from pbem.words.ordering.giving import give_orders
from pbem.words.ordering.prefix import as_typed, rests
from pbem.words.ordering.reading import start_cards as to_begin_with
from pbem.words.ordering.verbs import begins_with_verb
from pbem.words.rules.topic import titles_by_word


def editions(_: typer.Context, typed: str) -> Offer:
    """The printed editions."""
    return beginning(typed, ((id, Message(row["name"])) for id, row in printed().items()))


def house_rules(_: typer.Context, typed: str) -> Offer:
    """The house rules, by id."""
    rules = known_house_rules().values()
    return beginning(typed, ((rule.id, Message(rule.what)) for rule in rules))


def start_cards(context: typer.Context, typed: str) -> Offer:
    """The cards that the French can begin with, by the rules on the line or in the invitation."""
    if context.info_name == "join":
        ruleset = ruleset_of(_game(context).match.invite)
    else:
        ruleset = _ruleset(context, "french-start-choice")
    if not ruleset.chooses_start_card(Side.FRENCH):
        return []
    cards = to_begin_with(console.language(), new_game(ruleset))
    return beginning(typed, ((card, "") for card in cards))


def strengths(_: typer.Context, typed: str) -> Offer:
    """How strong a robot can play."""
    return beginning(typed, ((str(each), strength_told(each)) for each in STRENGTHS))


def topics(context: typer.Context, typed: str) -> Offer:
    """The topics, and the lists that can be asked for like one."""
    before = context.params.get("topic") or ()
    spoken, english = titles_by_word(console.language())
    return rests(spoken, before, typed) or rests(english, before, typed)


def cards(context: typer.Context, typed: str) -> Offer:
    """All cards of the edition."""
    every = [card for side in _catalogue(context).cards.values() for card in side.values()]
    return _named(context, every, typed)


def locations(context: typer.Context, typed: str) -> Offer:
    """All locations."""
    return _named(context, _catalogue(context).locations.values(), typed)


def _catalogue(context: typer.Context) -> Catalogue:
    return _ruleset(context).catalogue


def _ruleset(context: typer.Context, *rules: str) -> Ruleset:
    """The rules that the line names, and those."""
    named = context.params.get("house_rule") or ()
    return Ruleset.of(context.params.get("edition") or DEFAULT_EDITION, [*named, *rules])


def _named(context: typer.Context, things: Iterable[Card | Location], typed: str) -> Offer:
    """How the names of things go on: as they are called now, or else as they are in English."""
    before, every = context.params.get("name") or (), list(things)
    spoken = dict.fromkeys((console.told(thing.label) for thing in every), "")
    english = dict.fromkeys((thing.name for thing in every), "")
    return rests(spoken, before, typed) or rests(english, before, typed)


# --- from a game, and from the library


def orders(context: typer.Context, typed: str) -> Offer:
    """The orders that can be given and begin as typed, with what they cost.

    Those given before them on the line are given. There are none where the file takes none.
    """
    ways = _ways(context)
    found = orders_begun(console.language(), ways, typed) if ways else ()
    return [(as_typed(text, typed), console.told(remark)) for text, remark in found]


def instead_of_file(context: typer.Context, typed: str) -> Offer:
    """Opponents, for the newest file of their game, and where it may be left out what is behind."""
    _go_home(context)
    opponents = {each.game.opponent: game_called(each) for each in games_listed(context)}
    found = beginning(typed, ((name, game) for name, game in opponents.items() if name))
    behind = {"apply": orders, "legal": words}.get(context.info_name or "")
    return [*found, *(behind(context, typed) if behind else ())]


def words(context: typer.Context, typed: str) -> Offer:
    """The words of orders that can be given now."""
    ways = _ways(context)
    found = words_begun(console.language(), ways, typed) if ways else ()
    return [(as_typed(word, typed), "") for word in found]


def turns(context: typer.Context, typed: str) -> Offer:
    """The turns of the game in the file that the line names, 0 for its start, by their headings."""
    game_file = _game(context)
    if not game_file.match.is_joined:
        return []
    chronicle = Chronicle(game_file.match, Spectator.FOR_ALL)
    log = Log(chronicle)
    told = ((str(turn.number), log.section(turn).heading) for turn in chronicle.turns)
    return beginning(typed, told)


def _ways(context: typer.Context) -> Ways | None:
    """What can be ordered in the file that the line names, after the orders on the line.

    Where the player's hand is not to be seen, what is known without. Raises all that a command
    may raise: the shell is then told nothing.
    """
    _go_home(context)
    file, begun = _file(context)
    game_file = _read(context, file)
    try:
        answer = preview(game_file, load_identity(context))
    except NoPassphrase:
        return _any_orders(game_file, at_home(context).own_key)
    before = [*begun, *(context.params.get("order") or ())]
    give_orders(console.language(), answer, before or [*(context.params.get("after") or ())])
    return None if answer.takes_no_order else Ways(answer.worlds)


def _game(context: typer.Context) -> GameFile:
    """The game in the file that the line names; raises as `_ways`."""
    _go_home(context)
    return _read(context, _file(context)[0])


def _read(context: typer.Context, file: Path) -> GameFile:
    given, library = take(context, file), own_library(context)
    return GameFile.read(given.data, library.known if library else nothing_known)


def _any_orders(game_file: GameFile, key: bytes | None) -> AnyOrders:
    match = game_file.match
    side = match.next_side if match.is_joined else None
    if side is None or match.is_over or match.entrants[side].key != key:
        raise LookupError("nothing can be ordered")
    return AnyOrders(match.state, side)


def _file(context: typer.Context) -> tuple[Path, list[str]]:
    """The file that the line names, or leaves out, and the words that stand in its place then.

    After an option without its value, typer has not read it.
    """
    word: str | None = context.params.get("file")
    for path in map(Path, [word] if word else context.args):
        if path.suffix in (".toml", ".eml") and path.is_file():
            return path, []
    if word is not None and names_file(word):
        raise LookupError("no file")
    is_game = word is not None and not begins_with_verb(console.language(), word)
    listed = game_meant(context, word or "", whole=True) if is_game else None
    others = [word] if word and listed is None else []
    # It is looked for nowhere: the shell waits.
    listed = listed or game_meant(context)
    files = newest_files(listed) if listed else []
    if not files:
        raise LookupError("no file")
    return files[0], others


def players(context: typer.Context, typed: str) -> Offer:
    """The beginning of each key that goes on as what is typed, and whose it is."""
    _go_home(context)
    own = own_library(context)
    met = own.players().all() if own and not context.params.get("key") else []
    fitting = ((digits(one.key), one) for one in met)
    return [
        (key, console.told(player_called(one))) for key, one in fitting if key.startswith(typed)
    ]


def own_games(context: typer.Context, typed: str) -> Offer:
    """The games that go on, by their numbers, and the robot."""
    _go_home(context)
    listed = games_listed(context) if own_library(context) else []
    numbered = [
        (str(number), game_called(each))
        for number, each in enumerate(listed, start=1)
        if not each.game.is_finished
    ]
    robot = Message("the robot on this computer")
    return beginning(typed, [("robot", robot), *numbered])


def _go_home(context: typer.Context) -> None:
    """Take note of the home that the line names: no command has run that would have done it."""
    root = context.find_root()
    home: str | None = root.params.get("home")
    root.obj = Path(home) if home else None

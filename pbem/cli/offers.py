"""Values that are offered from the rules, the file on the line, or the player's library.

A name of several words may be typed in quotes, or word by word as a person would.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from engine.catalogue import Card, Catalogue, Location
from engine.choices import Choices
from engine.house_rules import house_rules as known_house_rules
from engine.message import Message
from engine.players import STRENGTHS
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.ruleset import editions as printed
from engine.sides import Side
from engine.state import new_game
from pbem.cli import console
from pbem.cli.completion import Offer, beginning
from pbem.cli.file_argument import take
from pbem.cli.own_home import at_home, load_identity, own_library
from pbem.cli.own_inbox import game_meant, games_listed
from pbem.cli.passphrases import NoPassphrase
from pbem.cli.running import current
from pbem.play.game_file import GameFile
from pbem.play.inbox.incoming import names_file
from pbem.play.listed import newest_files
from pbem.play.look import Look
from pbem.play.turn import Turn
from pbem.protocol.entrance import ruleset_of
from pbem.protocol.known import nothing_known
from pbem.sources import now
from pbem.text.facts.chronicle import Chronicle
from pbem.text.games.listing import game_called
from pbem.text.games.people import digits, player_called, strength_told
from pbem.text.history.log import Log
from pbem.text.ordering.lists import AnyOrders, orders_begun, words_begun
from pbem.text.ordering.prefix import as_typed, rests
from pbem.text.ordering.reading import start_cards as to_begin_with
from pbem.text.ordering.submit import give_orders
from pbem.text.ordering.verbs import begins_with_verb
from pbem.text.rules.topic import titles_by_word


def editions(typed: str) -> Offer:
    """The printed editions."""
    return beginning(typed, ((id, Message(row["name"])) for id, row in printed().items()))


def house_rules(typed: str) -> Offer:
    """The house rules, by id."""
    rules = known_house_rules().values()
    return beginning(typed, ((rule.id, Message(rule.what)) for rule in rules))


def start_cards(typed: str) -> Offer:
    """The cards that the French can begin with, by the rules on the line or in the invitation."""
    if current().info_name == "join":
        ruleset = ruleset_of(_game().match.invite)
    else:
        ruleset = _ruleset("french-start-choice")
    if not ruleset.chooses_start_card(Side.FRENCH):
        return []
    cards = to_begin_with(console.language(), new_game(ruleset))
    return beginning(typed, ((card, "") for card in cards))


def strengths(typed: str) -> Offer:
    """How strong a robot can play."""
    return beginning(typed, ((str(each), strength_told(each)) for each in STRENGTHS))


def topics(typed: str) -> Offer:
    """The topics, and the lists that can be asked for like one."""
    before = current().params.get("topic") or ()
    spoken, english = titles_by_word(console.language())
    return rests(spoken, before, typed) or rests(english, before, typed)


def cards(typed: str) -> Offer:
    """All cards of the edition."""
    every = [card for side in _catalogue().cards.values() for card in side.values()]
    return _named(every, typed)


def locations(typed: str) -> Offer:
    """All locations."""
    return _named(_catalogue().locations.values(), typed)


def _catalogue() -> Catalogue:
    return _ruleset().catalogue


def _ruleset(*rules: str) -> Ruleset:
    """The rules that the line names, and those."""
    named = current().params.get("house_rule") or ()
    return Ruleset.of(current().params.get("edition") or DEFAULT_EDITION, [*named, *rules])


def _named(things: Iterable[Card | Location], typed: str) -> Offer:
    """How the names of things go on: as they are called now, or else as they are in English."""
    before, every = current().params.get("name") or (), list(things)
    spoken = dict.fromkeys((console.told(thing.label) for thing in every), "")
    english = dict.fromkeys((thing.name for thing in every), "")
    return rests(spoken, before, typed) or rests(english, before, typed)


# --- from a game, and from the library


def orders(typed: str) -> Offer:
    """The orders that can be given and begin as typed, with what they cost.

    Those given before them on the line are given. There are none where the file takes none.
    """
    choices = _choices()
    found = orders_begun(console.language(), choices, typed) if choices else ()
    return [(as_typed(text, typed), console.told(remark)) for text, remark in found]


def instead_of_file(typed: str) -> Offer:
    """Opponents, for the newest file of their game, and where it may be left out what is behind."""
    _go_home()
    opponents = {each.game.opponent: game_called(each) for each in games_listed()}
    found = beginning(typed, ((name, game) for name, game in opponents.items() if name))
    behind = {"apply": orders, "legal": words}.get(current().info_name or "")
    return [*found, *(behind(typed) if behind else ())]


def words(typed: str) -> Offer:
    """The words of orders that can be given now."""
    choices = _choices()
    found = words_begun(console.language(), choices, typed) if choices else ()
    return [(as_typed(word, typed), "") for word in found]


def turns(typed: str) -> Offer:
    """The turns of the game in the file that the line names, 0 for its start, by their headings."""
    game_file = _game()
    if not game_file.match.is_joined:
        return []
    chronicle = Chronicle(Look(game_file.match))
    log = Log(chronicle)
    told = ((str(turn.number), log.section(turn).heading) for turn in chronicle.turns)
    return beginning(typed, told)


def _choices() -> Choices | None:
    """Return the orders that the file on the line takes, after those on the line.

    Where the player's hand is not to be seen, what is known without. Raises all that a command
    may raise: the shell is then told nothing.
    """
    _go_home()
    file, begun = _file()
    game_file = _read(file)
    try:
        answer = Turn.of(game_file, load_identity(), now())
    except NoPassphrase:
        return _any_orders(game_file, at_home().own_key)
    before = [*begun, *(current().params.get("order") or ())]
    give_orders(console.language(), answer, before or [*(current().params.get("after") or ())])
    return None if answer.takes_no_order else answer.choices


def _game() -> GameFile:
    """The game in the file that the line names; raises as `_choices`."""
    _go_home()
    return _read(_file()[0])


def _read(file: Path) -> GameFile:
    given, library = take(file), own_library()
    return GameFile.read(given.data, library.known if library else nothing_known)


def _any_orders(game_file: GameFile, key: bytes | None) -> AnyOrders:
    match = game_file.match
    side = match.next_side if match.is_joined else None
    if side is None or match.is_over or match.entrants[side].key != key:
        raise LookupError("nothing can be ordered")
    return AnyOrders(match.state, side)


def _file() -> tuple[Path, list[str]]:
    """The file that the line names, or leaves out, and the words that stand in its place then.

    After an option without its value, typer has not read it.
    """
    word: str | None = current().params.get("file")
    for path in map(Path, [word] if word else current().args):
        if path.suffix in (".toml", ".eml") and path.is_file():
            return path, []
    if word is not None and names_file(word):
        raise LookupError("no file")
    is_game = word is not None and not begins_with_verb(console.language(), word)
    listed = game_meant(word or "", whole=True) if is_game else None
    others = [word] if word and listed is None else []
    # It is looked for nowhere: the shell waits.
    listed = listed or game_meant()
    files = newest_files(listed) if listed else []
    if not files:
        raise LookupError("no file")
    return files[0], others


def players(typed: str) -> Offer:
    """The beginning of each key that goes on as what is typed, and whose it is."""
    _go_home()
    own = own_library()
    met = own.players() if own and not current().params.get("key") else []
    fitting = ((digits(one.key), one) for one in met)
    return [
        (key, console.told(player_called(one))) for key, one in fitting if key.startswith(typed)
    ]


def own_games(typed: str) -> Offer:
    """The games that go on, by their numbers, and the robot."""
    _go_home()
    listed = games_listed() if own_library() else []
    numbered = [
        (str(number), game_called(each))
        for number, each in enumerate(listed, start=1)
        if not each.game.is_finished
    ]
    robot = Message("the robot on this computer")
    return beginning(typed, [("robot", robot), *numbered])


def _go_home() -> None:
    """Take note of the home that the line names: no command has run that would have done it."""
    root = current().find_root()
    home: str | None = root.params.get("home")
    root.obj = Path(home) if home else None

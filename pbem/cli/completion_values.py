"""Completion of values from the rules, the file on the line, or the player's library.

A name of several words may be typed in quotes or word by word.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from engine.catalogue import Card, Location
from engine.choices import Choices
from engine.house_rules import house_rules as known_house_rules
from engine.message import Message
from engine.players import STRENGTHS
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.ruleset import editions as printed
from engine.sides import Side
from engine.state import new_game
from pbem.cli import console
from pbem.cli.app import NoPassphraseError, current_app
from pbem.cli.completion import Candidates, match
from pbem.cli.file_argument import open_incoming
from pbem.cli.game_lookup import find_game, list_games
from pbem.cli.homes import own_session
from pbem.play.game_file import GameFile
from pbem.play.game_list import newest_files
from pbem.play.incoming import names_file
from pbem.play.look import Look
from pbem.play.turn import Turn
from pbem.protocol.cache import no_cache
from pbem.protocol.table import ruleset_of
from pbem.sources import now
from pbem.text.facts.chronicle import Chronicle
from pbem.text.games import digits, game_title, player_label, strength_text
from pbem.text.history.log import Log
from pbem.text.language import adapt_prefix, endings
from pbem.text.naming import has_verb
from pbem.text.ordering.lists import AnyOrders, complete_orders, complete_words
from pbem.text.ordering.reading import start_cards as to_begin_with
from pbem.text.ordering.submit import give_orders
from pbem.text.rules.topic import titles_by_word


def editions(typed: str) -> Candidates:
    """Return the printed editions."""
    return match(typed, ((id, Message(row["name"])) for id, row in printed().items()))


def house_rules(typed: str) -> Candidates:
    """Return the house rules, by id."""
    rules = known_house_rules().values()
    return match(typed, ((rule.id, Message(rule.summary)) for rule in rules))


def start_cards(typed: str) -> Candidates:
    """Return the start cards of the French, under the rules on the line or of the invitation."""
    if current_app().context.info_name == "join":
        ruleset = ruleset_of(_read_game().match.invite)
    else:
        ruleset = _ruleset("french-start-choice")
    if not ruleset.has_start_choice(Side.FRENCH):
        return []
    cards = to_begin_with(console.language(), new_game(ruleset))
    return match(typed, ((card, "") for card in cards))


def strengths(typed: str) -> Candidates:
    """Return the robot's strengths that begin with the typed text, with their descriptions."""
    return match(typed, ((str(strength), strength_text(strength)) for strength in STRENGTHS))


def topics(typed: str) -> Candidates:
    """Return the topics of the rules, and the lists that count as topics."""
    return _suggest(*titles_by_word(console.language()), "topic", typed)


def cards(typed: str) -> Candidates:
    """Return all cards of the edition."""
    return _names([c for side in _ruleset().catalogue.cards.values() for c in side.values()], typed)


def locations(typed: str) -> Candidates:
    """Return all locations."""
    return _names(_ruleset().catalogue.locations.values(), typed)


def _line_values(parameter: str) -> list[str]:
    """Return the values of a parameter that the line has already."""
    return [*(current_app().context.params.get(parameter) or ())]


def _ruleset(*rules: str) -> Ruleset:
    """Return the ruleset on the line, with `rules` added."""
    edition = current_app().context.params.get("edition") or DEFAULT_EDITION
    return Ruleset.of(edition, [*_line_values("house_rule"), *rules])


def _names(owners: Collection[Card | Location], typed: str) -> Candidates:
    local = dict.fromkeys((console.translate(thing.label) for thing in owners), "")
    english = dict.fromkeys((thing.name for thing in owners), "")
    return _suggest(local, english, "name", typed)


def _suggest(local: dict[str, str], english: dict[str, str], option: str, typed: str) -> Candidates:
    """Return the remaining parts of names that begin with the words on the line.

    They are in the player's language if any name in it matches, or else in English.
    """
    words = _line_values(option)
    return endings(local, words, typed) or endings(english, words, typed)


# --- values from a game and from the library


def orders(typed: str) -> Candidates:
    """Return the legal orders that begin with the typed text, with their costs.

    The orders before it on the line are carried out first. There are none if the file takes no
    order.
    """
    choices = _find_choices()
    matches = complete_orders(console.language(), choices, typed) if choices else ()
    return [(adapt_prefix(text, typed), console.translate(remark)) for text, remark in matches]


def instead_of_file(typed: str) -> Candidates:
    """Return opponents, whose newest file is meant, and words that may follow a missing FILE."""
    opponents = {entry.game.opponent: game_title(entry) for entry in list_games()}
    matches = match(typed, ((name, game) for name, game in opponents.items() if name))
    completers = {"apply": orders, "legal": words}.get(current_app().context.info_name or "")
    return [*matches, *(completers(typed) if completers else ())]


def words(typed: str) -> Candidates:
    """Return the words of legal orders."""
    choices = _find_choices()
    matches = complete_words(console.language(), choices, typed) if choices else ()
    return [(adapt_prefix(word, typed), "") for word in matches]


def turns(typed: str) -> Candidates:
    """Return the turns of the game in the file on the line, with their headings; 0 is the start."""
    game_file = _read_game()
    if not game_file.match.is_joined:
        return []
    chronicle = Chronicle(Look(game_file.match))
    log = Log(chronicle)
    headings = ((str(turn.number), log.section(turn).heading) for turn in chronicle.turns)
    return match(typed, headings)


def _find_choices() -> Choices | None:
    """Return the legal orders for the file on the line, after the orders on the line.

    Without the player's passphrase, these are the orders that are possible with any hand. Raises
    the errors of a command, which the shell does not show.
    """
    file, words = _find_file()
    game_file = _read(file)
    try:
        turn = Turn.of(game_file, own_session().identity, now())
    except NoPassphraseError:
        return _any_orders(game_file, current_app().home.own_key)
    orders = [*words, *_line_values("order")] or _line_values("after")
    give_orders(console.language(), turn, orders)
    return None if turn.takes_no_order else turn.choices


def _read_game() -> GameFile:
    """Return the game in the file on the line. Raises the same errors as `_find_choices`."""
    return _read(_find_file()[0])


def _read(file: Path) -> GameFile:
    incoming, store = open_incoming(file), current_app().store
    return GameFile.read(incoming.data, store.load_cache if store else no_cache)


def _any_orders(game_file: GameFile, key: bytes | None) -> AnyOrders:
    match = game_file.match
    side = match.next_side if match.is_joined else None
    if side is None or match.is_over or match.entrants[side].key != key:
        raise LookupError("nothing can be ordered")
    return AnyOrders(match.state, side)


def _find_file() -> tuple[Path, list[str]]:
    """Return the file on the line or of the game it names, and the words instead of FILE.

    After an option without its value, typer has not parsed the file.
    """
    word: str | None = current_app().context.params.get("file")
    for path in map(Path, [word] if word else current_app().context.args):
        if path.suffix in (".toml", ".eml") and path.is_file():
            return path, []
    if word is not None and names_file(word):
        raise LookupError("no file")
    is_game = word is not None and not has_verb(console.language(), word)
    entry = find_game(word or "", whole_name=True) if is_game else None
    words = [word] if word and entry is None else []
    # Folders are not scanned, because the shell waits.
    entry = entry or find_game()
    files = newest_files(entry) if entry else []
    if not files:
        raise LookupError("no file")
    return files[0], words


def players(typed: str) -> Candidates:
    """Return the keys that begin with the typed text, with their players."""
    store = current_app().store
    params = current_app().context.params
    known_players = store.known_players() if store and not params.get("key") else []
    keys = ((digits(player.key), player_label(player)) for player in known_players)
    return [(key, console.translate(label)) for key, label in keys if key.startswith(typed)]


def own_games(typed: str) -> Candidates:
    """Return the numbers of unfinished games, and the robot."""
    games = list_games() if current_app().store else []
    numbers = [
        (str(number), game_title(game))
        for number, game in enumerate(games, start=1)
        if not game.game.is_finished
    ]
    robot = Message("the robot on this computer")
    return match(typed, [("robot", robot), *numbers])

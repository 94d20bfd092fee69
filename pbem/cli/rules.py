"""The commands `acres rules`, `acres card` and `acres location`, with or without a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

from rich.table import Table

from engine.message import Phrase
from engine.ruleset import DEFAULT_EDITION, Ruleset, editions
from pbem.cli import completion, console
from pbem.cli.app import program
from pbem.cli.file_argument import look_as_user, read_game
from pbem.cli.options import Edition, HouseRules, Json, argument
from pbem.errors import UsageError
from pbem.play.incoming import names_file
from pbem.play.look import Spectator
from pbem.play.turn import look_now
from pbem.protocol.table import ruleset_of
from pbem.sources import now
from pbem.text.games import spectator_clause
from pbem.text.rules import lookup
from pbem.text.rules.editions import edition_facts, edition_rows, house_rule_facts
from pbem.text.rules.in_position import View, topic_facts
from pbem.text.rules.lookup import Subject, differences_text, edition_list
from pbem.text.rules.topic import find_list, index_facts

TopicWords = Annotated[
    list[str] | None,
    argument(
        "[TOPIC] [FILE]", "What to read about; with a file, also in that game.", completion.topics
    ),
]


def _name_argument(offers: Callable[..., completion.Candidates]) -> Any:
    return argument("NAME [FILE]", "Its name; with a file, in that game.", offers)


def rules(
    topic: TopicWords = None,
    edition: Edition = None,
    house_rule: HouseRules = None,
    json: Json = False,
) -> None:
    """Explain an action or another topic of the rules.

    $ acres rules  # all that can be asked for
    $ acres rules settle  # what it takes to settle [translated]
    $ acres rules supply game.toml  # and how things stand in a game [translated]
    $ acres rules editions  # how they differ [translated]
    """
    language, (words, file) = console.language(), _words_and_file(topic or [])
    list_name = find_list(language, words)
    if json and list_name:
        console.say_data(edition_facts() if list_name == "editions" else house_rule_facts())
    elif list_name == "editions":
        _say_editions()
    elif list_name == "house":
        _explain(words, Subject(Ruleset.of(), command=program()), json=json)
    else:
        _explain(words, _subject(file, edition, house_rule), json=json)


def _explain(words: str, subject: Subject, *, json: bool) -> None:
    language = console.language()
    topics = lookup.topics_or_rule(language, words) if words and json else []
    if isinstance(topics, list) and len(topics) == 1:
        console.say_data(topic_facts(language, topics[0], subject.ruleset, subject.view))
    elif json and not words:
        console.say_data(index_facts())
    else:
        console.say_lines(lookup.look_up_page(language, words, subject))


def card(
    name: Annotated[list[str], _name_argument(completion.cards)],
    edition: Edition = None,
    house_rule: HouseRules = None,
) -> None:
    """Show what is printed on a card, and where its copies are.

    $ acres card rangers  # what Rangers are good for
    $ acres card neutral settlers game.toml  # and where they are
    """
    words, file = _words_and_file(name)
    subject = _subject(file, edition, house_rule)
    console.say_lines(lookup.look_up_card(console.language(), words, subject))


def location(
    name: Annotated[list[str], _name_argument(completion.locations)],
    edition: Edition = None,
    house_rule: HouseRules = None,
) -> None:
    """Show what the map says about a location, and how things stand there.

    $ acres location albany  # how it is reached
    $ acres location fort duquesne game.toml  # and how it stands there
    """
    words, file = _words_and_file(name)
    subject = _subject(file, edition, house_rule)
    console.say_lines(lookup.look_up_location(console.language(), words, subject))


def _words_and_file(arguments: Sequence[str]) -> tuple[str, Path | None]:
    """Return the words to search for, and the file if the last word is a file."""
    *words, last = arguments or [""]
    return (" ".join(words), Path(last)) if names_file(last) else (" ".join(arguments), None)


def _subject(file: Path | None, edition: str | None, rules: list[str] | None) -> Subject:
    """Return the rules to explain, and the position as the user may see it."""
    if file is None:
        return Subject(Ruleset.of(edition or DEFAULT_EDITION, rules or ()), command=program())
    if edition or rules:
        raise UsageError("A game has its own rules: leave out --edition and --house-rule, or FILE.")
    game = read_game(file)
    match = game.match
    reason: Phrase = ""
    if not match.is_joined:
        return Subject(ruleset_of(match.invite), command=program())
    look = look_as_user(match)
    if isinstance(look.access, Spectator):
        view = View(match.state.copy(), None)
        reason = spectator_clause(look.access, program())
    else:
        view = View(look_now(game, look, now()).state, look.viewer)
    return Subject(view.state.ruleset, view, reason, program())


def _say_editions() -> None:
    """Print the differences between the editions."""
    if console.is_plain():
        console.say_lines(differences_text())
    else:
        rulesets = [Ruleset.of(edition) for edition in editions()]
        table = Table("", *editions(), box=None, pad_edge=False, header_style="bold")
        table.width = console.width()
        for row in edition_rows():
            table.add_row(*map(console.translate, (row.title, *map(row.value, rulesets))))
        console.show(table)
    console.say_lines(edition_list(program()))

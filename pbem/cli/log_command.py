"""The command `acres log`: a whole game, turn by turn."""

from __future__ import annotations

from typing import Annotated

from engine.message import Concat, Phrase
from pbem.cli import console
from pbem.cli.file_argument import File, look_as_player, look_as_user, read_game, resolve_file
from pbem.cli.options import Json, flag, number_option
from pbem.errors import UsageError
from pbem.play.look import Look
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.game_facts import chronicle_facts
from pbem.text.history.log import Log


def log(
    file: File = None,
    first: Annotated[int, number_option("--from", "The turn to begin with.")] = 1,
    markdown: Annotated[
        bool, flag("--markdown", "As Markdown, for a forum or a blog: only what is public.")
    ] = False,
    with_my_cards: Annotated[
        bool,
        flag(
            "--with-my-cards",
            "With --markdown: also show the cards that you drew, which nobody else knows.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Show the whole game, turn by turn.

    It shows what is public, the cards that you drew, and those of a player who has closed the game.
    As Markdown it leaves yours out, because that is for others to read.

    $ acres log 2  # the second of your games
    $ acres log game.toml --markdown > game.md  # for a forum
    """
    if markdown and json:
        raise UsageError(
            "The log comes as Markdown or as data, not both: leave out --markdown or --json."
        )
    if with_my_cards and not markdown:
        raise UsageError(
            "--with-my-cards goes with --markdown; without it, the log shows your cards anyway."
        )
    game = read_game(resolve_file(file))
    if not game.match.is_joined:
        raise UsageError("This is an invitation: the log begins when it is accepted.")
    look = Look(game.match)
    if with_my_cards:
        look = look_as_player(game.match)
    elif not markdown:
        look = look_as_user(game.match)
    chronicle = Chronicle(look)
    if first != 1:
        chronicle.turn(first)
    if json:
        console.say_data(chronicle_facts(chronicle, first))
    elif markdown:
        _say_markdown(chronicle, first)
    else:
        _say(chronicle, first)


def _say(chronicle: Chronicle, first: int) -> None:
    log = Log(chronicle)
    console.say(log.title, style="bold")
    console.say(log.players)
    for section in log.sections(first):
        console.heading(section.heading)
        for line in section.all_lines:
            console.item(line)
    standing = log.standing()
    console.heading(standing.heading)
    console.say(standing.lines[0])


def _say_markdown(chronicle: Chronicle, first: int) -> None:
    log = Log(chronicle, _in_a_span)
    console.say_unwrapped(Concat(("# ", log.title, "\n")))
    console.say_unwrapped(log.players)
    if log.warning:
        console.say_unwrapped(Concat(("\n", log.warning)))
    for section in log.sections(first):
        console.say_unwrapped(Concat(("\n## ", section.heading, "\n")))
        for line in section.all_lines:
            console.say_unwrapped(Concat(("- ", line)))
    standing = log.standing()
    console.say_unwrapped(Concat(("\n## ", standing.heading, "\n")))
    console.say_unwrapped(standing.lines[0])


def _in_a_span(name: str) -> Phrase:
    """Quote a player's name for Markdown, so that it contains no link, mention or markup."""
    return f"`{console.translate(console.display_name(name)).replace('`', '’')}`"

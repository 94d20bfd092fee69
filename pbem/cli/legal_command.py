"""`acres turn legal`: what can be ordered."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import completion, console
from pbem.cli.moment import now
from pbem.cli.progress import LOOKING, progress
from pbem.cli.reading import File, read_game, turn_command, who_answers

if TYPE_CHECKING:
    from pbem.answer import Answer
    from pbem.match import Match

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[WORD]...",
        help="List only orders with these words; the beginning of a word will do.",
        autocompletion=completion.words,
    ),
]
After = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ORDER",
        help="List what can follow this order; may be given several times.",
        autocompletion=completion.orders,
    ),
]
All = Annotated[bool, typer.Option("--all", help="List each order, however many there are.")]
Json = Annotated[bool, typer.Option("--json", help="As data, for other programs.")]


def legal(
    context: typer.Context,
    file: File,
    word: Words = None,
    after: After = None,
    all_: All = False,
    json: Json = False,
) -> None:
    """List every order that you may give now.

    Words choose among them: acres turn legal FILE settle, or acres turn legal FILE raid halifax.
    """
    from pbem.answer import Answer
    from pbem.cli.orders import give

    game = read_game(context, file)
    if game.match.is_joined and game.match.next_side is None:
        _say_closed(game.match, json=json)
        return
    answer = Answer(game, who_answers(context, game, file), now())
    give(answer, after or [])
    if json:
        _say_data(answer, word or [])
    elif game.match.is_over:
        _say_over(game.match, turn_command(context, "apply", file))
    elif _is_done(answer):
        _say_done(answer, turn_command(context, "apply", file))
    else:
        again = turn_command(context, "legal", file)
        again += "".join(f" --after {quote(order)}" for order in after or [])
        _say_orders(answer, word or [], in_short=None if all_ or word else again)


def _is_done(answer: Answer) -> bool:
    """Whether nothing can be ordered, or nothing more."""
    return answer.is_complete and not answer.may_follow_up


def _say_orders(answer: Answer, words: list[str], in_short: str | None) -> None:
    """Print what has to be decided, and the orders with these words."""
    from pbem.cli.choices import awaited
    from pbem.cli.listing import listed_choices, none_with, say_listing
    from pbem.cli.report import names

    with progress(LOOKING):
        found = listed_choices(answer.worlds, words)
    console.say(awaited(answer.view(), answer.seat.side))
    if found:
        say_listing(found, names(answer.match.state), in_short)
    else:
        console.say(none_with(words))


def _say_done(answer: Answer, command: str) -> None:
    """Print that nothing can be ordered, or nothing more after what was."""
    from pbem.cli.choices import awaited
    from pbem.cli.refusal import nothing_more

    if answer.orders:
        console.say(nothing_more(answer))
    else:
        console.say(awaited(answer.view(), answer.seat.side))
        console.say_whole(f"To answer: {command}")


def _say_over(match: Match, command: str) -> None:
    """Print that a game is over, and the command that closes it."""
    from pbem.game_file import whose_move

    console.say(console.clean(whose_move(match)), style="bold")
    console.say_whole(f"To close the game: {command}")


def _say_closed(match: Match, *, json: bool) -> None:
    """Print that nothing can be done any more in a game that both sides have closed."""
    from pbem.cli.listing import closed_facts
    from pbem.game_file import whose_move

    if json:
        _print(closed_facts(match))
    else:
        console.say(console.clean(whose_move(match)), style="bold")


def _say_data(answer: Answer, wanted: list[str]) -> None:
    from pbem.cli.listing import legal_facts

    with progress(LOOKING):
        facts = legal_facts(answer, wanted)
    _print(facts)


def _print(facts: dict[str, object]) -> None:
    from json import dumps

    console.say_whole(dumps(facts, indent=2))

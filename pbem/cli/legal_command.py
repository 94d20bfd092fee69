"""`acres turn legal`: what can be ordered."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from engine.message import Message
from pbem.cli import completion, console
from pbem.cli.progress import LOOKING, progress
from pbem.cli.reading import File, read_game, turn_command, who_answers
from pbem.errors import WrongUse
from pbem.play.moment import now

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.play.answer import Answer
    from pbem.play.game_file import GameFile
    from pbem.protocol.match import Match

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
Why = Annotated[
    str | None,
    typer.Option(
        metavar="ORDER",
        help="Explain what stands in the way of this order.",
        autocompletion=completion.orders,
    ),
]
All = Annotated[bool, typer.Option("--all", help="List each order, even where they are many.")]
Json = Annotated[bool, typer.Option("--json", help="As data, for other programs.")]


def legal(
    context: typer.Context,
    file: File,
    word: Words = None,
    after: After = None,
    why: Why = None,
    all_: All = False,
    json: Json = False,
) -> None:
    """List the orders that you may give, or explain one with --why.

    Words choose among them: acres turn legal FILE settle, or acres turn legal FILE raid halifax.
    """
    from pbem.cli.orders import give
    from pbem.play.answer import Answer

    game = read_game(context, file)
    if why is not None:
        if word:
            raise WrongUse(
                Message("--why explains one order, so no words can choose among others.")
            )
        _explain(context, game, file, after or [], why, json=json)
        return
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


def _explain(
    context: typer.Context, game: GameFile, file: Path, after: list[str], text: str, *, json: bool
) -> None:
    """Print what stands in the way of an order, also where none is due."""
    from pbem.cli.listing import game_facts
    from pbem.cli.orders import give
    from pbem.cli.why import explained, say_why, why_facts
    from pbem.play.look import begun
    from pbem.play.seat import Seat

    seat = Seat(game.match, who_answers(context, game, file))
    answer = begun(game, seat)
    if answer is not None:
        give(answer, after)
    elif after:
        raise WrongUse(
            Message("It is not for you to write now, so nothing can come before the order.")
        )
    is_due = answer is not None and not _is_done(answer) and not game.match.is_over
    worlds = answer.worlds if answer is not None and is_due else [seat.view()]
    found = explained(worlds, seat.side, text)
    if json:
        _print(game_facts(game.match) | {"side": seat.side.value} | why_facts(found))
        return
    if found.is_for_later:
        _say_moment(game.match, answer if is_due else None)
    say_why(found, answer if is_due else None)


def _say_moment(match: Match, answer: Answer | None) -> None:
    """Print what is awaited now, where an order is for another moment."""
    from pbem.cli.refusal import to_decide
    from pbem.play.game_file import whose_move

    console.say(to_decide(answer) if answer is not None else whose_move(match))


def _is_done(answer: Answer) -> bool:
    """Whether nothing can be ordered, or nothing more."""
    return answer.is_complete and not answer.may_follow_up


def _say_orders(answer: Answer, words: list[str], in_short: str | None) -> None:
    """Print what has to be decided, and the orders with these words.

    `in_short` is the command that lists them, where they are not to be listed one by one.
    """
    from engine.ways import Ways
    from pbem.cli.choices import awaited
    from pbem.cli.listing import listed_choices, none_with, say_in_short, say_orders
    from pbem.cli.words import names

    ways, name = Ways(answer.worlds), names(answer.match.state)
    moment = awaited(answer.view(), answer.seat.side)
    if in_short is not None:
        console.say(moment)
        say_in_short(ways, name, in_short)
        return
    with progress(LOOKING):
        found = listed_choices(answer.worlds, words)
    console.say(moment)
    if found.by_kind:
        say_orders(ways, found, name)
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
        console.say_whole(Message("To answer: {command}", command=command))


def _say_over(match: Match, command: str) -> None:
    """Print that a game is over, and the command that closes it."""
    from pbem.play.game_file import whose_move

    console.say(console.clean(console.told(whose_move(match))), style="bold")
    console.say_whole(Message("To close the game: {command}", command=command))


def _say_closed(match: Match, *, json: bool) -> None:
    """Print that nothing can be done any more in a game that both sides have closed."""
    from pbem.cli.listing import closed_facts
    from pbem.play.game_file import whose_move

    if json:
        _print(closed_facts(match))
    else:
        console.say(console.clean(console.told(whose_move(match))), style="bold")


def _say_data(answer: Answer, wanted: list[str]) -> None:
    from pbem.cli.listing import legal_facts

    with progress(LOOKING):
        facts = legal_facts(answer, wanted)
    _print(facts)


def _print(facts: dict[str, object]) -> None:
    from json import dumps

    console.say_whole(dumps(facts, indent=2))

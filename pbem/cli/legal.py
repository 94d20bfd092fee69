"""The command `acres turn legal`: the legal orders, and reasons why an order is not legal."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

from pbem.cli import completion, console
from pbem.cli.app import program
from pbem.cli.file_argument import (
    LOOKING,
    File,
    name_newest_file,
    progress,
    read_game,
    resolve_words,
    session_to_answer,
    turn_command,
)
from pbem.cli.options import Json, argument, flag, option
from pbem.errors import UsageError
from pbem.play.game_file import whose_move
from pbem.play.look import Look
from pbem.play.turn import Turn, begin_turn
from pbem.sources import now
from pbem.text.ordering.explanation import explain_typed_order, explanation_facts, explanation_text
from pbem.text.ordering.guided_turn import decision_text, next_decision_text, no_orders_notice
from pbem.text.ordering.menu import Menus, closed_facts, legal_facts, listing_text, overview
from pbem.text.ordering.submit import give_orders

Words = Annotated[
    list[str] | None,
    argument(
        "[WORD]...",
        "List only orders with these words; the beginning of a word will do.",
        completion.words,
    ),
]
After = Annotated[
    list[str] | None,
    option(
        "ORDER",
        "List what can follow this order; may be given several times.",
        autocompletion=completion.orders,
    ),
]
Why = Annotated[
    str | None,
    option(
        "ORDER", "Explain what stands in the way of this order.", autocompletion=completion.orders
    ),
]
All = Annotated[bool, flag("--all", "List each order, even where they are many.")]


def legal(
    file: File = None,
    word: Words = None,
    after: After = None,
    why: Why = None,
    all_: All = False,
    json: Json = False,
) -> None:
    """List the orders that you may give, or explain one with --why.

    Words narrow the list: acres turn legal FILE settle, or acres turn legal FILE raid halifax.

    $ acres turn legal game.toml  # everything you can do
    $ acres turn legal game.toml settle bost  # with Boston, to settle [translated]
    $ acres turn legal game.toml --after "take Boston"  # and then? [translated]
    $ acres turn legal game.toml --why "settle Albany"  # why not? [translated]
    """
    file, words = resolve_words(file, word or [])
    if why is not None:
        _explain(file, words, after or [], why, json=json)
    else:
        _say_list(file, words, after or [], in_full=all_, json=json)


def _say_list(file: Path, words: list[str], after: list[str], *, in_full: bool, json: bool) -> None:
    """Print the legal orders with all `words`, after the orders in `after`."""
    game = read_game(file)
    if game.match.is_joined and game.match.next_side is None:
        if json:
            console.say_data(closed_facts(game.match))
        else:
            console.say(whose_move(game.match), style="bold")
        return
    identity = session_to_answer(game, file).identity
    with name_newest_file(game, file):
        turn = Turn.of(game, identity, now())
    give_orders(console.language(), turn, after)
    command = turn_command("apply", file)
    if json:
        with progress(LOOKING):
            facts = legal_facts(console.language(), turn, words)
        console.say_data(facts)
    elif game.match.is_over:
        console.say(whose_move(game.match), style="bold")
        console.say_unwrapped("To close the game: {command}", command=command)
    elif turn.takes_no_order and turn.orders:
        console.say(no_orders_notice(turn))
    elif turn.takes_no_order:
        console.say(decision_text(turn.view(), turn.side))
        console.say_unwrapped("To answer: {command}", command=command)
    else:
        menus = Menus(console.language(), turn.choices)
        if in_full or words:
            with progress(LOOKING):
                lines = list(listing_text(menus, words))
        else:
            options = "".join(f" --after {quote(order)}" for order in after)
            lines = list(overview(menus, turn_command("legal", file) + options, "--all"))
        console.say(decision_text(turn.view(), turn.side))
        console.say_lines(lines)


def _explain(file: Path, words: list[str], after: list[str], text: str, *, json: bool) -> None:
    """Print the reasons why an order cannot be given, now or later in the game."""
    game = read_game(file)
    if words:
        raise UsageError("--why explains one order: leave out the words that narrow the list.")
    look = Look.of(game.match, session_to_answer(game, file).identity)
    side = look.viewer
    if side is None:
        raise UsageError(
            "Nobody has joined yet: send this invitation to the player you want to play."
        )
    turn = begin_turn(game, look, now())
    if turn is not None:
        give_orders(console.language(), turn, after)
    elif after:
        raise UsageError("It is not your turn to write, so nothing can come before the order.")
    worlds = turn.worlds if turn is not None else [look.state]
    explanation = explain_typed_order(console.language(), worlds, side, text)
    if json:
        console.say_data(explanation_facts(game.match, side, explanation))
        return
    takes_orders = turn is not None and not (turn.takes_no_order or game.match.is_over)
    if explanation.is_premature and turn is not None and (takes_orders or turn.orders):
        console.say(next_decision_text(turn) if takes_orders else no_orders_notice(turn))
    elif explanation.is_premature:
        console.say(whose_move(game.match))
    console.say_lines(explanation_text(explanation, turn if takes_orders else None, program()))

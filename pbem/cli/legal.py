"""What can be ordered, and why an order cannot be given, printed."""

from __future__ import annotations

from collections.abc import Iterable
from json import dumps
from pathlib import Path
from shlex import quote
from typing import Any

import typer

from engine.message import Message, Run, Said
from engine.ways import Begun, Ways, all_of
from pbem.cli import console
from pbem.cli.home import program
from pbem.cli.progress import LOOKING, progress
from pbem.cli.reading import read_game, turn_command, who_answers
from pbem.errors import WrongUse
from pbem.play.answer import Answer
from pbem.play.game_file import whose_move
from pbem.play.home import now
from pbem.play.look import begun
from pbem.play.seat import Seat
from pbem.view.choices import MOST_LISTED, MenuItem, menu_of, offer
from pbem.view.obstacles import Explanation
from pbem.words.orders.decision import awaited, give_orders, nothing_more, to_decide
from pbem.words.orders.explanation import (
    asked_about,
    effects_of,
    objections_told,
    verdict,
    why_facts,
)
from pbem.words.orders.menu import (
    Listing,
    closed_facts,
    game_facts,
    legal_facts,
    legal_in,
    line_told,
    none_with,
    offer_told,
)
from pbem.words.phrases import Name, names
from pbem.words.rules.topic import topics as known_topics


def say_legal(
    context: typer.Context,
    file: Path,
    words: list[str],
    after: list[str],
    *,
    in_full: bool,
    json: bool,
) -> None:
    """Print what can be ordered after these orders, and has these words."""
    game = read_game(context, file)
    if game.match.is_joined and game.match.next_side is None:
        if json:
            _print(closed_facts(game.match))
        else:
            console.say(whose_move(game.match), style="bold")
        return
    answer = Answer(game, who_answers(context, game, file), now())
    give_orders(console.language(), answer, after)
    command = turn_command(context, "apply", file)
    if json:
        with progress(LOOKING):
            facts = legal_facts(console.language(), answer, words)
        _print(facts)
    elif game.match.is_over:
        console.say(whose_move(game.match), style="bold")
        console.say_whole(Message("To close the game: {command}", command=command))
    elif answer.takes_no_order and answer.orders:
        console.say(nothing_more(answer))
    elif answer.takes_no_order:
        console.say(awaited(answer.view(), answer.seat.side))
        console.say_whole(Message("To answer: {command}", command=command))
    else:
        ways, name = Ways(answer.worlds), names(answer.match.state)
        moment = awaited(answer.view(), answer.seat.side)
        if in_full or words:
            with progress(LOOKING):
                found = legal_in(console.language(), ways, words)
            console.say(moment)
            say_orders(ways, found, name)
            if not found.by_kind:
                console.say(none_with(words))
        else:
            console.say(moment)
            again = (f" --after {quote(order)}" for order in after)
            say_in_short(ways, name, turn_command(context, "legal", file) + "".join(again))


def say_orders(ways: Ways, found: Listing, name: Name) -> None:
    """Print orders by verb, each with what it costs and brings."""
    for kind, orders in found.by_kind.items():
        console.say(kind.words(), style="bold")
        _say_lines(ways, [MenuItem(all_of(order), order) for order in orders], name)
    # Without any order, it is said that none has the words.
    for kind in found.shortened if found.by_kind else ():
        console.say(
            Message(
                "Of “{verb}” there are more, with more cards than those listed.", verb=kind.words()
            )
        )


def say_in_short(ways: Ways, name: Name, command: str) -> None:
    """Print what can be ordered: each order, or where they are many, how they begin.

    `command` is the one that lists them. Nothing is listed only to be counted.
    """
    many = []
    for kind in ways.kinds():
        begun, verb = Begun(kind), kind.words()
        if ways.orders(begun, MOST_LISTED) is None:
            many.append(verb)
            orders = offer_told(offer(ways, begun))
            console.say(Message("{verb} ({orders})", verb=verb, orders=orders), style="bold")
        else:
            console.say(verb, style="bold")
        _say_lines(ways, menu_of(console.language(), ways, begun).lines, name)
    if many:
        console.say(Message("To see each order, add --all, or words such as:"))
        console.say_whole(Run(("  ", command, " ", many[0])))


def _say_lines(ways: Ways, lines: Iterable[MenuItem], name: Name) -> None:
    for line in lines:
        console.item(line_told(console.language(), ways, line, name))


def explain(
    context: typer.Context,
    file: Path,
    words: list[str],
    after: list[str],
    text: str,
    *,
    json: bool,
) -> None:
    """Print what stands in the way of an order, also where none is due."""
    game = read_game(context, file)
    if words:
        raise WrongUse("--why explains one order, so no words can choose among others.")
    seat = Seat(game.match, who_answers(context, game, file))
    answer = begun(game, seat)
    if answer is not None:
        give_orders(console.language(), answer, after)
    elif after:
        raise WrongUse("It is not for you to write now, so nothing can come before the order.")
    if answer is not None and (answer.takes_no_order or game.match.is_over):
        answer = None
    worlds = answer.worlds if answer is not None else [seat.view()]
    found = asked_about(console.language(), worlds, seat.side, text)
    if json:
        facts = game_facts(game.match) | {"side": seat.side.value}
        _print(facts | why_facts(console.language(), found))
        return
    if found.is_for_later:
        console.say(to_decide(answer) if answer is not None else whose_move(game.match))
    say_why(found, answer)


def say_why(found: Explanation, answer: Answer | None) -> None:
    """Print what is to be said of an order.

    `answer` is the one in which it could be given, None where none is due.
    """
    name, topics = names(found.state), known_topics()
    awaited_later = found.is_for_later and not found.belongs_to_a_turn
    console.say(verdict(found))
    for objection, told in () if awaited_later else objections_told(found):
        topic = topics.get(objection.about)
        # A house rule has its id in every language.
        about = _read(topic.word if topic else objection.about)
        console.say_hanging("  - ", Run((told, " (", about, ")")) if objection.about else told)
    if found.nearest and not awaited_later:
        console.say(Message("What is nearest to it and possible:"))
        for order in found.nearest:
            console.item(order.text(name))
    elif found.objections and not found.is_for_later:
        console.say(Message("No “{verb}” is possible now.", verb=found.said.kind.words()))
    if found.is_legal and answer is not None:
        for told in effects_of(found, answer):
            console.item(told)
    console.say(Message("To read more: {command}", command=_read(found.said.kind.words())))


def _read(word: Said) -> Message:
    """The command that explains what a word stands for."""
    return Run((program(), " rules ", word))


def _print(facts: dict[str, Any]) -> None:
    console.say_whole(dumps(facts, indent=2))

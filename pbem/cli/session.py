"""A turn at the terminal: orders asked for one by one, until the player is content."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from engine.actions.action import IllegalOrder
from engine.notation import UnreadableOrder
from engine.orders import End
from pbem.answer import Answer
from pbem.cli import console
from pbem.cli.position import say_hand, say_position
from pbem.cli.report import (
    awaited,
    choices,
    effects,
    listed,
    names,
    say_choices,
    say_done,
    say_hand_over,
    say_last,
)

HELP = (
    ("?", "what you can do; with a word, such as ? settle or ? boston, only that"),
    ("show", "the position"),
    ("hand", "your cards"),
    ("undo", "the last order is taken back"),
    ("help", "these words again"),
    ("quit", "leave, and nothing is written"),
    ("Enter", "alone: end the turn, once its actions are used"),
)
MOST_OF_A_KIND = 8
MOST_MEANT = 5


def lead_through(answer: Answer, path: Path, *, dry_run: bool) -> None:
    """Ask for orders until nothing is left to decide and the player agrees with the whole.

    Raises Cancelled if the player gives up; nothing has been written then.
    """
    with suppress(ImportError):
        # Gives the prompt a history and a cursor, where the platform has it.
        import readline  # noqa: F401
    side = answer.seat.side
    console.say("What happened last:", style="bold")
    say_last(answer.match, side)
    say_hand(answer.view(), side)
    console.say()
    _say_help()
    while True:
        _ask_orders(answer)
        console.say()
        console.say("Your answer:", style="bold")
        say_done(answer)
        say_hand_over(answer.match, side)
        question = "Is that right?" if dry_run else f"Sign it and write {path.name}?"
        if console.ask_yes(question):
            return
        _undo(answer)


def _ask_orders(answer: Answer) -> None:
    while not answer.is_complete:
        console.say(awaited(answer.match.state, answer.seat.side), style="bold")
        _obey(answer, console.ask("> ").strip())


def _say_help() -> None:
    console.say("Type an order a line, such as: take Boston. There is also:")
    for word, meaning in HELP:
        console.say_hanging(f"  {word:<7}", meaning)


def _obey(answer: Answer, line: str) -> None:
    """Carry out one line that the player typed."""
    state, side = answer.view(), answer.seat.side
    typed = line.casefold()
    word, _, rest = typed.partition(" ")
    if typed.startswith("?") or word == "legal":
        wanted = (typed[1:] if typed.startswith("?") else rest).strip()
        say_choices(state, wanted, most=0 if wanted else MOST_OF_A_KIND)
    elif typed == "help":
        _say_help()
    elif typed == "show":
        say_position(state, side)
    elif typed == "hand":
        say_hand(state, side)
    elif typed == "undo":
        _undo(answer)
    elif typed in ("quit", "exit"):
        raise console.Cancelled
    elif not line:
        if answer.is_turn_used_up:
            _order(answer, End.verb)
        else:
            console.say("Something is left to decide; ? lists what you can do.")
    else:
        _order(answer, line)


def _order(answer: Answer, text: str) -> None:
    try:
        answer.order(answer.read(text))
    except (IllegalOrder, UnreadableOrder) as error:
        console.say(str(error), style="yellow")
        _suggest(answer, text)
        return
    done = [deed for deed in answer.deeds if deed.order is not None][-1]
    name = names(answer.match.state)
    assert done.order is not None
    console.item(f"{done.order.text(name)}: {effects(done, name) or 'done'}", style="green")


def _suggest(answer: Answer, text: str) -> None:
    """Show the few legal orders that a text could be the beginning of."""
    state = answer.view()
    name = names(state)
    meant = [order for orders in choices(state, text).values() for order, _ in orders]
    if meant:
        console.say("You could mean:")
    for order in meant[:MOST_MEANT]:
        console.item(order.text(name))
    if len(meant) > MOST_MEANT:
        console.item(f"... or one of {len(meant) - MOST_MEANT} more; to see them: ? {text}")


def _undo(answer: Answer) -> None:
    taken = answer.undo()
    if taken is None:
        console.say("There is nothing to take back.")
    else:
        name, state = names(answer.match.state), answer.view()
        console.say(f"Taken back: {taken.text(name)}")
        console.say(f"Your hand: {listed(state.players[answer.seat.side].hand, name)}")

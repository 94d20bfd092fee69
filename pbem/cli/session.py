"""A turn at the terminal: orders asked for one by one, until the player is content."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from engine.notation import verb_alone
from engine.orders import End
from pbem.answer import DRAWING, Answer
from pbem.cli import console
from pbem.cli.choices import choices, say_choices, say_found
from pbem.cli.position import say_hand, say_position
from pbem.cli.prospect import cards_of, risk_told, say_answer
from pbem.cli.refusal import give_order, to_decide
from pbem.cli.report import (
    listed,
    names,
    say_announced,
    say_deeds,
    say_dropped,
    say_last,
)
from pbem.cli.telling import Teller
from pbem.errors import WrongUse
from pbem.hand import Cards

if TYPE_CHECKING:
    from pbem.table import Deed

HELP = (
    ("?", "what you can do; with a word, such as ? settle or ? boston, only that"),
    ("show", "the position"),
    ("hand", "your cards"),
    ("undo", "the last order is taken back"),
    ("wait", "leave the rest of the turn for after the answer, where one comes first"),
    ("help", "these words again"),
    ("quit", "leave, and nothing is written"),
    ("Enter", "alone: end the turn, once its actions are used"),
)
MOST_OF_A_KIND = 8
MOST_MEANT = 5


def lead_through(answer: Answer, path: Path, *, dry_run: bool, waits: bool = False) -> None:
    """Ask for orders until nothing is left to decide and the player agrees with the whole.

    With `waits` no order is asked for that has to wait for the other player's answer. Raises
    Cancelled if the player gives up; nothing has been written then.
    """
    with suppress(ImportError):
        # Gives the prompt a history and a cursor, where the platform has it.
        import readline  # noqa: F401
    side = answer.seat.side
    console.say("What happened last:", style="bold")
    say_last(answer.match, side, _own_cards(answer))
    say_announced(answer.match, side)
    say_hand(answer.view(), side, answer.cards_ahead)
    console.say()
    _say_help()
    while True:
        waiting = _ask_orders(answer, waits=waits)
        console.say()
        console.say("Your answer:", style="bold")
        say_answer(answer, waits=waiting)
        question, yes = f"Sign it and write {path}?", "y signs it"
        if dry_run:
            question, yes = "Is that right?", "y ends the trial"
        if console.ask_yes(question, f"{yes}, n goes back to your orders."):
            return
        _undo(answer)


def _ask_orders(answer: Answer, *, waits: bool) -> bool:
    """Ask for orders; return whether the player waits for an answer although more could be said."""
    told = 0
    while not answer.is_complete or (answer.may_follow_up and not waits):
        told = _say_interruption(answer, told)
        console.say(to_decide(answer), style="bold")
        line = console.ask("> ").strip()
        if line.casefold() != "wait":
            _obey(answer, line)
        elif answer.may_follow_up:
            return True
        else:
            console.say("There is no answer to wait for: the rest of the turn is yours to say now.")
    return answer.may_follow_up


def _say_interruption(answer: Answer, told: int) -> int:
    """Print what has to be answered first, unless so many have been `told`; return their number."""
    if not answer.may_follow_up or answer.foresight is None:
        return 0
    interruptions = answer.foresight.interruptions
    if len(interruptions) > told:
        other = console.named(answer.match.entrants[answer.seat.side.opponent].name)
        last = interruptions[-1]
        drawing = isinstance(last, DRAWING)
        first = f"{cards_of(last)} come with the answer of {other}."
        console.say(first if drawing else f"{other} has to answer first.", style="bold")
        console.say("Go on with what is to be done after that, whatever the answer, or wait.")
    return len(interruptions)


def _say_help() -> None:
    console.say("Type an order a line, such as: take Boston. There is also:")
    for word, meaning in HELP:
        console.say_hanging(f"  {word:<7}", meaning)


def _obey(answer: Answer, line: str) -> None:
    """Carry out one line that the player typed."""
    typed = line.casefold()
    word, _, rest = typed.partition(" ")
    if typed.startswith("?") or word == "legal":
        wanted = (typed[1:] if typed.startswith("?") else rest).strip()
        say_choices(answer.worlds, wanted, most=0 if wanted else MOST_OF_A_KIND)
    elif typed == "help":
        _say_help()
    elif typed == "show":
        say_position(answer.view(), answer.seat.side, answer.cards_ahead)
    elif typed == "hand":
        say_hand(answer.view(), answer.seat.side, answer.cards_ahead)
    elif typed == "undo":
        _undo(answer)
    elif typed in ("quit", "exit"):
        raise console.Cancelled
    elif line:
        _order(answer, line)
    elif answer.is_turn_used_up:
        _order(answer, End.verb)
    else:
        left = "; wait leaves it for after the answer" if answer.may_follow_up else ""
        console.say(f"Something is left to decide; ? lists what you can do{left}.")


def _order(answer: Answer, text: str) -> None:
    verb = verb_alone(text)
    before, foresight = len(answer.deeds), answer.foresight
    risks = len(foresight.risks) if foresight else 0
    try:
        give_order(answer, text)
    except WrongUse as error:
        if verb:
            _say_all(answer, verb)
        else:
            console.say(str(error), style="yellow")
            _suggest(answer, text)
        return
    if foresight is None:
        _say_carried_out(answer, answer.deeds[before:])
        return
    console.item(
        f"{answer.orders[-1].text(names(answer.match.state))}: after the answer", style="green"
    )
    for risk in foresight.risks[risks:]:
        console.item(risk_told(answer, risk), indent=4)


def _say_all(answer: Answer, verb: str) -> None:
    """Print every legal order with that verb."""
    found = choices(answer.worlds).get(verb)
    if found:
        say_found(answer.worlds, {verb: found})
    else:
        console.say(f"No “{verb}” is possible now.", style="yellow")


def _own_cards(answer: Answer) -> Cards:
    return Cards(answer.match, answer.seat.side, answer.seat.secret)


def _say_carried_out(answer: Answer, deeds: list[Deed]) -> None:
    """Print what came of an order, and what the other player had announced to follow it."""
    match, side = answer.match, answer.seat.side
    own = [deed for deed in deeds if deed.side is side]
    for line in Teller(match.state, side, [_own_cards(answer)]).lines(own):
        console.item(line, style="green")
    announced = [deed for deed in deeds if deed.side is not side]
    if announced:
        say_deeds(match, announced, side)
    say_dropped(match, {len(match.records)}, side)


def _suggest(answer: Answer, text: str) -> None:
    """Show the few legal orders that a text could be the beginning of."""
    name = names(answer.match.state)
    meant = [c.order for found in choices(answer.worlds, text).values() for c in found]
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

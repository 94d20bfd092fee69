"""What happened, and what can be done, in short lines of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import game
from engine.notation import card_name, normal
from engine.ruleset import TOWN_CAPTURED
from engine.state import Decision, Event, State
from pbem.cli import console
from pbem.game_file import whose_move

if TYPE_CHECKING:
    from engine.orders import Order
    from engine.sides import Side
    from pbem.answer import Answer, Finished
    from pbem.match import Match
    from pbem.table import Deed

Name = Callable[[str], str]


def names(state: State) -> Name:
    """The function that gives printed names in that game."""
    return card_name(state.ruleset.catalogue)


def listed(cards: Iterable[str], name: Name) -> str:
    """Cards by their printed names, alike ones counted: `Boston, Militia x2`; `none` if none."""
    counts = Counter(name(card) for card in cards)
    texts = [f"{card} x{n}" if n > 1 else card for card, n in sorted(counts.items())]
    return ", ".join(texts) or "none"


def counted(number: int, noun: str) -> str:
    """A number and a noun: `1 card`, `2 cards`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def player(match: Match, side: Side, viewer: Side | None = None) -> str:
    """A player's name and side."""
    you = ", you" if side is viewer else ""
    return f"{console.clean(match.entrants[side].name)} ({side.label}{you})"


def fingerprint(key: bytes) -> str:
    """The beginning of a public key, short enough to be compared by telephone.

    >>> fingerprint(bytes(range(32)))
    'key 0001 0203 0405 0607'
    """
    return f"key {key[:8].hex(' ', 2)}"


def address(match: Match, side: Side) -> str:
    """A player's name, and e-mail address where there is one."""
    entrant = match.entrants[side]
    name = console.clean(entrant.name)
    return f"{name} <{console.clean(entrant.email)}>" if entrant.email else name


# --- what happened

_TOLD: dict[str, Callable[[Event, Name], str]] = {
    "settled": lambda e, n: "placed a village",
    "developed": lambda e, n: "made the village a town",
    "fortified": lambda e, n: "placed a fortification",
    "paid": lambda e, n: f"paid {e.amount} money",
    "received": lambda e, n: f"received {e.amount} money",
    "card gained": lambda e, n: f"gained the card {listed(e.cards, n)}",
    "shuffled": lambda e, n: f"shuffled {counted(e.amount, 'card')}",
    "drew": lambda e, n: f"drew {counted(e.amount, 'card')}",
    "reinforced": lambda e, n: f"{listed(e.cards, n)} adds {e.amount} strength",
    "card lost": lambda e, n: f"gave {listed(e.cards, n)} back",
    "captured": lambda e, n: f"captured a {_piece(e)} at {_place(e, n)} ({e.amount} points)",
    "siege won": lambda e, n: f"won the siege of {_place(e, n)}",
    "left neutral": lambda e, n: f"left {_place(e, n)} neutral",
    "siege relieved": lambda e, n: f"held {_place(e, n)}: its siege is over",
    "withdrew": lambda e, n: f"gave up the siege of {_place(e, n)}",
    "raid succeeded": lambda e, n: f"captured a {_piece(e)} at {_place(e, n)} ({e.amount} points)",
    "siege lifted": lambda e, n: f"lifted the siege of {_place(e, n)}",
    "hand shown": lambda e, n: f"showed {listed(e.cards, n)}",
    "reserve retrieved": lambda e, n: f"took back {listed(e.cards, n)}",
    "game over": lambda e, n: "won the game",
}
"""What to say of an event, in the past tense; those not listed are plain from the order."""


def _piece(event: Event) -> str:
    return "town" if event.amount == TOWN_CAPTURED else "village"


def _place(event: Event, name: Name) -> str:
    return name(event.location) if event.location else "?"


def effects(deed: Deed, name: Name) -> str:
    """What came of a deed, in a phrase; empty where there is nothing to add."""
    phrase, subject = "", deed.side
    for event in deed.events:
        if event.what not in _TOLD or (event.what == "paid" and not event.amount):
            continue
        # Whoever did the deed is meant until somebody else is named, and then named again.
        who = "" if event.side is subject else f"the {event.side.label} "
        subject = event.side
        phrase += (", " if phrase and not who else "; " if phrase else "") + who
        phrase += _TOLD[event.what](event, name)
    return phrase


def say_deeds(match: Match, deeds: list[Deed], viewer: Side | None) -> None:
    """Print deeds, a line or two each, under the name of who did them."""
    name = names(match.state)
    for (side, turn), group in groupby(deeds, key=lambda deed: (deed.side, deed.turn)):
        console.item(f"{player(match, side, viewer)}, turn {turn + 1}:")
        for deed in group:
            told = effects(deed, name)
            if deed.order is None:
                console.item(told, indent=4)
            else:
                text = deed.order.text(name)
                console.item(f"{text} ({told})" if told else text, indent=4)


def say_last(match: Match, viewer: Side | None) -> None:
    """Print what the last record did, or that nothing was done yet."""
    deeds = _last_deeds(match)
    if deeds:
        say_deeds(match, deeds, viewer)
    elif match.state.setup:
        console.item("Nothing yet: the cards are being dealt.")
    else:
        console.item("Nothing yet: the game begins.")


def _last_deeds(match: Match) -> list[Deed]:
    """What the last record did, with what led up to it in the same turn."""
    ordered = [deed for deed in match.deeds if deed.order]
    if not ordered:
        return []
    last = [deed for deed in ordered if deed.record == match.last.index] or ordered[-1:]
    return [deed for deed in match.deeds if deed.turn >= last[0].turn]


# --- what is awaited


NOTHING_TO_DECIDE = (
    "There is nothing to decide: your answer only deals the cards that your opponent draws."
)


def awaited(state: State, side: Side) -> str:
    """What `side`, whose decision it is, has to decide, as a sentence."""
    decision, awaited_side, location, *_ = state.awaiting
    if awaited_side is not side:
        return NOTHING_TO_DECIDE
    place = names(state)(location) if location else ""
    enemy = side.opponent.label
    match decision:
        case Decision.TURN if state.actions_left == 0:
            return f"Turn {state.turn + 1}: no action is left; end it, or take free actions."
        case Decision.TURN:
            left = counted(state.actions_left, "action")
            return f"Turn {state.turn + 1}: {left} to take."
        case Decision.SIEGE_SPOILS:
            return f"You won the siege of {place}: occupy it, or leave it neutral."
        case Decision.LOSERS_CARD:
            return f"The siege of {place} stands lost: choose the card that it costs (lose)."
        case Decision.RAID_REPLY:
            return f"The {enemy} raid {place}: block with a card, or allow it."
        case Decision.AMBUSH_REPLY:
            return f"The {enemy} ambush you: block, give up a card, or show your hand."
        case Decision.CONVERSION_REPLY:
            return f"The {enemy} convert: give up Native Americans, or show your hand."
        case Decision.WITHDRAWAL_SPOILS:
            return f"The {enemy} gave {place} up: occupy it, or leave it neutral."
    return NOTHING_TO_DECIDE


def say_whose_move(match: Match, viewer: Side | None) -> None:
    """Print who writes next, and for a player how to go on."""
    console.say(console.clean(whose_move(match)), style="bold")
    if viewer is not None and match.next_side is viewer.opponent:
        console.say(f"Send this file to {address(match, viewer.opponent)} if you have not yet.")


def say_hand_over(match: Match, side: Side) -> None:
    """Print whose answer comes first, where the turn of `side` is handed over before its end."""
    state = match.state
    if state.active is not side or state.outcome is not None or state.setup:
        return
    decision, awaited_side, *_ = state.awaiting
    other = console.clean(match.entrants[side.opponent].name)
    if decision.is_chance and state.awaiting.card is not None:
        cards = f"The cards of Home Support come with the answer of {other}"
        console.say(f"{cards}; your turn goes on after that.", style="bold")
    elif not decision.is_chance and awaited_side is not side:
        console.say(f"{other} has to answer first; your turn goes on after that.", style="bold")


# --- what can be done


def choices(state: State, wanted: str = "") -> dict[str, list[tuple[Order, str]]]:
    """The legal orders by verb, each with its price in words.

    `wanted` keeps those in which each of its words begins one.
    """
    name = names(state)
    found: dict[str, list[tuple[Order, str]]] = {}
    for order in game.legal_orders(state):
        words = normal(order.text(name)).split()
        if all(any(w.startswith(part) for w in words) for part in normal(wanted).split()):
            found.setdefault(order.words(), []).append((order, _price(state, order)))
    for orders in found.values():
        orders.sort(key=lambda pair: (len(pair[0].cards), pair[0].text(name)))
    return found


def _price(state: State, order: Order) -> str:
    cost = game.cost(state, order)
    parts = [f"{cost} money"] if cost else []
    if state.awaiting.decision is Decision.TURN and game.is_free(state, order):
        parts.append("free action")
    return ", ".join(parts)


def say_choices(state: State, wanted: str = "", most: int = 0) -> None:
    """Print the legal orders grouped by verb; with `most` only so many of each."""
    name = names(state)
    found = choices(state, wanted)
    if not found:
        console.say("No such order is legal now." if wanted else NOTHING_TO_DECIDE)
    for verb, orders in found.items():
        console.say(verb, style="bold")
        shown = orders[:most] if most and len(orders) > most + 2 else orders
        for order, price in shown:
            console.item(f"{order.text(name)} ({price})" if price else order.text(name))
        if len(shown) < len(orders):
            console.item(f"... and {len(orders) - len(shown)} more; to see them: ? {verb}")


def plain_choices(state: State) -> dict[str, Any]:
    """The legal orders as plain data, for other programs."""
    name = names(state)
    decision, side, location, *_ = state.awaiting
    return {
        "side": side.value,
        "decision": decision.value,
        "location": location,
        "actions_left": state.actions_left,
        "orders": [
            {
                "order": order.notation(),
                "text": order.text(name),
                "cost": game.cost(state, order),
                "free": decision is Decision.TURN and game.is_free(state, order),
            }
            for order in game.legal_orders(state)
        ],
    }


# --- what was done


def say_done(answer: Answer) -> None:
    """Print what an answer does so far."""
    side = answer.seat.side
    say_deeds(answer.match, answer.deeds, side)


def say_finished(
    answer: Answer, finished: Finished, path: Path, *, written: bool, told: bool = False
) -> None:
    """Print the report of a finished answer, and where to send it.

    `told` says that the player has just seen what it does.
    """
    match, side = finished.match, answer.seat.side
    name = names(match.state)
    opponent = address(match, side.opponent)
    if not told:
        nothing = "There was nothing for you to decide. What happened:"
        console.say("What you did:" if answer.orders else nothing, style="bold")
        say_done(answer)
        say_hand_over(match, side)
    if finished.cards_shown:
        console.item(f"shown from your hand: {listed(finished.cards_shown, name)}")
    before = answer.game.match.state.players[side].money
    console.item(f"your money: {match.state.players[side].money} (before: {before})")
    outcome = match.state.outcome
    if outcome is not None:
        console.say(console.clean(whose_move(match)), style="bold")
    if not written:
        console.say("A trial only: nothing was written.", style="bold")
        return
    console.say("Written:")
    console.say_whole(f"  {path}")
    console.say(f"Next: send it to {opponent}.")

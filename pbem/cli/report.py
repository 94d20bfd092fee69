"""What happened, in short lines of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from engine.notation import card_name
from engine.ruleset import TOWN_CAPTURED
from engine.state import Event, State
from pbem.cli import console
from pbem.follow_ups import Cause
from pbem.game_file import whose_move

if TYPE_CHECKING:
    from engine.orders import Order
    from engine.sides import Side
    from pbem.follow_ups import Dropped
    from pbem.hand import Cards
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
    return f"{console.named(match.entrants[side].name)} ({side.label}{you})"


def fingerprint(key: bytes) -> str:
    """The beginning of a public key, short enough to be compared by telephone.

    >>> fingerprint(bytes(range(32)))
    'key 0001 0203 0405 0607'
    """
    return f"key {key[:8].hex(' ', 2)}"


def address(match: Match, side: Side) -> str:
    """A player's name, and e-mail address where there is one."""
    entrant = match.entrants[side]
    name = console.named(entrant.name)
    return f"{name} <{console.mailbox(entrant.email)}>" if entrant.email else name


# --- what happened

_TOLD: dict[str, Callable[[Event, Name], str]] = {
    "settled": lambda e, n: "placed a village",
    "developed": lambda e, n: "made the village a town",
    "fortified": lambda e, n: "placed a fortification",
    "paid": lambda e, n: f"paid {e.amount} money",
    "received": lambda e, n: f"received {e.amount} money",
    "card gained": lambda e, n: f"gained the card {listed(e.cards, n)}",
    "shuffled": lambda e, n: f"shuffled {counted(e.amount, 'card')}",
    "drew": lambda e, n: f"drew {listed(e.cards, n) if e.cards else counted(e.amount, 'card')}",
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
    "location given up": lambda e, n: f"gave {_place(e, n)} up",
    "action returned": lambda e, n: "got the action back",
}
"""What to say of an event, in the past tense; those not listed are plain from the order.

The end of the game has a line of its own.
"""


def _piece(event: Event) -> str:
    return "town" if event.amount == TOWN_CAPTURED else "village"


def _place(event: Event, name: Name) -> str:
    return name(event.location) if event.location else "?"


def effects(deed: Deed, name: Name, own: Cards | None = None) -> str:
    """What came of a deed, in a phrase; empty where there is nothing to add.

    `own` knows which cards its side drew.
    """
    phrase, subject = "", deed.side
    for event in deed.events:
        if event.what not in _TOLD or (event.what == "paid" and not event.amount):
            continue
        if event.what == "drew" and own is not None and own.side is deed.side:
            event = event._replace(cards=tuple(own.names(deed.drawn)))
        # Whoever did the deed is meant until somebody else is named, and then named again.
        who = "" if event.side is subject else f"the {event.side.label} "
        subject = event.side
        phrase += (", " if phrase and not who else "; " if phrase else "") + who
        phrase += _TOLD[event.what](event, name)
    return phrase


def say_deeds(
    match: Match, deeds: list[Deed], viewer: Side | None, own: Cards | None = None
) -> None:
    """Print deeds, a line or two each, under the name of who did them.

    `own` are the cards of the viewer, who is told which were drawn.
    """
    name = names(match.state)
    for (side, turn), group in groupby(deeds, key=lambda deed: (deed.side, deed.turn)):
        console.item(f"{player(match, side, viewer)}, turn {turn + 1}:")
        for deed in group:
            told, end = effects(deed, name, own), _end(deed)
            if deed.order is not None:
                text = deed.order.text(name)
                told = f"{text} ({told})" if told else text
            for line in filter(None, (told or ("resigned" if end else ""), end)):
                console.item(line, indent=4)


def _end(deed: Deed) -> str:
    """That the game ended by a deed, as a sentence; empty where it did not."""
    winners = [event.side for event in deed.events if event.what == "game over"]
    return f"With this the {winners[0].label} won the game." if winners else ""


def say_last(match: Match, viewer: Side | None, own: Cards | None = None) -> None:
    """Print what the last record did, or that nothing was done yet; `own` is as for `say_deeds`."""
    deeds = _last_deeds(match)
    if deeds:
        say_deeds(match, deeds, viewer, own)
        say_dropped(match, {deed.record for deed in deeds}, viewer)
    elif match.state.setup:
        console.item("Nothing yet: the cards are being dealt.")
    else:
        console.item("Nothing yet: the game begins.")


def _last_deeds(match: Match) -> list[Deed]:
    """What the last record did, with what led up to it in the same turn."""
    ordered = [deed for deed in match.deeds if deed.order]
    if not ordered:
        return []
    index = match.last.index
    last = [deed for deed in ordered if deed.record == index] or ordered[-1:]
    return [deed for deed in match.deeds if deed.turn >= last[0].turn or deed.record == index]


# --- what was ordered ahead


def orders_listed(orders: Iterable[Order], name: Name) -> str:
    """Orders in one line, by their printed names."""
    return "; ".join(order.text(name) for order in orders)


def say_dropped(match: Match, records: Collection[int], viewer: Side | None) -> None:
    """Print which orders came to nothing in these records, and what that means."""
    for dropped in match.dropped:
        if dropped.record in records:
            console.item(_dropped(match, dropped, viewer))


_WHY = {
    Cause.RULES: "It had become impossible.",
    Cause.NO_CHOICE: "There is no such choice to make any more.",
    Cause.NOT_DUE: "Cards were announced that are not to be drawn now.",
    Cause.OTHER_CARDS: "Other cards are to be drawn than announced.",
}
"""Why orders were not carried out; their author is told by which rule, if by any."""


def _dropped(match: Match, dropped: Dropped, viewer: Side | None) -> str:
    own = dropped.side is viewer
    who = "You" if own else player(match, dropped.side)
    if dropped.orders:
        orders = orders_listed(dropped.orders, names(match.state))
        why = dropped.reason if own and dropped.cause is Cause.RULES else _WHY[dropped.cause]
        told = f"Not carried out{'' if own else f' for {who}'}: {orders}. {why}"
    else:
        due = "no cards" if dropped.cause is Cause.NOT_DUE else "other cards"
        told = f"{who} drew no cards as announced: {due} are to be shuffled or drawn now."
    return f"{told} {_what_is_left(match, dropped.side, own=own)}".rstrip()


def _what_is_left(match: Match, side: Side, *, own: bool) -> str:
    """What becomes of the turn of a side whose follow-ups were dropped; empty if it is over."""
    state = match.state
    if state.active is not side or match.is_over:
        return ""
    if state.awaiting.side is side and state.awaiting.decision.is_chance:
        # Asked for already, they come with the other player's file.
        is_asked = bool(match.decks[side].wants_slots)
        return "" if is_asked else f"{'Your' if own else 'Their'} next file draws the cards."
    return "Your turn goes on." if own else "Their turn goes on with their next file."


def say_announced(match: Match, viewer: Side | None) -> None:
    """Print what waits to be carried out after an answer."""
    if not match.follow_ups:
        return
    author, orders = match.state.active, orders_listed(match.follow_ups, names(match.state))
    if viewer is author.opponent:
        console.say(f"They announced what follows whatever you answer: {orders}.")
    else:
        who = "You" if viewer is author else player(match, author)
        console.say(f"{who} announced what follows whatever the answer: {orders}.")


# --- who is to write


def say_whose_move(match: Match, viewer: Side | None) -> None:
    """Print who writes next, and for a player how to go on."""
    console.say(whose_move(match), style="bold")
    if viewer is not None and match.next_side is viewer.opponent:
        console.say(f"Send this file to {address(match, viewer.opponent)} if you have not yet.")

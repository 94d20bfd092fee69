"""What happened in a match: its deeds by who did them, and what came to nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, NamedTuple

from engine.message import NOTHING, Message, Said, mark, sentences
from engine.state import Decision
from pbem.cli.telling.teller import Teller
from pbem.protocol.follow_ups import Cause
from pbem.words.deeds import Words, deed
from pbem.words.phrases import names, orders_listed, player

if TYPE_CHECKING:
    from engine.sides import Side
    from pbem.protocol.follow_ups import Dropped
    from pbem.protocol.hand import HiddenCards
    from pbem.protocol.match import Match
    from pbem.protocol.table import Deed


class Account(NamedTuple):
    """What a player did in a turn: a heading that names both, and lines of sentences."""

    heading: Said
    lines: list[Message]


def happened(
    match: Match, deeds: Sequence[Deed], viewer: Side | None, known: Iterable[HiddenCards] = ()
) -> list[Account]:
    """Deeds of a match in sentences, by who did them; the cards that `known` know are named.

    An attack that waits for an answer says so.
    """
    teller = Teller(match.state, viewer, known)
    accounts = []
    for (side, turn), group in groupby(deeds, key=lambda deed: (deed.side, deed.turn)):
        who = player(match, side, viewer)
        heading = Message("{player}, turn {number}:", player=who, number=turn + 1)
        accounts.append(Account(heading, teller.lines(list(group))))
    due = reply_due(match, viewer)
    if due and deeds and deeds[-1] is match.deeds[-1]:
        accounts[-1].lines[-1] = sentences(accounts[-1].lines[-1], due)
    return accounts


_REPLIES = (Decision.RAID_REPLY, Decision.AMBUSH_REPLY, Decision.CONVERSION_REPLY)


def reply_due(match: Match, viewer: Side | None) -> Message:
    """Who has to answer the attack that was just made, as a sentence; empty without one."""
    awaiting = match.state.awaiting
    if awaiting.decision not in _REPLIES:
        return NOTHING
    if awaiting.side is viewer:
        return Message("It is yours to answer.")
    return Message("It is for the {side} to answer.", side=awaiting.side.label)


def last_deeds(match: Match, viewer: Side | None = None) -> list[Deed]:
    """What the last record did, with what led up to it in the same turn.

    A viewer whose turn goes on also hears of the opponent's turn before it: the file may have been
    away since, for an answer or for cards.
    """
    index = match.last.index
    last = [deed for deed in match.deeds.since(index) if deed.order]
    first = last[0] if last else next((deed for deed in reversed(match.deeds) if deed.order), None)
    if first is None:
        return []
    since = first.turn
    if match.state.active is viewer:
        since = min(since, match.state.turn - 1)
    # Neither turns nor records ever go back.
    told = takewhile(lambda each: each.turn >= since or each.record == index, reversed(match.deeds))
    return [*told][::-1]


# --- what was ordered ahead


_WHY = {
    Cause.RULES: mark("It had become impossible."),
    Cause.NO_CHOICE: mark("There is no such choice to make any more."),
    Cause.NOT_DUE: mark("Cards were announced that are not to be drawn now."),
    Cause.OTHER_CARDS: mark("Other cards are to be drawn than announced."),
}
"""Why orders were not carried out; their author is told by which rule, if by any."""
_NOT_DRAWN = {
    Cause.NOT_DUE: (
        deed("{They} drew no cards as announced: no cards are to be shuffled or drawn now."),
        mark("{player} drew no cards as announced: no cards are to be shuffled or drawn now."),
    ),
    Cause.OTHER_CARDS: (
        deed("{They} drew no cards as announced: other cards are to be shuffled or drawn now."),
        mark("{player} drew no cards as announced: other cards are to be shuffled or drawn now."),
    ),
}
"""Why announced cards were not drawn: of a side, and of a player by name."""


def dropped_in(match: Match, records: Collection[int], viewer: Side | None) -> list[Message]:
    """Which orders came to nothing in these of the last records, why, and what is left to do."""
    told = []
    for dropped in match.dropped.since(min(records, default=len(match.records))):
        if dropped.record in records:
            own = dropped.side is viewer
            who = "" if own else player(match, dropped.side)
            left = _what_is_left(match, dropped.side, own=own)
            told.append(sentences(tell_dropped(match, dropped, viewer, who), left))
    return told


def tell_dropped(match: Match, dropped: Dropped, viewer: Side | None, who: Said = "") -> Message:
    """Which orders came to nothing, and why; `who` names their author, where nothing else does."""
    name = names(match.state)
    if not dropped.orders:
        by_side, by_name = _NOT_DRAWN[dropped.cause]
        if who:
            return Message(by_name, player=who)
        return Words(name, viewer, dropped.side).deed(dropped.side, by_side)
    orders = orders_listed(dropped.orders, name)
    if who:
        told = Message("Not carried out for {player}: {orders}.", player=who, orders=orders)
    else:
        told = Message("Not carried out: {orders}.", orders=orders)
    own = dropped.side is viewer
    by_rule = own and dropped.cause is Cause.RULES
    return sentences(told, dropped.reason if by_rule else Message(_WHY[dropped.cause]))


def _what_is_left(match: Match, side: Side, *, own: bool) -> Message:
    """What becomes of the turn of a side whose follow-ups were dropped; empty if it is over."""
    state = match.state
    if state.active is not side or match.is_over:
        return NOTHING
    if state.awaiting.side is side and state.awaiting.decision.is_chance:
        # Asked for already, they come with the other player's file.
        if match.decks[side].wants_slots:
            return NOTHING
        if own:
            return Message("Your next file draws the cards.")
        return Message("Their next file draws the cards.")
    if own:
        return Message("Your turn goes on.")
    return Message("Their turn goes on with their next file.")


def announced(match: Match, viewer: Side | None) -> Message:
    """What waits to be carried out after an answer, as a sentence; empty where nothing does."""
    if not match.follow_ups:
        return NOTHING
    author, orders = match.state.active, orders_listed(match.follow_ups, names(match.state))
    if viewer is author.opponent:
        return Message("They announced what follows whatever you answer: {orders}.", orders=orders)
    if viewer is author:
        return Message("You announced what follows whatever the answer: {orders}.", orders=orders)
    return Message(
        "{player} announced what follows whatever the answer: {orders}.",
        player=player(match, author),
        orders=orders,
    )

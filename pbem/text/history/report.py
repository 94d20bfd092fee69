"""What happened, in sentences: deeds as one viewer may see them, and what came to nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from engine import game, orders
from engine.events import Event, GameOver
from engine.message import NOTHING, Message, Said, sentences
from engine.order import Order
from engine.sides import Side
from engine.state import Decision, State
from pbem.protocol.follow_ups import Cause, Dropped
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.protocol.table import Deed
from pbem.text.facts.chronicle import dropped_in
from pbem.text.history.sentences import tell_event, tell_order
from pbem.text.lines import Line, item
from pbem.text.narration import Words, deeds
from pbem.text.phrases import names, orders_listed, player
from pbem.text.tables import entry


class Section(NamedTuple):
    """What a player did in a turn: a heading that names both, and lines of sentences."""

    heading: Message
    lines: list[Message]


class Report(NamedTuple):
    """What happened: who did what, what came to nothing, and what waits for an answer."""

    sections: list[Section]
    dropped: list[Message]
    announced: Message

    def lines(self) -> Iterator[Line]:
        """Who did what, under their names, and what came to nothing."""
        for section in self.sections:
            yield item(section.heading)
            yield from (item(line, indent=4) for line in section.lines)
        yield from map(item, self.dropped)


def report(
    match: Match,
    deeds: Sequence[Deed],
    viewer: Side | None,
    own: HiddenCards | None = None,
    records: Collection[int] = (),
) -> Report:
    """Deeds of a match in sentences, by those who did them; the cards that `own` knows are named.

    What came to nothing did so in the records of these deeds, or in those `records`. An attack that
    waits for an answer says so.
    """
    teller = Teller(match.state, viewer, [own] if own else [])
    sections = []
    for (side, turn), group in groupby(deeds, key=lambda deed: (deed.side, deed.turn)):
        who = player(match, side, viewer)
        heading = _heading(who, turn)
        sections.append(Section(heading, teller.lines(list(group))))
    due = reply_due(match, viewer)
    if due and deeds and deeds[-1] is match.deeds[-1]:
        sections[-1].lines[-1] = sentences(sections[-1].lines[-1], due)
    records = {*records, *(deed.record for deed in deeds)}
    dropped = _tell_all_dropped(match, records, viewer)
    return Report(sections, dropped, _announced(match, viewer))


def own_turn_told(match: Match, viewer: Side, deeds: Sequence[Deed]) -> Section:
    """What the viewer ordered in a turn, in short: all orders on one line."""
    orders = [deed.order for deed in deeds if deed.order]
    heading = _heading(player(match, viewer, viewer), deeds[0].turn)
    return Section(heading, [orders_listed(orders, names(match.state))])


def _heading(who: Message, turn: int) -> Message:
    return Message("{player}, turn {number}:", player=who, number=turn + 1)


def nothing_yet(match: Match) -> Message:
    """That nothing was done yet in a match that was joined."""
    if match.state.setup:
        return Message("Nothing yet: the cards are being dealt.")
    return Message("Nothing yet: the game begins.")


_REPLIES = (Decision.RAID_REPLY, Decision.AMBUSH_REPLY, Decision.CONVERSION_REPLY)


def reply_due(match: Match, viewer: Side | None) -> Message:
    """Who has to answer the attack that was just made, as a sentence; empty without one."""
    awaiting = match.state.awaiting
    if awaiting.decision not in _REPLIES:
        return NOTHING
    if awaiting.side is viewer:
        return Message("It is up to you to answer.")
    return Message("It is up to the {side} to answer.", side=awaiting.side.label)


# --- deeds


_LAST = (orders.End, orders.Lose)
"""The orders after which a turn ends, and the hand is refilled."""


class Teller:
    """Tells what was done in a game, of which `state` is any position.

    `viewer` is called you; `known` knows the cards that some sides drew. Every sentence is a whole
    one. `they` is the side that the reader is thinking of, such as the one in a heading, so that a
    pronoun will do for it; without it, that is the side of the deed.
    """

    def __init__(
        self, state: State, viewer: Side | None = None, known: Iterable[HiddenCards] = ()
    ) -> None:
        self._state = state
        self._viewer = viewer
        self._known = {cards.side: cards for cards in known}

    def lines(self, deeds: Sequence[Deed], they: Side | None = None) -> list[Message]:
        """Deeds, a line each; cards that were drawn at the end of a line that is about that.

        The end of the game is a line of its own.
        """
        lines: list[list[Message]] = []
        before: Deed | None = None
        for each in deeds:
            if before is not None and _goes_on(before, each):
                lines[-1] += self.deed(each, each.side)
            else:
                lines.append(self.deed(each, they))
            before = each
            if end := self.end(each):
                lines.append([end])
        return [sentences(*line) for line in lines]

    def deed(self, deed: Deed, they: Side | None = None) -> list[Message]:
        """The sentences of a deed, but for the end of the game."""
        cards = self._known.get(deed.side)
        drawn = sorted(cards.names(deed.drawn)) if cards else []
        return self.tell(deed.side, deed.order, deed.events, drawn, they)

    def tell(
        self,
        side: Side,
        order: Order | None,
        events: Iterable[Event],
        drawn: Sequence[str] = (),
        they: Side | None = None,
    ) -> list[Message]:
        """The sentences of an order of `side`, or of what chance did for it, and of its events.

        `order` is None for chance and for a resignation; `drawn` are the cards drawn, where they
        may be known.
        """
        last = they or side
        told: list[Message] = []
        left = [event for event in events if not isinstance(event, GameOver)]
        if order is not None:
            played = game.plays(self._state, order, side)
            told, left = tell_order(self._words(last), side, order, played, left)
            last = side
        elif not left:
            told = [self._words(last).deed(side, deeds("happened")["resigned"])]
        for event in left:
            told.append(tell_event(self._words(last), event, drawn))
            last = event.side
        return told

    def end(self, deed: Deed) -> Message:
        """That the game ended by a deed, as a sentence; empty where it did not."""
        over = next((event for event in deed.events if isinstance(event, GameOver)), None)
        return tell_event(self._words(over.side), over) if over else NOTHING

    def _words(self, they: Side) -> Words:
        return Words(names(self._state), self._viewer, they)


def _goes_on(before: Deed, deed: Deed) -> bool:
    """Whether a deed is what chance did for a side right after its order, or continues that."""
    is_chance = deed.order is None and not all(isinstance(event, GameOver) for event in deed.events)
    draws = before.order is None or before.order.draws or isinstance(before.order, _LAST)
    return is_chance and draws and before.side is deed.side and before.turn == deed.turn


# --- what was ordered ahead


def _tell_all_dropped(match: Match, records: Collection[int], viewer: Side | None) -> list[Message]:
    """Which orders came to nothing in these of the last records, why, and what is left to do."""
    told = []
    for dropped in dropped_in(match, records):
        own = dropped.side is viewer
        who = "" if own else player(match, dropped.side)
        left = _what_is_left(match, dropped.side, own=own)
        told.append(sentences(tell_dropped(match, dropped, viewer, who), left))
    return told


def tell_dropped(match: Match, dropped: Dropped, viewer: Side | None, who: Said = "") -> Message:
    """Which orders came to nothing, and why; `who` names their author, where nothing else does."""
    name = names(match.state)
    if not dropped.orders:
        if who:
            return entry("not-drawn", dropped.cause.name, player=who)
        by_side = deeds("not-drawn")[dropped.cause.name]
        return Words(name, viewer, dropped.side).deed(dropped.side, by_side)
    orders = orders_listed(dropped.orders, name)
    if who:
        told = Message("Not carried out for {player}: {orders}.", player=who, orders=orders)
    else:
        told = Message("Not carried out: {orders}.", orders=orders)
    own = dropped.side is viewer
    by_rule = own and dropped.cause is Cause.RULES
    return sentences(told, dropped.reason if by_rule else entry("dropped", dropped.cause.name))


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


def _announced(match: Match, viewer: Side | None) -> Message:
    """What waits to be carried out after an answer, as a sentence; empty where nothing does."""
    if not match.follow_ups:
        return NOTHING
    author, orders = match.state.active, orders_listed(match.follow_ups, names(match.state))
    if viewer is author.opponent:
        return Message(
            "They announced what comes next, whatever you answer: {orders}.", orders=orders
        )
    if viewer is author:
        return Message(
            "You announced what comes next, whatever the answer: {orders}.", orders=orders
        )
    return Message(
        "{player} announced what comes next, whatever the answer: {orders}.",
        player=player(match, author),
        orders=orders,
    )

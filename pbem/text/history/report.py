"""Reports in sentences: deeds as one viewer may see them, and what came to nothing.

Every order and event of the game is a sentence or two; the words are in narration.toml. The names
in a sentence stand for what differs from case to case; {They} is the side that gave the order, or
that the event names: You, They, The British, The French.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from engine import events, game, orders
from engine.choices import CHOOSING
from engine.events import Event, GameOver
from engine.message import NOTHING, Message, Phrase, and_list, mark, sentences
from engine.order import Order
from engine.position import BESIEGER_WINS_AT, DEFENDER_WINS_AT
from engine.sides import Side
from engine.state import Decision, State
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.protocol.state_of_play import DropCause, DroppedOrders
from pbem.protocol.table import Deed
from pbem.text.facts.chronicle import dropped_in
from pbem.text.language import Line, item
from pbem.text.narration import PRONOUNS, Narrator, parts_text, templates
from pbem.text.phrases import (
    entry,
    money_counted,
    names,
    order_list,
    player,
    points_counted,
    with_sign,
)


class Section(NamedTuple):
    """The deeds of a player in a turn: a heading that names both, and lines of sentences."""

    heading: Message
    lines: list[Message]


class Report(NamedTuple):
    """A report: who did what, what came to nothing, and what waits for an answer."""

    sections: list[Section]
    dropped: list[Message]
    announced: Message

    def lines(self) -> Iterator[Line]:
        """Yield who did what, under their names, and what came to nothing."""
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
    teller = Reporter(match.state, viewer, [own] if own else [])
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


def own_turn_text(match: Match, viewer: Side, deeds: Sequence[Deed]) -> Section:
    """Return what the viewer ordered in a turn, in short: all orders on one line."""
    orders = [deed.order for deed in deeds if deed.order]
    heading = _heading(player(match, viewer, viewer), deeds[0].turn)
    return Section(heading, [order_list(orders, names(match.state))])


def _heading(who: Message, turn: int) -> Message:
    return Message("{player}, turn {number}:", player=who, number=turn + 1)


def nothing_yet(match: Match) -> Message:
    """Return that nothing was done yet in a match that was joined."""
    if match.state.setup:
        return Message("Nothing yet: the cards are being dealt.")
    return Message("Nothing yet: the game begins.")


_REPLIES = (Decision.RAID_REPLY, Decision.AMBUSH_REPLY, Decision.CONVERSION_REPLY)


def reply_due(match: Match, viewer: Side | None) -> Message:
    """Return who has to answer the attack that was just made, as a sentence; empty without one."""
    awaiting = match.state.awaiting
    if awaiting.decision not in _REPLIES:
        return NOTHING
    if awaiting.side is viewer:
        return Message("It is up to you to answer.")
    return Message("It is up to the {side} to answer.", side=awaiting.side.label)


# --- deeds


_LAST = (orders.End, orders.Lose)
"""The orders after which a turn ends, and the hand is refilled."""


class Reporter(NamedTuple):
    """Tells what was done in a game, of which `state` is any position.

    `viewer` is called you; `known` knows the cards that some sides drew. Every sentence is a whole
    one. `they` is the side that the reader is thinking of, such as the one in a heading, so that a
    pronoun will do for it; without it, that is the side of the deed.
    """

    state: State
    viewer: Side | None = None
    known: Collection[HiddenCards] = ()

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
        """Return the sentences of a deed, but for the end of the game."""
        cards = next((cards for cards in self.known if cards.side is deed.side), None)
        drawn = sorted(cards.names(deed.drawn)) if cards else []
        side, last, told = deed.side, they or deed.side, list[Message]()
        left = [event for event in deed.events if not isinstance(event, GameOver)]
        if deed.order is not None:
            played = game.plays(self.state, deed.order, side)
            told, left = tell_order(self._words(last), side, deed.order, played, left)
            last = side
        elif not left:
            told = [self._words(last).deed(side, templates("happened")["resigned"])]
        for event in left:
            told.append(tell_event(self._words(last), event, drawn))
            last = event.side
        return told

    def end(self, deed: Deed) -> Message:
        """Return that the game ended by a deed, as a sentence; empty if it did not."""
        over = next((event for event in deed.events if isinstance(event, GameOver)), None)
        return tell_event(self._words(over.side), over) if over else NOTHING

    def _words(self, they: Side) -> Narrator:
        return Narrator(names(self.state), self.viewer, they)


def _goes_on(before: Deed, deed: Deed) -> bool:
    """Return True if a deed is what chance did for a side after its order, or continues that."""
    is_chance = deed.order is None and not all(isinstance(event, GameOver) for event in deed.events)
    draws = before.order is None or before.order.draws or isinstance(before.order, _LAST)
    return is_chance and draws and before.side is deed.side and before.turn == deed.turn


# --- what was ordered ahead


def _tell_all_dropped(match: Match, records: Collection[int], viewer: Side | None) -> list[Message]:
    """Return which orders came to nothing in some of the last records, why, and what is left."""
    told = []
    for dropped in dropped_in(match, records):
        own = dropped.side is viewer
        who = "" if own else player(match, dropped.side)
        left = _what_is_left(match, dropped.side, own=own)
        told.append(sentences(tell_dropped(match, dropped, viewer, who), left))
    return told


def tell_dropped(
    match: Match, dropped: DroppedOrders, viewer: Side | None, who: Phrase = ""
) -> Message:
    """Return which orders came to nothing, and why; `who` names their author, if given."""
    name = names(match.state)
    if not dropped.orders:
        if who:
            return entry("not-drawn", dropped.cause.name, player=who)
        by_side = templates("not-drawn")[dropped.cause.name]
        return Narrator(name, viewer, dropped.side).deed(dropped.side, by_side)
    orders = order_list(dropped.orders, name)
    told = mark("Not carried out: {orders}.")
    if who:
        told = mark("Not carried out for {player}: {orders}.")
    own = dropped.side is viewer
    by_rule = own and dropped.cause is DropCause.RULES
    why = dropped.reason if by_rule else entry("dropped", dropped.cause.name)
    return sentences(Message(told, player=who, orders=orders), why)


def _what_is_left(match: Match, side: Side, *, own: bool) -> Message:
    """Return how the turn of a side goes on whose follow-ups were dropped; empty if it is over."""
    state = match.state
    if state.active is not side or match.is_over:
        return NOTHING
    told = mark("Your turn goes on."), mark("Their turn goes on with their next file.")
    if state.awaiting.side is side and state.awaiting.decision.is_chance:
        # Asked for already, they come with the other player's file.
        if match.decks[side].wants_slots:
            return NOTHING
        told = mark("Your next file draws the cards."), mark("Their next file draws the cards.")
    return Message(told[0 if own else 1])


def _announced(match: Match, viewer: Side | None) -> Message:
    """Return what waits to be carried out after an answer, as a sentence; empty if nothing does."""
    if not match.follow_ups:
        return NOTHING
    author = match.state.active
    reader = {author: "author", author.opponent: "opponent"}[viewer] if viewer else "spectator"
    orders = order_list(match.follow_ups, names(match.state))
    return entry("announced", reader, player=player(match, author), orders=orders)


# --- orders and events


class SentencePattern(NamedTuple):
    """A sentence for the order `of` that verb, which `tells` some of its results.

    It fits if all these events are there, and nothing it names is empty, such as the price of
    something free; and where another event came of it `beside`, or what was captured is a `town`,
    if it says so.
    """

    of: str
    sentence: str
    tells: Sequence[str] = ()
    beside: str = ""
    town: bool = False

    def matched_events(self, caused: Sequence[Event]) -> list[Event]:
        """Return the events that it tells, of those that came of an order and are not told yet."""
        found = (next((e for e in caused if _name(e) == name), None) for name in self.tells)
        return [event for event in found if event is not None]

    def fits(self, caused: Sequence[Event], names: Mapping[str, Phrase]) -> bool:
        """Return True if it can be said of an order that caused these events, with these names."""
        told = self.matched_events(caused)
        named = set(re.findall(r"{(\w+)}", self.sentence)) - PRONOUNS
        return (
            len(told) == len(self.tells)
            and all(names.get(name) for name in named)
            and (not self.beside or self.beside in map(_name, caused))
            and (not self.town or any(getattr(e, "is_town", False) for e in told))
        )


@cache
def patterns() -> dict[str, list[SentencePattern]]:
    """Return the ways to tell each order, by its verb: the first that fits is taken."""
    rows = (SentencePattern(**row) for row in templates("way"))
    return {verb: list(group) for verb, group in groupby(rows, key=lambda way: way.of)}


def tell_order(
    words: Narrator, side: Side, order: Order, played: Sequence[str], caused: Iterable[Event]
) -> tuple[list[Message], list[Event]]:
    """Return the sentences of an order of `side`, and the events that these do not tell.

    `played` are all cards that the order takes from hand, `caused` what came of it.
    """
    left, told = list(caused), list[Message]()
    paid = next((e for e in left if isinstance(e, events.Paid) and e.side is side), None)
    if paid:
        left.remove(paid)
    own = _names(words, order, played, paid.money if paid else 0)
    verbs = [order.verb]
    if isinstance(order, orders.Occupy | orders.Leave) and "SiegeWon" in map(_name, left):
        verbs.insert(0, "won")
    for verb in verbs:
        each = ((way, _facts(words, way.matched_events(left)) | own) for way in patterns()[verb])
        found = next(((way, names) for way, names in each if way.fits(left, names)), None)
        assert found, f"{order!r} has no way to be told with {left}"
        way, names = found
        for event in way.matched_events(left):
            left.remove(event)
        told.append(words.deed(side, way.sentence, **names))
    return told, left


def tell_event(words: Narrator, event: Event, drawn: Sequence[str] = ()) -> Message:
    """Return the sentence of an event; `drawn` are the cards drawn by it, if they may be known."""
    match event:
        case events.SiegeStands():
            return _standing(words, event)
        case events.SiegeLifted():
            place = words.name(event.location)
            return Message("The siege of {place} is over, as nobody is left there.", place=place)
        case events.GameOver():
            return Message("This won the game for the {side}.", side=event.side.label)
        case events.Captured():
            return words.event(event, templates("captured")["town" if event.is_town else "village"])
        case events.Drew() | events.Refilled() if drawn:
            return words.event(event, templates("drawn")[_name(event)], cards=words.series(drawn))
    return words.event(event, templates("happened")[_name(event)])


def _standing(words: Narrator, event: events.SiegeStands) -> Message:
    """Return how the siege stands that was just named, and what each side still needs."""
    strength, besieger = event.strength, event.side
    attack, defence = BESIEGER_WINS_AT - strength, strength - DEFENDER_WINS_AT
    how = "falling" if attack <= 0 else "defended" if defence <= 0 else "undecided"
    readers = {besieger: "besieger", besieger.opponent: "defender"}
    reader = readers[words.viewer] if words.viewer else "spectator"
    return entry(
        "siege-stands",
        f"{how} {reader}",
        strength=with_sign(strength),
        besieger=besieger.label,
        defender=besieger.opponent.label,
        attack=attack,
        defence=defence,
    )


def _name(event: Event) -> str:
    """Return the kind of an event, as narration.toml names it."""
    return type(event).__name__


def _names(words: Narrator, order: Order, played: Sequence[str], paid: int) -> dict[str, Phrase]:
    """Return what an order names, under the names that sentences have for it; nothing empty."""
    kind, cards = type(order), order.cards
    parts = [*parts_text(kind, cards, words.name)]
    names = {
        "place": words.name(order.location) if order.location else "",
        # A choice of cards serves one purpose, and may have a card twice.
        "cards": words.series(cards) if kind in CHOOSING else and_list(parts),
        "route": and_list(parts[:-1]),
        "card": words.series(cards[-1:]),
        "ship": and_list(parts[:1]),
        "gold": words.series(cards[1:]),
        "special": words.series(played[:1]),
        "ships": and_list((*map(words.name, played[:1]), *parts)),
        "price": money_counted(paid) if paid else "",
    }
    return {name: said for name, said in names.items() if said}


def _facts(words: Narrator, told: Sequence[Event]) -> dict[str, Phrase]:
    """Return what events say, under the names that sentences have; of two facts the first."""
    facts: dict[str, Phrase] = {}
    for event in reversed(told):
        facts |= words.facts(event)
    match told:
        case [events.Settled() as settled, *_]:
            # The card that is gained is called by its place.
            facts.pop("cards", None)
            facts["village"] = Message("a village")
            if settled.points:
                points = points_counted(settled.points)
                facts["village"] = Message("a village worth {points}", points=points)
        case [events.HandShown() as hand]:
            facts["shown"] = words.series(hand.cards)
        case [events.Received() as received, events.Paid() as robbed]:
            rest = received.money - robbed.money
            facts["robbed"] = money_counted(robbed.money)
            facts["rest"] = money_counted(rest) if rest else ""
    return facts

"""Reports in sentences: moves as one viewer may see them, and orders that were dropped.

Each order and event is a sentence or two from narration.toml. Names in braces are replaced by
cards, places and numbers, and {They} by the side of the order or event: You, They, The British,
The French.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, groupby
from typing import NamedTuple

from engine import events, game, orders
from engine.events import Event, GameOver
from engine.message import NOTHING, Message, Phrase, and_list, mark, sentences
from engine.order import Order
from engine.position import BESIEGER_WINS_AT, DEFENDER_WINS_AT
from engine.sides import Side
from engine.state import Decision, State
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.protocol.state_of_play import DropCause, DroppedOrders
from pbem.protocol.table import Move
from pbem.text.facts.chronicle import dropped_in
from pbem.text.language import Line, item
from pbem.text.narration import PRONOUNS, Phrasebook, parts_text, templates
from pbem.text.phrases import (
    Name,
    keys,
    money_amount,
    names,
    order_list,
    player,
    point_count,
    row_text,
    with_sign,
)


class Section(NamedTuple):
    """The moves of a player in a turn: a heading that names both, and lines of sentences.

    The `headline` says the results of sieges and raids, and of the game; it is empty without any.
    Pages show the line `lead` instead, if that is not None. `spans` are the indexes of the moves of
    each line, if known. `more` counts the orders besides the lead and the end of the turn, if any.
    """

    heading: Message
    lines: list[Message]
    headline: Message = NOTHING
    lead: int | None = None
    spans: Sequence[range] = ()
    more: Message = NOTHING

    @property
    def all_lines(self) -> list[Message]:
        """The headline and the lines."""
        return [*filter(None, [self.headline]), *self.lines]


class ReportLine(NamedTuple):
    """A line of sentences about some moves: an order, and the draws that it caused."""

    text: Message
    moves: list[Move]


class Report(NamedTuple):
    """A report: moves by player and turn, dropped orders, and orders that wait for an answer."""

    sections: list[Section]
    dropped: list[Message]
    announced: Message

    def lines(self) -> Iterator[Line]:
        """Yield the moves under headings, and the dropped orders."""
        for section in self.sections:
            yield item(section.heading)
            yield from (item(line, indent=4) for line in section.all_lines)
        yield from map(item, self.dropped)


def report(
    match: Match,
    moves: Sequence[Move],
    viewer: Side | None,
    own_cards: HiddenCards | None = None,
    records: Collection[int] = (),
) -> Report:
    """Return the report of some moves of a match, by player.

    It names the drawn cards that `own_cards` knows, and includes orders dropped in `records` or in
    the records of `moves`, and an attack that waits for a reply.
    """
    reporter = Reporter(match.state, viewer, [own_cards] if own_cards else [])
    sections = []
    for (side, turn), group in groupby(moves, key=lambda move: (move.side, move.turn)):
        author = player(match, side, viewer)
        heading = _heading(author, turn)
        part = list(group)
        sections.append(Section(heading, reporter.lines(part), reporter.headline(part)))
    notice = reply_notice(match, viewer)
    if notice and moves and moves[-1] is match.moves[-1]:
        sections[-1].lines[-1] = sentences(sections[-1].lines[-1], notice)
    records = {*records, *(move.record for move in moves)}
    dropped = _dropped_texts(match, records, viewer)
    return Report(sections, dropped, _announced_text(match, viewer))


def own_turn_text(match: Match, viewer: Side, moves: Sequence[Move]) -> Section:
    """Return the viewer's orders in a turn, all on one line."""
    orders = [move.order for move in moves if move.order]
    heading = _heading(player(match, viewer, viewer), moves[0].turn)
    return Section(heading, [order_list(orders, names(match.state))])


def _heading(author: Message, turn: int) -> Message:
    return Message("{player}, turn {number}:", player=author, number=turn + 1)


def no_moves_notice(match: Match) -> Message:
    """Return a notice that a match, which was joined, has no moves yet."""
    if match.state.setup:
        return Message("Nothing yet: the cards are being dealt.")
    return Message("Nothing yet: the game begins.")


_REPLY_DECISIONS = (Decision.RAID_REPLY, Decision.AMBUSH_REPLY, Decision.CONVERSION_REPLY)


def reply_notice(match: Match, viewer: Side | None) -> Message:
    """Return the side that has to reply to the last attack, as a sentence; empty for no reply."""
    awaiting = match.state.awaiting
    if awaiting.decision not in _REPLY_DECISIONS:
        return NOTHING
    if awaiting.side is viewer:
        return Message("It is up to you to answer.")
    return Message("It is up to the {side} to answer.", side=awaiting.side.label)


# --- moves


_TURN_ENDS = (orders.End, orders.Lose)
"""The orders that end a turn, after which the hand is refilled."""


class Reporter(NamedTuple):
    """Puts moves of a game into sentences; `state` is any position of the game.

    `viewer` is called “you”; `known_cards` holds the cards that some sides drew. In the methods,
    `they` is the side that “they” refers to, for example the side in the heading; by default the
    side of the move.
    """

    state: State
    viewer: Side | None = None
    known_cards: Collection[HiddenCards] = ()

    def lines(self, moves: Sequence[Move], they: Side | None = None) -> list[Message]:
        """Return a line for each step of these moves."""
        return [step.text for step in self.steps(moves, they)]

    def steps(self, moves: Sequence[Move], they: Side | None = None) -> list[ReportLine]:
        """Return a step for each move; draws belong to the step of the order that caused them.

        The end of the game is a step without moves.
        """
        groups: list[list[Move]] = []
        for move in moves:
            if groups and _is_draw_of(groups[-1][-1], move):
                groups[-1].append(move)
            else:
                groups.append([move])
        steps = list[ReportLine]()
        for first, *draws in groups:
            texts = [self.move(first, they), *(self.move(move, move.side) for move in draws)]
            steps.append(ReportLine(sentences(*chain.from_iterable(texts)), [first, *draws]))
            steps += [ReportLine(end, []) for end in filter(None, map(self.end, (first, *draws)))]
        return steps

    def move(self, move: Move, they: Side | None = None) -> list[Message]:
        """Return the sentences of a move, without the end of the game."""
        cards = next((cards for cards in self.known_cards if cards.side is move.side), None)
        drawn = sorted(cards.names(move.drawn)) if cards else []
        side, last, result = move.side, they or move.side, list[Message]()
        rest = [event for event in move.events if not isinstance(event, GameOver)]
        if move.order is not None:
            played = game.cards_played(self.state, move.order, side)
            result, rest = order_sentences(self._phrasebook(last), side, move.order, played, rest)
            last = side
        elif not rest:
            result = [self._phrasebook(last).move(side, templates("happened")["resigned"])]
        for event in rest:
            result.append(event_text(self._phrasebook(last), event, drawn))
            last = event.side
        return result

    def end(self, move: Move) -> Message:
        """Return a sentence about the end of the game if a move ended it, otherwise empty."""
        game_over = next((event for event in move.events if isinstance(event, GameOver)), None)
        return event_text(self._phrasebook(game_over.side), game_over) if game_over else NOTHING

    def headline(self, moves: Sequence[Move]) -> Message:
        """Return the results of the game, of sieges and of raids in some moves; empty for none.

        A raid that waits for its answer comes before the results of others.
        """
        name = names(self.state)
        results = [_result(event, move, name) for move in moves for event in move.events]
        ends = (self.end(move) for move in moves)
        decision, _, place, *_ = self.state.awaiting
        is_pending = decision is Decision.RAID_REPLY and moves[-1].has_event(events.Raided)
        if is_pending and any(results):
            results.insert(0, row_text("results", "pending", place=name(place or "")))
        return sentences(*ends, *results)

    def _phrasebook(self, they: Side) -> Phrasebook:
        return Phrasebook(names(self.state), self.viewer, they)


def _result(event: Event, move: Move, name: Name) -> Message:
    """Return the result of a siege or a raid in a few words; empty for another event."""
    key = _kind(event)
    if isinstance(event, events.Withdrew) and move.has_event(events.Captured):
        key = "Surrendered"
    elif isinstance(event, events.RaidSucceeded) and event.is_town:
        key = "TownRaided"
    if key not in keys("results"):
        return NOTHING
    place = name(getattr(event, "location", ""))
    return row_text("results", key, place=place, side=event.side.label)


_LEADING_VERBS = (
    *("besiege", "reinforce", "settle", "develop", "fortify", "raid", "ambush", "convert"),
    *("piracy", "merchant", "trade", "take", "draft"),
)
"""The verbs of the orders that matter most in a turn, in this order."""


def find_lead(steps: Sequence[ReportLine]) -> int:
    """Return the index of the step that matters most."""
    verbs = [
        step.moves[0].order.verb if step.moves and step.moves[0].order else "" for step in steps
    ]
    # The last reinforcement says how the siege stands.
    leads = {verb: index for index, verb in enumerate(verbs) if verb == "reinforce"}
    leading = (leads.get(verb, verbs.index(verb)) for verb in _LEADING_VERBS if verb in verbs)
    return next(leading, next((index for index, verb in enumerate(verbs) if verb), 0))


def more_orders_text(steps: Sequence[ReportLine]) -> Message:
    """Return the number of orders besides the lead and the end of the turn; empty for none."""
    orders = [step.moves[0].order for step in steps if step.moves]
    more = sum(order is not None and not isinstance(order, _TURN_ENDS) for order in orders) - 1
    return Message.counted("+{count} more", "+{count} more", more) if more > 0 else NOTHING


def _is_draw_of(earlier: Move, move: Move) -> bool:
    """Return True if a move is the draw of cards that belongs to the move before it."""
    is_chance = move.order is None and not all(isinstance(event, GameOver) for event in move.events)
    draws = earlier.order is None or earlier.order.can_draw or isinstance(earlier.order, _TURN_ENDS)
    return is_chance and draws and earlier.side is move.side and earlier.turn == move.turn


# --- follow-ups


def _dropped_texts(match: Match, records: Collection[int], viewer: Side | None) -> list[Message]:
    """Return the orders dropped in some records, each with the reason and the state of the turn."""
    texts = []
    for dropped in dropped_in(match, records):
        is_own = dropped.side is viewer
        author = "" if is_own else player(match, dropped.side)
        rest = _continuation_text(match, dropped.side, is_own=is_own)
        texts.append(sentences(dropped_text(match, dropped, viewer, author), rest))
    return texts


def dropped_text(
    match: Match, dropped: DroppedOrders, viewer: Side | None, author: Phrase = ""
) -> Message:
    """Return the dropped orders and the reason, with the name of their `author` if given."""
    name = names(match.state)
    if not dropped.orders:
        if author:
            return row_text("not-drawn", dropped.cause.name, player=author)
        by_side = templates("not-drawn")[dropped.cause.name]
        return Phrasebook(name, viewer, dropped.side).move(dropped.side, by_side)
    orders = order_list(dropped.orders, name)
    template = mark("Not carried out: {orders}.")
    if author:
        template = mark("Not carried out for {player}: {orders}.")
    is_own = dropped.side is viewer
    by_rule = is_own and dropped.cause is DropCause.RULES
    why = dropped.reason if by_rule else row_text("dropped", dropped.cause.name)
    return sentences(Message(template, player=author, orders=orders), why)


def _continuation_text(match: Match, side: Side, *, is_own: bool) -> Message:
    """Return how a turn continues after its follow-ups were dropped; empty if it is over."""
    state = match.state
    if state.active is not side or match.is_over:
        return NOTHING
    pair = (mark("Your turn goes on."), mark("Their turn goes on with their next file."))
    if state.awaiting.side is side and state.awaiting.decision.is_chance:
        # The cards that were asked for come with the other player's file.
        if match.decks[side].wanted_slot_count:
            return NOTHING
        pair = (mark("Your next file draws the cards."), mark("Their next file draws the cards."))
    return Message(pair[0 if is_own else 1])


def _announced_text(match: Match, viewer: Side | None) -> Message:
    """Return the orders that wait for an answer, as a sentence; empty if there are none."""
    if not match.follow_ups:
        return NOTHING
    author = match.state.active
    reader = {author: "author", author.opponent: "opponent"}[viewer] if viewer else "spectator"
    orders = order_list(match.follow_ups, names(match.state))
    return row_text("announced", reader, player=player(match, author), orders=orders)


# --- orders and events


class SentencePattern(NamedTuple):
    """A sentence for orders with the verb `verb`, which also reports their `reported_events`.

    It fits if all its events occurred and all names in it have values; the price of a free order,
    for example, has none. If there is a `required_event`, that has to occur too. If `requires_town`
    is true, the captured piece has to be a town.
    """

    verb: str
    sentence: str
    reported_events: Sequence[str] = ()
    required_event: str = ""
    requires_town: bool = False

    def matched_events(self, caused: Sequence[Event]) -> list[Event]:
        """Return the events that the sentence reports, among the events that an order caused."""
        first_by_kind = {_kind(event): event for event in reversed(caused)}
        return [first_by_kind[kind] for kind in self.reported_events if kind in first_by_kind]

    def fits(self, caused: Sequence[Event], names: Mapping[str, Phrase]) -> bool:
        """Return True if the sentence fits an order with the events `caused` and its `names`."""
        matched = self.matched_events(caused)
        fields = set(re.findall(r"{(\w+)}", self.sentence)) - PRONOUNS
        return (
            len(matched) == len(self.reported_events)
            and all(names.get(name) for name in fields)
            and (not self.required_event or self.required_event in map(_kind, caused))
            and (not self.requires_town or any(getattr(e, "is_town", False) for e in matched))
        )


@cache
def patterns() -> dict[str, list[SentencePattern]]:
    """Return the patterns for each order by its verb; the first one that fits is used."""
    rows = (SentencePattern(**row) for row in templates("pattern"))
    return {verb: list(group) for verb, group in groupby(rows, key=lambda row: row.verb)}


def order_sentences(
    book: Phrasebook, side: Side, order: Order, played: Sequence[str], caused: Iterable[Event]
) -> tuple[list[Message], list[Event]]:
    """Return the sentences about an order of `side`, and the events that they do not report.

    `played` are all cards that the order takes from hand, `caused` the events that it caused.
    """
    rest, result = list(caused), list[Message]()
    paid = next((e for e in rest if isinstance(e, events.Paid) and e.side is side), None)
    if paid:
        rest.remove(paid)
    cards = _names(book, order, played, paid.money if paid else 0)
    verbs = [order.verb]
    if isinstance(order, orders.Occupy | orders.Leave) and "SiegeWon" in map(_kind, rest):
        verbs.insert(0, "won")
    for verb in verbs:
        pairs = ((p, _facts(book, p.matched_events(rest)) | cards) for p in patterns()[verb])
        match = next(((p, facts) for p, facts in pairs if p.fits(rest, facts)), None)
        assert match, f"{order!r} has no sentence with {rest}"
        pattern, facts = match
        for event in pattern.matched_events(rest):
            rest.remove(event)
        result.append(book.move(side, pattern.sentence, **facts))
    return result, rest


def event_text(book: Phrasebook, event: Event, drawn: Sequence[str] = ()) -> Message:
    """Return the sentence about an event; `drawn` are drawn cards that the viewer may know."""
    match event:
        case events.SiegeStands():
            return _siege_text(book, event)
        case events.SiegeLifted():
            place = book.name(event.location)
            return Message("The siege of {place} is over, as nobody is left there.", place=place)
        case events.GameOver():
            return Message("The game is over: the {side} won.", side=event.side.label)
        case events.Captured():
            return book.event(event, templates("captured")["town" if event.is_town else "village"])
        case events.Drew() | events.Refilled() if drawn:
            return book.event(event, templates("drawn")[_kind(event)], cards=book.series(drawn))
    return book.event(event, templates("happened")[_kind(event)])


def _siege_text(book: Phrasebook, event: events.SiegeStands) -> Message:
    """Return the state of the siege that was named before, and the strength each side needs."""
    strength, besieger = event.strength, event.side
    attack, defence = BESIEGER_WINS_AT - strength, strength - DEFENDER_WINS_AT
    state_key = "falling" if attack <= 0 else "defended" if defence <= 0 else "undecided"
    readers = {besieger: "besieger", besieger.opponent: "defender"}
    reader = readers[book.viewer] if book.viewer else "spectator"
    return row_text(
        "siege-stands",
        f"{state_key} {reader}",
        strength=with_sign(strength),
        besieger=besieger.label,
        defender=besieger.opponent.label,
        attack=attack,
        defence=defence,
    )


def _kind(event: Event) -> str:
    """Return the name of an event's kind, as in narration.toml."""
    return type(event).__name__


def _names(book: Phrasebook, order: Order, played: Sequence[str], paid: int) -> dict[str, Phrase]:
    """Return the values of an order under their names in sentences, without empty ones."""
    kind, cards = type(order), order.cards
    parts = [*parts_text(kind, cards, book.name)]
    names = {
        "place": book.name(order.location) if order.location else "",
        # Freely chosen cards have one purpose, and equal ones are counted.
        "cards": book.series(cards) if kind.has_choice else and_list(parts),
        "route": and_list(parts[:-1]),
        "card": book.series(cards[-1:]),
        "ship": and_list(parts[:1]),
        "gold": book.series(cards[1:]),
        "special": book.series(played[:1]),
        "ships": and_list((*map(book.name, played[:1]), *parts)),
        "price": money_amount(paid) if paid else "",
    }
    return {name: value for name, value in names.items() if value}


def _facts(book: Phrasebook, matched: Sequence[Event]) -> dict[str, Phrase]:
    """Return the values of events by their names in sentences; the first event has precedence."""
    facts: dict[str, Phrase] = {}
    for event in reversed(matched):
        facts |= book.facts(event)
    match matched:
        case [events.Settled() as settled, *_]:
            # The gained card has the name of its place.
            facts.pop("cards", None)
            facts["village"] = Message("a village")
            if settled.points:
                points = point_count(settled.points)
                facts["village"] = Message("a village worth {points}", points=points)
        case [events.HandShown() as hand]:
            facts["shown"] = book.series(hand.cards)
        case [events.Received() as received, events.Paid() as payment]:
            rest = received.money - payment.money
            facts["robbed"] = money_amount(payment.money)
            facts["rest"] = money_amount(rest) if rest else ""
    return facts

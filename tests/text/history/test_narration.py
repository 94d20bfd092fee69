"""Moves in sentences: each kind of order and event, for every reader, under any rules."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from engine import events as happened
from engine import game
from engine.chance import Draw, Reveal, Shuffle
from engine.events import EVENTS, Event
from engine.game import apply, legal_orders
from engine.orders import ORDERS, Besiege, Develop, Fortify, Merchant, Occupy, Piracy, Settle
from engine.sides import Side, Slot
from engine.state import Decision, State, new_game
from pbem.cli.console import translate
from pbem.protocol.match import Match
from pbem.protocol.table import Move
from pbem.text.facts.chronicle import last_moves
from pbem.text.facts.game_facts import AMOUNTS
from pbem.text.history.report import Reporter, reply_notice, report
from pbem.text.language import SOURCE, Language
from pbem.text.narration import OMITTED_SUBJECT
from pbem.text.ordering.reading import read
from tests.engine.arbitrary import choose_lively
from tests.engine.cases import position_of
from tests.engine.house_rule_positions import HOUSE_POSITIONS, random_rules
from tests.engine.positions import BRITISH, FRENCH, do, position, two_sieges_won
from tests.play.matches import answer, any_order, begin, identities, play
from tests.seats import Seat as PlayersSeat
from tests.text.throwaway import throwaway

GAMES, ORDERS_A_GAME = 13, 250
"""The number of random games, which have 0 to 12 house rules, and of orders in each."""
READERS = (None, *Side)


class PlayedMove(NamedTuple):
    """A move, and a position of its game."""

    state: State
    move: Move


def random_play(state: State, random: Random, orders: int) -> Iterator[PlayedMove]:
    """Yield the moves of a game of lively play, by players and by chance."""
    for _ in range(orders):
        decision, side = state.awaiting[:2]
        drawn: tuple[Slot, ...] = ()
        order, turn = None, state.turn
        if decision is Decision.OVER:
            return
        if decision is Decision.SHUFFLE:
            events = apply(state, Shuffle(side))
        elif decision is Decision.DRAW:
            drawn = tuple(random.sample(state.players[side].draw_pile, state.awaiting.amount))
            events = apply(state, Draw(side, drawn))
            for slot in drawn:
                card = random.choice(state.players[side].unseen[slot.epoch])
                apply(state, Reveal(side, slot, card))
        else:
            order = choose_lively(random, legal_orders(state))
            events = apply(state, order)
        yield PlayedMove(state, Move(0, turn, side, order, tuple(events), drawn))


def scripted_play(state: State, *texts: str) -> Iterator[PlayedMove]:
    """Give these orders one after the other."""
    for text in texts:
        turn, side = state.turn, state.awaiting.side
        order = read(Language(SOURCE), text, state)
        yield PlayedMove(state, Move(0, turn, side, order, tuple(apply(state, order))))


SCRIPTS = tomllib.loads(Path(__file__).with_name("narration.toml").read_text(encoding="utf-8"))
RARE_POSITIONS = [two_sieges_won, *HOUSE_POSITIONS.values()]


@cache
def moves() -> list[PlayedMove]:
    """Return the moves of many games, under all editions and house rules."""
    played: list[Iterable[PlayedMove]] = [
        scripted_play(position_of(table), *table["orders"]) for table in SCRIPTS["scripted"]
    ]
    for seed in range(GAMES):
        random = Random(seed)
        start = new_game(random_rules(random, seed % 13 / 24))
        played.append(random_play(start, random, ORDERS_A_GAME))
    for number, laid_out in enumerate(RARE_POSITIONS * 3):
        played.append(random_play(laid_out(), Random(number), 12))
    return list(chain.from_iterable(played))


def some_moves() -> list[PlayedMove]:
    """Return a third of the moves, for tests with each reader."""
    return moves()[::3]


def sentences(output: PlayedMove, viewer: Side | None = None) -> list[str]:
    return [translate(part) for part in Reporter(output.state, viewer).move(output.move)]


def text(output: PlayedMove, viewer: Side | None = None) -> str:
    return " ".join(sentences(output, viewer))


# --- every kind


def test_sample_contains_every_order_and_event() -> None:
    orders = {output.move.order.verb for output in moves() if output.move.order}
    events = {type(event) for output in moves() for event in output.move.events}
    assert (set(ORDERS) - orders, set(EVENTS) - events) == (set(), set())


def test_every_sentence_is_complete() -> None:
    """Sentences begin with a capital, end with one full stop, and have no gaps."""
    for output in some_moves():
        for viewer in READERS:
            for sentence in sentences(output, viewer):
                assert re.fullmatch(r"[A-Z].*[^.,:; ]\.", sentence), sentence
                assert not re.search(r"  | [.,:;]|[{}_]|None|, ,|and \.", sentence), sentence


def test_nothing_is_named_by_its_id() -> None:
    for output in moves():
        named = output.state.ruleset.catalogue.names
        for word in re.findall(r"[a-z]+(?:-[a-z]+)*", re.sub(r"[A-Z]\S*", "", text(output))):
            assert word not in named, text(output)


def test_every_order_names_its_cards_and_location() -> None:
    """All cards played are named, including those the order leaves out, and counted."""
    for state, move in moves():
        if move.order is None:
            continue
        output, name = text(PlayedMove(state, move)), state.ruleset.catalogue.names
        played = game.cards_played(state, move.order, move.side)
        for card, number in Counter(move.order.cards).items():
            assert name[card] in output
            assert (
                number == 1 or f"{name[card]} x{number}" in output or output.count(name[card]) > 1
            )
        assert all(name[card] in output for card in played)
        assert move.order.location is None or name[move.order.location] in output


def test_every_number_is_in_the_sentence() -> None:
    """Money paid and received, points, strengths and cards."""
    units = {
        happened.Paid: "{} money",
        happened.Received: "{} money",
        happened.Captured: "worth {} points",
        happened.RaidSucceeded: "worth {} points",
        happened.Developed: "worth {} point",
        happened.Reinforced: "strength {}",
        happened.SiegeStands: "stands at {:+}",
        happened.Shuffled: "{} card",
        happened.Drew: "{} card",
        happened.Refilled: "{} card",
    }
    for output in moves():
        amounts = {type(event): amount(event) for event in output.move.events}
        if 0 < amounts.get(happened.Paid, 0) < amounts.get(happened.Received, 0):
            # Both are told: what the opponent had, and what the bank added.
            amounts[happened.Received] -= amounts[happened.Paid]
        for kind, unit in units.items():
            if amounts.get(kind):
                assert unit.format(amounts[kind]) in text(output), (output.move, text(output))


def test_payments_and_receipts_are_worded_differently() -> None:
    """Wherever an amount stands, the verb before it says which way the money goes."""
    for output in moves():
        said_of_it = text(output)
        assert not re.search(r"\bfor \d+ money", said_of_it), said_of_it
        for event in output.move.events:
            if isinstance(event, happened.Paid) and event.side is output.move.side:
                assert re.search(rf"\bpaid {event.money} money", said_of_it), said_of_it
            if isinstance(event, happened.Received):
                gains = r"(received|took|robbed the British of|added) \d money"
                assert re.search(gains, said_of_it), said_of_it


def test_sentences_name_the_use_of_each_card() -> None:
    """And which card stays: the last of a siege that is opened; the others are discarded."""
    for output in moves():
        order, name = output.move.order, output.state.ruleset.catalogue.names
        if isinstance(order, Settle | Besiege):
            assert f"{name[order.connection]} as connection" in text(output)
            assert f"{name[order.transport]} as transport" in text(output)
        if isinstance(order, Settle | Develop | Occupy) and order.settler:
            assert f"{name[order.settler]} as settler" in text(output)
        if isinstance(order, Besiege):
            assert f"{name[order.siege_card]} stays there" in text(output)
        if isinstance(order, Fortify):
            assert "the cards do not" in text(output)
        if isinstance(order, Merchant | Piracy):
            assert f"{name[order.ship]} as ship" in text(output)


def test_end_of_a_siege_names_the_owner_of_returned_cards() -> None:
    """The pile of each card is named, and the loser's card."""
    ends = 0
    for output in moves():
        name = output.state.ruleset.catalogue.names
        for event in output.move.events:
            if isinstance(event, happened.CardsCameBack):
                ends += 1
                to_pile = f" from {name[event.location]} to their discard pile."
                back = " ".join(s for s in sentences(output) if s.endswith(to_pile))
                assert all(name[card] in back for card in event.cards)
            if isinstance(event, happened.CardLost):
                assert f"gave {name[event.card]} back" in text(output)
    assert ends > 10


def amount(event: Event) -> int:
    """Return the amount of an event; 0 if it has none."""
    return next((getattr(event, field) for field in AMOUNTS if field in event.fields), 0)


RESTATED = {
    happened.Raided,
    happened.Ambushed,
    happened.ConversionTried,
    happened.Besieged,
    happened.Withdrew,
    happened.Fortified,
    happened.CardsReturned,
    happened.CardFetched,
    happened.CardGivenUp,
    happened.TurnEnded,
    happened.LeftNeutral,
    happened.SiegeRelieved,
}
"""The events that repeat facts of their order."""


@pytest.mark.slow
def test_every_event_changes_the_text() -> None:
    """A move without one of its events has another text, or no text fits it."""
    traced = set()
    for output in moves():
        for number, event in enumerate(output.move.events):
            rest = output.move.events[:number] + output.move.events[number + 1 :]
            before = (text(output), Reporter(output.state).end(output.move))
            move = output.move._replace(events=rest)
            try:
                after = (text(PlayedMove(output.state, move)), Reporter(output.state).end(move))
            except AssertionError:
                continue
            if before == after:
                assert type(event) in RESTATED, (event, before)
                assert output.move.order is not None
            traced.add(type(event))
    assert traced


# --- readers


def test_only_the_viewer_is_called_you() -> None:
    for output in some_moves():
        side = output.move.side
        if output.move.order is None:
            continue
        assert sentences(output, side)[0].startswith("You "), text(output, side)
        assert sentences(output, None)[0].startswith("They "), text(output)
        for viewer in Side:
            assert f"the {viewer.label!s}" not in text(output, viewer).replace("The", "the")
        assert not re.search(r"\b[Yy]ou", text(output))


def test_pronoun_means_the_side_that_was_named_last() -> None:
    """A pronoun is used if the sentence before is about the same side."""
    events = (
        happened.TurnEnded(BRITISH),
        happened.SiegeRelieved(FRENCH, "quebec"),
        happened.CardLost(BRITISH, "quebec", "rangers"),
        happened.Captured(BRITISH, "gaspe", is_town=False, points=2),
    )
    state = position()
    move = Move(0, 0, BRITISH, ORDERS["end"](), events)
    assert [*map(translate, Reporter(state).move(move))] == [
        "They ended their turn.",
        "The French held Quebec: its siege is over.",
        "The British gave Rangers back for the lost siege: it can be drafted again.",
        "They captured a village at Gaspé, worth 2 points.",
    ]
    assert [*map(translate, Reporter(state, FRENCH).move(move, they=FRENCH))] == [
        "The British ended their turn.",
        "You held Quebec: its siege is over.",
        "The British gave Rangers back for the lost siege: it can be drafted again.",
        "They captured a village at Gaspé, worth 2 points.",
    ]


@pytest.mark.parametrize("seed", range(2))
def test_drawn_cards_are_shown_to_their_owner_only(seed: int) -> None:
    match = play(begin(seed, lists=2), any_order(Random(seed)), turns=6, seed=seed)
    name = match.state.ruleset.catalogue.names
    seats = {seat.side: seat for seat in (PlayersSeat(match, who) for who in identities(seed))}
    drawn = [move for move in match.moves if move.drawn]
    assert drawn
    for move in drawn:
        cards = {name[card] for card in seats[move.side].cards.names(move.drawn)}
        for viewer in READERS:
            own_cards = [seats[viewer].cards] if viewer else []
            output = translate(Reporter(match.state, viewer, own_cards).move(move)[0])
            assert all(card in output for card in cards) == (viewer is move.side)
            assert (f" {len(move.drawn)} card" in output) == (viewer is not move.side)
        both = Reporter(match.state, None, [seat.cards for seat in seats.values()])
        assert all(card in translate(both.move(move)[0]) for card in cards)


# --- rare moves


def narrate_last(state: State, *orders: str, viewer: Side | None = None) -> str:
    """Return the sentences about the last of these orders."""
    *first, last = orders
    do(state, *first)
    side = state.awaiting.side
    order = next(o for o in legal_orders(state) if translate(o.text(_name(state))) == last)
    move = Move(0, state.turn, side, order, tuple(do(state, last)))
    return " ".join(map(translate, Reporter(state, viewer).move(move)))


def _name(state: State) -> Callable[[str], str]:
    return state.ruleset.catalogue.names.__getitem__


@pytest.mark.parametrize("table", SCRIPTS["told"], ids=lambda table: table["tells"][-1])
def test_sentences_of_rare_moves_match_the_table(table: dict[str, Any]) -> None:
    assert narrate_last(position_of(table), *table["tells"]) == table["told"]


# --- in other languages


CONTEXTS = {"you", "they", "they to you"}
PERSONAL = r"[{}]|\b([Yy]ou|[Tt]hey|[Yy]our|[Tt]heir)\b"


@contextmanager
def show_contexts() -> Iterator[None]:
    """Speak a language in which each sentence of a move begins with its context."""
    with throwaway(str) as built:
        own_cards = built.pgettext

        def pgettext(context: str, message: str) -> str:
            output = own_cards(context, message)
            return f"<{context}>{output}" if context in CONTEXTS else output

        built.pgettext = pgettext  # type: ignore[method-assign]
        yield
    assert built.unknown == set(), "translators do not get to see these"


def test_context_of_a_sentence_shows_actor_and_reader() -> None:
    """A sentence has its own context if its side acts on the reader."""
    matches: dict[Side | None, Counter[str]] = {viewer: Counter() for viewer in READERS}
    with show_contexts():
        for output in some_moves():
            for viewer in READERS if output.move.order else ():
                first = sentences(output, viewer)[0]
                context, sentence = re.fullmatch(r"<([a-z ]+)>(.*)", first).groups()  # type: ignore[union-attr]
                matches[viewer][context] += 1
                assert (context == "you") == (viewer is output.move.side)
                names_reader = re.search(r"\byou\b", sentence) is not None
                if viewer is output.move.side.opponent:
                    assert (context == "they to you") == names_reader, sentence
                else:
                    assert context != "they to you"
    assert set(matches[None]) == {"they"}
    assert all(set(matches[side]) == CONTEXTS for side in Side)


def test_translation_may_omit_all_pronouns() -> None:
    """Sentences contain no pronouns except in their placeholders."""
    persons = re.compile(r"\{(They|they|their|foe)\}")
    with throwaway(lambda message: persons.sub("·", message)):
        for output in some_moves():
            for viewer in READERS:
                for sentence in sentences(output, viewer):
                    # The state of a siege has three messages, one for each reader.
                    if not sentence.startswith("The siege now stands"):
                        assert not re.search(PERSONAL, sentence), sentence


def test_translation_may_omit_the_subject() -> None:
    """The sentence then begins with its second word; the names of sides are kept."""
    events = (
        happened.TurnEnded(BRITISH),
        happened.SiegeRelieved(FRENCH, "quebec"),
        happened.Captured(FRENCH, "norfolk", is_town=False, points=2),
    )
    with throwaway(lambda message: OMITTED_SUBJECT if message == "They" else message):
        move = Move(0, 0, BRITISH, ORDERS["end"](), events)
        output = Reporter(position()).move(move, they=BRITISH)
        assert [*map(translate, output)] == [
            "Ended their turn.",
            "The French held Quebec: its siege is over.",
            "Captured a village at Norfolk, worth 2 points.",
        ]


# --- in a match


class Lines(NamedTuple):
    """The moves of a player in a turn, in words."""

    heading: str
    lines: list[str]


def report_lines(match: Match, moves: Sequence[Move], viewer: Side | None) -> list[Lines]:
    sections = report(match, moves, viewer).sections
    return [Lines(translate(one.heading), [*map(translate, one.lines)]) for one in sections]


def match_with_attack(kind: Decision, seed: int = 0) -> Match:
    """Return a match in which an attack waits for its answer."""
    match, choose = begin(seed, lists=2), any_order(Random(seed))
    while match.state.awaiting.decision is not kind:
        match = answer(match, choose, seed)
    return match


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Decision.RAID_REPLY, Decision.AMBUSH_REPLY])
def test_waiting_attack_names_the_side_to_answer(kind: Decision) -> None:
    match = match_with_attack(kind)
    victim = match.state.awaiting.side
    for viewer in READERS:
        due = translate(reply_notice(match, viewer))
        own_notice = "It is up to you to answer."
        assert due == (
            own_notice if viewer is victim else f"It is up to the {victim.label!s} to answer."
        )
        sections = report_lines(match, match.moves, viewer)
        assert sections[-1].lines[-1].endswith(due)
        assert sum(due in line for section in sections for line in section.lines) == 1
        # Moves before the attack need no answer.
        assert due not in str(report_lines(match, match.moves[:-1], viewer))
    match = answer(match, any_order(Random(0)))
    if match.state.awaiting.decision is not kind:
        assert "to answer." not in str(report_lines(match, match.moves, None))


def test_moves_are_listed_under_their_player() -> None:
    match = play(begin(3, lists=2), any_order(Random(3)), turns=8, seed=3)
    sections = report_lines(match, match.moves, BRITISH)
    heads = [section.heading for section in sections]
    assert all(a != b for a, b in pairwise(heads))
    assert all(section.lines and all(section.lines) for section in sections)
    for section in sections:
        own = "(British, you)" in section.heading
        assert section.lines[0].split()[0] == ("You" if own else "They")
    last = last_moves(match)
    assert last == match.moves[-len(last) :]


@pytest.mark.parametrize("seed", range(3))
def test_last_moves_cover_the_whole_turn_and_the_one_before(seed: int) -> None:
    """Files may be exchanged within a turn, for the cards of Home Support or for an answer."""
    random = Random(seed)
    match, choose, returned = begin(seed, lists=2), any_order(random), 0
    while match.state.turn < 24 and not match.is_over:
        match = answer(match, choose, seed, follows_up=lambda: random.random() < 0.3)
        side, turn = match.next_side, match.state.turn
        if match.state.setup or side is None or match.state.active is not side:
            continue
        returned += any(move.turn == turn for move in match.moves if move.side is side)
        output = last_moves(match, side)
        assert [move for move in match.moves if move.turn >= turn - 1 and move.order] == [
            move for move in output if move.order and move.turn >= turn - 1
        ]
    assert returned > 1

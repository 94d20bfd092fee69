"""Positions from which cheats begin, in honest matches of random legal orders."""

from __future__ import annotations

from functools import cache, partial
from random import Random

from engine.order import Order
from engine.orders import ORDERS, from_notation
from pbem.protocol import steps
from pbem.protocol.match import Match
from tests.play.matches import TIME, answer, any_order, begin, play, seat_to_write
from tests.play.turns import can_order, find_draft, legal_orders_of
from tests.seats import NextRecord
from tests.signing import end


@cache
def find_record_with(
    seed: int, *kinds: type[steps.Step], absent: tuple[type[steps.Step], ...] = ()
) -> Match:
    """Return a match whose last record has steps of all these kinds."""
    match, choose = begin(), any_order(Random(seed))
    for _ in range(200):
        match = answer(match, choose)
        present = {type(step) for step in match.last.steps}
        if present.issuperset(kinds) and not present.intersection(absent):
            return match
    raise AssertionError("no such record in this match")


@cache
def find_grant() -> tuple[Match, steps.Grant]:
    """Return a match whose last record grants several cards of an opened pile, and the grant."""
    match, choose = begin(), any_order(Random(6))
    for _ in range(200):
        match = answer(match, choose)
        for step in match.last.steps:
            if isinstance(step, steps.Grant) and step.list is None and len(step.slots) > 1:
                return match, step
    raise AssertionError("no such record in this match")


def _likely(random: Random) -> bool:
    return random.random() < 0.95


@cache
def find_double_grant() -> tuple[Match, int]:
    """Return a match whose last record requests two draws, and its seed."""
    for seed in range(60):
        random = Random(seed)
        match, choose = begin(seed, lists=2), any_order(random)
        while not match.is_over and match.state.turn < 60:
            before = match
            match = answer(match, choose, seed, partial(_likely, random))
            if sum(isinstance(step, steps.Grant) for step in match.last.steps) > 1:
                return before, seed
    raise AssertionError("no such record in these matches")


@cache
def play_passes(turns: int = 5) -> Match:
    """Return a match in which both players only pass, so that no draw or grant is due."""
    return play(begin(), lambda s: from_notation("pass" if s.actions_left else "end"), turns=turns)


@cache
def find_ended() -> Match:
    """Return an ended match in which one player has published the game secret."""
    match, choose = begin(), any_order(Random(1))
    while not match.is_over:
        match = answer(match, choose)
    return match


@cache
def _attack(verb: str) -> tuple[Match, Order, int]:
    draft, seed = find_draft(can_order(ORDERS[verb]))
    return Match.replay(draft.match.records), legal_orders_of(draft, ORDERS[verb])[0], seed


def begin_attack(kind: type[Order]) -> tuple[NextRecord, int]:
    """Return a draft with an attack of this kind, and the seed of its match."""
    match, order, seed = _attack(kind.verb)
    draft = NextRecord(seat_to_write(match, seed), TIME)
    draft.order(order)
    return draft, seed


def find_attacked(kind: type[Order]) -> tuple[Match, int]:
    """Return a match that awaits the answer to an attack of this kind, and its seed."""
    draft, seed = begin_attack(kind)
    end(draft)
    return draft.match, seed


def find_owed_steps(match: Match, seed: int = 0) -> list[steps.Step]:
    """Return the steps with which the next record has to begin."""
    return list(NextRecord(seat_to_write(match, seed), TIME).steps)

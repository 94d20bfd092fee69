"""Whole matches between two players, played in memory, for tests and benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from random import Random
from typing import Any

from engine.game import legal_orders
from engine.order import Order
from engine.ruleset import DEFAULT_EDITION
from engine.sides import Side
from engine.state import State
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from tests.seats import NextRecord, Seat
from tests.signing import accept, end, invite, make_record

TIME = "2026-11-21T10:00:00Z"
Chooser = Callable[[State], Order]


@cache
def identities(seed: int = 0) -> tuple[Identity, Identity]:
    """Return an inviter and a guest."""
    random = Random(f"identities {seed}")
    return (
        Identity("Anna", "anna@example.org", random.randbytes(32)),
        Identity("Béla", "bela@example.org", random.randbytes(32)),
    )


def begin(
    seed: int = 0,
    *,
    side: Side | None = Side.BRITISH,
    guest: Side | None = None,
    lists: int = 16,
    home_support: str = "asked",
    edition: str = DEFAULT_EDITION,
    house_rules: Iterable[str] = (),
    start_card: str | None = None,
    include_parts: bool = True,
) -> Match:
    guest = guest or (side.opponent if side else None)
    anna, bela = identities(seed)
    random = Random(f"nonces {seed}")
    match = invite(
        anna,
        side=side,
        nonce=random.randbytes(32),
        time=TIME,
        lists=lists,
        home_support=home_support,
        edition=edition,
        house_rules=house_rules,
        start_card=start_card if side is Side.FRENCH else None,
        include_parts=include_parts,
    )
    chosen = start_card if guest is Side.FRENCH else None
    nonce = random.randbytes(32)
    return accept(match, bela, nonce=nonce, time=TIME, side=guest, start_card=chosen)


def sign_as(identity: Identity, record: Record, **changes: Any) -> Record:
    """Return the record with some changed fields, signed by `identity`."""
    changed = record._replace(**changes)
    return make_record(
        identity,
        index=changed.index,
        side=changed.side,
        previous=changed.previous,
        time=changed.time,
        steps=changed.steps,
    )


def seat_to_write(match: Match, seed: int = 0) -> Seat:
    """Return the seat of the player who writes the next record."""
    side = match.next_side
    assert side is not None
    key = match.entrants[side].key
    return Seat(
        match, next(identity for identity in identities(seed) if identity.public_key == key)
    )


def any_order(random: Random) -> Chooser:
    """Return a chooser of random legal orders, with every kind equally likely."""

    def choose(state: State) -> Order:
        legal = legal_orders(state)
        verb = random.choice(sorted({order.verb for order in legal}))
        return random.choice([order for order in legal if order.verb == verb])

    return choose


def answer(
    match: Match, choose: Chooser, seed: int = 0, follows_up: Callable[[], bool] = lambda: False
) -> Match:
    """Return the match with another record; `follows_up` decides on each follow-up."""
    draft = NextRecord(seat_to_write(match, seed), TIME)
    while not draft.is_complete or (draft.may_follow_up and follows_up()):
        draft.order(choose(draft.view()))
    end(draft)
    return draft.match


def resign(match: Match, seed: int = 0) -> Match:
    """Return the match with another record, in which the author resigns."""
    draft = NextRecord(seat_to_write(match, seed), TIME, resigns=True)
    end(draft)
    return draft.match


def close(match: Match, seed: int = 0) -> Match:
    """Return the match with another record, which closes the game for its author."""
    draft = NextRecord(seat_to_write(match, seed), TIME)
    assert draft.is_complete
    end(draft)
    return draft.match


def play(
    match: Match,
    choose: Chooser,
    *,
    turns: int,
    seed: int = 0,
    follows_up: Callable[[], bool] = lambda: False,
) -> Match:
    """Return the match, played to its close or to the turn `turns` (0 is the first)."""
    while match.next_side is not None and (match.is_over or match.state.turn < turns):
        match = answer(match, choose, seed, follows_up)
    return match

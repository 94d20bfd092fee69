"""Positions for tests, and functions to act in them.

`position` lays out the whole box: every card is in exactly one place. Cards that no seat names stay
in the draw pile (starting cards) or among the available cards (all others).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from random import Random

import pytest

from engine.actions.action import IllegalOrderError
from engine.chance import Chance, Draw, Reveal, Shuffle
from engine.events import Event
from engine.game import apply, is_legal, legal_orders
from engine.order import Order, UnreadableOrderError
from engine.orders import from_notation
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.sides import Side, Slot
from engine.state import Awaiting, Decision, Settlement, Siege, State, new_game
from pbem.text.language import Language
from pbem.text.ordering.reading import read
from tests.requirements import require

ENGLISH = Language("en")

BRITISH, FRENCH = Side.BRITISH, Side.FRENCH


@dataclass(frozen=True)
class Seat:
    """The cards, pieces and money of a side: ids of cards and locations, separated by spaces.

    `siege` is the besieged location and, after a colon, the side's cards there; `besieged` are its
    cards in defence of its own location. `villages` and `towns` are added to the starting pieces or
    replace them; `lost` are starting locations that the side no longer controls. `governed` are
    location cards that were returned. The card of a location in `villages` or `towns` lies in the
    discard pile unless another pile names it. `pile` is the draw pile: by default the starting
    cards that no other pile names.
    """

    hand: str = ""
    reserve: str = ""
    discard: str = ""
    pile: str | None = None
    siege: str = ""
    besieged: str = ""
    villages: str = ""
    towns: str = ""
    fortified: str = ""
    lost: str = ""
    money: int = 20
    captured: tuple[int, int] = (0, 0)
    governed: str = ""


def position(
    british: Seat | None = None,
    french: Seat | None = None,
    *,
    active: Side = BRITISH,
    besieging: Mapping[Side, str] | None = None,
    actions: int = 2,
    turn: int = 10,
    house_rules: Iterable[str] = (),
    edition: str = DEFAULT_EDITION,
    ruleset: Ruleset | None = None,
) -> State:
    """Return a position in the turn of `active` with `actions` left; both hands are known.

    `besieging` gives the location that a side besieges if its seat does not. A `ruleset` takes the
    place of `edition` and `house_rules`.
    """
    state = new_game(ruleset or Ruleset.of(edition, house_rules))
    seats = {BRITISH: british or Seat(), FRENCH: french or Seat()}
    for seat in seats.values():
        for location in seat.lost.split():
            del state.board[location]
    for side, seat in seats.items():
        _build(state, side, seat)
    places = {side: seat.siege.split(":")[0] for side, seat in seats.items() if ":" in seat.siege}
    for side, location in {**(besieging or {}), **places}.items():
        assert state.owner(location) is side.opponent, f"{location} is not the enemy's"
        state.sieges[side] = Siege(location)
    for side, seat in seats.items():
        _deal(state, side, seat)
    state.setup = ()
    state.turn, state.active, state.actions_left = turn, active, actions
    state.awaiting = Awaiting(Decision.TURN, active)
    return state


def _build(state: State, side: Side, seat: Seat) -> None:
    player = state.players[side]
    player.money = seat.money
    player.captured_villages, player.captured_towns = seat.captured
    for names, town in ((seat.villages, False), (seat.towns, True)):
        for location in names.split():
            assert state.owner(location) is not side.opponent, f"{location} is taken"
            state.board[location] = Settlement(side, town)
            if location in player.locations and location not in seat.governed.split():
                player.locations.remove(location)
                player.discard.append(location)
    for location in seat.fortified.split():
        assert state.owner(location) is side, f"{location} is not {side}"
        state.board[location] = state.board[location]._replace(fortified=True)


def _deal(state: State, side: Side, seat: Seat) -> None:
    player = state.players[side]
    starting = list(player.discard)
    for location in seat.villages.split() + seat.towns.split():
        if location in starting and state.ruleset.card(side, location).initial_copies == 0:
            starting.remove(location)
    for card in seat.governed.split():
        if card in player.discard:
            _take(state, side, card)
            starting.remove(card)
            state.give_back(side, card)
    piles = []
    at_siege = seat.siege.rpartition(":")[2]
    for names in (seat.hand, seat.reserve, seat.discard, at_siege, seat.besieged, seat.pile):
        cards = (names or "").split()
        for card in cards:
            _take(state, side, card)
            if card in starting:
                starting.remove(card)
        piles.append(cards)
    hand, reserve, discard, siege, besieged, pile = piles
    if seat.pile is None:
        pile = starting
        for card in pile:
            player.discard.remove(card)
    player.hand, player.reserve = hand, reserve
    player.discard += discard
    player.draw_pile = [Slot(0, place) for place in range(len(pile))]
    player.unseen = [sorted(pile)]
    if siege:
        state.sieges[side].cards[side] = siege
    if besieged:
        state.sieges[side.opponent].cards[side] = besieged


def _take(state: State, side: Side, card: str) -> None:
    """Take a card out of the discard pile, or from the available cards."""
    player = state.players[side]
    if card in player.discard:
        player.discard.remove(card)
    elif card in player.locations:
        player.locations.remove(card)
    else:
        stock = state.neutral if state.neutral.get(card) else player.empire
        assert stock.get(card), f"there is no {card} left for the {side.label!s}"
        stock[card] -= 1


# --- acting


def order_of(state: State, text: str) -> Order:
    """Return the order of a text; raises UnreadableOrderError if it is none.

    An order without capitals may be in the notation of save files. Others are as a player types
    them, with cards in any sequence.
    """
    if text.islower():
        with suppress(UnreadableOrderError):
            return from_notation(text)
    return read(ENGLISH, text, state)


def do(state: State, *texts: str) -> list[Event]:
    """Give orders, and return the events of the last."""
    events: list[Event] = []
    for text in texts:
        order = order_of(state, text)
        assert order in legal_orders(state), f"{text} is not listed: {refusal(state, text)}"
        events = apply(state, order)
    return events


def is_allowed(state: State, text: str) -> bool:
    """Return True if an order is legal; raises AssertionError if `legal_orders` disagrees."""
    order = order_of(state, text)
    is_listed = order in legal_orders(state)
    assert is_legal(state, order) is is_listed, f"{text}: {is_listed=}"
    return is_listed


def refusal(state: State, text: str | Order) -> str:
    """Return the reason for refusing an order; fails if it is legal, or changes the position."""
    order = order_of(state, text) if isinstance(text, str) else text
    before = state.key()
    with pytest.raises(IllegalOrderError) as refused:
        apply(state, order)
    assert state.key() == before
    assert order not in legal_orders(state)
    return str(refused.value)


def deal(state: State, random: Random | None = None) -> list[Chance]:
    """Answer chance until a player decides, reveal the drawn cards, and return the answers.

    Without `random` the first slots are drawn, and are the first cards unseen.
    """
    answers: list[Chance] = []

    def answer(chance: Chance) -> None:
        apply(state, chance)
        answers.append(chance)

    while state.awaiting.decision.is_chance:
        side = state.awaiting.side
        player = state.players[side]
        if state.awaiting.decision is Decision.SHUFFLE:
            answer(Shuffle(side))
            continue
        pile, amount = player.draw_pile, state.awaiting.amount
        slots = tuple(random.sample(pile, amount) if random else pile[:amount])
        answer(Draw(side, slots))
        for slot in slots:
            unseen = player.unseen[slot.epoch]
            answer(Reveal(side, slot, random.choice(unseen) if random else unseen[0]))
    return answers


def carry_out(state: State, *texts: str) -> None:
    """Give orders, and after each answer chance until a player decides."""
    for text in texts:
        do(state, text)
        deal(state)


def end_turn(state: State) -> None:
    """Let the rest of the turn pass, refill, and start the next turn."""
    carry_out(state, *["pass"] * state.actions_left, "end")


def winner(state: State) -> Side | None:
    """Return the side that has won the game, which must be over."""
    return require(state.outcome).winner


def two_sieges_won(hand: str = "st-marys new-haven norfolk militia rangers") -> State:
    """Return a position in which the British choose which of two won sieges is resolved first."""
    state = position(
        Seat(hand, siege="port-royal: siege-artillery", besieged="regular-infantry"),
        Seat("gaspe quebec montreal tadoussac louisbourg", siege="st-marys: militia"),
        active=FRENCH,
        actions=0,
    )
    end_turn(state)
    return state

"""The rules of sieges: opening, reinforcing, winning, losing and giving up.

The arithmetic of sieges is in `engine.position`.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine import ruleset as rules
from engine.actions.action import (
    SUPPLY,
    Action,
    Hand,
    Objection,
    find_card,
    idle_objections,
    name,
    reply_awaited,
)
from engine.actions.economy import PIECES, route_objections, routes, settle, settler_objections
from engine.events import Besieged, CardPledged, LeftNeutral, Reinforced, Withdrew
from engine.message import Message
from engine.order import Order
from engine.orders import Besiege, Leave, Lose, Occupy, Reinforce, Relieve, Withdraw
from engine.position import (
    can_reinforce,
    capture,
    card_strength,
    end_siege,
    losable_cards,
    move_marker,
    relieve,
    score,
    win_siege,
)
from engine.sides import Side
from engine.state import Decision, Siege, State
from engine.turn import outcome_of_withdrawal

STRENGTH = "strength"
"""The part of the rules about the strength of cards in a siege."""

# --- fighting


def _strength_objections(state: State, side: Side, card: str, location: str) -> Iterator[Objection]:
    """Yield objections if a card cannot be played to the siege of a location."""
    yield from idle_objections(state, side, card)
    if card_strength(state, side, card, location) > 0:
        return
    definition = find_card(state, side, card)
    if definition.military_defending:
        reason = Message("{card} helps only the defender of a siege.", card=definition.label)
    elif "ship" in definition.symbols:
        reason = Message("Ships have no strength at {place}.", place=name(state, location))
    else:
        reason = Message("{card} has no military strength.", card=definition.label)
    yield Objection(reason, STRENGTH)


def _siege_cards(hand: Hand, location: str) -> list[str]:
    """Return the kinds of card in hand that can be played to the siege of a location."""
    state, side = hand.state, hand.side
    return [c.id for c in hand.usable if card_strength(state, side, c.id, location) > 0]


class BesiegeAction(Action[Besiege], kind=Besiege):
    """Besiege: open a siege of a location of the opponent."""

    def candidates(self, hand: Hand) -> Iterator[Besiege]:
        """Yield an order for each route to the opponent's locations and each card with strength."""
        state, side = hand.state, hand.side
        if side in state.sieges or self._is_too_early(state, side):
            return
        foreign = {place for place, piece in state.board.items() if piece.owner is not side}
        for location, connection, transport in routes(hand, foreign.__contains__):
            for card in _siege_cards(hand, location):
                if hand.has_cards(connection, transport, card):
                    yield Besiege(location, (connection, transport, card))

    def cost(self, state: State, side: Side, order: Besiege) -> int:
        """Return the price of Siege Artillery."""
        return find_card(state, side, order.siege_card).siege_cost

    def objections(self, state: State, side: Side, order: Besiege) -> Iterator[Objection]:
        """Yield objections if no siege can be opened at the location or the cards do not fit."""
        location = order.target
        if side in state.sieges:
            yield Objection("You can besiege only one location at a time.")
        if self._is_too_early(state, side):
            yield Objection(
                Message.counted(
                    "House rule: you can open a siege once the French have opened one or you have "
                    "{count} victory point.",
                    "House rule: you can open a siege once the French have opened one or you have "
                    "{count} victory points.",
                    rules.BRITISH_SIEGE_POINTS,
                ),
                "british-siege-delay",
            )
        if state.owner(location) is not side.opponent:
            yield Objection("{place} does not belong to the enemy.", place=name(state, location))
        yield from route_objections(state, side, location, order.connection, order.transport)
        yield from _strength_objections(state, side, order.siege_card, location)

    def perform(self, state: State, side: Side, order: Besiege) -> None:
        """Play the first two cards, and add the third one to the new siege."""
        state.play(side, (order.connection, order.transport))
        state.sieges[side] = Siege(order.target)
        if state.ruleset.has_rule("british-siege-delay") and side is Side.FRENCH:
            state.french_besieged = True
        state.report(Besieged(side, order.target))
        _send(state, side, order.siege_card, side)

    @staticmethod
    def _is_too_early(state: State, side: Side) -> bool:
        """Return True if a house rule delays the first siege of the British."""
        delayed = side is Side.BRITISH and state.ruleset.has_rule("british-siege-delay")
        if not delayed or state.french_besieged:
            return False
        return score(state, side).total < rules.BRITISH_SIEGE_POINTS


class ReinforceAction(Action[Reinforce], kind=Reinforce):
    """Reinforce: play one card to a siege (ruling 9)."""

    may_be_free = True

    def candidates(self, hand: Hand) -> Iterator[Reinforce]:
        """Yield an order for every card in hand with strength in a siege that supply reaches."""
        for siege in hand.state.sieges.values():
            place = siege.location
            if not siege.won and can_reinforce(hand.state, hand.side, place):
                for card in _siege_cards(hand, place):
                    yield Reinforce(place, (card,))

    def is_free(self, state: State, side: Side, order: Reinforce) -> bool:
        """Return True for a Military Leader."""
        return find_card(state, side, order.card).free_action

    def cost(self, state: State, side: Side, order: Reinforce) -> int:
        """Return the price of Siege Artillery."""
        return find_card(state, side, order.card).siege_cost

    def objections(self, state: State, side: Side, order: Reinforce) -> Iterator[Objection]:
        """Yield objections if there is no siege with supply or the card has no strength in it."""
        location = order.target
        if state.besieger(location) is None:
            yield _no_siege_objection(state, location)
            return
        yield from _won_siege_objections(state, location)
        if not can_reinforce(state, side, location):
            yield Objection(
                "You have no supply from home to {place}.", SUPPLY, place=name(state, location)
            )
        yield from _strength_objections(state, side, order.card, location)

    def perform(self, state: State, side: Side, order: Reinforce) -> None:
        """Add the card to the siege."""
        besieger = state.besieger(order.target)
        assert besieger is not None
        _send(state, side, order.card, besieger)


def _no_siege_objection(state: State, location: str) -> Objection:
    return Objection("{place} is not under siege.", place=name(state, location))


def _won_siege_objections(state: State, location: str) -> Iterator[Objection]:
    besieger = state.besieger(location)
    if besieger is not None and state.sieges[besieger].won:
        yield Objection(
            "You have won the siege of {place}; all that is left is to end it.",
            place=name(state, location),
        )


def _send(state: State, side: Side, card: str, besieger: Side) -> None:
    siege = state.sieges[besieger]
    state.take_from_hand(side, (card,))
    siege.cards[side].append(card)
    strength = card_strength(state, side, card, siege.location)
    state.report(Reinforced(side, siege.location, card, strength))
    move_marker(state, besieger)


def _location_won(state: State) -> str:
    """Return the location just won, whose spoils are awaited."""
    assert state.awaiting.location is not None
    return state.awaiting.location


def _location_objections(state: State, location: str) -> Iterator[Objection]:
    if location != _location_won(state):
        yield Objection("You have not just won {place}.", place=name(state, location))


class SpoilsAction(Action[Order]):
    """The base of the rules for the decisions after a won siege."""

    decisions = frozenset({Decision.SIEGE_SPOILS, Decision.WITHDRAWAL_SPOILS})

    def _take(self, state: State, side: Side) -> None:
        # After a withdrawal the piece is captured and the siege has ended already.
        if state.awaiting.decision is Decision.SIEGE_SPOILS:
            win_siege(state, side)


class OccupyAction(SpoilsAction, kind=Occupy):
    """Occupy: place a village in a location just won (ruling 26)."""

    def candidates(self, hand: Hand) -> Iterator[Order]:
        """Yield an order for the location, with each settler card if a settler is needed."""
        state, location = hand.state, _location_won(hand.state)
        if state.villages_left(hand.side) < 1:
            return
        if not state.ruleset.catalogue.locations[location].settler:
            yield Occupy(location)
            return
        for settler in hand.cards_with_symbol("settler"):
            yield Occupy(location, (settler.id,))

    def objections(self, state: State, side: Side, order: Order) -> Iterator[Objection]:
        """Yield objections if the location was not just won or the cards cannot occupy it."""
        yield from _location_objections(state, order.target)
        if state.villages_left(side) < 1:
            yield Objection("You have no villages left to place.", PIECES)
        yield from settler_objections(state, side, order.target, order.cards)

    def perform(self, state: State, side: Side, order: Order) -> None:
        """Take the piece, play the settler and place the village."""
        state.play(side, order.cards)
        self._take(state, side)
        settle(state, side, order.target)


class LeaveAction(SpoilsAction, kind=Leave):
    """Leave a location just won neutral."""

    def candidates(self, hand: Hand) -> Iterator[Order]:
        """Yield the order for the location just won."""
        yield Leave(_location_won(hand.state))

    def objections(self, state: State, side: Side, order: Order) -> Iterator[Objection]:
        """Yield an objection if the location was not just won."""
        return _location_objections(state, order.target)

    def perform(self, state: State, side: Side, order: Order) -> None:
        """Take the piece."""
        self._take(state, side)
        state.report(LeftNeutral(side, order.target))


class RelieveAction(Action[Relieve], kind=Relieve):
    """Resolve a siege won as defender before one won as besieger (ruling 1)."""

    decisions = frozenset({Decision.SIEGE_SPOILS})

    def candidates(self, hand: Hand) -> Iterator[Relieve]:
        """Yield an order for the side's own location under a siege that it has won."""
        siege = hand.state.sieges.get(hand.side.opponent)
        if siege is not None and siege.won:
            yield Relieve(siege.location)

    def objections(self, state: State, side: Side, order: Relieve) -> Iterator[Objection]:
        """Yield an objection if `side` has not won the siege as its defender."""
        siege = state.sieges.get(side.opponent)
        if siege is None or not siege.won or siege.location != order.target:
            place = name(state, order.target)
            yield Objection("You have not won a siege of {place} as its defender.", place=place)

    def perform(self, state: State, side: Side, order: Relieve) -> None:
        """End the siege."""
        relieve(state, side)


class LoseAction(Action[Lose], kind=Lose):
    """Lose: choose the card that a siege about to be lost will cost (ruling 3)."""

    decisions = frozenset({Decision.LOSERS_CARD})

    def candidates(self, hand: Hand) -> Iterator[Lose]:
        """Yield an order for each of the side's empire cards in the siege to be lost."""
        location = hand.state.awaiting.location
        assert location is not None
        besieger = hand.state.besieger(location)
        assert besieger is not None
        for card in losable_cards(hand.state, hand.side, besieger):
            yield Lose(location, (card,))

    def objections(self, state: State, side: Side, order: Lose) -> Iterator[Objection]:
        """Yield objections if the card is not an empire card of `side` in the siege to be lost."""
        location = order.target
        if location != state.awaiting.location:
            yield Objection(
                "The siege that you have lost is not the one of {place}.",
                place=name(state, location),
            )
        else:
            yield from _losable_objections(state, side, location, order.card)

    def perform(self, state: State, side: Side, order: Lose) -> None:
        """Record the choice; it takes effect when the siege ends."""
        besieger = state.besieger(order.target)
        assert besieger is not None
        state.sieges[besieger].cost = order.card
        state.report(CardPledged(side, order.target, order.card))


def _losable_objections(state: State, side: Side, location: str, card: str) -> Iterator[Objection]:
    besieger = state.besieger(location)
    assert besieger is not None
    if card not in losable_cards(state, side, besieger):
        yield Objection(
            "{card} is not one of your empire cards in the siege of {place}.",
            card=name(state, card),
            place=name(state, location),
        )


class WithdrawAction(Action[Withdraw], kind=Withdraw):
    """Withdraw: give up a siege, which counts as lost (ruling 4)."""

    may_be_free = True

    def candidates(self, hand: Hand) -> Iterator[Withdraw]:
        """Yield an order for each siege in progress and each card that could be given back."""
        for besieger, siege in hand.state.sieges.items():
            if siege.won:
                continue
            cards = losable_cards(hand.state, hand.side, besieger)
            if not cards:
                yield Withdraw(siege.location)
            for card in cards:
                yield Withdraw(siege.location, (card,))

    def objections(self, state: State, side: Side, order: Withdraw) -> Iterator[Objection]:
        """Yield objections if there is no siege at the location or it cannot cost the card."""
        location = order.target
        besieger = state.besieger(location)
        if besieger is None:
            yield _no_siege_objection(state, location)
            return
        yield from _won_siege_objections(state, location)
        if order.cost:
            yield from _losable_objections(state, side, location, order.cost)
        elif losable_cards(state, side, besieger):
            yield Objection(
                "Withdrawing from {place} costs an empire card: name it after a colon.",
                place=name(state, location),
            )

    def perform(self, state: State, side: Side, order: Withdraw) -> None:
        """End the siege; a defender loses the piece, and the game if it is a home."""
        location = order.target
        besieger = state.besieger(location)
        assert besieger is not None
        state.report(Withdrew(side, location))
        if side is not besieger:
            capture(state, besieger, location)
        end_siege(state, besieger, side, order.cost)
        if side is besieger:
            return
        state.outcome = outcome_of_withdrawal(state, side, location)
        if state.outcome is None:
            state.awaiting = reply_awaited(state, Decision.WITHDRAWAL_SPOILS, location)

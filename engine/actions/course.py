"""The orders that carry a turn on without acting: pass, end, refill; and those around chance."""

from __future__ import annotations

from collections.abc import Iterator

from engine import ruleset as rules
from engine.actions.action import TURN, Action, Objection, discard, name, subsets
from engine.actions.hand import Hand
from engine.events import CardAdded, Passed, TurnEnded
from engine.message import Message
from engine.orders import End, Exchange, Forfeit, Keep, Pass, Refill, Start
from engine.sides import Side
from engine.state import Awaiting, Decision, State
from engine.turn import after_forfeit, draw


class PassAction(Action[Pass], kind=Pass):
    """Use an action to do nothing."""

    def candidates(self, hand: Hand) -> Iterator[Pass]:
        """The one way to do it."""
        yield Pass()

    def perform(self, state: State, side: Side, order: Pass) -> None:
        """Do nothing."""
        state.tell(Passed(side))


class EndAction(Action[End], kind=End):
    """End the turn, once its actions are used. `engine.turn` carries on from there."""

    may_be_free = True

    def candidates(self, hand: Hand) -> Iterator[End]:
        """The one way to do it, once the actions are used."""
        if _is_used_up(hand.state):
            yield End()

    def objections(self, state: State, side: Side, order: End) -> Iterator[Objection]:
        """An action is left."""
        return _not_used_up(state)

    def perform(self, state: State, side: Side, order: End) -> None:
        """Mark the turn as ended; what follows is the turn's own business."""
        state.tell(TurnEnded(side))


class RefillAction(Action[Refill], kind=Refill):
    """Refill the hand before the end of the turn, where free actions may be taken after it."""

    may_be_free = True

    def candidates(self, hand: Hand) -> Iterator[Refill]:
        """The one way to do it, once in a turn and where free actions may follow."""
        state = hand.state
        if state.ruleset.free_actions_any_time and not state.refilled and _is_used_up(state):
            yield Refill()

    def objections(self, state: State, side: Side, order: Refill) -> Iterator[Objection]:
        """Nothing can follow the refill, or it is the second one."""
        yield from _not_used_up(state)
        if not state.ruleset.free_actions_any_time:
            yield Objection("In this edition nothing follows the refill: end your turn.")
        if state.refilled:
            yield Objection("Your hand has been refilled; end your turn.")

    def perform(self, state: State, side: Side, order: Refill) -> None:
        """Draw up to five; then the turn goes on."""
        state.refilled = True
        needed = max(0, rules.HAND_SIZE - state.players[side].hand_size)
        draw(state, side, needed, Decision.TURN)


def _is_used_up(state: State) -> bool:
    return state.actions_left <= 0


def _not_used_up(state: State) -> Iterator[Objection]:
    if not _is_used_up(state):
        left = state.actions_left
        reason = Message.counted(
            "You have {count} action left; pass if you want to do nothing.",
            "You have {count} actions left; pass if you want to do nothing.",
            left,
        )
        yield Objection(reason, TURN)


class ExchangeAction(Action[Exchange], kind=Exchange):
    """Discard a card and draw one, after sieges were resolved (house rule): once in a turn."""

    decisions = frozenset({Decision.EXCHANGE})

    def candidates(self, hand: Hand) -> Iterator[Exchange]:
        """Every card in hand."""
        return (Exchange.of(card.id) for card in hand.cards)

    def perform(self, state: State, side: Side, order: Exchange) -> None:
        """Discard the card and draw; then the turn goes on."""
        discard(state, side, order.cards)
        draw(state, side, 1, Decision.TURN)


class KeepAction(Action[Keep], kind=Keep):
    """Exchange no card."""

    decisions = frozenset({Decision.EXCHANGE})

    def candidates(self, hand: Hand) -> Iterator[Keep]:
        """The one way to do it."""
        yield Keep()

    def perform(self, state: State, side: Side, order: Keep) -> None:
        """Go on with the turn."""
        state.awaiting = Awaiting(Decision.TURN, side)


class ForfeitAction(Action[Forfeit], kind=Forfeit):
    """Discard the cards that an unpaid shuffle costs (house rule)."""

    decisions = frozenset({Decision.FORFEIT})

    def candidates(self, hand: Hand) -> Iterator[Forfeit]:
        """Every choice of that many cards in hand."""
        amount = hand.state.awaiting.amount
        return (Forfeit(cards=cards) for cards in subsets(hand.held, amount, amount))

    def pool(self, hand: Hand) -> list[str]:
        """Every card in hand."""
        return hand.held

    def objections(self, state: State, side: Side, order: Forfeit) -> Iterator[Objection]:
        """It is the wrong number of cards."""
        amount = state.awaiting.amount
        if len(order.cards) != amount:
            yield Objection(
                Message.counted(
                    "The unpaid shuffle costs {count} card.",
                    "The unpaid shuffle costs {count} cards.",
                    amount,
                )
            )

    def perform(self, state: State, side: Side, order: Forfeit) -> None:
        """Discard them."""
        discard(state, side, order.cards)
        after_forfeit(state, side)


class StartAction(Action[Start], kind=Start):
    """Add a card to the initial deck before the game (house rule)."""

    decisions = frozenset({Decision.START_CARD})

    def candidates(self, hand: Hand) -> Iterator[Start]:
        """Every own empire card available."""
        for card, left in sorted(hand.player.empire.items()):
            if left:
                yield Start.of(card)

    def objections(self, state: State, side: Side, order: Start) -> Iterator[Objection]:
        """It is not one of the player's empire cards, or none is left."""
        card, empire = order.card, state.players[side].empire
        if card not in empire:
            yield Objection(
                "{card} is not one of your available empire cards.", card=name(state, card)
            )
        elif not empire[card]:
            yield Objection("No {card} card is available.", card=name(state, card))

    def perform(self, state: State, side: Side, order: Start) -> None:
        """Put it into the deck that is shuffled next."""
        card = order.card
        state.players[side].empire[card] -= 1
        state.discard(side, order.cards)
        state.tell(CardAdded(side, card))
        state.awaiting = Awaiting(Decision.SHUFFLE, side)

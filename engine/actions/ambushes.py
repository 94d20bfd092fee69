"""Ambushes and conversions, which cost the opponent a card, and the replies to them.

An ambush is blocked as a raid is: `engine.actions.raids`.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions.action import Action, Objection, name, printed, reply_awaited
from engine.actions.hand import Hand
from engine.catalogue import Card
from engine.events import Ambushed, CardConverted, CardGivenUp, ConversionTried, HandShown
from engine.message import mark
from engine.order import Order
from engine.orders import Ambush, Convert, Give, GiveFromReserve, GiveFromSiege, ShowHand
from engine.sides import Side
from engine.siege import move_marker
from engine.state import Decision, State


class AmbushAction(Action[Ambush], kind=Ambush):
    """Ambush the opponent (ruling 14)."""

    def candidates(self, hand: Hand) -> Iterator[Ambush]:
        """Every ambushing card in hand."""
        return (Ambush.of(card.id) for card in hand.cards if card.ambush)

    def cost(self, state: State, side: Side, order: Ambush) -> int:
        """1 money for Native Americans."""
        return printed(state, side, order.card).ambush_cost

    def objections(self, state: State, side: Side, order: Ambush) -> Iterator[Objection]:
        """The card cannot ambush."""
        card = printed(state, side, order.card)
        if not card.ambush:
            yield Objection("{card} cannot ambush.", card=card.label)

    def perform(self, state: State, side: Side, order: Ambush) -> None:
        """Play the card; the opponent may block."""
        state.play(side, order.cards)
        state.tell(Ambushed(side, order.card))
        state.awaiting = reply_awaited(state, Decision.AMBUSH_REPLY)


class ConvertAction(Action[Convert], kind=Convert):
    """Claim a neutral Native Americans card (ruling 15)."""

    def candidates(self, hand: Hand) -> Iterator[Convert]:
        """Every converting card in hand."""
        return (Convert.of(card.id) for card in hand.cards if card.action == "convert")

    def objections(self, state: State, side: Side, order: Convert) -> Iterator[Objection]:
        """The card does not convert."""
        card = printed(state, side, order.card)
        if card.action != "convert":
            yield Objection("{card} is neither a Priest nor an Indian Leader.", card=card.label)

    def perform(self, state: State, side: Side, order: Convert) -> None:
        """Play the card; the opponent must answer."""
        state.play(side, order.cards)
        state.tell(ConversionTried(side, order.card))
        state.awaiting = reply_awaited(state, Decision.CONVERSION_REPLY)


# --- the replies

_NOT_LOST = {
    Decision.AMBUSH_REPLY: mark("An ambush cannot take {card}."),
    Decision.CONVERSION_REPLY: mark("A conversion cannot take {card}."),
}
_HOLDS = {
    Decision.AMBUSH_REPLY: mark("You hold {card}: give it up, or block if you can."),
    Decision.CONVERSION_REPLY: mark("You hold {card}: give it up."),
}


class _GiveAction(Action[Order]):
    """Give up the card that an ambush or a conversion costs."""

    decisions = frozenset({Decision.AMBUSH_REPLY, Decision.CONVERSION_REPLY})

    def objections(self, state: State, side: Side, order: Order) -> Iterator[Objection]:
        """The attack cannot cost that card."""
        card = printed(state, side, order.cards[0])
        if not _can_cost(state, card):
            yield Objection(_NOT_LOST[state.awaiting.decision], card=card.label)

    def _surrender(self, state: State, side: Side, card: str, siege: str | None = None) -> None:
        if state.awaiting.decision is Decision.AMBUSH_REPLY:
            state.give_back(side, card)
            state.tell(CardGivenUp(side, siege, card))
        else:
            state.discard(side.opponent, (card,))
            state.tell(CardConverted(side, card))


class GiveAction(_GiveAction, kind=Give):
    """Give up a card from hand."""

    def candidates(self, hand: Hand) -> Iterator[Order]:
        """Every card in hand that the attack can cost."""
        return (Give.of(card.id) for card in hand.cards if _can_cost(hand.state, card))

    def perform(self, state: State, side: Side, order: Order) -> None:
        """Take the card out of the hand."""
        state.take_from_hand(side, order.cards)
        self._surrender(state, side, order.cards[0])


class GiveFromReserveAction(_GiveAction, kind=GiveFromReserve):
    """Give up a card from the reserve."""

    def candidates(self, hand: Hand) -> Iterator[Order]:
        """Every card in the reserve that the attack can cost."""
        for card in sorted({*hand.player.reserve}):
            if _can_cost(hand.state, printed(hand.state, hand.side, card)):
                yield GiveFromReserve.of(card)

    def objections(self, state: State, side: Side, order: Order) -> Iterator[Objection]:
        """The card does not lie in the reserve, or the attack cannot cost it."""
        card = order.cards[0]
        if card not in state.players[side].reserve:
            yield Objection("{card} is not in reserve.", card=name(state, card))
        yield from super().objections(state, side, order)

    def perform(self, state: State, side: Side, order: Order) -> None:
        """Take the card out of the reserve."""
        state.players[side].reserve.remove(order.cards[0])
        self._surrender(state, side, order.cards[0])


class GiveFromSiegeAction(_GiveAction, kind=GiveFromSiege):
    """Give up a card that lies at a siege, whose strength changes with it (house rule)."""

    decisions = frozenset({Decision.AMBUSH_REPLY})

    def candidates(self, hand: Hand) -> Iterator[Order]:
        """Every card at a siege that the ambush can cost."""
        for location, card in ambushed_at_sieges(hand.state, hand.side):
            yield GiveFromSiege(location, (card,))

    def objections(self, state: State, side: Side, order: Order) -> Iterator[Objection]:
        """The rule is not played, the card is not at that siege, or the ambush cannot cost it."""
        card, place = order.cards[0], name(state, order.place)
        if not state.ruleset.plays("ambush-reaches-sieges"):
            yield Objection(
                "Only a house rule lets an ambush reach a siege, and this game is played without "
                "it.",
                "ambush-reaches-sieges",
            )
        besieger = state.besieger(order.place)
        if besieger is None:
            yield Objection("{place} is not under siege.", place=place)
        elif card not in state.sieges[besieger].cards[side]:
            yield Objection(
                "You have no {card} at the siege of {place}.", card=name(state, card), place=place
            )
        yield from super().objections(state, side, order)

    def perform(self, state: State, side: Side, order: Order) -> None:
        """Take the card away from the siege."""
        besieger = state.besieger(order.place)
        assert besieger is not None
        state.sieges[besieger].cards[side].remove(order.cards[0])
        self._surrender(state, side, order.cards[0], order.place)
        move_marker(state, besieger)


def ambushed_at_sieges(state: State, side: Side) -> list[tuple[str, str]]:
    """The (location, card) at sieges that an ambush can cost `side`, each once (house rule)."""
    if not state.ruleset.plays("ambush-reaches-sieges"):
        return []
    found = {
        (siege.location, card)
        for siege in state.sieges.values()
        for card in siege.cards[side]
        if printed(state, side, card).ambushable
    }
    return sorted(found)


class ShowHandAction(Action[ShowHand], kind=ShowHand):
    """Show the whole hand, to prove that there is no card to give up."""

    decisions = frozenset({Decision.AMBUSH_REPLY, Decision.CONVERSION_REPLY})

    def candidates(self, hand: Hand) -> Iterator[ShowHand]:
        """The one way to do it, where nothing speaks against it."""
        order = ShowHand()
        if next(self.objections(hand.state, hand.side, order), None) is None:
            yield order

    def objections(self, state: State, side: Side, order: ShowHand) -> Iterator[Objection]:
        """Not every card is shown, or one of them is wanted."""
        player = state.players[side]
        if player.hidden:
            yield Objection("Showing your hand means showing all of it.")
        decision = state.awaiting.decision
        for card in (*player.hand, *player.reserve):
            if _can_cost(state, printed(state, side, card)):
                yield Objection(_HOLDS[decision], card=name(state, card))
        is_ambush = decision is Decision.AMBUSH_REPLY
        for location, card in ambushed_at_sieges(state, side) if is_ambush else ():
            yield Objection(
                "You have {card} at the siege of {place}: give it up.",
                card=name(state, card),
                place=name(state, location),
            )

    def perform(self, state: State, side: Side, order: ShowHand) -> None:
        """Nothing changes but what is known."""
        state.tell(HandShown(side, tuple(sorted(state.players[side].hand))))


def _can_cost(state: State, card: Card) -> bool:
    ambush = state.awaiting.decision is Decision.AMBUSH_REPLY
    return card.ambushable if ambush else card.convertible

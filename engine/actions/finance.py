"""Financial actions: take money, Merchant, Trader, Piracy."""

from __future__ import annotations

from collections.abc import Iterator

from engine import ruleset as rules
from engine.actions.action import (
    Action,
    Objection,
    idle,
    lacking,
    name,
    printed,
    special,
    subsets,
)
from engine.actions.hand import Hand
from engine.catalogue import Card, symbol_name
from engine.geography import usable
from engine.message import Message
from engine.orders import Merchant, Piracy, SellFur, Take, Trade
from engine.sides import Side
from engine.state import State


def _no_gold(state: State, side: Side, card: str) -> Iterator[Objection]:
    if not printed(state, side, card).money:
        yield Objection("{card} has no money symbol.", card=name(state, card))
    yield from idle(state, side, card)


class TakeAction(Action[Take], kind=Take):
    """Take the money printed on one location card (ruling 16)."""

    def candidates(self, hand: Hand) -> Iterator[Take]:
        """Every card in hand with money."""
        return (Take.of(card.id) for card in hand.usable if card.money)

    def objections(self, state: State, side: Side, order: Take) -> Iterator[Objection]:
        """The card has no money, or may not be used."""
        return _no_gold(state, side, order.card)

    def perform(self, state: State, side: Side, order: Take) -> None:
        """Play the card and take its money."""
        state.play(side, order.cards)
        state.receive(side, printed(state, side, order.card).money)


class MerchantAction(Action[Merchant], kind=Merchant):
    """One ship card carries the gold of others; its own does not count (ruling 16)."""

    def candidates(self, hand: Hand) -> Iterator[Merchant]:
        """Every ship card in hand with every choice of the other gold cards it can carry."""
        gold = self.pool(hand)
        for ship in hand.with_symbol("ship") if gold else ():
            rest = gold.copy()
            if ship.id in rest:
                rest.remove(ship.id)
            most = hand.state.ruleset.merchant_gold_cards or len(rest)
            for cards in subsets(rest, 1, most):
                yield Merchant(cards=(ship.id, *cards))

    def pool(self, hand: Hand) -> list[str]:
        """The gold cards in hand."""
        return hand.all_of([card.id for card in hand.usable if card.money])

    def objections(self, state: State, side: Side, order: Merchant) -> Iterator[Objection]:
        """It is no ship card, or these are too many gold cards or none."""
        yield from lacking(state, side, order.ship, "ship")
        limit = state.ruleset.merchant_gold_cards
        if 0 < limit < len(order.carried):
            yield Objection(
                Message.counted(
                    "A merchant carries the gold of at most {count} card.",
                    "A merchant carries the gold of at most {count} cards.",
                    limit,
                )
            )
        for card in order.carried:
            yield from _no_gold(state, side, card)

    def perform(self, state: State, side: Side, order: Merchant) -> None:
        """Play the cards and take the gold."""
        state.play(side, order.cards)
        state.receive(side, sum(printed(state, side, card).money for card in order.carried))


class TradeAction(Action[Trade], kind=Trade):
    """A Trader sells the furs of location cards, for 2 money each."""

    def plays(self, state: State, side: Side, order: Trade) -> tuple[str, ...]:
        """The Trader and the furs."""
        return (special(state, side, "trade"), *order.cards)

    def candidates(self, hand: Hand) -> Iterator[Trade]:
        """Every choice of fur cards in hand, if a Trader is there too."""
        furs = self.pool(hand)
        return (Trade(cards=cards) for cards in subsets(furs, 1, len(furs)))

    def pool(self, hand: Hand) -> list[str]:
        """The fur cards in hand; none without a Trader."""
        if hand.special.get("trade") is None:
            return []
        return hand.all_of([card.id for card in hand.usable if _has_fur(card)])

    def objections(self, state: State, side: Side, order: Trade) -> Iterator[Objection]:
        """Some are no location cards with the fur symbol."""
        for card in order.cards:
            yield from _no_fur(state, side, card)

    def perform(self, state: State, side: Side, order: Trade) -> None:
        """Play the cards and take the money."""
        state.play(side, self.plays(state, side, order))
        state.receive(side, rules.FUR_VALUE * len(order.cards))


class SellFurAction(Action[SellFur], kind=SellFur):
    """Sell the fur of one location card without a Trader, as a free action (house rule)."""

    may_be_free = True

    def candidates(self, hand: Hand) -> Iterator[SellFur]:
        """Every fur card in hand, where the rule is played."""
        if hand.state.ruleset.plays("free-fur-money"):
            for card in hand.usable:
                if _has_fur(card):
                    yield SellFur.of(card.id)

    def objections(self, state: State, side: Side, order: SellFur) -> Iterator[Objection]:
        """The rule is not played, or it is no location card with the fur symbol."""
        if not state.ruleset.plays("free-fur-money"):
            yield Objection(
                "Selling a fur without a Trader is a house rule, and this game is played without "
                "it.",
                "free-fur-money",
            )
        yield from _no_fur(state, side, order.card)

    def perform(self, state: State, side: Side, order: SellFur) -> None:
        """Play the card and take the money."""
        state.play(side, order.cards)
        state.receive(side, rules.FREE_FUR_VALUE)


def _has_fur(card: Card) -> bool:
    return card.location is not None and "fur" in card.symbols


def _no_fur(state: State, side: Side, card: str) -> Iterator[Objection]:
    if not _has_fur(printed(state, side, card)):
        yield Objection(
            "{card} has no {symbol} symbol.", card=name(state, card), symbol=symbol_name("fur")
        )
    yield from idle(state, side, card)


class PiracyAction(Action[Piracy], kind=Piracy):
    """Louisbourg and a ship card rob the British of 2 money; the bank makes up what they lack."""

    def plays(self, state: State, side: Side, order: Piracy) -> tuple[str, ...]:
        """Louisbourg and the ship card."""
        return (special(state, side, "piracy"), *order.cards)

    def candidates(self, hand: Hand) -> Iterator[Piracy]:
        """Every other ship card in hand, if Louisbourg is there too."""
        base = hand.special.get("piracy")
        if base is not None and usable(hand.state, hand.side, base):
            for ship in hand.with_symbol("ship"):
                if hand.holds(base, ship.id):
                    yield Piracy.of(ship.id)

    def objections(self, state: State, side: Side, order: Piracy) -> Iterator[Objection]:
        """One of the cards may not be used, or the other carries no ships."""
        yield from idle(state, side, special(state, side, "piracy"))
        yield from lacking(state, side, order.ship, "ship")

    def perform(self, state: State, side: Side, order: Piracy) -> None:
        """Play the cards and move the money."""
        state.play(side, self.plays(state, side, order))
        victim = state.players[side.opponent]
        state.pay(side.opponent, min(victim.money, rules.PIRACY_VALUE))
        state.receive(side, rules.PIRACY_VALUE)

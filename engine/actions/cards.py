"""Card management: draft, discard, reserve, retrieve, Governor, Intendant, Home Support."""

from __future__ import annotations

from collections.abc import Iterator

from engine import ruleset as rules
from engine.actions.action import (
    Action,
    Objection,
    distinct_hand,
    name,
    printed,
    special,
    special_in_hand,
    subsets,
)
from engine.events import CardFetched, CardsReturned, LocationGivenUp, ReserveRetrieved
from engine.message import Message
from engine.orders import Discard, Draft, Drop, Govern, HomeSupport, Intendant, Reserve, Retrieve
from engine.sides import Side
from engine.state import State
from engine.turn import draw


class DraftAction(Action[Draft], kind=Draft):
    """Buy one available empire card for the discard pile."""

    def plays(self, state: State, side: Side, order: Draft) -> tuple[str, ...]:
        """None."""
        return ()

    def cost(self, state: State, side: Side, order: Draft) -> int:
        """The price printed on the card."""
        return printed(state, side, order.card).cost

    def candidates(self, state: State, side: Side) -> Iterator[Draft]:
        """Every available card, own or neutral."""
        for stock in (state.players[side].empire, state.neutral):
            for card, left in sorted(stock.items()):
                if left:
                    yield Draft(cards=(card,))

    def objections(self, state: State, side: Side, order: Draft) -> Iterator[Objection]:
        """It is a location card, or none is left."""
        card = order.card
        stock = state.neutral if card in state.neutral else state.players[side].empire
        if printed(state, side, card).location:
            yield Objection("Location cards cannot be drafted.")
        elif not stock.get(card):
            yield Objection("No {card} card is available.", card=name(state, card))

    def perform(self, state: State, side: Side, order: Draft) -> None:
        """Move the card to the discard pile."""
        card = order.card
        stock = state.neutral if card in state.neutral else state.players[side].empire
        stock[card] -= 1
        state.discard(side, order.cards)


class DiscardAction(Action[Discard], kind=Discard):
    """Discard cards from hand (ruling 18)."""

    def cost(self, state: State, side: Side, order: Discard) -> int:
        """Nothing for the first card, 1 money for each further one, or nothing (house rule)."""
        return 0 if state.ruleset.plays("free-discards") else len(order.cards) - 1

    def candidates(self, state: State, side: Side) -> Iterator[Discard]:
        """Every choice of cards in hand that there is money for."""
        player = state.players[side]
        most = len(player.hand) if state.ruleset.plays("free-discards") else player.money + 1
        for cards in subsets(self.pool(state, side), 1, most):
            yield Discard(cards=cards)

    def pool(self, state: State, side: Side) -> list[str]:
        """Every card in hand."""
        return state.players[side].hand

    def perform(self, state: State, side: Side, order: Discard) -> None:
        """Move the cards to the discard pile."""
        state.play(side, order.cards)


class DropAction(Action[Drop], kind=Drop):
    """Discard the card of a location that is not controlled, as a free action (house rule)."""

    may_be_free = True

    def candidates(self, state: State, side: Side) -> Iterator[Drop]:
        """Every location card in hand, where the rule is played."""
        if state.ruleset.plays("drop-lost-locations"):
            for card in distinct_hand(state, side):
                if printed(state, side, card).location:
                    yield Drop(cards=(card,))

    def objections(self, state: State, side: Side, order: Drop) -> Iterator[Objection]:
        """The rule is not played, or the card is of no location, or of one that is controlled."""
        if not state.ruleset.plays("drop-lost-locations"):
            yield Objection(
                "To drop a location card is a house rule that you do not play with: use {verb}.",
                "drop-lost-locations",
                verb=Discard.words(),
            )
        card = printed(state, side, order.card)
        if not card.location:
            yield Objection("{card} is no location card.", card=card.label)
        if state.owner(card.id) is side:
            yield Objection(
                "You control {place}; drop only cards of locations that you do not control.",
                place=card.label,
            )

    def perform(self, state: State, side: Side, order: Drop) -> None:
        """Move the card to the discard pile."""
        state.play(side, order.cards)


class ReserveAction(Action[Reserve], kind=Reserve):
    """Put one card into the reserve, which may have a limit (ruling 21)."""

    def candidates(self, state: State, side: Side) -> Iterator[Reserve]:
        """Every card in hand."""
        for card in distinct_hand(state, side):
            yield Reserve(cards=(card,))

    def objections(self, state: State, side: Side, order: Reserve) -> Iterator[Objection]:
        """It is a location card that may not lie there, or the reserve is full."""
        place = printed(state, side, order.card).location
        takes = state.ruleset.reserve_takes_locations
        if place is not None and takes == "never":
            yield Objection("Location cards cannot be put in the reserve.")
        if place is not None and takes == "lost" and state.owner(place) is side:
            yield Objection(
                "You control {place}; of location cards, "
                "the reserve takes only those of locations you do not control.",
                place=name(state, place),
            )
        limit = state.ruleset.reserve_limit
        if 0 < limit <= len(state.players[side].reserve):
            yield Objection(
                Message.counted(
                    "The reserve is full: it holds {count} card.",
                    "The reserve is full: it holds {count} cards.",
                    limit,
                )
            )

    def perform(self, state: State, side: Side, order: Reserve) -> None:
        """Move the card to the reserve, face up."""
        state.take_from_hand(side, order.cards)
        state.players[side].reserve.extend(order.cards)


class RetrieveAction(Action[Retrieve], kind=Retrieve):
    """Take the whole reserve back to hand, as a free action."""

    may_be_free = True

    def cost(self, state: State, side: Side, order: Retrieve) -> int:
        """1 money a card."""
        return len(state.players[side].reserve)

    def candidates(self, state: State, side: Side) -> Iterator[Retrieve]:
        """The one way to do it."""
        yield Retrieve()

    def objections(self, state: State, side: Side, order: Retrieve) -> Iterator[Objection]:
        """The reserve is empty."""
        if not state.players[side].reserve:
            yield Objection("Your reserve is empty.")

    def perform(self, state: State, side: Side, order: Retrieve) -> None:
        """Move all cards to hand."""
        player = state.players[side]
        state.tell(ReserveRetrieved(side, tuple(sorted(player.reserve))))
        player.hand.extend(player.reserve)
        player.reserve.clear()


class GovernAction(Action[Govern], kind=Govern):
    """The Governor returns one or two other cards (ruling 19)."""

    def plays(self, state: State, side: Side, order: Govern) -> tuple[str, ...]:
        """The Governor and the cards returned."""
        return (special(state, side, "govern"), *order.cards)

    def candidates(self, state: State, side: Side) -> Iterator[Govern]:
        """Every choice of one or two other cards in hand, if the Governor is there."""
        for cards in subsets(self.pool(state, side), 1, Govern.most):
            yield Govern(cards=cards)

    def pool(self, state: State, side: Side) -> list[str]:
        """The cards in hand beside the Governor; none without one."""
        hand = state.players[side].hand.copy()
        governor = special_in_hand(state, side, "govern")
        if governor is None:
            return []
        hand.remove(governor)
        return hand

    def objections(self, state: State, side: Side, order: Govern) -> Iterator[Objection]:
        """A house rule protects one of the cards."""
        for card in order.cards:
            if printed(state, side, card).location:
                yield from self._protected(state, side, card)

    @staticmethod
    def _protected(state: State, side: Side, location: str) -> Iterator[Objection]:
        ruleset, place = state.ruleset, state.ruleset.catalogue.locations[location]
        starting = place.start_owner is side and state.owner(location) is side
        if ruleset.plays("governor-keeps-starting-locations") and starting:
            yield Objection(
                "House rule: the governor keeps the starting location {place} "
                "while you control it.",
                "governor-keeps-starting-locations",
                place=place.label,
            )
        if ruleset.plays("govern-loses-location") and state.besieger(location) is not None:
            yield Objection(
                "House rule: {place} is under siege, so its card cannot be returned.",
                "govern-loses-location",
                place=place.label,
            )

    def perform(self, state: State, side: Side, order: Govern) -> None:
        """Discard the Governor and give the other cards back; a house rule gives up locations."""
        state.play(side, (special(state, side, "govern"),))
        state.take_from_hand(side, order.cards)
        for card in order.cards:
            state.give_back(side, card)
        state.tell(CardsReturned(side, order.cards))
        for card in order.cards if state.ruleset.plays("govern-loses-location") else ():
            if printed(state, side, card).location and state.owner(card) is side:
                state.place(card, None)
                state.tell(LocationGivenUp(side, card))


class IntendantAction(Action[Intendant], kind=Intendant):
    """The Intendant fetches one card of the own discard pile (ruling 20)."""

    def plays(self, state: State, side: Side, order: Intendant) -> tuple[str, ...]:
        """The Intendant; the card it fetches lies on the discard pile."""
        return (special(state, side, "intendant"),)

    def cost(self, state: State, side: Side, order: Intendant) -> int:
        """The bribe."""
        return printed(state, side, special(state, side, "intendant")).play_cost

    def candidates(self, state: State, side: Side) -> Iterator[Intendant]:
        """Every kind of card on the discard pile, if the Intendant is in hand."""
        if special_in_hand(state, side, "intendant") is not None:
            for card in sorted(set(state.players[side].discard)):
                yield Intendant(cards=(card,))

    def objections(self, state: State, side: Side, order: Intendant) -> Iterator[Objection]:
        """The card does not lie on the discard pile."""
        card = order.card
        if card not in state.players[side].discard:
            yield Objection("{card} is not in your discard pile.", card=name(state, card))

    def perform(self, state: State, side: Side, order: Intendant) -> None:
        """Take the card, then discard the Intendant."""
        player = state.players[side]
        player.discard.remove(order.card)
        state.play(side, self.plays(state, side, order))
        player.hand.append(order.card)
        state.tell(CardFetched(side, order.card))


class HomeSupportAction(Action[HomeSupport], kind=HomeSupport):
    """Draw three cards as a free action; or what is left of the draw pile (ruling 20)."""

    may_be_free = True

    def plays(self, state: State, side: Side, order: HomeSupport) -> tuple[str, ...]:
        """Home Support itself."""
        return (special(state, side, "home-support"),)

    def candidates(self, state: State, side: Side) -> Iterator[HomeSupport]:
        """The one way to do it, if the card is in hand."""
        if special_in_hand(state, side, "home-support") is not None:
            yield HomeSupport()

    def perform(self, state: State, side: Side, order: HomeSupport) -> None:
        """Draw; the card is discarded once the draw is made."""
        card = special(state, side, "home-support")
        state.take_from_hand(side, (card,))
        draw(state, side, rules.HOME_SUPPORT_DRAW, state.awaiting.decision, card)

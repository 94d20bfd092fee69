"""Card management, and the orders that carry a turn on without acting.

Those of the first kind draft, discard, reserve and retrieve, or call on the Governor, the Intendant
and Home Support; those of the second pass, end a turn, refill, or answer around chance.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine import ruleset as rules
from engine.actions.action import (
    TURN,
    Action,
    Hand,
    Objection,
    card_for_action,
    discard,
    find_card,
    name,
    subsets,
)
from engine.catalogue import Card
from engine.events import (
    CardAdded,
    CardFetched,
    CardsReturned,
    Drafted,
    LocationGivenUp,
    Passed,
    Reserved,
    ReserveRetrieved,
    SupportCalled,
    TurnEnded,
)
from engine.message import Message
from engine.orders import (
    Discard,
    Draft,
    Drop,
    End,
    Exchange,
    Forfeit,
    Govern,
    HomeSupport,
    Intendant,
    Keep,
    Pass,
    Refill,
    Reserve,
    Retrieve,
    Start,
)
from engine.sides import Side
from engine.state import Awaiting, Decision, State
from engine.turn import after_forfeit, draw

# --- card management


class DraftAction(Action[Draft], kind=Draft):
    """Buy one available empire card for the discard pile."""

    def plays(self, state: State, side: Side, order: Draft) -> tuple[str, ...]:
        """None."""
        return ()

    def cost(self, state: State, side: Side, order: Draft) -> int:
        """The price printed on the card."""
        return find_card(state, side, order.card).cost

    def candidates(self, hand: Hand) -> Iterator[Draft]:
        """Every available card, own or neutral, that there is money for."""
        find_card, money = hand.state.ruleset.catalogue.cards[hand.side], hand.player.money
        for stock in (hand.player.empire, hand.state.neutral):
            there = [card for card, left in stock.items() if left and find_card[card].cost <= money]
            for card in sorted(there):
                yield Draft.of(card)

    def objections(self, state: State, side: Side, order: Draft) -> Iterator[Objection]:
        """It is a location card, or none is left."""
        card = order.card
        stock = state.neutral if card in state.neutral else state.players[side].empire
        if find_card(state, side, card).location:
            yield Objection("Location cards cannot be drafted.")
        elif not stock.get(card):
            yield Objection("No {card} card is available.", card=name(state, card))

    def perform(self, state: State, side: Side, order: Draft) -> None:
        """Move the card to the discard pile."""
        card = order.card
        stock = state.neutral if card in state.neutral else state.players[side].empire
        stock[card] -= 1
        state.discard(side, order.cards)
        state.report(Drafted(side, card))


class DiscardAction(Action[Discard], kind=Discard):
    """Discard cards from hand (ruling 18)."""

    def cost(self, state: State, side: Side, order: Discard) -> int:
        """Nothing for the first card, 1 money for each further one, or nothing (house rule)."""
        return 0 if state.ruleset.plays("free-discards") else len(order.cards) - 1

    def candidates(self, hand: Hand) -> Iterator[Discard]:
        """Every choice of cards in hand, and none larger than there is money for."""
        free = hand.state.ruleset.plays("free-discards")
        most = len(hand.card_ids) if free else hand.player.money + 1
        return (Discard(cards=cards) for cards in subsets(hand.card_ids, 1, most))

    def pool(self, hand: Hand) -> list[str]:
        """Every card in hand."""
        return hand.card_ids

    def perform(self, state: State, side: Side, order: Discard) -> None:
        """Move the cards to the discard pile."""
        discard(state, side, order.cards)


class DropAction(Action[Drop], kind=Drop):
    """Discard the card of a location that is not controlled, as a free action (house rule)."""

    may_be_free = True

    def candidates(self, hand: Hand) -> Iterator[Drop]:
        """Every card in hand of a location that is not controlled, where the rule is played."""
        if hand.state.ruleset.plays("drop-lost-locations"):
            for card in hand.cards:
                if card.location and hand.state.owner(card.id) is not hand.side:
                    yield Drop.of(card.id)

    def objections(self, state: State, side: Side, order: Drop) -> Iterator[Objection]:
        """The rule is not played, or it is not a location card, or the location is controlled."""
        if not state.ruleset.plays("drop-lost-locations"):
            yield Objection(
                "Dropping a location card is a house rule, and this game is played without it; use "
                "{verb}.",
                "drop-lost-locations",
                verb=Discard.words(),
            )
        card = find_card(state, side, order.card)
        if not card.location:
            yield Objection("{card} is not a location card.", card=card.label)
        if state.owner(card.id) is side:
            yield Objection(
                "You control {place}: you may drop only cards of locations that you do not "
                "control.",
                place=card.label,
            )

    def perform(self, state: State, side: Side, order: Drop) -> None:
        """Move the card to the discard pile."""
        discard(state, side, order.cards)


class ReserveAction(Action[Reserve], kind=Reserve):
    """Put one card into the reserve, which may have a limit (ruling 21)."""

    def candidates(self, hand: Hand) -> Iterator[Reserve]:
        """Every card in hand that may lie there, as long as there is room."""
        if not self._is_full(hand.state, hand.side):
            for card in hand.cards:
                if self._takes(hand.state, hand.side, card):
                    yield Reserve.of(card.id)

    def objections(self, state: State, side: Side, order: Reserve) -> Iterator[Objection]:
        """It is a location card that may not lie there, or the reserve is full."""
        card = find_card(state, side, order.card)
        if not self._takes(state, side, card):
            if state.ruleset.reserve_takes_locations == "never":
                yield Objection("Location cards cannot be put in the reserve.")
            else:
                yield Objection(
                    "You control {place}; the reserve takes only location cards whose location you "
                    "do not control.",
                    place=card.label,
                )
        if self._is_full(state, side):
            yield Objection(
                Message.counted(
                    "The reserve is full: it holds {count} card.",
                    "The reserve is full: it holds {count} cards.",
                    state.ruleset.reserve_limit,
                )
            )

    @staticmethod
    def _takes(state: State, side: Side, card: Card) -> bool:
        takes = state.ruleset.reserve_takes_locations
        if card.location is None or takes == "always":
            return True
        return takes == "lost" and state.owner(card.location) is not side

    @staticmethod
    def _is_full(state: State, side: Side) -> bool:
        return 0 < state.ruleset.reserve_limit <= len(state.players[side].reserve)

    def perform(self, state: State, side: Side, order: Reserve) -> None:
        """Move the card to the reserve, face up."""
        state.take_from_hand(side, order.cards)
        state.players[side].reserve.extend(order.cards)
        state.report(Reserved(side, order.card))


class RetrieveAction(Action[Retrieve], kind=Retrieve):
    """Take the whole reserve back to hand, as a free action."""

    may_be_free = True

    def cost(self, state: State, side: Side, order: Retrieve) -> int:
        """1 money a card."""
        return len(state.players[side].reserve)

    def candidates(self, hand: Hand) -> Iterator[Retrieve]:
        """The one way to do it, if anything is there."""
        if hand.player.reserve:
            yield Retrieve()

    def objections(self, state: State, side: Side, order: Retrieve) -> Iterator[Objection]:
        """The reserve is empty."""
        if not state.players[side].reserve:
            yield Objection("Your reserve is empty.")

    def perform(self, state: State, side: Side, order: Retrieve) -> None:
        """Move all cards to hand."""
        player = state.players[side]
        state.report(ReserveRetrieved(side, tuple(sorted(player.reserve))))
        player.hand.extend(player.reserve)
        player.reserve.clear()


class GovernAction(Action[Govern], kind=Govern):
    """The Governor returns one or two other cards (ruling 19)."""

    def plays(self, state: State, side: Side, order: Govern) -> tuple[str, ...]:
        """The Governor and the cards returned."""
        return (card_for_action(state, side, "govern"), *order.cards)

    def candidates(self, hand: Hand) -> Iterator[Govern]:
        """Every choice of one or two other cards that may go, if the Governor is there."""
        state, side = hand.state, hand.side
        free = [card for card in self.pool(hand) if not any(_protected(state, side, card))]
        return (Govern(cards=cards) for cards in subsets(free, 1, Govern.most))

    def pool(self, hand: Hand) -> list[str]:
        """The cards in hand beside the Governor; none without one."""
        return hand.without(hand.by_action.get("govern"))

    def objections(self, state: State, side: Side, order: Govern) -> Iterator[Objection]:
        """A house rule protects one of the cards."""
        for card in order.cards:
            yield from _protected(state, side, card)

    def perform(self, state: State, side: Side, order: Govern) -> None:
        """Discard the Governor and give the other cards back; a house rule gives up locations."""
        state.play(side, (card_for_action(state, side, "govern"),))
        state.take_from_hand(side, order.cards)
        for card in order.cards:
            state.give_back(side, card)
        state.report(CardsReturned(side, order.cards))
        for card in order.cards if state.ruleset.plays("govern-loses-location") else ():
            if find_card(state, side, card).location and state.owner(card) is side:
                state.place(card, None)
                state.report(LocationGivenUp(side, card))


def _protected(state: State, side: Side, card: str) -> Iterator[Objection]:
    """Why the Governor cannot return a card: a house rule protects a location's card."""
    ruleset, place = state.ruleset, state.ruleset.catalogue.locations.get(card)
    if place is None:
        return
    starting = place.start_owner is side and state.owner(card) is side
    if ruleset.plays("governor-keeps-starting-locations") and starting:
        yield Objection(
            "House rule: the Governor cannot return the card of the starting location {place} "
            "while you control it.",
            "governor-keeps-starting-locations",
            place=place.label,
        )
    if ruleset.plays("govern-loses-location") and state.besieger(card) is not None:
        yield Objection(
            "House rule: {place} is under siege, so its card cannot be returned.",
            "govern-loses-location",
            place=place.label,
        )


class IntendantAction(Action[Intendant], kind=Intendant):
    """The Intendant fetches one card from the player's discard pile (ruling 20)."""

    def plays(self, state: State, side: Side, order: Intendant) -> tuple[str, ...]:
        """The Intendant; the card it fetches lies in the discard pile."""
        return (card_for_action(state, side, "intendant"),)

    def cost(self, state: State, side: Side, order: Intendant) -> int:
        """The bribe."""
        return find_card(state, side, card_for_action(state, side, "intendant")).play_cost

    def candidates(self, hand: Hand) -> Iterator[Intendant]:
        """Every kind of card in the discard pile, if the Intendant is in hand."""
        if hand.by_action.get("intendant") is not None:
            for card in sorted({*hand.player.discard}):
                yield Intendant.of(card)

    def objections(self, state: State, side: Side, order: Intendant) -> Iterator[Objection]:
        """The card does not lie in the discard pile."""
        card = order.card
        if card not in state.players[side].discard:
            yield Objection("{card} is not in your discard pile.", card=name(state, card))

    def perform(self, state: State, side: Side, order: Intendant) -> None:
        """Take the card, then discard the Intendant."""
        player = state.players[side]
        player.discard.remove(order.card)
        state.play(side, self.plays(state, side, order))
        player.hand.append(order.card)
        state.report(CardFetched(side, order.card))


class HomeSupportAction(Action[HomeSupport], kind=HomeSupport):
    """Draw three cards as a free action, or what is left of the draw pile (ruling 20)."""

    may_be_free = True

    def plays(self, state: State, side: Side, order: HomeSupport) -> tuple[str, ...]:
        """Home Support itself."""
        return (card_for_action(state, side, "home-support"),)

    def candidates(self, hand: Hand) -> Iterator[HomeSupport]:
        """The one way to do it, if the card is in hand."""
        if hand.by_action.get("home-support") is not None:
            yield HomeSupport()

    def perform(self, state: State, side: Side, order: HomeSupport) -> None:
        """Draw; the card is discarded once the draw is made."""
        card = card_for_action(state, side, "home-support")
        state.take_from_hand(side, (card,))
        state.report(SupportCalled(side, card))
        draw(state, side, rules.HOME_SUPPORT_DRAW, state.awaiting.decision, card)


# --- going on without an action


class PassAction(Action[Pass], kind=Pass):
    """Use an action to do nothing."""

    def candidates(self, hand: Hand) -> Iterator[Pass]:
        """The one way to do it."""
        yield Pass()

    def perform(self, state: State, side: Side, order: Pass) -> None:
        """Do nothing."""
        state.report(Passed(side))


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
        state.report(TurnEnded(side))


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
        return (Forfeit(cards=cards) for cards in subsets(hand.card_ids, amount, amount))

    def pool(self, hand: Hand) -> list[str]:
        """Every card in hand."""
        return hand.card_ids

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
        state.report(CardAdded(side, card))
        state.awaiting = Awaiting(Decision.SHUFFLE, side)

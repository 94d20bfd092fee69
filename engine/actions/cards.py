"""The rules of card management, and of orders that only continue a turn.

The orders of card management draft, discard, reserve and retrieve cards, or use the Governor, the
Intendant and Home Support. The other orders pass, end a turn, refill a hand, or answer decisions
about draws.
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
    """Draft: buy one available empire card for the discard pile (ruling 17)."""

    def cards_played(self, state: State, side: Side, order: Draft) -> tuple[str, ...]:
        """Return no cards: the card comes from the stock."""
        return ()

    def cost(self, state: State, side: Side, order: Draft) -> int:
        """Return the price printed on the card."""
        return find_card(state, side, order.card).cost

    def candidates(self, hand: Hand) -> Iterator[Draft]:
        """Yield an order for every available card, own or neutral, that the player can afford."""
        cards, money = hand.state.ruleset.catalogue.cards[hand.side], hand.player.money
        for stock in (hand.player.empire, hand.state.neutral):
            kinds = [card for card, count in stock.items() if count and cards[card].cost <= money]
            for card in sorted(kinds):
                yield Draft.of(card)

    def objections(self, state: State, side: Side, order: Draft) -> Iterator[Objection]:
        """Yield objections if the card is not an empire card with an available copy."""
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
    """Discard any number of cards from hand (ruling 18)."""

    def cost(self, state: State, side: Side, order: Discard) -> int:
        """Return 1 money for each card but the first; 0 by a house rule."""
        return 0 if state.ruleset.has_rule("free-discards") else len(order.cards) - 1

    def candidates(self, hand: Hand) -> Iterator[Discard]:
        """Yield an order for every choice of cards in hand that the player can afford."""
        free = hand.state.ruleset.has_rule("free-discards")
        limit = len(hand.card_ids) if free else hand.player.money + 1
        return (Discard(cards=cards) for cards in subsets(hand.card_ids, 1, limit))

    def pool(self, hand: Hand) -> list[str]:
        """Return every card in hand."""
        return hand.card_ids

    def perform(self, state: State, side: Side, order: Discard) -> None:
        """Move the cards to the discard pile."""
        discard(state, side, order.cards)


class DropAction(Action[Drop], kind=Drop):
    """Drop: discard the card of a location that is not controlled, for free (house rule)."""

    may_be_free = True

    def candidates(self, hand: Hand) -> Iterator[Drop]:
        """Yield an order for every card of a lost location in hand, if the rule is in play."""
        if hand.state.ruleset.has_rule("drop-lost-locations"):
            for card in hand.cards:
                if card.location and hand.state.owner(card.id) is not hand.side:
                    yield Drop.of(card.id)

    def objections(self, state: State, side: Side, order: Drop) -> Iterator[Objection]:
        """Yield objections if the rule is not in play or the card is not of a lost location."""
        if not state.ruleset.has_rule("drop-lost-locations"):
            yield Objection(
                "Dropping a location card is a house rule, and this game is played without it; use "
                "{verb}.",
                "drop-lost-locations",
                verb=Discard.verb_label(),
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
    """Reserve: put one card into the reserve, up to its limit (ruling 21)."""

    def candidates(self, hand: Hand) -> Iterator[Reserve]:
        """Yield an order for every card in hand that the reserve accepts, if there is room."""
        if not self._is_full(hand.state, hand.side):
            for card in hand.cards:
                if self._can_take(hand.state, hand.side, card):
                    yield Reserve.of(card.id)

    def objections(self, state: State, side: Side, order: Reserve) -> Iterator[Objection]:
        """Yield objections if the reserve does not accept the card or is full."""
        card = find_card(state, side, order.card)
        if not self._can_take(state, side, card):
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
    def _can_take(state: State, side: Side, card: Card) -> bool:
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
    """Retrieve: take the whole reserve back to hand, as a free action."""

    may_be_free = True

    def cost(self, state: State, side: Side, order: Retrieve) -> int:
        """Return 1 money for each card."""
        return len(state.players[side].reserve)

    def candidates(self, hand: Hand) -> Iterator[Retrieve]:
        """Yield the order, if the reserve has cards."""
        if hand.player.reserve:
            yield Retrieve()

    def objections(self, state: State, side: Side, order: Retrieve) -> Iterator[Objection]:
        """Yield an objection if the reserve is empty."""
        if not state.players[side].reserve:
            yield Objection("Your reserve is empty.")

    def perform(self, state: State, side: Side, order: Retrieve) -> None:
        """Move all cards to hand."""
        player = state.players[side]
        state.report(ReserveRetrieved(side, tuple(sorted(player.reserve))))
        player.hand.extend(player.reserve)
        player.reserve.clear()


class GovernAction(Action[Govern], kind=Govern):
    """Govern: return one or two other cards with the Governor (ruling 19)."""

    def cards_played(self, state: State, side: Side, order: Govern) -> tuple[str, ...]:
        """Return the Governor and the returned cards."""
        return (card_for_action(state, side, "govern"), *order.cards)

    def candidates(self, hand: Hand) -> Iterator[Govern]:
        """Yield an order for every choice of one or two other cards, if the Governor is in hand."""
        state, side = hand.state, hand.side
        free = [c for c in self.pool(hand) if not any(_protection_objections(state, side, c))]
        return (Govern(cards=cards) for cards in subsets(free, 1, Govern.max_cards))

    def pool(self, hand: Hand) -> list[str]:
        """Return the other cards in hand, or no cards without a Governor."""
        return hand.cards_without(hand.by_action.get("govern"))

    def objections(self, state: State, side: Side, order: Govern) -> Iterator[Objection]:
        """Yield an objection to each card that a house rule protects."""
        for card in order.cards:
            yield from _protection_objections(state, side, card)

    def perform(self, state: State, side: Side, order: Govern) -> None:
        """Discard the Governor and return the other cards; by a house rule, give up locations."""
        state.play(side, (card_for_action(state, side, "govern"),))
        state.take_from_hand(side, order.cards)
        for card in order.cards:
            state.give_back(side, card)
        state.report(CardsReturned(side, order.cards))
        for card in order.cards if state.ruleset.has_rule("govern-loses-location") else ():
            if find_card(state, side, card).location and state.owner(card) is side:
                state.place(card, None)
                state.report(LocationGivenUp(side, card))


def _protection_objections(state: State, side: Side, card: str) -> Iterator[Objection]:
    """Yield an objection if a house rule forbids returning the location card."""
    ruleset, place = state.ruleset, state.ruleset.catalogue.locations.get(card)
    if place is None:
        return
    starting = place.start_owner is side and state.owner(card) is side
    if ruleset.has_rule("governor-keeps-starting-locations") and starting:
        yield Objection(
            "House rule: the Governor cannot return the card of the starting location {place} "
            "while you control it.",
            "governor-keeps-starting-locations",
            place=place.label,
        )
    if ruleset.has_rule("govern-loses-location") and state.besieger(card) is not None:
        yield Objection(
            "House rule: {place} is under siege, so its card cannot be returned.",
            "govern-loses-location",
            place=place.label,
        )


class IntendantAction(Action[Intendant], kind=Intendant):
    """Intendant: take one card from the player's discard pile (ruling 20)."""

    def cards_played(self, state: State, side: Side, order: Intendant) -> tuple[str, ...]:
        """Return the Intendant; the other card is in the discard pile."""
        return (card_for_action(state, side, "intendant"),)

    def cost(self, state: State, side: Side, order: Intendant) -> int:
        """Return the price: 2 money."""
        return find_card(state, side, card_for_action(state, side, "intendant")).play_cost

    def candidates(self, hand: Hand) -> Iterator[Intendant]:
        """Yield an order for every kind of card in the discard pile, if an Intendant is in hand."""
        if hand.by_action.get("intendant") is not None:
            for card in sorted({*hand.player.discard}):
                yield Intendant.of(card)

    def objections(self, state: State, side: Side, order: Intendant) -> Iterator[Objection]:
        """Yield an objection if the card is not in the discard pile."""
        card = order.card
        if card not in state.players[side].discard:
            yield Objection("{card} is not in your discard pile.", card=name(state, card))

    def perform(self, state: State, side: Side, order: Intendant) -> None:
        """Take the card, then discard the Intendant."""
        player = state.players[side]
        player.discard.remove(order.card)
        state.play(side, self.cards_played(state, side, order))
        player.hand.append(order.card)
        state.report(CardFetched(side, order.card))


class HomeSupportAction(Action[HomeSupport], kind=HomeSupport):
    """Home Support: draw three cards for free, or the rest of the draw pile (ruling 20)."""

    may_be_free = True

    def cards_played(self, state: State, side: Side, order: HomeSupport) -> tuple[str, ...]:
        """Return the Home Support card."""
        return (card_for_action(state, side, "home-support"),)

    def candidates(self, hand: Hand) -> Iterator[HomeSupport]:
        """Yield the order, if the card is in hand."""
        if hand.by_action.get("home-support") is not None:
            yield HomeSupport()

    def perform(self, state: State, side: Side, order: HomeSupport) -> None:
        """Await the draw; the card is discarded after it."""
        card = card_for_action(state, side, "home-support")
        state.take_from_hand(side, (card,))
        state.report(SupportCalled(side, card))
        draw(state, side, rules.HOME_SUPPORT_DRAW, state.awaiting.decision, card)


# --- passes, ends of turns, and decisions about draws


class PassAction(Action[Pass], kind=Pass):
    """Pass: use an action to do nothing."""

    def candidates(self, hand: Hand) -> Iterator[Pass]:
        """Yield the only order to pass."""
        yield Pass()

    def perform(self, state: State, side: Side, order: Pass) -> None:
        """Report the pass."""
        state.report(Passed(side))


class EndAction(Action[End], kind=End):
    """End the turn after its actions are used up; `engine.turn` continues.

    See docs/rules.md, ruled here f.
    """

    may_be_free = True

    def candidates(self, hand: Hand) -> Iterator[End]:
        """Yield the order, if no action is left."""
        if _is_used_up(hand.state):
            yield End()

    def objections(self, state: State, side: Side, order: End) -> Iterator[Objection]:
        """Yield an objection if an action is left."""
        return _unused_action_objections(state)

    def perform(self, state: State, side: Side, order: End) -> None:
        """Report the end of the turn."""
        state.report(TurnEnded(side))


class RefillAction(Action[Refill], kind=Refill):
    """Refill the hand before the end of the turn, if free actions can follow.

    See docs/rules.md, ruled here i.
    """

    may_be_free = True

    def candidates(self, hand: Hand) -> Iterator[Refill]:
        """Yield the order if it was not given in this turn and free actions can follow."""
        state = hand.state
        if state.ruleset.free_actions_any_time and not state.refilled and _is_used_up(state):
            yield Refill()

    def objections(self, state: State, side: Side, order: Refill) -> Iterator[Objection]:
        """Yield objections if free actions cannot follow or the hand was refilled before."""
        yield from _unused_action_objections(state)
        if not state.ruleset.free_actions_any_time:
            yield Objection("In this edition nothing follows the refill: end your turn.")
        if state.refilled:
            yield Objection("Your hand has been refilled; end your turn.")

    def perform(self, state: State, side: Side, order: Refill) -> None:
        """Await the draw of up to five cards, after which the turn continues."""
        state.refilled = True
        needed = max(0, rules.HAND_SIZE - state.players[side].hand_size)
        draw(state, side, needed, Decision.TURN)


def _is_used_up(state: State) -> bool:
    return state.actions_left <= 0


def _unused_action_objections(state: State) -> Iterator[Objection]:
    if not _is_used_up(state):
        left = state.actions_left
        reason = Message.counted(
            "You have {count} action left; pass if you want to do nothing.",
            "You have {count} actions left; pass if you want to do nothing.",
            left,
        )
        yield Objection(reason, TURN)


class ExchangeAction(Action[Exchange], kind=Exchange):
    """Exchange: discard a card and draw one after sieges were resolved (house rule)."""

    decisions = frozenset({Decision.EXCHANGE})

    def candidates(self, hand: Hand) -> Iterator[Exchange]:
        """Yield an order for every card in hand."""
        return (Exchange.of(card.id) for card in hand.cards)

    def perform(self, state: State, side: Side, order: Exchange) -> None:
        """Discard the card and await the draw, after which the turn continues."""
        discard(state, side, order.cards)
        draw(state, side, 1, Decision.TURN)


class KeepAction(Action[Keep], kind=Keep):
    """Keep: exchange no card (house rule)."""

    decisions = frozenset({Decision.EXCHANGE})

    def candidates(self, hand: Hand) -> Iterator[Keep]:
        """Yield the only order to exchange no card."""
        yield Keep()

    def perform(self, state: State, side: Side, order: Keep) -> None:
        """Resume the turn."""
        state.awaiting = Awaiting(Decision.TURN, side)


class ForfeitAction(Action[Forfeit], kind=Forfeit):
    """Forfeit: discard the cards that an unpaid shuffle costs (house rule)."""

    decisions = frozenset({Decision.FORFEIT})

    def candidates(self, hand: Hand) -> Iterator[Forfeit]:
        """Yield an order for every choice of the required number of cards in hand."""
        amount = hand.state.awaiting.amount
        return (Forfeit(cards=cards) for cards in subsets(hand.card_ids, amount, amount))

    def pool(self, hand: Hand) -> list[str]:
        """Return every card in hand."""
        return hand.card_ids

    def objections(self, state: State, side: Side, order: Forfeit) -> Iterator[Objection]:
        """Yield an objection if the number of cards is not the awaited one."""
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
        """Discard the cards."""
        discard(state, side, order.cards)
        after_forfeit(state, side)


class StartAction(Action[Start], kind=Start):
    """Start: add an empire card to the initial deck before the game (house rule)."""

    decisions = frozenset({Decision.START_CARD})

    def candidates(self, hand: Hand) -> Iterator[Start]:
        """Yield an order for every available empire card of the player's own colour."""
        for card, count in sorted(hand.player.empire.items()):
            if count:
                yield Start.of(card)

    def objections(self, state: State, side: Side, order: Start) -> Iterator[Objection]:
        """Yield an objection if the card is not an available empire card of the player's colour."""
        card, empire = order.card, state.players[side].empire
        if card not in empire:
            yield Objection(
                "{card} is not one of your available empire cards.", card=name(state, card)
            )
        elif not empire[card]:
            yield Objection("No {card} card is available.", card=name(state, card))

    def perform(self, state: State, side: Side, order: Start) -> None:
        """Put the card into the deck that is shuffled next."""
        card = order.card
        state.players[side].empire[card] -= 1
        state.discard(side, order.cards)
        state.report(CardAdded(side, card))
        state.awaiting = Awaiting(Decision.SHUFFLE, side)

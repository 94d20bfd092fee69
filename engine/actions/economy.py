"""The rules of expansive and financial actions: settle, develop, fortify; take, merchant, trade."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from engine import ruleset as rules
from engine.actions.action import (
    Action,
    Hand,
    Objection,
    card_for_action,
    find_card,
    idle_objections,
    name,
    subsets,
    symbol_objections,
)
from engine.catalogue import Card, symbol_name
from engine.events import Developed, Fortified, Settled
from engine.message import Message, Phrase, mark, or_list
from engine.orders import Develop, Fortify, Merchant, Piracy, SellFur, Settle, Take, Trade
from engine.position import can_use
from engine.sides import Side
from engine.state import Settlement, State
from engine.turn import outcome_of_settling

# --- settling and building


CONNECTIONS, PIECES = "connections", "pieces"
"""The topics of objections to expansion."""


def routes(hand: Hand, is_end: Callable[[str], bool]) -> Iterator[tuple[str, str, str]]:
    """Yield each (destination, connecting card, transport card) in hand with a suitable end.

    >>> from engine.state import new_game
    >>> state = new_game()
    >>> state.players[Side.BRITISH].hand = ["pemaquid", "norfolk"]
    >>> list(routes(Hand(state, Side.BRITISH), "halifax".__eq__))
    [('halifax', 'pemaquid', 'norfolk')]
    """
    for connection in hand.usable:
        for end, means in connection.ways.items():
            for transport in hand.usable if means & hand.symbols and is_end(end) else ():
                if means & transport.symbols and (
                    transport is not connection or hand.card_ids.count(connection.id) > 1
                ):
                    yield end, connection.id, transport.id


def route_objections(
    state: State, side: Side, end: str, connection: str, transport: str
) -> Iterator[Objection]:
    """Yield objections if no connecting card and transport card lead to `end`.

    >>> from engine.state import new_game
    >>> for objection in route_objections(new_game(), Side.BRITISH, "detroit", "boston", "ships"):
    ...     print(objection.reason)
    Boston has no connection to Detroit printed on it.
    """
    card, place = find_card(state, side, connection), name(state, end)
    means = card.transports_to(end)
    if not means:
        yield _connection_objection(card, place)
    yield from idle_objections(state, side, connection)
    if means and not means & find_card(state, side, transport).symbols:
        yield Objection(
            "{card} reaches {place} by {symbol}; {transport} has no {symbol} symbol.",
            CONNECTIONS,
            card=card.label,
            place=place,
            symbol=_symbol_list(means),
            transport=name(state, transport),
        )
    yield from idle_objections(state, side, transport)


def _symbol_list(symbols: Iterable[str]) -> Message:
    """Return the names of symbols, joined by “or”."""
    return or_list(symbol_name(symbol) for symbol in sorted(symbols))


class SettleAction(Action[Settle], kind=Settle):
    """Settle: place a village in a neutral location and gain its card.

    In a controlled location whose card was given away, the order only regains the card (rulings 10
    and 28).
    """

    def candidates(self, hand: Hand) -> Iterator[Settle]:
        """Yield an order for each route to an open location and each suitable settler card."""
        state, side = hand.state, hand.side
        board, may_place = state.board, state.villages_left(side) > 0

        def is_open(end: str) -> bool:
            return self._is_regained(state, side, end) if end in board else may_place

        for end, connection, transport in routes(hand, is_open):
            if not state.ruleset.catalogue.locations[end].settler:
                yield Settle(end, (connection, transport))
                continue
            for settler in hand.cards_with_symbol("settler"):
                if hand.has_cards(connection, transport, settler.id):
                    yield Settle(end, (connection, transport, settler.id))

    def objections(self, state: State, side: Side, order: Settle) -> Iterator[Objection]:
        """Yield objections if the location is taken, no village is left or the cards do not fit."""
        end, owner = order.target, state.owner(order.target)
        if owner is side and not self._is_regained(state, side, end):
            yield Objection("{place} is already yours.", place=name(state, end))
        elif owner is side.opponent:
            # Translators: it belongs to the British, or to the French.
            yield Objection(
                "{place} is {side}: besiege or raid it.", place=name(state, end), side=owner.label
            )
        if owner is not side and state.villages_left(side) < 1:
            yield Objection("You have no villages left to place.", PIECES)
        mistakes = list(_misplaced_settler_objections(state, side, order))
        yield from mistakes or route_objections(state, side, end, order.connection, order.transport)
        if not mistakes:
            yield from settler_objections(state, side, end, order.cards[2:])

    def perform(self, state: State, side: Side, order: Settle) -> None:
        """Play the cards, place the village, gain the card."""
        state.play(side, order.cards)
        settle(state, side, order.target)

    @staticmethod
    def _is_regained(state: State, side: Side, location: str) -> bool:
        return location in state.players[side].locations and state.owner(location) is side


def _misplaced_settler_objections(state: State, side: Side, order: Settle) -> Iterator[Objection]:
    """Yield objections if the second card is a settler, because the transport is missing.

    Yields nothing if the second card may be the transport.
    """
    end, (connection, second) = order.target, (find_card(state, side, c) for c in order.cards[:2])
    means, others = connection.transports_to(end), second.symbols - {"settler"}
    is_settler = "settler" in second.symbols and not means & others and (means or not others)
    if len(order.cards) > 2 or not state.ruleset.catalogue.locations[end].settler or not is_settler:
        return
    if means:
        message = _SETTLER_SECOND if others else _EMPTY_SETTLER_SECOND
        yield Objection(
            message,
            CONNECTIONS,
            card=connection.label,
            place=name(state, end),
            symbol=_symbol_list(means),
            settler=second.label,
        )
    else:
        yield _connection_objection(connection, name(state, end))
        yield Objection(
            "The transport comes second, and {settler}, which carries nothing, third.",
            settler=second.label,
        )
    yield from idle_objections(state, side, connection.id)
    yield from idle_objections(state, side, second.id)


# Translators: {card} leads there, {symbol} is the transport that it needs, such as ship.
_SETTLER_SECOND = mark(
    "{card} reaches {place} by {symbol}; "
    "the transport comes second, and {settler}, which has no {symbol} symbol, third."
)
# Translators: {card} leads there, {symbol} is the transport that it needs, such as ship.
_EMPTY_SETTLER_SECOND = mark(
    "{card} reaches {place} by {symbol}; "
    "the transport comes second, and {settler}, which carries nothing, third."
)


def _connection_objection(card: Card, place: Phrase) -> Objection:
    reason = Message(
        "{card} has no connection to {place} printed on it.", card=card.label, place=place
    )
    return Objection(reason, CONNECTIONS)


def settler_objections(
    state: State, side: Side, location: str, settlers: tuple[str, ...]
) -> Iterator[Objection]:
    """Yield objections if the settler cards are not those that the location requires.

    >>> from engine.state import new_game
    >>> list(settler_objections(new_game(), Side.BRITISH, "deerfield", ("boston",)))
    []
    """
    place = state.ruleset.catalogue.locations[location]
    if place.settler and not settlers:
        yield Objection("{place} needs a settler card too.", place=place.label)
    if settlers and not place.settler:
        yield Objection("{place} needs no settler card.", place=place.label)
        return
    for settler in settlers:
        yield from symbol_objections(state, side, settler, "settler")


def settle(state: State, side: Side, location: str) -> None:
    """Place a village of `side` unless there is a piece, and gain the card of the location.

    Sets the outcome of the game if the village wins.

    >>> from engine.state import new_game
    >>> state = new_game()
    >>> settle(state, Side.BRITISH, "deerfield")
    >>> state.owner("deerfield"), state.players[Side.BRITISH].discard[-1]
    (<Side.BRITISH: 'british'>, 'deerfield')
    """
    if location not in state.board:
        state.place(location, Settlement(side))
        points = state.ruleset.catalogue.locations[location].victory_points
        state.report(Settled(side, location, points))
        state.outcome = outcome_of_settling(state, side, location)
    state.gain_location_card(side, location)


class DevelopAction(Action[Develop], kind=Develop):
    """Develop: turn a village into a town (ruling 11)."""

    def cards_played(self, state: State, side: Side, order: Develop) -> tuple[str, ...]:
        """Return the location's own card and the settler card."""
        return (order.target, *order.cards)

    def candidates(self, hand: Hand) -> Iterator[Develop]:
        """Yield an order for every village with points, by its card in hand and a settler card."""
        state, settlers = hand.state, hand.cards_with_symbol("settler")
        if not settlers or state.towns_left(hand.side) < 1:
            return
        for place in hand.own_locations():
            points = state.ruleset.catalogue.locations[place].victory_points
            for settler in settlers if points and not state.board[place].town else ():
                if hand.has_cards(place, settler.id):
                    yield Develop(place, (settler.id,))

    def objections(self, state: State, side: Side, order: Develop) -> Iterator[Objection]:
        """Yield objections if the village, the pieces or the cards do not allow a town."""
        place = state.ruleset.catalogue.locations[order.target]
        if state.owner(place.id) is not side:
            yield control_objection(state, place.id)
        elif state.board[place.id].town:
            yield Objection("{place} is already a town.", place=place.label)
        if place.victory_points < 1:
            yield Objection("{place} has no victory points to double.", place=place.label)
        if state.towns_left(side) < 1:
            yield Objection("You have no towns left to place.", PIECES)
        yield from own_card_objections(state, side, place.id)
        yield from symbol_objections(state, side, order.settler, "settler")

    def perform(self, state: State, side: Side, order: Develop) -> None:
        """Play the cards; the village returns to stock and a town replaces it."""
        state.play(side, self.cards_played(state, side, order))
        village = state.board[order.target]
        state.place(order.target, village._replace(town=True))
        points = 2 * state.ruleset.catalogue.locations[order.target].victory_points
        state.report(Developed(side, order.target, points))


class FortifyAction(Action[Fortify], kind=Fortify):
    """Fortify: place a fortification disc under a village or town (ruling 11)."""

    def cards_played(self, state: State, side: Side, order: Fortify) -> tuple[str, ...]:
        """Return the location's own card and the fortification card."""
        return (order.target, *order.cards)

    def cost(self, state: State, side: Side, order: Fortify) -> int:
        """Return the price of a disc."""
        return rules.FORTIFY_COST

    def candidates(self, hand: Hand) -> Iterator[Fortify]:
        """Yield an order for every open location, by its card in hand and a fortification card."""
        state, walls = hand.state, [card for card in hand.cards if card.military_defending]
        if not walls or state.fortifications_left() < 1:
            return
        for place in hand.own_locations():
            for card in walls if not state.board[place].fortified else ():
                if hand.has_cards(place, card.id):
                    yield Fortify(place, (card.id,))

    def objections(self, state: State, side: Side, order: Fortify) -> Iterator[Objection]:
        """Yield objections if the location has a disc, none is left, or the cards do not fit."""
        place = state.ruleset.catalogue.locations[order.target]
        if state.owner(place.id) is not side:
            yield control_objection(state, place.id)
        elif state.board[place.id].fortified:
            yield Objection("{place} is already fortified.", place=place.label)
        if state.fortifications_left() < 1:
            yield Objection("No fortification discs are left.", PIECES)
        yield from own_card_objections(state, side, place.id)
        card = find_card(state, side, order.fortification)
        if not card.military_defending:
            yield Objection("{card} is not a Fortification card.", card=card.label)

    def perform(self, state: State, side: Side, order: Fortify) -> None:
        """Play the cards and place the disc."""
        state.play(side, self.cards_played(state, side, order))
        state.place(order.target, state.board[order.target]._replace(fortified=True))
        state.report(Fortified(side, order.target))


def control_objection(state: State, location: str) -> Objection:
    """Return the objection if the side does not control a location.

    >>> from engine.state import new_game
    >>> control_objection(new_game(), "deerfield").reason
    Message('You do not control Deerfield.')
    """
    return Objection("You do not control {place}.", place=name(state, location))


def own_card_objections(state: State, side: Side, location: str) -> Iterator[Objection]:
    """Yield objections if the card of the player's location cannot be used to build there.

    >>> from engine.state import new_game
    >>> list(own_card_objections(new_game(), Side.BRITISH, "boston"))
    []
    """
    if state.owner(location) is side:
        yield from idle_objections(state, side, location)


# --- money


def _gold_objections(state: State, side: Side, card: str) -> Iterator[Objection]:
    if not find_card(state, side, card).money:
        yield Objection("{card} has no money symbol.", card=name(state, card))
    yield from idle_objections(state, side, card)


class TakeAction(Action[Take], kind=Take):
    """Take the money printed on one location card (ruling 16)."""

    def candidates(self, hand: Hand) -> Iterator[Take]:
        """Yield an order for every usable card in hand with money."""
        return (Take.of(card.id) for card in hand.usable if card.money)

    def objections(self, state: State, side: Side, order: Take) -> Iterator[Objection]:
        """Yield objections if the card has no money or cannot be used."""
        return _gold_objections(state, side, order.card)

    def perform(self, state: State, side: Side, order: Take) -> None:
        """Play the card and take its money."""
        state.play(side, order.cards)
        state.receive(side, find_card(state, side, order.card).money)


class MerchantAction(Action[Merchant], kind=Merchant):
    """Merchant: one ship card carries the gold of others; its own does not count (ruling 16)."""

    def candidates(self, hand: Hand) -> Iterator[Merchant]:
        """Yield an order for every ship card in hand and every choice of other gold cards."""
        gold = self.pool(hand)
        for ship in hand.cards_with_symbol("ship") if gold else ():
            cargo = gold.copy()
            if ship.id in cargo:
                cargo.remove(ship.id)
            limit = hand.state.ruleset.merchant_gold_cards or len(cargo)
            for cards in subsets(cargo, 1, limit):
                yield Merchant(cards=(ship.id, *cards))

    def pool(self, hand: Hand) -> list[str]:
        """Return the gold cards in hand."""
        return hand.cards_of_kinds([card.id for card in hand.usable if card.money])

    def objections(self, state: State, side: Side, order: Merchant) -> Iterator[Objection]:
        """Yield objections if a ship is missing, or the cards carried are not gold or too many."""
        yield from symbol_objections(state, side, order.ship, "ship")
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
            yield from _gold_objections(state, side, card)

    def perform(self, state: State, side: Side, order: Merchant) -> None:
        """Play the cards and take the gold."""
        state.play(side, order.cards)
        state.receive(side, sum(find_card(state, side, card).money for card in order.carried))


class TradeAction(Action[Trade], kind=Trade):
    """Trade: a Trader sells the furs of location cards for 2 money each (ruling 16)."""

    def cards_played(self, state: State, side: Side, order: Trade) -> tuple[str, ...]:
        """Return the Trader and the furs."""
        return (card_for_action(state, side, "trade"), *order.cards)

    def candidates(self, hand: Hand) -> Iterator[Trade]:
        """Yield an order for every choice of fur cards in hand, if a Trader is in hand."""
        furs = self.pool(hand)
        return (Trade(cards=cards) for cards in subsets(furs, 1, len(furs)))

    def pool(self, hand: Hand) -> list[str]:
        """Return the fur cards in hand, or no cards without a Trader."""
        if hand.by_action.get("trade") is None:
            return []
        return hand.cards_of_kinds([card.id for card in hand.usable if _has_fur(card)])

    def objections(self, state: State, side: Side, order: Trade) -> Iterator[Objection]:
        """Yield an objection to each card that is not a usable location card with a fur symbol."""
        for card in order.cards:
            yield from _fur_objections(state, side, card)

    def perform(self, state: State, side: Side, order: Trade) -> None:
        """Play the cards and take the money."""
        state.play(side, self.cards_played(state, side, order))
        state.receive(side, rules.FUR_VALUE * len(order.cards))


class SellFurAction(Action[SellFur], kind=SellFur):
    """Sell the fur of one location card without a Trader, as a free action (house rule)."""

    may_be_free = True

    def candidates(self, hand: Hand) -> Iterator[SellFur]:
        """Yield an order for every fur card in hand, if the rule is in play."""
        if hand.state.ruleset.has_rule("free-fur-money"):
            for card in hand.usable:
                if _has_fur(card):
                    yield SellFur.of(card.id)

    def objections(self, state: State, side: Side, order: SellFur) -> Iterator[Objection]:
        """Yield objections if the rule is not in play or the card has no fur symbol."""
        if not state.ruleset.has_rule("free-fur-money"):
            yield Objection(
                "Selling a fur without a Trader is a house rule, and this game is played without "
                "it.",
                "free-fur-money",
            )
        yield from _fur_objections(state, side, order.card)

    def perform(self, state: State, side: Side, order: SellFur) -> None:
        """Play the card and take the money."""
        state.play(side, order.cards)
        state.receive(side, rules.FREE_FUR_VALUE)


def _has_fur(card: Card) -> bool:
    return card.location is not None and "fur" in card.symbols


def _fur_objections(state: State, side: Side, card: str) -> Iterator[Objection]:
    if not _has_fur(find_card(state, side, card)):
        yield Objection(
            "{card} has no {symbol} symbol.", card=name(state, card), symbol=symbol_name("fur")
        )
    yield from idle_objections(state, side, card)


class PiracyAction(Action[Piracy], kind=Piracy):
    """Piracy: rob the British of 2 money with Louisbourg and a ship; the bank pays the rest."""

    def cards_played(self, state: State, side: Side, order: Piracy) -> tuple[str, ...]:
        """Return Louisbourg and the ship card."""
        return (card_for_action(state, side, "piracy"), *order.cards)

    def candidates(self, hand: Hand) -> Iterator[Piracy]:
        """Yield an order for every other ship card in hand, if Louisbourg is in hand."""
        base = hand.by_action.get("piracy")
        if base is not None and can_use(hand.state, hand.side, base):
            for ship in hand.cards_with_symbol("ship"):
                if hand.has_cards(base, ship.id):
                    yield Piracy.of(ship.id)

    def objections(self, state: State, side: Side, order: Piracy) -> Iterator[Objection]:
        """Yield objections if one of the cards cannot be used or the second one has no ship."""
        yield from idle_objections(state, side, card_for_action(state, side, "piracy"))
        yield from symbol_objections(state, side, order.ship, "ship")

    def perform(self, state: State, side: Side, order: Piracy) -> None:
        """Play the cards and move the money."""
        state.play(side, self.cards_played(state, side, order))
        victim = state.players[side.opponent]
        state.pay(side.opponent, min(victim.money, rules.PIRACY_VALUE))
        state.receive(side, rules.PIRACY_VALUE)

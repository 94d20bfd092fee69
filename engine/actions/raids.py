"""The rules of raids, ambushes and conversions, and of the replies to them.

A raid or an ambush can be blocked; an ambush or a conversion can cost the opponent a card.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions.action import (
    Action,
    Hand,
    Objection,
    find_card,
    idle_objections,
    name,
    reply_awaited,
    subsets,
)
from engine.catalogue import Card
from engine.events import (
    ActionReturned,
    AmbushBlocked,
    Ambushed,
    CardConverted,
    CardGivenUp,
    ConversionTried,
    HandShown,
    RaidBlocked,
    Raided,
    RaidSucceeded,
    SiegeLifted,
    TownReduced,
)
from engine.message import Message, mark
from engine.order import Order
from engine.orders import (
    Allow,
    Ambush,
    Block,
    Convert,
    Give,
    GiveFromReserve,
    GiveFromSiege,
    Raid,
    ShowHand,
)
from engine.position import (
    blocking_siege_locations,
    can_use,
    end_siege,
    move_marker,
    raid_distances,
    raid_obstacles,
    raid_reach,
)
from engine.sides import Side
from engine.state import Decision, State

# --- raids


class RaidAction(Action[Raid], kind=Raid):
    """Raid a location with one or more cards (ruling 12)."""

    def candidates(self, hand: Hand) -> Iterator[Raid]:
        """Yield an order for every location in reach and every choice of enough raiding cards."""
        leaders = {card.id for card in hand.cards if card.raid}
        if not leaders:
            return
        raiders, targets = self.pool(hand), raid_targets(hand.state, hand.side)
        for cards in subsets(raiders, 1, len(raiders)):
            for target, min_cards in targets.items() if not leaders.isdisjoint(cards) else ():
                if len(cards) >= min_cards:
                    yield Raid(target, cards)

    def pool(self, hand: Hand) -> list[str]:
        """Return the cards in hand that raid or extend a raid."""
        return hand.cards_of_kinds([card.id for card in hand.cards if _can_raid(card)])

    def cost(self, state: State, side: Side, order: Raid) -> int:
        """Return 1 money for each Native Americans card."""
        return sum(find_card(state, side, card).raid_cost for card in order.cards)

    def objections(self, state: State, side: Side, order: Raid) -> Iterator[Objection]:
        """Yield objections if the location is not the opponent's or the cards cannot raid it."""
        place, is_hostile = name(state, order.target), state.owner(order.target) is side.opponent
        if not is_hostile:
            yield Objection("{place} does not belong to the enemy.", place=place)
        raiding = [card for card in order.cards if _can_raid(find_card(state, side, card))]
        for card in order.cards:
            if card not in raiding:
                yield Objection("{card} cannot raid.", card=name(state, card))
        if raiding and not any(find_card(state, side, card).raid for card in raiding):
            yield Objection(
                "A Priest or Indian Leader only adds reach to a raid; play a card that can raid."
            )
        if is_hostile:
            yield from self._reach_objections(state, side, order)

    def _reach_objections(self, state: State, side: Side, order: Raid) -> Iterator[Objection]:
        """Yield an objection if the raiding cards do not reach the location."""
        place = name(state, order.target)
        if state.board[order.target].fortified:
            yield Objection("{place} is fortified, so it cannot be raided.", place=place)
            return
        if order.target in blocking_siege_locations(state, side):
            yield Objection(
                "{place} is under siege, and nobody raids into a siege, not even the besieger.",
                place=place,
            )
            return
        distance = raid_distances(state, side).get(order.target)
        reach = raid_reach(state, len(order.cards))
        if distance is not None and distance <= reach:
            return
        obstacles = raid_obstacles(state, side, order.target, reach)
        if obstacles:
            (obstacle, is_siege), *_ = obstacles
            sentence = _OBSTACLE_REASONS[is_siege, distance is not None]
            yield Objection(sentence, place=place, bar=name(state, obstacle))
        elif distance is None:
            yield Objection(
                "No raid can reach {place}: fortifications or sieges bar the way, or nothing leads "
                "there.",
                place=place,
            )
        else:
            yield Objection(
                Message.counted(
                    "{place} is too far away: these cards reach {count} connection.",
                    "{place} is too far away: these cards reach {count} connections.",
                    reach,
                    place=place,
                )
            )

    def perform(self, state: State, side: Side, order: Raid) -> None:
        """Play the cards and await the reply."""
        state.play(side, order.cards)
        state.report(Raided(side, order.target, order.cards))
        state.awaiting = reply_awaited(state, Decision.RAID_REPLY, order.target)


def raid_targets(state: State, side: Side) -> dict[str, int]:
    """Return the opponent's locations that a raid can reach, each with the number of cards needed.

    >>> from engine.state import new_game
    >>> raid_targets(new_game(), Side.FRENCH)["pemaquid"]
    2
    """
    distances, owner = raid_distances(state, side), side.opponent
    targets = [p for p, piece in state.board.items() if piece.owner is owner and p in distances]
    return {place: max(1, distances[place] - raid_reach(state, 0)) for place in targets}


_OBSTACLE_REASONS = {
    (True, False): mark(
        "The siege of {bar} bars the way to {place}: no raid can start there or pass through."
    ),
    (True, True): mark(
        "The siege of {bar} bars the short way to {place}: no raid can start there or pass "
        "through, and any other way is too long for these cards."
    ),
    (False, False): mark(
        "The fortification of {bar} bars the way to {place}: no raid can pass it."
    ),
    (False, True): mark(
        "The fortification of {bar} bars the short way to {place}: no raid can pass it, and any "
        "other way is too long for these cards."
    ),
}
"""The reasons why a raid falls short, by a pair: is it barred by a siege, is there a detour."""


def _can_raid(card: Card) -> bool:
    return card.raid or card.extends_raid


# --- replies to a raid

_CANNOT_BLOCK = {
    Decision.RAID_REPLY: mark("{card} cannot block a raid."),
    Decision.AMBUSH_REPLY: mark("{card} cannot block an ambush."),
}


class BlockAction(Action[Block], kind=Block):
    """Block a raid or an ambush with one card from hand, for free (rulings 13, 14)."""

    decisions = frozenset({Decision.RAID_REPLY, Decision.AMBUSH_REPLY})

    def candidates(self, hand: Hand) -> Iterator[Block]:
        """Yield an order for every card in hand that blocks the attack."""
        for card in hand.cards:
            if self._can_block(hand.state, hand.side, card):
                yield Block.of(card.id)

    def objections(self, state: State, side: Side, order: Block) -> Iterator[Objection]:
        """Yield an objection if the card does not block the attack."""
        card = order.card
        if self._can_block(state, side, find_card(state, side, card)):
            return
        if card == state.awaiting.location:
            yield from idle_objections(state, side, card)
        else:
            yield Objection(_CANNOT_BLOCK[state.awaiting.decision], card=name(state, card))

    def perform(self, state: State, side: Side, order: Block) -> None:
        """Play the card; the attack fails."""
        state.play(side, order.cards)
        (card,), raided = order.cards, state.awaiting.location
        state.report(RaidBlocked(side, raided, card) if raided else AmbushBlocked(side, card))
        return_action(state)

    @staticmethod
    def _can_block(state: State, side: Side, card: Card) -> bool:
        if state.awaiting.decision is Decision.AMBUSH_REPLY:
            return card.blocks_ambush
        own_card = card.location == state.awaiting.location
        return card.blocks_raid or (own_card and can_use(state, side, card.id))


def return_action(state: State) -> None:
    """Return the action spent on a blocked attack, if a house rule does so."""
    is_raid = state.awaiting.decision is Decision.RAID_REPLY
    if state.ruleset.has_rule("blocked-raid-free" if is_raid else "blocked-ambush-free"):
        state.actions_left += 1
        state.report(ActionReturned(state.active))


class AllowAction(Action[Allow], kind=Allow):
    """Let a raid happen (ruling 13)."""

    decisions = frozenset({Decision.RAID_REPLY})

    def candidates(self, hand: Hand) -> Iterator[Allow]:
        """Yield the only order to allow the raid."""
        yield Allow()

    def perform(self, state: State, side: Side, order: Allow) -> None:
        """Remove the piece: a town becomes a village if one is left, else the location neutral."""
        location = state.awaiting.location
        assert location is not None
        piece = state.board[location]
        points = state.keep_captured(side.opponent, town=piece.town)
        is_reduced = piece.town and state.villages_left(side) > 0
        state.place(location, piece._replace(town=False) if is_reduced else None)
        state.report(RaidSucceeded(side.opponent, location, piece.town, points))
        if is_reduced:
            state.report(TownReduced(side, location))
        besieger = state.besieger(location)
        if not is_reduced and besieger is not None:
            # No piece is left to besiege, so the siege ends without a loser.
            state.report(SiegeLifted(besieger, location))
            end_siege(state, besieger, None, None)


# --- ambushes and conversions


class AmbushAction(Action[Ambush], kind=Ambush):
    """Ambush the opponent's hand and reserve (ruling 14)."""

    def candidates(self, hand: Hand) -> Iterator[Ambush]:
        """Yield an order for every card in hand that can ambush."""
        return (Ambush.of(card.id) for card in hand.cards if card.ambush)

    def cost(self, state: State, side: Side, order: Ambush) -> int:
        """Return 1 money for Native Americans."""
        return find_card(state, side, order.card).ambush_cost

    def objections(self, state: State, side: Side, order: Ambush) -> Iterator[Objection]:
        """Yield an objection if the card cannot ambush."""
        card = find_card(state, side, order.card)
        if not card.ambush:
            yield Objection("{card} cannot ambush.", card=card.label)

    def perform(self, state: State, side: Side, order: Ambush) -> None:
        """Play the card and await the reply."""
        state.play(side, order.cards)
        state.report(Ambushed(side, order.card))
        state.awaiting = reply_awaited(state, Decision.AMBUSH_REPLY)


class ConvertAction(Action[Convert], kind=Convert):
    """Convert: claim a neutral Native Americans card (ruling 15)."""

    def candidates(self, hand: Hand) -> Iterator[Convert]:
        """Yield an order for every card in hand that can convert."""
        return (Convert.of(card.id) for card in hand.cards if card.action == "convert")

    def objections(self, state: State, side: Side, order: Convert) -> Iterator[Objection]:
        """Yield an objection if the card cannot convert."""
        card = find_card(state, side, order.card)
        if card.action != "convert":
            yield Objection("{card} is neither a Priest nor an Indian Leader.", card=card.label)

    def perform(self, state: State, side: Side, order: Convert) -> None:
        """Play the card and await the reply."""
        state.play(side, order.cards)
        state.report(ConversionTried(side, order.card))
        state.awaiting = reply_awaited(state, Decision.CONVERSION_REPLY)


# --- replies to an ambush or a conversion

_NOT_LOST = {
    Decision.AMBUSH_REPLY: mark("An ambush cannot take {card}."),
    Decision.CONVERSION_REPLY: mark("A conversion cannot take {card}."),
}
_HOLDS = {
    Decision.AMBUSH_REPLY: mark("You hold {card}: give it up, or block if you can."),
    Decision.CONVERSION_REPLY: mark("You hold {card}: give it up."),
}


class _GiveAction(Action[Order]):
    """The base of the rules for giving up the card that an ambush or a conversion costs."""

    decisions = frozenset({Decision.AMBUSH_REPLY, Decision.CONVERSION_REPLY})

    def objections(self, state: State, side: Side, order: Order) -> Iterator[Objection]:
        """Yield an objection if the attack cannot cost the card."""
        card = find_card(state, side, order.cards[0])
        if not _can_cost(state, card):
            yield Objection(_NOT_LOST[state.awaiting.decision], card=card.label)

    def _surrender(self, state: State, side: Side, card: str, siege: str | None = None) -> None:
        if state.awaiting.decision is Decision.AMBUSH_REPLY:
            state.give_back(side, card)
            state.report(CardGivenUp(side, siege, card))
        else:
            state.discard(side.opponent, (card,))
            state.report(CardConverted(side, card))


class GiveAction(_GiveAction, kind=Give):
    """Give up a card from hand."""

    def candidates(self, hand: Hand) -> Iterator[Order]:
        """Yield an order for every card in hand that the attack can cost."""
        return (Give.of(card.id) for card in hand.cards if _can_cost(hand.state, card))

    def perform(self, state: State, side: Side, order: Order) -> None:
        """Give up the card from the hand."""
        state.take_from_hand(side, order.cards)
        self._surrender(state, side, order.cards[0])


class GiveFromReserveAction(_GiveAction, kind=GiveFromReserve):
    """Give up a card from the reserve."""

    def candidates(self, hand: Hand) -> Iterator[Order]:
        """Yield an order for every card in the reserve that the attack can cost."""
        for card in sorted({*hand.player.reserve}):
            if _can_cost(hand.state, find_card(hand.state, hand.side, card)):
                yield GiveFromReserve.of(card)

    def objections(self, state: State, side: Side, order: Order) -> Iterator[Objection]:
        """Yield objections if the card is not in the reserve or the attack cannot cost it."""
        card = order.cards[0]
        if card not in state.players[side].reserve:
            yield Objection("{card} is not in reserve.", card=name(state, card))
        yield from super().objections(state, side, order)

    def perform(self, state: State, side: Side, order: Order) -> None:
        """Give up the card from the reserve."""
        state.players[side].reserve.remove(order.cards[0])
        self._surrender(state, side, order.cards[0])


class GiveFromSiegeAction(_GiveAction, kind=GiveFromSiege):
    """Give up a card at a siege, which changes its strength (house rule)."""

    decisions = frozenset({Decision.AMBUSH_REPLY})

    def candidates(self, hand: Hand) -> Iterator[Order]:
        """Yield an order for every card at a siege that the ambush can cost."""
        for location, card in ambushed_at_sieges(hand.state, hand.side):
            yield GiveFromSiege(location, (card,))

    def objections(self, state: State, side: Side, order: Order) -> Iterator[Objection]:
        """Yield objections if the rule is not in play or the ambush cannot cost the card."""
        card, place = order.cards[0], name(state, order.target)
        if not state.ruleset.has_rule("ambush-reaches-sieges"):
            yield Objection(
                "Only a house rule lets an ambush reach a siege, and this game is played without "
                "it.",
                "ambush-reaches-sieges",
            )
        besieger = state.besieger(order.target)
        if besieger is None:
            yield Objection("{place} is not under siege.", place=place)
        elif card not in state.sieges[besieger].cards[side]:
            yield Objection(
                "You have no {card} at the siege of {place}.", card=name(state, card), place=place
            )
        yield from super().objections(state, side, order)

    def perform(self, state: State, side: Side, order: Order) -> None:
        """Give up the card from the siege."""
        besieger = state.besieger(order.target)
        assert besieger is not None
        state.sieges[besieger].cards[side].remove(order.cards[0])
        self._surrender(state, side, order.cards[0], order.target)
        move_marker(state, besieger)


def ambushed_at_sieges(state: State, side: Side) -> list[tuple[str, str]]:
    """Return the (location, card) pairs at sieges that an ambush can cost `side` (house rule).

    >>> from engine.state import new_game
    >>> ambushed_at_sieges(new_game(), Side.BRITISH)
    []
    """
    if not state.ruleset.has_rule("ambush-reaches-sieges"):
        return []
    pairs = {
        (siege.location, card)
        for siege in state.sieges.values()
        for card in siege.cards[side]
        if find_card(state, side, card).ambushable
    }
    return sorted(pairs)


class ShowHandAction(Action[ShowHand], kind=ShowHand):
    """Show the whole hand to prove that it has no card to give up."""

    decisions = frozenset({Decision.AMBUSH_REPLY, Decision.CONVERSION_REPLY})

    def candidates(self, hand: Hand) -> Iterator[ShowHand]:
        """Yield the order if there are no objections."""
        order = ShowHand()
        if next(self.objections(hand.state, hand.side, order), None) is None:
            yield order

    def objections(self, state: State, side: Side, order: ShowHand) -> Iterator[Objection]:
        """Yield objections if a card is hidden or could be given up."""
        player = state.players[side]
        if player.hidden:
            yield Objection("Showing your hand means showing all of it.")
        decision = state.awaiting.decision
        for card in (*player.hand, *player.reserve):
            if _can_cost(state, find_card(state, side, card)):
                yield Objection(_HOLDS[decision], card=name(state, card))
        is_ambush = decision is Decision.AMBUSH_REPLY
        for location, card in ambushed_at_sieges(state, side) if is_ambush else ():
            yield Objection(
                "You have {card} at the siege of {place}: give it up.",
                card=name(state, card),
                place=name(state, location),
            )

    def perform(self, state: State, side: Side, order: ShowHand) -> None:
        """Report the cards; the turn continues."""
        state.report(HandShown(side, tuple(sorted(state.players[side].hand))))


def _can_cost(state: State, card: Card) -> bool:
    ambush = state.awaiting.decision is Decision.AMBUSH_REPLY
    return card.ambushable if ambush else card.convertible

"""The facts of a position, from a state as somebody may see it: nothing here knows more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from engine.catalogue import Card
from engine.endings import endings
from engine.geography import can_reinforce, supplied, why_idle
from engine.scoring import score, winner_on_points
from engine.sides import Side
from engine.siege import (
    BESIEGER_WINS_AT,
    DEFENDER_WINS_AT,
    card_strength,
    defence,
    siege_strength,
    standing_winner,
)
from engine.state import Decision, Siege, State
from engine.unseen import unseen
from pbem.text.facts.shape import (
    CardFacts,
    HandFacts,
    LocationFacts,
    OutcomeFacts,
    PositionFacts,
    ReachFacts,
    SideFacts,
    SiegeCardFacts,
    SiegeFacts,
    SiegeSideFacts,
    StockFacts,
    UnseenFacts,
)


def position_facts(
    state: State,
    viewer: Side | None,
    ahead: Sequence[str] = (),
    also: Collection[Side] = (),
) -> PositionFacts:
    """All that `state`, the view of `viewer`, shows.

    `ahead` are the next cards of the viewer's draw pile that can be seen; the hands of `also` are
    open too.
    """
    open_sides = {viewer, *also}
    decision, side, location, amount, *_ = state.awaiting
    return {
        "viewer": viewer.value if viewer else None,
        "turn": state.turn + 1,
        "active": state.active.value,
        "awaited": {
            "decision": decision.value,
            "side": side.value,
            "location": location,
            "amount": amount,
            "actions_left": state.actions_left if decision is Decision.TURN else 0,
        },
        "outcome": _outcome(state),
        "leads": winner_on_points(state).value,
        "endings": [
            {
                "by": ending.by.value,
                "side": ending.side.value,
                "left": ending.left,
                "location": ending.location,
                "waits": ending.waits,
                "due": ending.is_due,
            }
            for side in Side
            for ending in endings(state, side)
        ],
        "sides": {
            side.value: _side(state, side, side in open_sides, ahead if side is viewer else ())
            for side in Side
        },
        "neutral": _stock(state, Side.BRITISH, state.neutral),
        "fortifications_left": state.fortifications_left(),
        "locations": location_facts(state),
        "sieges": [_siege(state, besieger, siege) for besieger, siege in state.sieges.items()],
    }


# --- how it ends


def _outcome(state: State) -> OutcomeFacts | None:
    if state.outcome is None:
        return None
    return {"winner": state.outcome.winner.value, "reason": str(state.outcome.reason)}


# --- what a side has


def _side(state: State, side: Side, is_open: bool, ahead: Sequence[str]) -> SideFacts:
    player, points = state.players[side], score(state, side)
    return {
        "money": player.money,
        "points": {
            "locations": points.total - points.captured,
            "captures": points.captured,
            "total": points.total,
        },
        "villages_left": state.villages_left(side),
        "towns_left": state.towns_left(side),
        "villages_captured": player.captured_villages,
        "towns_captured": player.captured_towns,
        "hand": hand_facts(state, side, is_open=is_open, ahead=ahead),
        "unseen": _unseen(state, side),
        "draw_pile": len(player.draw_pile),
        "discard_pile": sorted(player.discard),
        "reserve": sorted(player.reserve),
        "available": _stock(state, side, player.empire),
    }


def hand_facts(
    state: State, side: Side, *, is_open: bool = True, ahead: Sequence[str] = ()
) -> HandFacts:
    """A hand as far as it is known; in an open one, what is face down comes with an answer."""
    player = state.players[side]
    decision, awaited, *_ = state.awaiting
    asked = state.awaiting.amount if decision is Decision.DRAW and awaited is side else 0
    # Foreseen cards lie face down in front of their own player.
    foreseen = len(player.hidden) if is_open else 0
    return {
        "size": player.hand_size,
        "open": is_open,
        "cards": [card_facts(state, side, card) for card in sorted(player.hand)],
        "face_down": len(player.hidden) - foreseen,
        "coming": asked + foreseen,
        "ahead": list(ahead),
    }


def card_facts(state: State, side: Side, card: str) -> CardFacts:
    """What a card in hand is good for in a position."""
    printed = state.ruleset.card(side, card)
    raids = {
        "raid": printed.raid,
        "extend-raid": printed.extends_raid,
        "ambush": printed.ambush,
        "block-raid": printed.blocks_raid,
        "block-ambush": printed.blocks_ambush,
    }
    return {
        "card": card,
        "symbols": sorted(printed.symbols),
        "money": printed.money,
        "strength": printed.military,
        "strength_defending": printed.military_defending,
        "action": printed.action,
        "raids": [part for part, can in raids.items() if can],
        "reaches": _reaches(state, side, printed),
        "idle": next(iter(why_idle(state, side, card)), None),
    }


def _reaches(state: State, side: Side, printed: Card) -> list[ReachFacts]:
    places = sorted({place for reached in printed.reaches.values() for place in reached})
    return [
        {
            "location": place,
            "by": sorted(printed.transports_to(place)),
            "use": _use(state, side, place),
        }
        for place in places
    ]


def _use(state: State, side: Side, location: str) -> str | None:
    owner = state.owner(location)
    if owner is side.opponent:
        return "besiege"
    regains = location in state.players[side].locations
    return "settle" if owner is None or regains else None


def _unseen(state: State, side: Side) -> UnseenFacts:
    counted, cards = unseen(state, side), state.ruleset.catalogue.cards[side]
    blocking = {
        "raid": [card.id for card in cards.values() if card.blocks_raid],
        "ambush": [card.id for card in cards.values() if card.blocks_ambush],
    }
    return {
        "pools": [
            {
                "shuffle": pool.epoch,
                "cards": _copies(pool.cards),
                "in_hand": pool.in_hand,
                "in_draw_pile": pool.in_pile,
            }
            for pool in counted.pools
        ],
        "surely_in_hand": _copies(counted.surely_in_hand.elements()),
        "surely_in_draw_pile": _copies(counted.surely_in_pile.elements()),
        "chances": {card: round(float(counted.chance(card)), 4) for card in counted.kinds},
        "blocks_raid": round(float(counted.chance(*blocking["raid"])), 4),
        "blocks_ambush": round(float(counted.chance(*blocking["ambush"])), 4),
    }


def _copies(cards: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(cards).items()))


def _stock(state: State, side: Side, stock: Mapping[str, int]) -> list[StockFacts]:
    """What can be drafted from a stock, the cheapest first."""
    kinds: list[StockFacts] = [
        {"card": card, "price": state.ruleset.card(side, card).cost, "copies": copies}
        for card, copies in stock.items()
        if copies
    ]
    return sorted(kinds, key=lambda kind: (kind["price"], kind["card"]))


# --- the board


def location_facts(state: State) -> list[LocationFacts]:
    """Every location, by its id: who holds it with what."""
    in_supply = {side: supplied(state, side) for side in Side}
    points = {side: score(state, side).locations for side in Side}
    found: list[LocationFacts] = []
    for place in state.ruleset.catalogue.locations.values():
        settlement, besieger = state.board.get(place.id), state.besieger(place.id)
        owner = settlement.owner if settlement else None
        found.append(
            {
                "location": place.id,
                "value": place.victory_points,
                "owner": owner.value if owner else None,
                "piece": ("town" if settlement.town else "village") if settlement else None,
                "fortified": bool(settlement and settlement.fortified),
                "besieger": besieger.value if besieger else None,
                "supplied": owner is not None and place.id in in_supply[owner],
                "points": points[owner][place.id] if owner else 0,
            }
        )
    return sorted(found, key=lambda place: place["location"])


def _siege(state: State, besieger: Side, siege: Siege) -> SiegeFacts:
    defender, marker = besieger.opponent, siege_strength(state, besieger)
    winner = standing_winner(state, besieger)
    return {
        "location": siege.location,
        "besieger": besieger.value,
        "defender": defender.value,
        "marker": marker,
        "beyond": siege.beyond,
        "besieger_wins_at": BESIEGER_WINS_AT,
        "defender_wins_at": DEFENDER_WINS_AT,
        "place": defence(state, siege.location),
        "sides": {
            besieger.value: _siege_side(
                state, besieger, siege, BESIEGER_WINS_AT - marker, DEFENDER_WINS_AT + 1 - marker
            ),
            defender.value: _siege_side(
                state, defender, siege, marker - DEFENDER_WINS_AT, marker - BESIEGER_WINS_AT + 1
            ),
        },
        "winner": winner.value if winner else None,
        "won": siege.won,
        "cost": siege.cost,
    }


def _siege_side(
    state: State, side: Side, siege: Siege, wins_with: int, holds_with: int
) -> SiegeSideFacts:
    cards: list[SiegeCardFacts] = [
        {"card": card, "strength": card_strength(state, side, card, siege.location)}
        for card in siege.cards[side]
    ]
    own = state.owner(siege.location) is side
    place = defence(state, siege.location) if own else 0
    return {
        "cards": cards,
        "strength": sum(card["strength"] for card in cards) + place,
        "wins_with": max(0, wins_with),
        "holds_with": max(0, holds_with),
        "supplied": can_reinforce(state, side, siege.location),
    }

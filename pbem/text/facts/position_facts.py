"""Facts of a position as one viewer sees it, derived from that viewer's state alone.

All screens and --json are made from them; docs/json.md has the keys. Cards and locations are ids,
as in records. A scene is the position after one turn, to be drawn.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from engine.events import RaidBlocked
from engine.foresight import deduce_hand
from engine.message import Message
from engine.orders import Raid
from engine.position import (
    BESIEGER_WINS_AT,
    DEFENDER_WINS_AT,
    can_reinforce,
    card_strength,
    current_winner,
    defence,
    idle_reasons,
    raid_path_lengths,
    score,
    siege_strength,
    supplied_locations,
    winner_on_points,
)
from engine.sides import Side
from engine.state import Decision, EndReason, Outcome, Siege, State
from engine.turn import endings, side_of_turn
from pbem.play.look import Look
from pbem.protocol.hand import positions
from pbem.protocol.table import Move
from pbem.text.facts.chronicle import Chronicle, PlayedTurn, dropped_in


class ReachFacts(NamedTuple):
    """A connection printed on a card: the symbols that lead to a location, and its use now.

    `use` is "settle" or "besiege", or None if the card's owner can do neither there.
    """

    location: str
    by: tuple[str, ...]
    use: str | None


class CardFacts(NamedTuple):
    """A card in a hand; `idle` is "lost", "besieged", "without supply", or None for a usable card.

    `raids` are its roles in raids and ambushes: raid, extend-raid, ambush, block-raid,
    block-ambush.
    """

    card: str
    symbols: tuple[str, ...]
    money: int
    strength: int
    strength_defending: int
    action: str | None
    raids: tuple[str, ...]
    reaches: tuple[ReachFacts, ...]
    idle: str | None


class HandFacts(NamedTuple):
    """A hand: the `cards` known to the viewer, and how many are face down or still to come.

    A hand is `open` to its player, and to all viewers once that player has closed the game. `ahead`
    are the next cards of the draw pile, if they can be seen.
    """

    size: int
    open: bool
    cards: tuple[CardFacts, ...]
    face_down: int
    coming: int
    ahead: tuple[str, ...]


class PoolFacts(NamedTuple):
    """The unseen cards of one shuffle, with their numbers in hand and in the draw pile."""

    shuffle: int
    cards: dict[str, int]
    in_hand: int
    in_draw_pile: int


class UnseenFacts(NamedTuple):
    """Deductions about face-down cards: see `engine.foresight`.

    `chances` are the chances that at least one copy is in hand; `blocks_raid` and `blocks_ambush`
    the chances that the hand can block any raid (without the card of the raided location) or an
    ambush.
    """

    pools: tuple[PoolFacts, ...]
    surely_in_hand: dict[str, int]
    surely_in_draw_pile: dict[str, int]
    chances: dict[str, float]
    blocks_raid: float
    blocks_ambush: float


class StockFacts(NamedTuple):
    """A kind of card that can be drafted: its price in money, and the number of copies."""

    card: str
    price: int
    copies: int


class ScoreFacts(NamedTuple):
    """Victory points: for locations, for captured pieces, and in total."""

    locations: int
    captures: int
    total: int


class SideFacts(NamedTuple):
    """The possessions of one side."""

    money: int
    points: ScoreFacts
    villages_left: int
    towns_left: int
    villages_captured: int
    towns_captured: int
    hand: HandFacts
    unseen: UnseenFacts
    draw_pile: int
    discard_pile: tuple[str, ...]
    reserve: tuple[str, ...]
    available: tuple[StockFacts, ...]


class LocationFacts(NamedTuple):
    """A location: its owner and piece, and the `points` that it counts now.

    `value` is the points of a village there; `supplied` is true if the owner's piece is in supply.
    """

    location: str
    value: int
    owner: Side | None
    piece: str | None
    fortified: bool
    besieger: Side | None
    supplied: bool
    points: int


class SiegeCardFacts(NamedTuple):
    """A card at a siege, and the strength it adds there."""

    card: str
    strength: int


class SiegeSideFacts(NamedTuple):
    """One side of a siege.

    `wins_with` is the strength that it has to add in order to win with the marker as it stands,
    `holds_with` the strength in order not to lose; both are 0 if no strength is needed.
    `supplied` is true if it can add a card now.
    """

    cards: tuple[SiegeCardFacts, ...]
    strength: int
    wins_with: int
    holds_with: int
    supplied: bool


class SiegeFacts(NamedTuple):
    """A siege: the marker on its track, positive for the besieger, and the winner as it stands.

    `place` is the strength of the location itself, `beyond` the strength that the besieger lost
    past the end of the track. `won` is true if it only has to be resolved; `cost` is the card that
    its loser has chosen to give back.
    """

    location: str
    besieger: Side
    defender: Side
    marker: int
    beyond: int
    besieger_wins_at: int
    defender_wins_at: int
    place: int
    sides: dict[Side, SiegeSideFacts]
    winner: Side | None
    won: bool
    cost: str | None


class EndingFacts(NamedTuple):
    """A way for a side to end the game: see `engine.turn.Ending`.

    `due` is true if it ends the game at the start of the side's next turn, unless things change.
    """

    by: EndReason
    side: Side
    left: int | None
    location: str | None
    waits: bool
    due: bool


class OutcomeFacts(NamedTuple):
    """The end of a game: the winner, and the reason in English."""

    winner: Side
    reason: Message


class AwaitedFacts(NamedTuple):
    """The decision or draw that comes next in the position; `side` makes it."""

    decision: Decision
    side: Side
    location: str | None
    amount: int
    actions_left: int


class PositionFacts(NamedTuple):
    """A position as one viewer sees it; `viewer` is the side of a player, None for a spectator.

    `leads` is the side that would win on points now.
    """

    viewer: Side | None
    turn: int
    active: Side
    awaited: AwaitedFacts
    outcome: OutcomeFacts | None
    leads: Side
    endings: tuple[EndingFacts, ...]
    sides: dict[Side, SideFacts]
    neutral: tuple[StockFacts, ...]
    fortifications_left: int
    locations: tuple[LocationFacts, ...]
    sieges: tuple[SiegeFacts, ...]


def position_facts(
    state: State, viewer: Side | None, ahead: Sequence[str] = (), open_sides: Collection[Side] = ()
) -> PositionFacts:
    """Return the facts of `state`, which is the view of `viewer`.

    `ahead` are the next cards of the viewer's draw pile that can be seen. The hands of
    `open_sides` are shown as well as the viewer's.
    """
    visible_sides = {viewer, *open_sides}
    decision, side, location, amount, *_ = state.awaiting
    actions_left = state.actions_left if decision is Decision.TURN else 0
    return PositionFacts(
        viewer=viewer,
        turn=state.turn + 1,
        active=state.active,
        awaited=AwaitedFacts(decision, side, location, amount, actions_left),
        outcome=outcome_facts(state.outcome),
        leads=winner_on_points(state),
        endings=tuple(
            EndingFacts(*ending, ending.is_due) for side in Side for ending in endings(state, side)
        ),
        sides={
            side: _side_facts(state, side, side in visible_sides, ahead if side is viewer else ())
            for side in Side
        },
        neutral=_stock(state, Side.BRITISH, state.neutral),
        fortifications_left=state.fortifications_left(),
        locations=location_facts(state),
        sieges=tuple(
            siege_facts(state, besieger, siege) for besieger, siege in state.sieges.items()
        ),
    )


def outcome_facts(outcome: Outcome | None) -> OutcomeFacts | None:
    """Return the facts of an outcome, or None while the game continues."""
    return OutcomeFacts(outcome.winner, outcome.reason) if outcome else None


# --- possessions of a side


def _side_facts(state: State, side: Side, is_open: bool, ahead: Sequence[str]) -> SideFacts:
    player, points = state.players[side], score(state, side)
    return SideFacts(
        money=player.money,
        points=ScoreFacts(
            points.total - points.captured_points, points.captured_points, points.total
        ),
        villages_left=state.villages_left(side),
        towns_left=state.towns_left(side),
        villages_captured=player.captured_villages,
        towns_captured=player.captured_towns,
        hand=hand_facts(state, side, is_open=is_open, ahead=ahead),
        unseen=_unseen_facts(state, side),
        draw_pile=len(player.draw_pile),
        discard_pile=tuple(sorted(player.discard)),
        reserve=tuple(sorted(player.reserve)),
        available=_stock(state, side, player.empire),
    )


def hand_facts(
    state: State, side: Side, *, is_open: bool = True, ahead: Sequence[str] = ()
) -> HandFacts:
    """Return the facts of a hand; face-down cards of an open hand count as still to come."""
    player = state.players[side]
    decision, awaited, *_ = state.awaiting
    drawn = state.awaiting.amount if decision is Decision.DRAW and awaited is side else 0
    # Foreseen cards lie face down in front of their own player.
    foreseen = len(player.hidden) if is_open else 0
    return HandFacts(
        size=player.hand_size,
        open=is_open,
        cards=tuple(card_facts(state, side, card) for card in sorted(player.hand)),
        face_down=len(player.hidden) - foreseen,
        coming=drawn + foreseen,
        ahead=tuple(ahead),
    )


def card_facts(state: State, side: Side, card: str) -> CardFacts:
    """Return the uses of a card in hand in a position."""
    printed = state.ruleset.card(side, card)
    raids = {
        "raid": printed.raid,
        "extend-raid": printed.extends_raid,
        "ambush": printed.ambush,
        "block-raid": printed.blocks_raid,
        "block-ambush": printed.blocks_ambush,
    }
    return CardFacts(
        card=card,
        symbols=tuple(sorted(printed.symbols)),
        money=printed.money,
        strength=printed.military,
        strength_defending=printed.military_defending,
        action=printed.action,
        raids=tuple(part for part, can in raids.items() if can),
        reaches=tuple(
            ReachFacts(place, tuple(sorted(by)), _reach_use(state, side, place))
            for place, by in printed.ways.items()
        ),
        idle=next(iter(idle_reasons(state, side, card)), None),
    )


def _reach_use(state: State, side: Side, location: str) -> str | None:
    owner = state.owner(location)
    if owner is side.opponent:
        return "besiege"
    regains = location in state.players[side].locations
    return "settle" if owner is None or regains else None


def _unseen_facts(state: State, side: Side) -> UnseenFacts:
    odds, cards = deduce_hand(state, side), state.ruleset.catalogue.cards[side].values()
    raid = odds.chance(*(card.id for card in cards if card.blocks_raid))
    ambush = odds.chance(*(card.id for card in cards if card.blocks_ambush))
    return UnseenFacts(
        pools=tuple(
            PoolFacts(pool.epoch, _copies(pool.cards), pool.in_hand, pool.in_pile)
            for pool in odds.pools
        ),
        surely_in_hand=_copies(odds.surely_in_hand.elements()),
        surely_in_draw_pile=_copies(odds.surely_in_pile.elements()),
        chances={card: round(float(odds.chance(card)), 4) for card in odds.possible_cards},
        blocks_raid=round(float(raid), 4),
        blocks_ambush=round(float(ambush), 4),
    )


def _copies(cards: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(cards).items()))


def _stock(state: State, side: Side, stock: Mapping[str, int]) -> tuple[StockFacts, ...]:
    """Return the cards that can be drafted from a stock, cheapest first."""
    kinds = sorted((state.ruleset.card(side, card).cost, card) for card, n in stock.items() if n)
    return tuple(StockFacts(card, price, stock[card]) for price, card in kinds)


# --- the board


def location_facts(state: State) -> tuple[LocationFacts, ...]:
    """Return the facts of every location, sorted by id."""
    in_supply = {side: supplied_locations(state, side) for side in Side}
    points = {side: score(state, side).locations for side in Side}
    besiegers = {siege.location: side for side, siege in state.sieges.items()}
    facts = []
    for id, place in sorted(state.ruleset.catalogue.locations.items()):
        value, besieger = place.victory_points, besiegers.get(id)
        if id not in state.board:
            facts.append(LocationFacts(id, value, None, None, False, besieger, False, 0))
            continue
        owner, town, fort = state.board[id]
        piece, is_supplied = "town" if town else "village", id in in_supply[owner]
        counts = points[owner][id]
        facts.append(LocationFacts(id, value, owner, piece, fort, besieger, is_supplied, counts))
    return tuple(facts)


def siege_facts(state: State, besieger: Side, siege: Siege) -> SiegeFacts:
    """Return the siege that a side has begun."""
    defender, marker = besieger.opponent, siege_strength(state, besieger)
    return SiegeFacts(
        location=siege.location,
        besieger=besieger,
        defender=defender,
        marker=marker,
        beyond=siege.beyond,
        besieger_wins_at=BESIEGER_WINS_AT,
        defender_wins_at=DEFENDER_WINS_AT,
        place=defence(state, siege.location),
        sides={
            besieger: _siege_side_facts(
                state, besieger, siege, BESIEGER_WINS_AT - marker, DEFENDER_WINS_AT + 1 - marker
            ),
            defender: _siege_side_facts(
                state, defender, siege, marker - DEFENDER_WINS_AT, marker - BESIEGER_WINS_AT + 1
            ),
        },
        winner=current_winner(state, besieger),
        won=siege.won,
        cost=siege.cost,
    )


def _siege_side_facts(
    state: State, side: Side, siege: Siege, wins_with: int, holds_with: int
) -> SiegeSideFacts:
    cards = tuple(
        SiegeCardFacts(card, card_strength(state, side, card, siege.location))
        for card in siege.cards[side]
    )
    is_own = state.owner(siege.location) is side
    place = defence(state, siege.location) if is_own else 0
    return SiegeSideFacts(
        cards=cards,
        strength=sum(card.strength for card in cards) + place,
        wins_with=max(0, wins_with),
        holds_with=max(0, holds_with),
        supplied=can_reinforce(state, side, siege.location),
    )


# --- the positions of a game, turn by turn


class RaidFacts(NamedTuple):
    """A raid of `side`: the locations along its path, from its own to the raided one."""

    side: Side
    path: tuple[str, ...]
    blocked: bool


class Scene(NamedTuple):
    """The position after a turn as one viewer sees it; the scene of turn 0 shows the setup.

    `raids` are the raids of the turn in sequence. `state` is the position as the viewer sees it,
    `facts` are its facts, and `before` the facts of the previous scene. `is_last` is true for the
    current position, whose turn may be under way.
    """

    turn: PlayedTurn
    state: State
    facts: PositionFacts
    before: PositionFacts | None
    raids: tuple[RaidFacts, ...] = ()
    is_last: bool = False
    is_under_way: bool = False

    @property
    def number(self) -> int:
        """The number of the turn."""
        return self.turn.number


def scenes(chronicle: Chronicle) -> list[Scene]:
    """Return a scene for each turn, the setup included, as the viewer of the chronicle sees it."""
    match = chronicle.match
    has_raid = any(isinstance(move.order, Raid) for move in match.moves)
    # A raid's way depends on the position before it, which takes a replay.
    states = (state for _, state in positions(match)) if has_raid else ()
    raids = _raids_by_turn(zip(states, match.moves[1:], strict=False))
    result: list[Scene] = []
    for turn in chronicle.turns:
        state = chronicle.view(turn.number)
        facts = position_facts(state, chronicle.viewer, open_sides=chronicle.look.open_sides)
        before = result[-1].facts if result else None
        result.append(Scene(turn, state, facts, before, tuple(raids[turn.number - 1])))
    result[-1] = result[-1]._replace(is_last=True, is_under_way=chronicle.is_under_way)
    return result


def scene_now(look: Look, past: Chronicle) -> Scene:
    """Return the current position as a scene for a viewer; `past` is the chronicle of the file.

    The scene marks the changes since the viewer's last order before this turn, or those by the
    orders given so far in the turn.
    """
    match, count = look.match, past.seen_moves
    moves = match.moves[len(look.whole.moves) :]
    if any(move.order and move.side is look.viewer for move in moves):
        count = len(look.whole.moves)
    old_state = past.view_after(count)
    turn = PlayedTurn(
        number=match.turn,
        side=match.state.active,
        time=look.whole.last.time,
        records=range(look.whole.last.index, len(match.records)),
        moves=moves,
        dropped=dropped_in(match, [look.whole.last.index + 1]),
        state=match.state,
    )
    return Scene(
        turn=turn,
        state=look.state,
        facts=position_facts(look.state, look.viewer, look.ahead, look.open_sides),
        before=position_facts(old_state, look.viewer, open_sides=look.open_sides),
        raids=_raids_since(past, past.raid_start(count), moves),
        is_last=True,
        is_under_way=look.must_write,
    )


def step_scenes(past: Chronicle, spans: Sequence[range]) -> list[Scene]:
    """Return a scene after each of some steps, which are the unseen moves with these indexes."""
    result: list[Scene] = []
    raids_from = past.raid_start(past.seen_moves)
    for start, end in ((span.start, span.stop) for span in spans):
        move = past.match.moves[start]
        # The arrow of a raid is shown with the answer too.
        raids_from = start if move.side is side_of_turn(move.turn) else raids_from
        state, at = past.view_after(end), past.turns[past.last]
        now, before = (
            position_facts(view, past.viewer, open_sides=past.look.open_sides)
            for view in (state, past.view_after(start))
        )
        result.append(Scene(at, state, now, before, _raids_since(past, raids_from, (), end)))
    return result


def _raids_since(
    past: Chronicle, count: int, moves: Sequence[Move], end: int | None = None
) -> tuple[RaidFacts, ...]:
    """Return the raids after `count` moves of a chronicle, up to `end`, and in `moves` after them.

    The way is unknown if a raid starts from a location that was gained in `moves`.
    """
    past_moves = past.match.moves[count:end]
    states = [past.view_after(number) for number in range(count, count + len(past_moves))]
    states += [past.view_after(count + len(past_moves))] * len(moves)
    raids = _raids_by_turn(zip(states, (*past_moves, *moves), strict=True))
    return tuple(raid for by_turn in raids.values() for raid in by_turn if len(raid.path) > 1)


def _raids_by_turn(moves_with_states: Iterable[tuple[State, Move]]) -> dict[int, list[RaidFacts]]:
    """Return the raids among moves by turn, given each move with the position before it."""
    raids: dict[int, list[RaidFacts]] = defaultdict(list)
    for state, move in moves_with_states:
        in_turn = raids[move.turn]
        if isinstance(move.order, Raid):
            path = _raid_path(state, move.side, move.order.target)
            in_turn.append(RaidFacts(move.side, path, blocked=False))
        elif in_turn and move.has_event(RaidBlocked):
            in_turn[-1] = in_turn[-1]._replace(blocked=True)
    return raids


def _raid_path(state: State, side: Side, target: str) -> tuple[str, ...]:
    """Return a shortest path of a raid to a location, by `engine.position.raid_path_lengths`."""
    distances = raid_path_lengths(state, side)
    paths = state.ruleset.catalogue.raid_paths
    path = [target]
    while distance := distances.get(path[-1], 0):
        path.append(min(p for p in paths[path[-1]] if distances.get(p) == distance - 1))
    return tuple(reversed(path))

"""The shape of positions and games as plain data: what every form of the screen, and --json, shows.

Cards and locations are ids, sides `british` and `french`, as in records. docs/json.md describes it
for other programs.
"""

from typing import TypedDict

# No `annotations` from the future: as strings they would be compiled at every start, one by one.


class ReachFacts(TypedDict):
    """A connection printed on a card: the symbols that take it there, and its use now.

    `use` is "settle" or "besiege"; None where neither is to be done there.
    """

    location: str
    by: list[str]
    use: str | None


class CardFacts(TypedDict):
    """A card in a hand, and why it is `idle`: "lost", "besieged" or "without supply".

    `raids` is its part in raids and ambushes: raid, extend-raid, ambush, block-raid, block-ambush.
    """

    card: str
    symbols: list[str]
    money: int
    strength: int
    strength_defending: int
    action: str | None
    raids: list[str]
    reaches: list[ReachFacts]
    idle: str | None


class HandFacts(TypedDict):
    """A hand: the `cards` known to the viewer, how many are face down, or come with an answer.

    It is `open` to a player's own eyes, and to everybody's once the player has closed the game.
    `ahead` are the next cards of the draw pile, where they can be seen.
    """

    size: int
    open: bool
    cards: list[CardFacts]
    face_down: int
    coming: int
    ahead: list[str]


class PoolFacts(TypedDict):
    """The unseen cards of one shuffle, with copies; how many are in hand, not in the pile."""

    shuffle: int
    cards: dict[str, int]
    in_hand: int
    in_draw_pile: int


class UnseenFacts(TypedDict):
    """What can be deduced about face-down cards: see `engine.unseen`.

    `chances` are those that at least one copy is in hand; `blocks_raid` and `blocks_ambush` that a
    card is that blocks any raid (where the card of the raided location does not) or an ambush.
    """

    pools: list[PoolFacts]
    surely_in_hand: dict[str, int]
    surely_in_draw_pile: dict[str, int]
    chances: dict[str, float]
    blocks_raid: float
    blocks_ambush: float


class StockFacts(TypedDict):
    """A kind of card that can be drafted: its price in money, and how many there are."""

    card: str
    price: int
    copies: int


class ScoreFacts(TypedDict):
    """Victory points: of the locations, of captured pieces, and together."""

    locations: int
    captures: int
    total: int


class SideFacts(TypedDict):
    """What one side has."""

    money: int
    points: ScoreFacts
    villages_left: int
    towns_left: int
    villages_captured: int
    towns_captured: int
    hand: HandFacts
    unseen: UnseenFacts
    draw_pile: int
    discard_pile: list[str]
    reserve: list[str]
    available: list[StockFacts]


class LocationFacts(TypedDict):
    """A location: who holds it with what, and the `points` this counts now.

    `value` is what a village there counts; `supplied` and `besieger` are those of its owner.
    """

    location: str
    value: int
    owner: str | None
    piece: str | None
    fortified: bool
    besieger: str | None
    supplied: bool
    points: int


class SiegeCardFacts(TypedDict):
    """A card at a siege, and the strength it adds there."""

    card: str
    strength: int


class SiegeSideFacts(TypedDict):
    """One side of a siege.

    `wins_with` is the strength it has to add to stand as the winner, `holds_with` to stand no
    longer as the loser; both are 0 where it does. `supplied` says whether it can add a card now.
    """

    cards: list[SiegeCardFacts]
    strength: int
    wins_with: int
    holds_with: int
    supplied: bool


class SiegeFacts(TypedDict):
    """A siege: the marker on its track, positive for the besieger, and who wins as it stands.

    `place` is the strength of the location itself, `beyond` what the besieger has lost past the end
    of the track. `won` says that it only has to be resolved; `cost` is the card that its loser has
    chosen to give back.
    """

    location: str
    besieger: str
    defender: str
    marker: int
    beyond: int
    besieger_wins_at: int
    defender_wins_at: int
    place: int
    sides: dict[str, SiegeSideFacts]
    winner: str | None
    won: bool
    cost: str | None


class EndingFacts(TypedDict):
    """A way for a side to end the game: see `engine.endings.Ending`.

    `due` says that it ends the game when the next turn of its side begins, if nothing changes.
    """

    by: str
    side: str
    left: int | None
    location: str | None
    waits: bool
    due: bool


class OutcomeFacts(TypedDict):
    """How the game ended: the winner, and why, in English."""

    winner: str
    reason: str


class AwaitedFacts(TypedDict):
    """What the position waits for: a decision of `side`, or chance for its cards."""

    decision: str
    side: str
    location: str | None
    amount: int
    actions_left: int


class PositionFacts(TypedDict):
    """A position as somebody sees it; `viewer` is the side of a player, None for anybody else.

    `leads` is who would win if points decided now.
    """

    viewer: str | None
    turn: int
    active: str
    awaited: AwaitedFacts
    outcome: OutcomeFacts | None
    leads: str
    endings: list[EndingFacts]
    sides: dict[str, SideFacts]
    neutral: list[StockFacts]
    fortifications_left: int
    locations: list[LocationFacts]
    sieges: list[SiegeFacts]


class EventFacts(TypedDict):
    """One result of a deed; `what` is one of a fixed set of words."""

    what: str
    side: str
    location: str | None
    cards: list[str]
    amount: int


class DeedFacts(TypedDict):
    """An order, a shuffle or a draw of `side`, what it cost, and its results.

    `order` is in the notation of records, None for a shuffle, a draw and a resignation. `drawn` is
    how many cards were drawn, `cards_drawn` which; None if the viewer may not know them.
    """

    record: int
    turn: int
    side: str
    order: str | None
    cost: int
    drawn: int
    cards_drawn: list[str] | None
    events: list[EventFacts]


class DroppedFacts(TypedDict):
    """What a side had ordered to follow an answer, and that could not be carried out.

    `cause` is "rules", "no-choice", "not-due" or "other-cards".
    """

    record: int
    side: str
    orders: list[str]
    cause: str


class TurnFacts(TypedDict):
    """A turn of a game: whose it is, when it was begun, and what was done in which records.

    `points` are the victory points after it, by side.
    """

    turn: int
    side: str | None
    time: str
    records: list[int]
    deeds: list[DeedFacts]
    dropped: list[DroppedFacts]
    points: dict[str, int]


class PlayerFacts(TypedDict):
    """A player as the file names them; `key` is the public key."""

    name: str
    email: str
    key: str


class RecordFacts(TypedDict):
    """The last record of what is looked at, and how many the file has."""

    index: int
    of: int
    side: str
    time: str


class AnnouncedFacts(TypedDict):
    """What its author has ordered to follow the other player's answer, whatever it is."""

    side: str
    orders: list[str]


class GameFacts(TypedDict):
    """A game as somebody sees it; `position` is None while nobody has joined it.

    `players` are by side, an inviter who leaves the choice of side under "any". `after_turn` is the
    turn after which it is looked at, None for the game as it stands and after a record. `next` is
    the side that writes next, `last` what was done since the turn before, or in the one that is
    looked back at; `notes` are the player's own.
    """

    game: str
    edition: str
    house_rules: list[str]
    lists: int
    home_support: str
    players: dict[str, PlayerFacts]
    viewer: str | None
    after_turn: int | None
    record: RecordFacts
    next: str | None
    closed: list[str]
    position: PositionFacts | None
    last: list[DeedFacts]
    dropped: list[DroppedFacts]
    announced: AnnouncedFacts | None
    notes: str | None

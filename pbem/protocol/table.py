"""The table of a game: the position and both decks, and the entry of the players.

A table combines the rules engine with the blind decks: each method of `Table` carries out a step in
both, or in neither. The invitation and the acceptance name the players and the rules; `match`
checks their places in the chain.

See docs/protocol.md, Steps; The exchange; Home Support ahead; docs/orders.md, The rules data and
its digest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from functools import lru_cache
from typing import Any, NamedTuple

from engine import game
from engine.chance import Draw, Reveal, Shuffle
from engine.events import Event
from engine.house_rules import InvalidRulesError, house_rules
from engine.message import Message, and_list, mark, message_of
from engine.order import Order
from engine.ruleset import HOME_SUPPORT_DRAW, Ruleset, editions
from engine.sides import Side, Slot
from engine.state import Decision, State, new_game
from pbem.errors import DeckError, StepError
from pbem.errors.rule import Rule
from pbem.protocol import steps
from pbem.protocol.deck import Deck, GrantAnswer, GrantRequest
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.schema import canonical_json
from pbem.protocol.steps import Accept, Invite

# --- the table


class Move(NamedTuple):
    """One move of a game: an order, shuffle, draw or resignation of `side`, with its events.

    `record` and `turn` are indexes, from 0. `order` is None for a shuffle or a draw, which may
    begin the next turn or end the game, and for a resignation. `drawn` are the slots of a draw.
    """

    record: int
    turn: int
    side: Side
    order: Order | None
    events: tuple[Event, ...]
    drawn: tuple[Slot, ...] = ()

    def has_event(self, kind: type[Event]) -> bool:
        """Return True if the move has an event of `kind`."""
        return any(isinstance(event, kind) for event in self.events)


class ShuffleOrigin(NamedTuple):
    """The record in which a shuffle was signed, and the hash of the record before it, 32 bytes."""

    record: int
    previous: bytes


class PastGrant(NamedTuple):
    """A grant that was made in a record: the request, and the answer."""

    record: int
    request: GrantRequest
    answer: GrantAnswer


class Table:
    """The position and both decks in public view.

    `state` holds no hidden card of either side. `decks` are the public ledgers of both draw piles.
    `moves` are the history; `shuffles` and `grants` are by the side that made them. Methods raise
    StepError, DeckError, IllegalOrderError or ImpossibleChanceError, and change nothing, if a step
    is not valid. Their `record` is the index of the record in which the step is carried out.
    """

    def __init__(
        self, ruleset: Ruleset, *, sets_up_first: Side, lists: int, draws_ahead: bool
    ) -> None:
        self.state: State = new_game(ruleset, sets_up_first)
        self.decks = {side: Deck(lists) for side in Side}
        self.draws_ahead = draws_ahead
        self.moves: list[Move] = []
        self.shuffles: dict[Side, list[ShuffleOrigin]] = {side: [] for side in Side}
        self.grants: dict[Side, list[PastGrant]] = {side: [] for side in Side}

    def copy(self) -> Table:
        """Return an independent copy."""
        other = copy(self)
        other.state = self.state.copy()
        other.decks = {side: deck.copy() for side, deck in self.decks.items()}
        other.moves = self.moves.copy()
        other.shuffles = {side: shuffles.copy() for side, shuffles in self.shuffles.items()}
        other.grants = {side: grants.copy() for side, grants in self.grants.items()}
        return other

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.state.outcome is not None

    def check_decides(self, side: Side) -> None:
        """Raise StepError unless `side` has a decision to make (R-12.3, R-10.2)."""
        if self.is_over:
            raise StepError("the game is over.", Rule.AFTER_END)
        if not self.state.can_decide(side):
            raise StepError("the decision is not its author's.", Rule.DECISION)

    def order(self, record: int, side: Side, order: Order) -> list[Event]:
        """Carry out an order of `side` (R-12.2, R-12.3)."""
        self.check_decides(side)
        turn, events = self.state.turn, game.apply(self.state, order)
        self.moves.append(Move(record, turn, side, order, tuple(events)))
        return events

    def open(self, side: Side, step: steps.Open) -> list[Event]:
        """Show a hidden card of `side` to everybody (R-6.10 to R-6.12)."""
        self.decks[side].open(step.slot, step.card, step.nonce)
        return game.apply(self.state, Reveal(side, step.slot, step.card))

    def shuffle(
        self, record: int, side: Side, step: steps.ShuffleStep, origin: ShuffleOrigin
    ) -> list[Event]:
        """Shuffle the discard pile of `side` into a new draw pile (R-6.1, R-12.5, R-12.6)."""
        awaiting = self.state.awaiting
        if awaiting.decision is not Decision.SHUFFLE or awaiting.side is not side:
            raise StepError("it shuffles cards that are not due to be shuffled.", Rule.SHUFFLE_DUE)
        if step.cards != tuple(sorted(self.state.players[side].discard)):
            raise StepError(
                "the cards that it shuffles are not those of the discard pile.", Rule.SHUFFLED_CARDS
            )
        self.decks[side].shuffle(step.epoch, step.cards, step.commitment)
        self.shuffles[side].append(origin)
        return self._chance(record, side, Shuffle(side))

    def draw(self, record: int, side: Side, count: int) -> list[Event]:
        """Draw the cards due to `side`, or request them from the other side (R-6.3, R-12.7)."""
        awaiting = self.state.awaiting
        if awaiting.decision is not Decision.DRAW or awaiting.side is not side:
            raise StepError("it draws cards that are not due.", Rule.DRAW_DUE)
        if count != awaiting.amount:
            raise StepError(
                Message.counted(
                    "it draws {count} cards where {due} are due.",
                    "it draws {count} cards where {due} are due.",
                    count,
                    due=awaiting.amount,
                ),
                Rule.DRAW_DUE,
            )
        slots = self.decks[side].draw(count, from_ahead=awaiting.card is not None)
        if not slots:
            return []
        return self._chance(record, side, Draw(side, tuple(slots)))

    def grant_request(self, owner: Side) -> GrantRequest | None:
        """Return the request that the other side has to grant to the owner of a deck, or None.

        A shuffle alone makes no request, because the draw after it may have been dropped.
        """
        deck = self.decks[owner]
        if self.is_over or not deck.wanted_slot_count:
            return None
        return deck.grant_request(self._wants_ahead(owner))

    def grant(self, record: int, owner: Side, answer: GrantAnswer) -> list[Event]:
        """Grant the slots that the owner of a deck wants (R-6.4 to R-6.7, R-9)."""
        request = self.grant_request(owner)
        if request is None:
            raise DeckError("nothing was asked that could be granted.", Rule.GRANT_NOT_DUE)
        self.decks[owner].grant(*answer, wants_ahead=request.ahead, names_ahead=self.draws_ahead)
        self.grants[owner.opponent].append(PastGrant(record, request, answer))
        return self._chance(record, owner, Draw(owner, answer.slots))

    def _wants_ahead(self, owner: Side) -> int:
        """Return the number of slots to name ahead: up to three if Home Support may be in the hand.

        See R-9.4 and R-9.5.
        """
        if not self.draws_ahead or not self._may_hold_home_support(owner):
            return 0
        deck = self.decks[owner]
        undrawn = len(deck.undrawn) - deck.wanted_slot_count
        still_named = max(0, len(deck.ahead) - deck.wanted_slot_count)
        return max(0, min(HOME_SUPPORT_DRAW, undrawn) - still_named)

    def _may_hold_home_support(self, owner: Side) -> bool:
        """Return True if Home Support can be in the hand (docs/protocol.md, Home Support ahead)."""
        card = self.state.ruleset.catalogue.card_for(owner, "home-support")
        if card is None:
            return False
        player, deck = self.state.players[owner], self.decks[owner]
        epochs = {slot.epoch for slot in player.hidden}
        if deck.wanted_slot_count:
            epochs.add(deck.next_epoch - 1)
        return card.id in player.hand or any(card.id in player.unseen[e] for e in epochs)

    def resign(self, record: int, side: Side) -> list[Event]:
        """End the game by the resignation of `side` (R-10.2)."""
        if self.is_over:
            raise StepError("the game is over.", Rule.AFTER_END)
        turn = self.state.turn
        events = game.resign(self.state, side)
        self.moves.append(Move(record, turn, side, None, tuple(events)))
        return events

    def _chance(self, record: int, side: Side, chance: Draw | Shuffle) -> list[Event]:
        turn, events = self.state.turn, game.apply(self.state, chance)
        drawn = chance.slots if isinstance(chance, Draw) else ()
        self.moves.append(Move(record, turn, side, None, tuple(events), drawn))
        return events


# --- entering the game


class Entrant(NamedTuple):
    """A player in the invitation or acceptance; the last three fields have 32 bytes each."""

    name: str
    email: str
    key: bytes
    nonce: bytes
    secret_hash: bytes

    @classmethod
    def of(cls, entry: Invite | Accept) -> Entrant:
        """Return the player who enters the game with `entry`."""
        return cls(entry.name, entry.email, entry.key, entry.nonce, entry.secret_hash)


def check_invite(invite: Invite, side: Side | None) -> Ruleset:
    """Return the rules that an invitation names; `side` is the side of its record, or None.

    Raises StepError if the invitation names another side (R-4.3), or if this program does not know
    the rules or has other data for them (R-12.1).
    """
    if invite.side != (side or "any"):
        raise StepError("it names two different sides.", Rule.INVITED_SIDE)
    ruleset = ruleset_of(invite)
    if invite.rules_digest != rules_digest(ruleset):
        raise StepError(differing_rules(invite, ruleset), Rule.RULES_DATA)
    return ruleset


def check_accept(accept: Accept, side: Side | None, invite: Invite) -> None:
    """Raise StepError unless another player accepts, on the side of the record (R-4.4, R-4.5)."""
    if side is None or accept.side != side:
        raise StepError("it names two different sides.", Rule.ACCEPTED_SIDE)
    if accept.key == invite.key:
        raise StepError("inviter and guest are the same player.", Rule.OWN_ENTRY)
    if accept.nonce == invite.nonce or accept.secret_hash == invite.secret_hash:
        raise StepError("it repeats the inviter's entry.", Rule.OWN_ENTRY)


def new_table(invite: Invite, ruleset: Ruleset, first: Side) -> Table:
    """Return a new table; the side `first` sets up first if the rules leave it open."""
    return Table(
        ruleset, sets_up_first=first, lists=invite.lists, draws_ahead=invite.home_support == "ahead"
    )


def ruleset_of(invite: Invite) -> Ruleset:
    """Return the rules that an invitation names. Raises StepError if they are unknown (R-12.1)."""
    # The message does not list the known ones: they would fill the screen.
    if invite.edition not in editions():
        unknown = Message(
            "it uses rules that this program does not know, such as the edition {edition}: they "
            "may be those of a newer acres.",
            edition=invite.edition,
        )
        raise StepError(unknown, Rule.RULES_DATA)
    for rule in invite.house_rules:
        if rule not in house_rules():
            unknown = Message(
                "it uses rules that this program does not know, such as the house rule {rule}: "
                "they may be those of a newer acres.",
                rule=rule,
            )
            raise StepError(unknown, Rule.RULES_DATA)
    try:
        return Ruleset.of(invite.edition, invite.house_rules)
    except InvalidRulesError as error:
        message = Message("it uses rules that cannot be played: {reason}", reason=message_of(error))
        raise StepError(message, Rule.RULES_DATA) from error


PARTS = (
    mark("flags"),
    mark("locations"),
    mark("connections"),
    mark("British cards"),
    mark("French cards"),
)


def rules_parts(ruleset: Ruleset) -> tuple[bytes, ...]:
    """Return a digest of each of the `PARTS` of the rules data, 8 bytes each.

    See docs/orders.md, The rules data and its digest.
    """
    data = ruleset.canonical()
    cards = data["cards"]
    parts = (
        *(data[part] for part in ("flags", "locations", "connections")),
        *(cards[side.value] for side in Side),
    )
    return tuple(tagged_hash(Tag.RULES, canonical_json(part))[:8] for part in parts)


def differing_parts(invite: Invite, ruleset: Ruleset) -> list[str]:
    """Return the `PARTS` of the rules data that differ from the inviter's, if they are known."""
    if invite.rules_parts is None:
        return []
    pairs = zip(PARTS, invite.rules_parts, rules_parts(ruleset), strict=True)
    return [name for name, theirs, ours in pairs if theirs != ours]


def differing_rules(invite: Invite, ruleset: Ruleset) -> Message:
    """Return a sentence about the parts in which the inviter's rules data differ."""
    differing = differing_parts(invite, ruleset)
    if not differing:
        return Message(
            "it was made with different rules data for “{edition}” than this program has: one of "
            "the two was changed, or is of another version.",
            edition=invite.edition,
        )
    return Message(
        "it was made with different rules data for “{edition}” than this program has, in its "
        "{parts}: one of the two was changed, or is of another version.",
        edition=invite.edition,
        parts=and_list(map(Message, differing)),
    )


def rules_digest(ruleset: Ruleset) -> bytes:
    """Return the digest of the whole rules data, 32 bytes: board, cards, edition, house rules.

    See docs/orders.md, The rules data and its digest.
    """
    # A ruleset is not hashable, but its bound methods are, and equal for one ruleset.
    return _digest(ruleset.canonical)


@lru_cache(maxsize=16)
def _digest(data: Callable[[], Mapping[str, Any]]) -> bytes:
    """Return the digest of rules data; cached, because most games have the same rules."""
    return tagged_hash(Tag.RULES, canonical_json(data()))

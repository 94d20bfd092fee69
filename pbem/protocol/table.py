"""The table of a game: the position, the decks with what is hidden in them, and entering the game.

This is the one place in which the rules engine and the blind deck meet. Every method carries out
one step, in both of them or in neither. The players and the rules are those that an invitation and
its acceptance name; where in the chain these stand is for `match`.

docs/protocol.md, Steps and The exchange; docs/orders.md, The rules data and its digest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from functools import lru_cache
from typing import Any, NamedTuple

from engine import game
from engine.chance import Draw, Reveal, Shuffle
from engine.events import Event
from engine.house_rules import UnknownRules, house_rules
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


class Deed(NamedTuple):
    """One thing that was done for `side`, in which record and turn, and what came of it.

    `order` is None for a shuffle and a draw, which may begin the next turn or end the game, and for
    a resignation; `drawn` are the slots of a draw.
    """

    record: int
    turn: int
    side: Side
    order: Order | None
    events: tuple[Event, ...]
    drawn: tuple[Slot, ...] = ()

    def caused(self, kind: type[Event]) -> bool:
        """Whether an event of that kind came of it."""
        return any(isinstance(event, kind) for event in self.events)


class ShuffleOrigin(NamedTuple):
    """Where a shuffle was signed: the record, and the hash of the record before it."""

    record: int
    previous: bytes


class PastGrant(NamedTuple):
    """A grant that was made: in which record, what was wanted of it, and what it named."""

    record: int
    request: GrantRequest
    answer: GrantAnswer


class Table:
    """The position and both decks, as everybody sees them.

    `state` knows no hidden card of either side: it is what a referee sees. `decks` are the public
    ledgers of both draw piles; `deeds`, `shuffles` and `grants` (by the side that made them) tell
    all that was done. Methods raise StepError, DeckError, IllegalOrder or ImpossibleChance, with
    nothing changed, if a step is not valid; `record` is the one in which it is carried out.
    """

    def __init__(
        self, ruleset: Ruleset, *, sets_up_first: Side, lists: int, draws_ahead: bool
    ) -> None:
        self.state: State = new_game(ruleset, sets_up_first)
        self.decks = {side: Deck(lists) for side in Side}
        self.draws_ahead = draws_ahead
        self.deeds: list[Deed] = []
        self.shuffles: dict[Side, list[ShuffleOrigin]] = {side: [] for side in Side}
        self.grants: dict[Side, list[PastGrant]] = {side: [] for side in Side}

    def copy(self) -> Table:
        """An independent table in the same state."""
        other = copy(self)
        other.state = self.state.copy()
        other.decks = {side: deck.copy() for side, deck in self.decks.items()}
        other.deeds = self.deeds.copy()
        other.shuffles = {side: done.copy() for side, done in self.shuffles.items()}
        other.grants = {side: made.copy() for side, made in self.grants.items()}
        return other

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.outcome is not None

    def check_decides(self, side: Side) -> None:
        """Raise StepError unless `side` has a decision to make."""
        if self.is_over:
            raise StepError("the game is over.", Rule.AFTER_END)
        if not self.state.decides(side):
            raise StepError("the decision is not its author's.", Rule.DECISION)

    def order(self, record: int, side: Side, order: Order) -> list[Event]:
        """Carry out an order of `side`."""
        self.check_decides(side)
        turn, events = self.state.turn, game.apply(self.state, order)
        self.deeds.append(Deed(record, turn, side, order, tuple(events)))
        return events

    def open(self, side: Side, step: steps.Open) -> list[Event]:
        """Show a hidden card of `side`: from now on everybody knows it."""
        self.decks[side].open(step.slot, step.card, step.nonce)
        return game.apply(self.state, Reveal(side, step.slot, step.card))

    def shuffle(
        self, record: int, side: Side, step: steps.ShuffleStep, signed: ShuffleOrigin
    ) -> list[Event]:
        """Shuffle the discard pile of `side` into a new draw pile."""
        awaiting = self.state.awaiting
        if awaiting.decision is not Decision.SHUFFLE or awaiting.side is not side:
            raise StepError("it shuffles cards that are not due to be shuffled.", Rule.SHUFFLE_DUE)
        if step.cards != tuple(sorted(self.state.players[side].discard)):
            raise StepError(
                "the cards that it shuffles are not those of the discard pile.", Rule.SHUFFLED_CARDS
            )
        self.decks[side].shuffle(step.epoch, step.cards, step.commitment)
        self.shuffles[side].append(signed)
        return self._chance(record, side, Shuffle(side))

    def draw(self, record: int, side: Side, count: int) -> list[Event]:
        """Draw what is due to `side`, or ask for it if the other side has to name the slots."""
        awaiting = self.state.awaiting
        if awaiting.decision is not Decision.DRAW or awaiting.side is not side:
            raise StepError("it draws cards that are not due.", Rule.DRAW_DUE)
        if count != awaiting.amount:
            due = awaiting.amount
            raise StepError(
                Message.counted(
                    "it draws {count} cards where {due} are due.",
                    "it draws {count} cards where {due} are due.",
                    count,
                    due=due,
                ),
                Rule.DRAW_DUE,
            )
        slots = self.decks[side].ask(count, from_ahead=awaiting.card is not None)
        if not slots:
            return []
        return self._chance(record, side, Draw(side, tuple(slots)))

    def grant_request(self, owner: Side) -> GrantRequest | None:
        """What the other side has to grant to the owner of a deck.

        None for nothing. A shuffle alone asks for nothing yet: the draw after it may have been
        dropped.
        """
        deck = self.decks[owner]
        if self.is_over or not deck.wants_slots:
            return None
        return deck.grant_request(self._wants_ahead(owner))

    def grant(self, record: int, owner: Side, granted: GrantAnswer) -> list[Event]:
        """Answer what the owner of a deck asked for."""
        wanted = self.grant_request(owner)
        if wanted is None:
            raise DeckError("nothing was asked that could be granted.", Rule.GRANT_NOT_DUE)
        deck, agreed = self.decks[owner], self.draws_ahead
        deck.grant(*granted, wants_ahead=wanted.ahead, names_ahead=agreed)
        self.grants[owner.opponent].append(PastGrant(record, wanted, granted))
        return self._chance(record, owner, Draw(owner, granted.slots))

    def _wants_ahead(self, owner: Side) -> int:
        """How many slots have to be named ahead: up to three while Home Support may be in hand."""
        if not self.draws_ahead or not self._may_hold_home_support(owner):
            return 0
        deck = self.decks[owner]
        left = len(deck.undrawn) - deck.wants_slots
        still_named = max(0, len(deck.ahead) - deck.wants_slots)
        return max(0, min(HOME_SUPPORT_DRAW, left) - still_named)

    def _may_hold_home_support(self, owner: Side) -> bool:
        """Whether Home Support may be in hand after the draw, as far as everybody knows."""
        card = self.state.ruleset.catalogue.card_for(owner, "home-support")
        if card is None:
            return False
        player, deck = self.state.players[owner], self.decks[owner]
        epochs = {slot.epoch for slot in player.hidden}
        if deck.wants_slots:
            epochs.add(deck.next_epoch - 1)
        return card.id in player.hand or any(card.id in player.unseen[e] for e in epochs)

    def resign(self, record: int, side: Side) -> list[Event]:
        """End the game: `side` gives it up."""
        if self.is_over:
            raise StepError("the game is over.", Rule.AFTER_END)
        turn = self.state.turn
        events = game.resign(self.state, side)
        self.deeds.append(Deed(record, turn, side, None, tuple(events)))
        return events

    def _chance(self, record: int, side: Side, given: Draw | Shuffle) -> list[Event]:
        turn, events = self.state.turn, game.apply(self.state, given)
        drawn = given.slots if isinstance(given, Draw) else ()
        self.deeds.append(Deed(record, turn, side, None, tuple(events), drawn))
        return events


# --- entering the game


class Entrant(NamedTuple):
    """A player of this game, as the invitation or the acceptance names them."""

    name: str
    email: str
    key: bytes
    nonce: bytes
    secret_hash: bytes

    @classmethod
    def of(cls, entry: Invite | Accept) -> Entrant:
        """The player who enters the game with this step."""
        return cls(entry.name, entry.email, entry.key, entry.nonce, entry.secret_hash)


def check_invite(invite: Invite, side: Side | None) -> Ruleset:
    """The rules of the game that an invitation begins; `side` is that of its record, None for any.

    Raises StepError where the invitation itself names another side, and if it uses rules that this
    program does not know, or knows differently.
    """
    if invite.side != (side or "any"):
        raise StepError("it names two different sides.", Rule.INVITED_SIDE)
    ruleset = ruleset_of(invite)
    if invite.rules_digest != rules_digest(ruleset):
        raise StepError(differing_rules(invite, ruleset), Rule.RULES_DATA)
    return ruleset


def check_accept(accept: Accept, side: Side | None, invite: Invite) -> None:
    """Check that another player accepts an invitation, with an entry of its own.

    `side` is that of the record. Raises StepError.
    """
    if side is None or accept.side != side:
        raise StepError("it names two different sides.", Rule.ACCEPTED_SIDE)
    if accept.key == invite.key:
        raise StepError("inviter and guest are the same player.", Rule.OWN_ENTRY)
    if accept.nonce == invite.nonce or accept.secret_hash == invite.secret_hash:
        raise StepError("it repeats the inviter's entry.", Rule.OWN_ENTRY)


def new_table(invite: Invite, ruleset: Ruleset, first: Side) -> Table:
    """The table of a game by these rules; `first` sets up first, if they leave it open."""
    return Table(
        ruleset, sets_up_first=first, lists=invite.lists, draws_ahead=invite.home_support == "ahead"
    )


def ruleset_of(invite: Invite) -> Ruleset:
    """The rules that an invitation names; raises StepError for rules this program does not know."""
    # The list of what there is would fill the screen, and helps nobody here.
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
    except UnknownRules as error:
        told = Message("it uses rules that cannot be played: {reason}", reason=message_of(error))
        raise StepError(told, Rule.RULES_DATA) from error


PARTS = (
    mark("flags"),
    mark("locations"),
    mark("connections"),
    mark("British cards"),
    mark("French cards"),
)


def rules_parts(ruleset: Ruleset) -> tuple[bytes, ...]:
    """A short digest of each of the `PARTS` of the rules data, 8 bytes each."""
    data = ruleset.canonical()
    cards = data["cards"]
    parts = (
        *(data[part] for part in ("flags", "locations", "connections")),
        *(cards[side.value] for side in Side),
    )
    return tuple(tagged_hash(Tag.RULES, canonical_json(part))[:8] for part in parts)


def differing_parts(invite: Invite, ruleset: Ruleset) -> list[str]:
    """The `PARTS` in which the inviter's rules data differ from these; none if it does not say."""
    if invite.rules_parts is None:
        return []
    pairs = zip(PARTS, invite.rules_parts, rules_parts(ruleset), strict=True)
    return [name for name, theirs, ours in pairs if theirs != ours]


def differing_rules(invite: Invite, ruleset: Ruleset) -> Message:
    """A sentence that says that the inviter's rules data differ from these, and where."""
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
    """The digest of the whole rules data: board, cards, edition and house rules."""
    # A ruleset has no hash, and its methods have: they are equal where they are of the same one.
    return _digest(ruleset.canonical)


@lru_cache(maxsize=16)
def _digest(data: Callable[[], Mapping[str, Any]]) -> bytes:
    """`rules_digest`, kept: each game that is read names its rules, which differ seldom."""
    return tagged_hash(Tag.RULES, canonical_json(data()))

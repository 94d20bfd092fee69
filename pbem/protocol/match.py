"""A match: a chain of records, checked and replayed into a game.

`Match` checks the link, signature, side and time of each record and the sequence of its steps; its
`Table` checks every opening, grant and order. A close is checked against every shuffle and grant
of its author. Everything in the records that a match accepts is proved.

See docs/protocol.md, Records; The exchange; Follow-ups; The close.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import TypeAlias

from engine import game
from engine.actions import ACTIONS
from engine.actions.action import IllegalOrderError
from engine.chance import ImpossibleChanceError
from engine.events import Event
from engine.message import Message, Rewording, message_of
from engine.order import Order
from engine.orders import ShowHand
from engine.sides import Side
from engine.state import State
from pbem.errors import DeckError, StepError
from pbem.errors.rule import Rule
from pbem.foreign import excerpt
from pbem.protocol import steps
from pbem.protocol.cache import SNAPSHOT_INTERVAL, Snapshot, VerifiedRecord
from pbem.protocol.deck import Deck, GrantAnswer, GrantStream, commit, open_lists, root_seed
from pbem.protocol.identity import secret_hash
from pbem.protocol.record import (
    Record,
    check_link,
    check_side,
    check_signature,
    check_time,
    refusal,
)
from pbem.protocol.state_of_play import FollowUps, StateOfPlay, read_order
from pbem.protocol.table import (
    Entrant,
    ShuffleOrigin,
    Table,
    check_accept,
    check_invite,
    new_table,
    ruleset_of,
)

# --- the record being replayed


class RecordState:
    """The record that is being replayed.

    - `side`: the side of its author, or None if no side is chosen yet.
    - `origin`: the origin of a shuffle in the record.
    - `is_dealing`: True if the record began before both sides had their first cards.
    - `is_closing`: True if it began after the end of the game.
    - `is_verified`: True if its openings were verified before.
    - `opens`: the cards shown since the last order.
    """

    def __init__(
        self,
        side: Side | None,
        origin: ShuffleOrigin,
        *,
        is_dealing: bool,
        is_closing: bool,
        is_verified: bool,
    ) -> None:
        self.side = side
        self.origin = origin
        self.is_dealing = is_dealing
        self.is_closing = is_closing
        self.is_verified = is_verified
        self.opens: tuple[steps.Open, ...] = ()

    @property
    def index(self) -> int:
        """The index of the record."""
        return self.origin.record

    def check_ascends(self, step: steps.Open) -> None:
        """Raise StepError if the cards shown for an order are not in ascending order (R-7.2)."""
        if self.opens and step.slot < self.opens[-1].slot:
            raise StepError(
                "the cards shown for one order must be in ascending order of their slots.",
                Rule.SHOWN_ASCENDING,
            )

    def check_played(self) -> None:
        """Raise StepError if a card was shown without an order that plays it (R-7.1)."""
        if self.opens:
            raise StepError("it shows a card that no order plays.", Rule.SHOWN_FOR_ORDER)


# --- the close


def check_secret(
    table: Table, records: Sequence[Record], side: Side, secret: bytes, published: bytes
) -> None:
    """Raise StepError unless every shuffle and grant of `side` follows from its game secret.

    If they do, no shuffle of `side` was stacked or repeated, and no grant was chosen. `published`
    is the hash of the secret, 32 bytes, from the record in which the player entered the game. The
    error names the earliest wrong record (R-10.6 to R-10.8).
    """
    if secret_hash(secret) != published:
        raise StepError(
            "the game secret it publishes is not the one that its author entered with.", Rule.SECRET
        )
    findings = [*_false_shuffles(table, side, secret), *_false_grants(table, records, side, secret)]
    if findings:
        raise min(findings, key=lambda finding: finding.record or 0)


def _false_shuffles(table: Table, side: Side, secret: bytes) -> Iterator[StepError]:
    deck = table.decks[side]
    for epoch, origin in enumerate(table.shuffles[side]):
        if not _is_derived(deck, epoch, root_seed(secret, epoch, origin.previous)):
            yield StepError(
                "shuffle {number} does not follow from its author's game secret: the cards "
                "were stacked, shuffled more than once, or not those of the pile.",
                Rule.SHUFFLE,
                origin.record,
                number=epoch,
            )


def _is_derived(deck: Deck, epoch: int, seed: bytes) -> bool:
    """Return True if a shuffle was made from this root seed (R-10.7)."""
    cards, number, opening = deck.cards(epoch), deck.list_number(epoch), deck.opening(epoch)
    if opening is None or number is None:
        return commit(seed, cards, deck.lists) == deck.commitment(epoch)
    # The opening was verified: equal siblings and commitments give the commitment of the shuffle.
    return open_lists(seed, cards, deck.lists, number) == opening


def _false_grants(
    table: Table, records: Sequence[Record], side: Side, secret: bytes
) -> Iterator[StepError]:
    for record, grants in groupby(table.grants[side], key=lambda grant: grant.record):
        stream = GrantStream(secret, records[record - 1].hash)
        if any(stream.answer(grant.request) != grant.answer for grant in grants):
            yield StepError(
                "the cards it granted do not follow from its author's game secret: they were "
                "chosen.",
                Rule.GRANT,
                record,
            )


# --- the match


NO_RECORD = bytes(32)
"""The `previous` of a shuffle in record 0: 32 zero bytes."""
_OMITTED = ("ruleset", "events", "pieces", "supplied_locations", "raid_distances")
"""The fields of a state that a snapshot does not store."""

ProgressCallback: TypeAlias = Callable[[Sequence[Record]], Iterable[Record]]
"""A function that yields the records that it is called with, and reports the progress."""


class Match(StateOfPlay):
    """A game that its records prove: it replays a chain, and further records are added.

    The records from index `replayed_from` on were replayed, the others came from a snapshot. A
    match that raised VerificationError must not be used further.

    >>> from engine.ruleset import Ruleset
    >>> from pbem.errors import VerificationError
    >>> from pbem.protocol.identity import Identity
    >>> from pbem.protocol.primitives import Tag
    >>> from pbem.protocol.table import rules_digest
    >>> anna, nonce = Identity("Anna", "", bytes(32)), bytes(32)
    >>> invite = steps.Invite(
    ...     protocol=1, edition="second", house_rules=(), home_support="asked", lists=1024,
    ...     rules_digest=rules_digest(Ruleset.of("second")), side="any", name="Anna", email="",
    ...     key=anna.public_key, nonce=nonce, secret_hash=secret_hash(anna.game_secret(nonce)),
    ... )
    >>> record = Record.unsigned(
    ...     index=0, side="any", previous=b"", time="2026-11-21T10:03:00Z", steps=[invite]
    ... )
    >>> signed = record._replace(signature=anna.sign(Tag.SIGNATURE, record.hash))
    >>> match = Match.replay([signed])
    >>> match.id == signed.hash, match.is_joined, match.turn
    (True, False, 0)
    >>> try:
    ...     Match.replay([record])
    ... except VerificationError as error:
    ...     error.finding.rule.number, error.finding.accuses
    ('R-3.5', False)
    """

    def __init__(self, verified: Container[VerifiedRecord] = ()) -> None:
        super().__init__()
        self.replayed_from = 0
        self._before: Match | None = None
        self._resumed: Snapshot | None = None
        self._current: RecordState | None = None
        self._verified = verified

    @classmethod
    def replay(
        cls,
        records: Sequence[Record],
        verified: Container[VerifiedRecord] = (),
        progress: ProgressCallback = iter,
    ) -> Match:
        """Return the match of a chain of records. Raises VerificationError if one is invalid.

        - `verified`: records whose signatures and openings are not verified again.
        - `progress`: a function that yields the records, one by one.
        """
        return cls(verified)._replay(records, progress)

    @classmethod
    def resume(
        cls,
        records: Sequence[Record],
        snapshot: Snapshot,
        verified: Container[VerifiedRecord] = (),
        progress: ProgressCallback = iter,
    ) -> Match:
        """Return the match of a chain that begins with the records of a snapshot.

        Raises VerificationError, or any error if the snapshot is damaged; only an error that
        `replay` raises, too, proves anything.
        """
        match = cls(verified)
        # The first two records name the players and the rules.
        for record in records[:2]:
            match.add(record)
        match.records, match.replayed_from = [*records[: snapshot.number]], snapshot.number
        match._resumed, table = snapshot, match.table
        table.moves, position = snapshot.read_position()
        table.state = State(ruleset=table.state.ruleset, **position["state"])
        table.decks = {
            side: Deck(table.decks[side].lists, *position["decks"][side]) for side in Side
        }
        table.shuffles, table.grants = position["done"]
        match.dropped, match.secrets, match._follow_ups = position["rest"]
        return match._replay(records, progress)

    def _replay(self, records: Sequence[Record], progress: ProgressCallback) -> Match:
        """Add the records from `replayed_from` on."""
        for record in progress(records[self.replayed_from :]):
            self.add(record)
            if record.index + 1 == len(records) // SNAPSHOT_INTERVAL * SNAPSHOT_INTERVAL:
                self._before = self.copy()
        return self

    @property
    def snapshot(self) -> Snapshot | None:
        """A new snapshot from which the match can be resumed, or None."""
        return None if self._before is None else self._before._own_snapshot

    @cached_property
    def _own_snapshot(self) -> Snapshot | None:
        table = self.table
        state = {key: fact for key, fact in table.state.values().items() if key not in _OMITTED}
        decks = {side: (deck.epochs, deck.wanted_slot_count) for side, deck in table.decks.items()}
        position = {
            "state": state,
            "decks": decks,
            "done": (table.shuffles, table.grants),
            "rest": (self.dropped, self.secrets, self._follow_ups),
        }
        try:
            return Snapshot.of(self.records, table.moves, position, self._resumed)
        except TypeError:
            return None

    # --- replaying records

    def add(self, record: Record) -> None:
        """Check a record and carry it out. Raises VerificationError if it is invalid."""
        check_link(record, self.records)
        # Checked before any rule whose breach accuses the author.
        if not (is_verified := VerifiedRecord.of(record) in self._verified):
            check_signature(record, self.records)
        check_side(record, self.records)
        check_time(record, self.records)
        if self.is_over and self.next_side is None:
            raise refusal(record, Rule.AFTER_CLOSE, Message("the game is over."))
        self.begin(record.side, is_verified=is_verified)
        try:
            for step in record.steps:
                self.take(step)
            self.end()
        except (DeckError, IllegalOrderError, ImpossibleChanceError, StepError) as error:
            earlier = error.record if isinstance(error, StepError) else None
            message = Rewording(excerpt, message_of(error))
            rule = error.rule if isinstance(error, DeckError | StepError) else Rule.LEGAL
            rule = rule.in_beginning if self._is_dealing else rule
            raise refusal(record, rule, message, earlier) from error
        self.records.append(record)

    # --- the steps of one record

    def begin(self, side: str, *, is_verified: bool = False) -> None:
        """Begin the next record, by an author of `side`; `take` its steps, then `end` it.

        With `is_verified` its openings are not verified again.
        """
        previous = self.last.hash if self.records else NO_RECORD
        origin = ShuffleOrigin(len(self.records), previous)
        author = None if side == "any" else Side(side)
        self._current = RecordState(
            author,
            origin,
            is_dealing=self._table is None or bool(self.state.setup),
            is_closing=self.is_over,
            is_verified=is_verified,
        )

    def take(self, step: steps.Step) -> list[Event]:
        """Check the next step of the record and carry it out, with the follow-ups due after it.

        Returns the events of the step itself. Raises StepError, DeckError, IllegalOrderError or
        ImpossibleChanceError if the step is not valid. See docs/protocol.md, The exchange.
        """
        record = self._record
        match step:
            case steps.Invite():
                return self._take_invite(step, record)
            case steps.Accept():
                return self._take_accept(step, record)
        if isinstance(step, steps.Resign | steps.Close) and not self.is_joined:
            raise StepError("no game can end before its invitation is accepted.", Rule.NOT_JOINED)
        side = self._entered_side(record)
        if side in self.secrets:
            raise StepError("nothing follows its author's close.", Rule.AFTER_CLOSE)
        if isinstance(step, steps.OpenLists):
            self.decks[side].open_lists(step.epoch, step.opening, is_verified=record.is_verified)
            return []
        self._check_owed(side, openings_only=isinstance(step, steps.Grant))
        if self.is_over and not isinstance(step, steps.Close):
            raise StepError("the game is over.", Rule.AFTER_END)
        if not isinstance(step, steps.Open | steps.OrderStep):
            record.check_played()
        match step:
            case steps.Resign():
                self._follow_ups = None
                return self.table.resign(record.index, side)
            case steps.Close():
                self._take_close(step, side)
                return []
        if self.is_interrupted(side):
            self._take_follow_up(step, side, record)
            return []
        if self.decks[side].wanted_slot_count:
            raise StepError(
                "nothing follows a draw that the other player has to answer.", Rule.ASKED
            )
        if isinstance(step, steps.OrderStep):
            order, needless = self._read_order(step, side, record)
            try:
                events = self.table.order(record.index, side, order)
            except IllegalOrderError as error:
                text, reason = step.order, message_of(error)
                message = Message("“{order}” is not legal. {reason}", order=text, reason=reason)
                raise IllegalOrderError(message) from error
            if needless:
                raise StepError("it shows a card that the order does not need.", Rule.NEEDLESS)
            record.opens = ()
        else:
            events = self._take_other(step, side, record)
        if self._follow_ups and not record.opens:
            self._carry_out(self._follow_ups, record)
        return events

    def is_interrupted(self, side: Side) -> bool:
        """Return True if `side` can write only follow-ups now (docs/protocol.md, The exchange)."""
        state = self.state
        if state.active is not side or not state.is_interrupted:
            return False
        return state.awaiting.side is not side or bool(self.decks[side].wanted_slot_count)

    def end(self) -> None:
        """End the record. Raises StepError if its author still owes a step (R-12.4, R-5.4)."""
        record = self._record
        record.check_played()
        if record.side is not None:
            self._check_owed(record.side)
            awaiting = self.state.awaiting
            waits = bool(self.decks[record.side].wanted_slot_count)
            if awaiting.side is record.side and not self.is_over and not waits:
                decision = awaiting.decision.label
                raise StepError(
                    # Translators: {decision} is, for example, “raid reply”.
                    "it stops although its author still owes: {decision}.",
                    Rule.UNDECIDED,
                    decision=decision,
                )
            if record.is_closing and record.side not in self.secrets:
                raise StepError("the game is over: all that can follow is a close.", Rule.CLOSE_DUE)
        self._current = None

    @property
    def _record(self) -> RecordState:
        assert self._current is not None
        return self._current

    @property
    def _is_dealing(self) -> bool:
        """True if the record is one of the beginning and no turn has begun (R-5.1)."""
        begins = self._table is None or bool(self.state.setup) or self._record.side is Side.FRENCH
        return self._record.is_dealing and begins

    def _entered_side(self, record: RecordState) -> Side:
        if record.side is None or record.side not in self.entrants:
            raise StepError(
                "it does more than the invitation or acceptance allows.", Rule.BEGINNING
            )
        return record.side

    def _check_owed(self, side: Side, *, openings_only: bool = False) -> None:
        """Raise StepError if `side` owes an opening, or a grant unless `openings_only` is set.

        See R-5.2 and R-5.4.
        """
        if self.decks[side].epoch_to_open is not None:
            raise StepError(
                "the lists of the author's own shuffle have to be opened first.", Rule.OPENING_FIRST
            )
        if not openings_only and not self.is_over and self.table.grant_request(side.opponent):
            raise StepError(
                "the cards that the other player asked for have to be granted first.",
                Rule.GRANT_FIRST,
            )

    # --- entering the game

    def _take_invite(self, step: steps.Invite, record: RecordState) -> list[Event]:
        if record.index != 0 or self._invite is not None:
            raise StepError("a game has one invitation, at its beginning.", Rule.INVITED_ONCE)
        ruleset = check_invite(step, record.side)
        self._invite = step
        if record.side is not None:
            self.entrants[record.side] = Entrant.of(step)
            self._table = new_table(step, ruleset, record.side)
        return []

    def _take_accept(self, step: steps.Accept, record: RecordState) -> list[Event]:
        if record.index != 1 or record.side in self.entrants:
            is_once = record.index == 1 and len(self.entrants) < len(Side)
            raise StepError(
                "an invitation is accepted once, by the side that it leaves.",
                Rule.ACCEPTED_SIDE if is_once else Rule.ACCEPTED_ONCE,
            )
        invite = self.invite
        check_accept(step, record.side, invite)
        side = Side(step.side)
        self.entrants[side] = Entrant.of(step)
        if self._table is None:
            self.entrants[side.opponent] = Entrant.of(invite)
            self._table = new_table(invite, ruleset_of(invite), side)
        return []

    # --- the author's other steps

    def _take_other(self, step: steps.Step, side: Side, record: RecordState) -> list[Event]:
        table = self.table
        match step:
            case steps.Grant():
                answer = GrantAnswer(step.list, step.slots, step.ahead or ())
                return table.grant(record.index, side.opponent, answer)
            case steps.ShuffleStep():
                table.decks[side].check_can_shuffle()
                return table.shuffle(record.index, side, step, record.origin)
            case steps.DrawStep():
                table.decks[side].check_can_draw(step.count)
                return table.draw(record.index, side, step.count)
            case steps.Open():
                table.check_decides(side)
                return self._take_open(step, side, record)
        raise AssertionError(step.kind)

    def _take_open(self, step: steps.Open, side: Side, record: RecordState) -> list[Event]:
        record.check_ascends(step)
        events = self.table.open(side, step)
        record.opens += (step,)
        return events

    def _read_order(
        self, step: steps.OrderStep, side: Side, record: RecordState
    ) -> tuple[Order, Counter[str]]:
        """Return the order of a step, and the cards shown for it without need (R-12.8)."""
        self.table.check_decides(side)
        order = read_order(step, side)
        answers = self.state.awaiting.decision in ACTIONS[type(order)].decisions
        if isinstance(order, ShowHand) and answers and self.decks[side].hidden:
            raise StepError("Showing your hand means showing all of it.", Rule.SHOWN_WHOLE)
        return order, self._needless(order, side, [step.card for step in record.opens])

    def _needless(self, order: Order, side: Side, shown_cards: list[str]) -> Counter[str]:
        """Return the shown cards that an order does not play, or that were already known.

        They are refused, so that there is only one way to write a turn. `ShowHand` needs all cards.
        """
        if not shown_cards or isinstance(order, ShowHand):
            return Counter()
        public = Counter(self.state.players[side].hand) - Counter(shown_cards)
        return Counter(shown_cards) - (Counter(game.cards_played(self.state, order)) - public)

    # --- follow-ups

    def _take_follow_up(self, step: steps.Step, side: Side, record: RecordState) -> None:
        if isinstance(step, steps.Open):
            self._take_open(step, side, record)
            return
        if not isinstance(step, steps.OrderStep | steps.ShuffleStep | steps.DrawStep):
            raise StepError("the other player has to answer first.", Rule.GRANT_NOT_DUE)
        self._follow_ups = self._follow_ups or FollowUps(side, record.origin)
        self._follow_ups.add(step, [step.card for step in record.opens], self.state)
        record.opens = ()

    def _carry_out(self, follow_ups: FollowUps, record: RecordState) -> None:
        if dropped := follow_ups.carry_out(self.table, record.index):
            self.dropped.append(dropped)
        if self.is_over:
            self._follow_ups = None

    # --- the close

    def _take_close(self, step: steps.Close, side: Side) -> None:
        if not self.is_over:
            raise StepError(
                "a game secret is published when the game is over, and not before.",
                Rule.CLOSE_EARLY,
            )
        published = self.entrants[side].secret_hash
        check_secret(self.table, self.records, side, step.secret, published)
        self.secrets[side] = step.secret

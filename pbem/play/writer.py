"""Writing a record: every step goes through a match, just as the reader's program will take it.

What was written that way verifies. docs/protocol.md, The exchange.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.events import Event
from engine.sides import Side
from engine.state import Decision
from pbem.protocol import steps
from pbem.protocol.deck import Grants, commit, open_lists, root_seed
from pbem.protocol.hand import shuffle_seed
from pbem.protocol.identity import Identity
from pbem.protocol.match import NO_RECORD, Match
from pbem.protocol.record import Record


class Writer:
    """The next record of a match, by one author, before it is signed.

    `match` is the writer's own copy; the record is in it once it is signed. `side` is "any" only
    for an invitation that leaves the choice. `time` is when it is signed, in UTC.
    """

    def __init__(
        self, match: Match, identity: Identity, side: str, nonce: bytes, time: str
    ) -> None:
        self.match = match.copy()
        self.identity = identity
        self.side = side
        self.secret = identity.game_secret(nonce)
        # A writer whose clock is behind borrows the time of the record it answers.
        self.time = max(time, match.last.time) if match.records else time
        self.steps: list[steps.Step] = []
        self._grants = Grants(self.secret, match.last.hash if match.records else NO_RECORD)
        self.match.begin(side)

    def take(self, step: steps.Step) -> list[Event]:
        """Add a step; raises what `Match.take` raises where it does not hold."""
        events = self.match.take(step)
        self.steps.append(step)
        return events

    def pay_what_is_owed(self) -> None:
        """Open the own lists, and grant what the other player asked for."""
        side = Side(self.side)
        own = self.match.decks[side]
        epoch = own.owes_opening
        if epoch is not None:
            seed, chosen = shuffle_seed(self.match, side, self.secret, epoch), own.chosen(epoch)
            assert chosen is not None
            self.take(
                steps.OpenLists(epoch, *open_lists(seed, own.cards(epoch), own.lists, chosen))
            )
        # A grant may lead to the next one, where the other player's follow-ups ask again.
        while not self.match.is_over and (wanted := self.match.table.wanted(side.opponent)):
            chosen, slots, ahead = self._grants.answer(wanted)
            self.take(steps.Grant(slots, chosen, ahead or None))

    def ask(self) -> None:
        """Shuffle and draw what the game wants, up to a draw that has to be granted."""
        side = Side(self.side)
        deck = self.match.decks[side]
        while not deck.wants_slots:
            awaiting = self.match.state.awaiting
            if awaiting.side is not side or not awaiting.decision.is_chance:
                return
            if awaiting.decision is Decision.DRAW:
                self.take(steps.DrawStep(awaiting.amount))
            else:
                self.shuffle(self.match.state.players[side].discard)

    def shuffle(self, discard: Iterable[str]) -> None:
        """Shuffle these cards into a new draw pile."""
        deck = self.match.decks[Side(self.side)]
        cards = tuple(sorted(discard))
        previous = self.match.last.hash if self.match.records else NO_RECORD
        seed = root_seed(self.secret, deck.next_epoch, previous)
        self.take(steps.ShuffleStep(deck.next_epoch, cards, commit(seed, cards, deck.lists)))

    def close(self) -> None:
        """Publish the game secret, if the game is over and that has not been done."""
        if self.match.is_over and Side(self.side) not in self.match.secrets:
            self.take(steps.Close(self.secret))

    def sign(self) -> Record:
        """Sign the record and add it to the match; raises StepError where it is not complete."""
        self.match.end()
        records = self.match.records
        record = Record.signed(
            self.identity,
            index=len(records),
            side=self.side,
            previous=records[-1].hash if records else b"",
            time=self.time,
            steps=self.steps,
        )
        records.append(record)
        return record

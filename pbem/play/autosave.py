"""Autosave: the unsigned turn of a player, stored so that it survives the end of the program.

The turn is in the player's store, sealed as notes in a file are: orders reveal the hand. Its box
opens only for this player, this game and the record that the turn follows. docs/threat-model.md,
The library on your computer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from engine.message import Phrase, TranslatableError
from engine.order import Order, UnreadableOrderError
from engine.orders import from_notation
from pbem.errors import DamagedBoxError
from pbem.play.keyfile import is_published
from pbem.play.store import Store, StoreError
from pbem.play.turn import Turn
from pbem.protocol.identity import NOTES, box_error, seal_text, unseal_text
from pbem.protocol.schema import LINE, Codec, ListOf, Plain, Time, canonical_json, read_table
from pbem.protocol.steps import OrderStep

MIN_SIZE = 1024
"""The minimum size of a saved turn, in bytes; it hides the number of orders."""
_MAX_ORDERS = 9999
_PURPOSE = b"kept turn"
"""The text to which the box of a saved turn is bound, so that no other box can replace it."""
_CODECS: dict[str, Codec] = {
    "orders": ListOf(LINE, 0, _MAX_ORDERS),
    "taken-back": ListOf(LINE, 0, _MAX_ORDERS),
    "notes": NOTES,
    "when": Time(),
}


class SavedTurn(NamedTuple):
    """A turn saved at the time `when`, by this computer's clock.

    `orders` and the `redo_stack` of the turn are in notation. `notes` are the notes that the player
    has edited, or None. If the box does not open, `damage` is the reason, and all other fields are
    empty. If it `is_signed`, it is the signed answer whose file is missing, and has no box.
    """

    orders: tuple[str, ...]
    redo_stack: tuple[str, ...]
    notes: str | None
    when: str
    damage: Phrase = ""
    is_signed: bool = False


class ResumedTurn(NamedTuple):
    """The result of resuming a saved turn: the `orders` given again, and those `remaining`.

    `reason` is the reason why the first of the `remaining` was refused, or empty.
    """

    orders: tuple[Order, ...]
    remaining: tuple[str, ...]
    reason: Phrase = ""


class Autosave:
    """The place in the player's store for one unsigned turn.

    `saved` is the turn that was saved there for this file, or None: an unsigned turn, or the signed
    answer whose file was not written because the program was stopped. No method raises an error:
    without a usable store nothing is saved.
    """

    def __init__(self, store: Store, turn: Turn) -> None:
        self._store = store
        self._turn = turn
        self._key = turn.secrets.box_key
        self._place = turn.game.match.id, turn.game.match.last.hash
        self._is_reported = False
        self._last: SavedTurn | None = None
        # If the saved turn cannot be read, `save` reports it.
        with suppress(StoreError):
            self._last = self._read()
        self.saved = self._last
        signed, history = turn.signed, turn.history
        if signed is not None and history.written is None:
            orders = tuple(step.order for step in signed.steps if isinstance(step, OrderStep))
            if orders:
                self.saved = SavedTurn(orders, (), None, history.when, is_signed=True)

    def resume(self) -> ResumedTurn:
        """Give the orders of the `saved` turn again, until one is refused.

        Orders given before are dropped. Its notes are taken over unless there are new ones already.
        """
        turn, saved = self._turn, self.saved
        turn.begin_again()
        if saved is None:
            return ResumedTurn((), ())
        if turn.new_notes is None:
            turn.new_notes = saved.notes
        for number, notation in enumerate(saved.orders):
            try:
                turn.order(from_notation(notation))
            except TranslatableError as error:
                return ResumedTurn(turn.undo_stack, saved.orders[number:], error.message)
        # `redo` checks whether they can be given.
        turn.redo_stack = _parse_orders(saved.redo_stack)
        return ResumedTurn(turn.undo_stack, ())

    @property
    def is_changed(self) -> bool:
        """True if another window has saved the turn since; False if that is unknown."""
        try:
            # The time does not matter.
            now, last = (turn and turn._replace(when="") for turn in (self._read(), self._last))
            return now != last
        except StoreError:
            return False

    def _read(self) -> SavedTurn | None:
        if self._store.failure is not None:
            raise self._store.failure
        sealed = self._store.saved_turn(*self._place)
        return None if sealed is None else self._unseal(sealed)

    def save(self) -> StoreError | None:
        """Save the present state of the turn.

        A turn without orders and new notes is deleted; a turn that resigns is not saved. Return the
        failure if the turn cannot be saved, but only the first time. Practice games, with a
        published key, do not create a store.
        """
        if self._turn.resigns:
            return None
        orders, notes = (self._turn.undo_stack, self._turn.redo_stack), self._turn.new_notes
        done, back = (tuple(order.notation() for order in some) for some in orders)
        turn = SavedTurn(done, back, notes, self._store.time())
        try:
            if failure := self._store.failure:
                raise failure
            if is_published(self._store.key) and not self._store.exists:
                return None
            is_kept = bool(done) or notes is not None
            self._store.save_turn(*self._place, self._seal(turn) if is_kept else None)
            self._last = turn if is_kept else None
        except StoreError as error:
            was_reported, self._is_reported = self._is_reported, True
            return None if was_reported else error
        return None

    def _seal(self, turn: SavedTurn) -> bytes:
        plain: dict[str, Plain] = {
            "orders": turn.orders,
            "taken-back": turn.redo_stack,
            "when": turn.when,
        }
        if turn.notes is not None:
            plain["notes"] = turn.notes
        text = canonical_json(plain)
        return seal_text(text, self._key, *self._place, _PURPOSE, room=MIN_SIZE)

    def _unseal(self, sealed: bytes) -> SavedTurn:
        try:
            text = unseal_text(sealed, self._key, *self._place, _PURPOSE)
            plain = read_table(json.loads(text), _CODECS, frozenset({"notes"}))
        except (DamagedBoxError, ValueError):
            return SavedTurn((), (), None, "", box_error().message)
        return SavedTurn(plain["orders"], plain["taken-back"], plain.get("notes"), plain["when"])


def _parse_orders(notations: Sequence[str]) -> tuple[Order, ...]:
    """Return the readable orders at the end of a redo stack."""
    readable: list[Order] = []
    for notation in reversed(notations):
        try:
            readable.insert(0, from_notation(notation))
        except UnreadableOrderError:
            break
    return tuple(readable)

"""A turn under way, kept until it is signed: it is found again whatever ended the program.

It is in the player's library, sealed as the player's notes are in a file: orders reveal the hand.
Its box opens for this player, this game and the record that the turn is to follow.
docs/threat-model.md, The library on your computer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from engine.message import Failure, Phrase
from engine.order import Order, UnreadableOrder
from engine.orders import from_notation
from pbem.errors import BoxDamaged
from pbem.play.keyfile import is_published
from pbem.play.store import LibraryFailed, Store
from pbem.play.turn import Turn
from pbem.protocol.identity import NOTES, box_error, seal_text, unseal_text
from pbem.protocol.schema import LINE, Codec, ListOf, Plain, Time, canonical_json, read_table
from pbem.protocol.steps import OrderStep

ROOM = 1024
"""The least bytes that a kept turn takes: how much was ordered does not show."""
_MOST = 9999
_NOT_IN_A_FILE = b"kept turn"
"""A text to which such a box is also bound, so that no box in a file is taken for one."""
_CODECS: dict[str, Codec] = {
    "orders": ListOf(LINE, 0, _MOST),
    "taken-back": ListOf(LINE, 0, _MOST),
    "notes": NOTES,
    "when": Time(),
}


class SavedTurn(NamedTuple):
    """A turn as it was kept, `when`, by the clock of this computer.

    `orders` were given, in this sequence, and those `redo_stack` can be given again, the last
    first; both as notation. `notes` are those that the player has edited, None for those of the
    file. Where its box does not open, all is empty but the `damage`, which says so. One that
    `is_signed` stood in no box: it is the answer that was signed, and whose file is not there.
    """

    orders: tuple[str, ...]
    redo_stack: tuple[str, ...]
    notes: str | None
    when: str
    damage: Phrase = ""
    is_signed: bool = False


class ResumedTurn(NamedTuple):
    """The outcome of resuming a saved turn: the `orders` given again, and those `remaining`.

    `why` is the reason for which the first of the `remaining` was refused; empty if there are none.
    """

    orders: tuple[Order, ...]
    remaining: tuple[str, ...]
    why: Phrase = ""


class Autosave:
    """The place where a turn is kept, in the library of its player.

    `saved` is what was left there at this file before it was answered now, None if nothing was. It
    is not signed; or it is, but the program was stopped before its file was there. Nothing here
    raises: an unusable library only loses what it keeps.
    """

    def __init__(self, store: Store, turn: Turn) -> None:
        self._store = store
        self._turn = turn
        self._key = turn.secrets.box_key
        self._place = turn.game.match.id, turn.game.match.last.hash
        self._is_failure_told = False
        self._last: SavedTurn | None = None
        # If it cannot be read, keeping the turn reports it.
        with suppress(LibraryFailed):
            self._last = self._read()
        self.saved = self._last
        signed, background = turn.signed, turn.background
        if signed is not None and background.written is None:
            orders = tuple(step.order for step in signed.steps if isinstance(step, OrderStep))
            if orders:
                self.saved = SavedTurn(orders, (), None, background.when, is_signed=True)

    def resume(self) -> ResumedTurn:
        """Go on with what was `saved`: give its orders, as far as they can be given.

        Orders that were given before are taken back. Its notes are taken up unless there are others
        already.
        """
        turn, found = self._turn, self.saved
        turn.begin_again()
        if found is None:
            return ResumedTurn((), ())
        if turn.new_notes is None:
            turn.new_notes = found.notes
        for number, notation in enumerate(found.orders):
            try:
                turn.order(from_notation(notation))
            except Failure as error:
                return ResumedTurn(turn.undo_stack, found.orders[number:], error.message)
        # Whether they can be given is seen when they are.
        turn.redo_stack = _readable(found.redo_stack)
        return ResumedTurn(turn.undo_stack, ())

    @property
    def is_changed(self) -> bool:
        """True if another is kept there than was kept, or found, here, as far as can be told."""
        try:
            # Whenever it was kept.
            found, last = (turn and turn._replace(when="") for turn in (self._read(), self._last))
            return found != last
        except LibraryFailed:
            return False

    def _read(self) -> SavedTurn | None:
        if self._store.failure is not None:
            raise self._store.failure
        sealed = self._store.saved_turn(*self._place)
        return None if sealed is None else self._opened(sealed)

    def save(self) -> LibraryFailed | None:
        """Keep the turn there as it is now, so that it is found again.

        Nothing is kept of a turn without orders and without notes of its own, nor of one that gives
        the game up. If it cannot be kept it returns why: once, and then nothing any more. To look
        around in a practice game, with a key that everybody has, begins no library.
        """
        if self._turn.resigns:
            return None
        orders, notes = (self._turn.undo_stack, self._turn.redo_stack), self._turn.new_notes
        given, back = (tuple(each.notation() for each in some) for some in orders)
        turn = SavedTurn(given, back, notes, self._store.time())
        try:
            if failure := self._store.failure:
                raise failure
            if is_published(self._store.key) and not self._store.is_there:
                return None
            is_kept = bool(given) or notes is not None
            self._store.save_turn(*self._place, self._sealed(turn) if is_kept else None)
            self._last = turn if is_kept else None
        except LibraryFailed as error:
            is_told, self._is_failure_told = self._is_failure_told, True
            return None if is_told else error
        return None

    def _sealed(self, turn: SavedTurn) -> bytes:
        plain: dict[str, Plain] = {
            "orders": turn.orders,
            "taken-back": turn.redo_stack,
            "when": turn.when,
        }
        if turn.notes is not None:
            plain["notes"] = turn.notes
        text = canonical_json(plain)
        return seal_text(text, self._key, *self._place, _NOT_IN_A_FILE, room=ROOM)

    def _opened(self, sealed: bytes) -> SavedTurn:
        try:
            text = unseal_text(sealed, self._key, *self._place, _NOT_IN_A_FILE)
            found = read_table(json.loads(text), _CODECS, frozenset({"notes"}))
        except (BoxDamaged, ValueError):
            return SavedTurn((), (), None, "", box_error().message)
        return SavedTurn(found["orders"], found["taken-back"], found.get("notes"), found["when"])


def _readable(notations: Sequence[str]) -> tuple[Order, ...]:
    """Return the orders that were taken back, as far as they can be read, from the last one on."""
    found: list[Order] = []
    for notation in reversed(notations):
        try:
            found.insert(0, from_notation(notation))
        except UnreadableOrder:
            break
    return tuple(found)

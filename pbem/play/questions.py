"""Questions to be settled before signing, as values: the player agrees to each, or does not.

Two questions are equal if they ask the same of the same facts, so that what a player was shown can
be agreed to later, and elsewhere. docs/protocol.md, What a player's program has to take care of.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import NamedTuple, TypeAlias

from engine.message import Message, Said
from engine.value import Value
from pbem.errors import WrongUse
from pbem.play.store import Recognised, Store
from pbem.protocol.deck import show_every_list
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.record import Record
from pbem.protocol.steps import OpenLists, ShuffleStep, Step


class _Question(Value):
    """A question; its `id` is short, and the same wherever the same is asked of the same facts."""

    @property
    def id(self) -> str:
        """The id by which a page refers to it."""
        facts = repr(self).encode(errors="backslashreplace")
        return tagged_hash(Tag.QUESTION, facts)[:8].hex()


class NoLibrary(_Question):
    """The library at `path` cannot tell what was signed, or not keep it, and why.

    One that `is_readable` tells what was signed, and keeps nothing more. One that `may_pass` can be
    used again soon, after the `remedy`: nothing is signed till then.
    """

    path: Path
    reason: Said
    is_readable: bool = False
    may_pass: bool = False
    remedy: Said = ""

    @property
    def may_be_agreed(self) -> bool:
        """True if a player may go on without it."""
        return not self.may_pass


class SignedBefore(_Question):
    """Something was signed that is not in the file: to sign another record may prove cheating.

    That was `when`, by the clock of this computer, and was to be written to `file`, None if
    nobody remembers; `is_written` says whether it lies there. `newest` is the newest file of the
    game, None if it is not found.
    """

    earlier: Earlier
    when: str
    file: Path | None
    is_written: bool
    newest: Path | None = None
    may_be_agreed = True

    @property
    def standing(self) -> Standing:
        """How the file stands to what was signed."""
        return self.earlier.standing


class NotRemembered(_Question):
    """More may have been signed than is remembered, so that the file may not be the newest one.

    One that `is_invitation` may have been accepted before.
    """

    is_invitation: bool
    may_be_agreed = True


class Closed(_Question):
    """The player has closed the game: with another record beside `record` the hand is open."""

    record: Record
    may_be_agreed = False


class OpensTwice(_Question):
    """A shuffle was opened for another list by `record`: the whole pile would be seen."""

    record: Record
    may_be_agreed = False


class NewKey(_Question):
    """Nothing was signed with the key of this opponent yet, as far as is remembered."""

    recognised: Recognised
    may_be_agreed = True


class OtherKey(_Question):
    """Somebody else is known by the name or address of this opponent, with another key."""

    recognised: Recognised
    may_be_agreed = True


Question: TypeAlias = (
    NoLibrary | SignedBefore | NotRemembered | Closed | OpensTwice | NewKey | OtherKey
)


class Beforehand(Enum):
    """A thing that a player can say beforehand; every front end has its own name for it."""

    ANOTHER = "another record may be signed than was before"
    NEWEST = "the file is the newest of its game, whatever is remembered"
    WAIT = "the turn goes on after the other player's answer"


class Unanswered(WrongUse):
    """A record was not signed, because of `questions` to which nobody has agreed."""

    def __init__(self, questions: Sequence[Question]) -> None:
        super().__init__(Message("Nothing was signed: answer the open question first."))
        self.questions = tuple(questions)


class NotToBeAgreed(WrongUse):
    """Nobody may agree to that `question`."""

    def __init__(self, question: Question) -> None:
        super().__init__(Message("This cannot be agreed to, so nothing is signed."))
        self.question = question


# --- what a file is to whoever has signed in its game


class Standing(Enum):
    """Why a file is not simply one to be answered."""

    ANSWERED = "answered already"
    OLDER = "older than what was answered"
    OTHER_BEFORE = "another record than the one that was answered"
    OTHER_OWN = "another record in the own name than the one that was signed"


class Earlier(NamedTuple):
    """A record that was signed earlier and stands against answering a file.

    `record` is the one that says so; `not_in_file` are the indexes of all own records that the
    file lacks or has otherwise.
    """

    standing: Standing
    record: Record
    not_in_file: tuple[int, ...]


def earlier(library: Store, records: Sequence[Record]) -> Earlier | None:
    """Return what stands against answering the file with these records, which a match accepted.

    None if all that was signed in the game is in it. Raises LibraryFailed.
    """
    hashes = [record.hash for record in records]
    game, number = hashes[0], len(hashes)
    missing = tuple(
        index
        for index, hash_ in library.signed_hashes(game).items()
        if index >= number or hashes[index] != hash_
    )
    if not missing:
        return None
    first, last = (library.signed(game, index) for index in (missing[0], missing[-1]))
    if first is None or last is None:
        # Another process has replaced it just now.
        return None
    if first.index < number:
        is_own = records[first.index].verify(library.key)
        return Earlier(Standing.OTHER_OWN, first, missing) if is_own else None
    if first.index == number and first.previous != records[-1].hash:
        return Earlier(Standing.OTHER_BEFORE, first, missing)
    if last.index == number:
        return Earlier(Standing.ANSWERED, first, missing)
    return Earlier(Standing.OLDER, last, missing)


# --- what would show a whole pile


def gives_away(
    library: Store, game: bytes, previous: bytes, taken: Sequence[Step]
) -> Record | None:
    """Return the record signed earlier that, with these steps, shows every list of an own shuffle.

    They stand in a record that follows `previous`. A shuffle made again after the same record has
    the same lists: another one will be granted, and have to be opened. Raises LibraryFailed.
    """
    opened = {step.epoch: step.siblings for step in taken if isinstance(step, OpenLists)}
    again = _shuffled(taken)
    if not opened and not again:
        return None
    before = library.shuffling(game)
    again &= {
        e for record in before if record.previous == previous for e in _shuffled(record.steps)
    }
    for record in before:
        for step in record.steps:
            if not isinstance(step, OpenLists) or not step.siblings:
                continue
            if step.epoch in again or show_every_list(opened.get(step.epoch, ()), step.siblings):
                return record
    return None


def _shuffled(taken: Sequence[Step]) -> set[int]:
    return {step.epoch for step in taken if isinstance(step, ShuffleStep)}

"""What this computer remembers to have signed: looked up before a file is answered, kept after.

A library that cannot be used stops nobody from playing: it is warned of, once.

docs/protocol.md, What a player's program has to take care of.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import console
from pbem.cli.home import library_path
from pbem.cli.output import write
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from pbem.identity import Identity
    from pbem.library import Earlier, Library, LibraryFailed
    from pbem.record import Record
    from pbem.steps import Step

Replace = Annotated[
    bool,
    typer.Option(
        "--replace",
        help="Sign anew what this computer has signed otherwise; only if that never left it.",
    ),
]

PROOF = (
    "Two different records with one index and your signature are proof of cheating for whoever "
    "gets both."
)


class Memory:
    """The memory of what one identity signed, which lies in that player's home.

    With `replace` the player has agreed to sign anew what was signed otherwise; a `trial` signs
    nothing that leaves this process, so that it is only warned of.
    """

    def __init__(
        self, home: Path, identity: Identity, *, replace: bool = False, trial: bool = False
    ) -> None:
        self.path = library_path(home)
        self.key = identity.public_key
        self.replace = replace
        self.trial = trial
        self._earlier: Earlier | None = None
        self._is_usable = True
        self._is_warned = False

    def look_up(self, records: Sequence[Record]) -> Record | None:
        """The record with which the file with these `records` was answered; None if it was not.

        Raises WrongUse where it may not be answered at all after what was signed. Whoever agreed
        to that beforehand is warned by `allow_another`.
        """
        from pbem.library import Standing

        self._earlier = earlier = self._read(records)
        if earlier is None:
            return None
        if earlier.standing is Standing.ANSWERED:
            return earlier.record
        if not self.replace and not self.trial:
            self._check(earlier)
        return None

    def allow_another(self) -> None:
        """Raise WrongUse unless the player agreed to another answer than the one signed before.

        Whoever did is warned, once. Does nothing where no answer was signed before.
        """
        if self._earlier is not None and not self._is_warned:
            self._check(self._earlier)

    def check_shuffles(self, game: bytes, previous: bytes, taken: Sequence[Step]) -> None:
        """Raise WrongUse where these steps, behind `previous`, would show a whole draw pile.

        That is so with an opening that was signed before, and the player cannot agree to it.
        """
        from pbem.library import LibraryFailed, gives_away

        if not self._is_usable or not taken:
            return
        try:
            signed = gives_away(self._library(), game, previous, taken)
        except LibraryFailed as error:
            self._warn_of_library(error)
            return
        if signed is None:
            return
        sentence = (
            "With this your opponent would see your whole hand and draw pile: "
            f"{_yours(signed)}, opened the same shuffle for another list."
        )
        if self.trial:
            console.warn(f"{sentence} This is only a trial.")
            return
        raise WrongUse(
            f"{sentence} Go on from the file with that record: not even --replace signs this. "
            "Nothing was written."
        )

    def write(self, path: Path, data: bytes, record: Record, *, game: bytes) -> None:
        """Write a file with a new own record, and remember the record once the file is there."""
        if not self._is_usable:
            write(path, data)
            return
        from pbem.library import LibraryFailed

        earlier = self._earlier
        is_again = earlier is None or earlier.record.hash == record.hash
        if not is_again:
            self.allow_another()
        dropped = () if is_again or earlier is None else earlier.not_in_file
        with ExitStack() as stack:
            try:
                stack.enter_context(self._library().remembering(game, record, forgetting=dropped))
            except LibraryFailed as error:
                self._warn_of_forgetting(error)
            write(path, data)
            try:
                stack.close()
            except LibraryFailed as error:
                self._warn_of_forgetting(error)

    def _library(self) -> Library:
        from pbem.library import Library

        return Library(self.path, self.key)

    def _read(self, records: Sequence[Record]) -> Earlier | None:
        from pbem.library import LibraryFailed, earlier

        try:
            return earlier(self._library(), records)
        except LibraryFailed as error:
            self._warn_of_library(error)
            return None

    def _warn_of_library(self, error: LibraryFailed) -> None:
        self._is_usable = False
        console.warn(
            f"The library of what you signed, {self.path}, cannot be used: {error}. Your game "
            "is not affected, but it is up to you not to answer one file twice; move the "
            "library away, and a new one is begun."
        )

    def _warn_of_forgetting(self, error: LibraryFailed) -> None:
        console.warn(
            f"The library of what you signed, {self.path}, cannot be written: {error}. Your file "
            "is not affected, but this computer will not remember it: it is up to you not to "
            "answer the same file twice."
        )

    def _check(self, earlier: Earlier) -> None:
        from pbem.library import Standing

        sentence, advice = _explained(earlier)
        self._is_warned = True
        if self.trial:
            console.warn(f"{sentence} This is only a trial.")
        elif not self.replace:
            raise WrongUse(f"{sentence} {advice} Nothing was written.")
        elif earlier.standing is Standing.OTHER_BEFORE:
            console.warn(f"{sentence} {PROOF} You go on from the one in this file.")
        else:
            yours = _yours(earlier.record)
            console.warn(f"{sentence} {PROOF} Go on only if {yours}, never left this computer.")


def _explained(earlier: Earlier) -> tuple[str, str]:
    """Why a file is not simply answered, and what to do, each in whole sentences."""
    from pbem.library import Standing

    mine, record = earlier.record.index, _yours(earlier.record)
    if earlier.standing is Standing.ANSWERED:
        return f"You have answered this file already: {record}.", _send_again(earlier.record)
    if earlier.standing is Standing.OLDER:
        return (
            "This file is older than what you have answered already: "
            f"{record}, answered record {mine - 1}.",
            "Go on with the newest file; if you have lost it, ask your opponent for it.",
        )
    if earlier.standing is Standing.OTHER_OWN:
        return (
            f"This file holds another record {mine} in your name than the one that this computer "
            f"signed ({record}).",
            "If you signed it yourself, on another computer, and it is the one that counts, go on "
            "with --replace. If not, somebody has your key.",
        )
    audit = "Keep both files: acres audit OLD NEW shows it to anybody."
    if earlier.record.index == 2:
        return (
            f"This file holds another acceptance of your invitation than the one that {record}, "
            "answered.",
            f"An invitation is good for one guest. {audit}",
        )
    return (
        f"Your opponent signed another record {mine - 1} than the one that you have answered "
        f"({record}).",
        audit,
    )


def _yours(record: Record) -> str:
    return f"your record {record.index}, signed {record.time}"


def _send_again(record: Record) -> str:
    """What to do where a file was answered already, other than sign again."""
    from pbem.steps import Accept, Order, Resign

    orders = [step.order for step in record.steps if isinstance(step, Order)]
    if orders and orders[-1].split()[0] not in ("end", "lose"):
        # Where the turn was left to go on after an answer, it is not to be ended now.
        orders.append("--wait")
    if isinstance(record.steps[0], Accept):
        again = f"joining again as {record.side} writes it again"
    elif any(isinstance(step, Resign) for step in record.steps):
        again = "resigning again writes it again"
    elif orders:
        again = f"the same orders write it again ({shlex.join(orders)})"
    else:
        again = "giving no orders writes it again"
    return (
        f"Send that answer; {again}. {PROOF} If it never left this computer, --replace signs "
        "another."
    )

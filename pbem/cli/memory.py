"""What this computer remembers to have signed: looked up before a file is answered, then kept.

Nothing is signed without a library that can be used, but for an invitation, which answers nothing;
nor where it does not remember its player's part in a game, unless that player says that the file is
the newest one. In a game that its player has closed, nothing is signed at all.

docs/protocol.md, What a player's program has to take care of.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.message import Message, mark, sentences
from pbem.cli import console
from pbem.cli.home import command_of
from pbem.cli.newest import OPTION
from pbem.cli.output import check_writable, holds, is_there, note_written, room_instead_of
from pbem.cli.own_library import NotNow, library_of, proof
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from pbem.cli.mail.drafts import Draft
    from pbem.library import Destination, Earlier, Library, LibraryFailed, Signing
    from pbem.protocol.identity import Identity
    from pbem.protocol.match import Match
    from pbem.protocol.record import Record
    from pbem.protocol.steps import Step

Replace = Annotated[
    bool,
    typer.Option(
        "--replace",
        help="Sign anew what this computer has signed otherwise; only if that never left it.",
    ),
]


class Older(WrongUse):
    """A file is older than what was answered in its game."""


class NoMemory(WrongUse):
    """What was signed cannot be looked up or kept, and nobody has agreed to go without."""


class Memory:
    """The memory of what one identity signed, which lies in that player's library.

    With `replace` the player has agreed to sign anew what was signed otherwise, with `newest` to
    sign what is not remembered; a `trial` signs nothing that leaves this process, so that it is
    only warned of. `is_unattended` says that no player is there who could agree.
    """

    def __init__(
        self,
        context: typer.Context,
        identity: Identity,
        *,
        replace: bool = False,
        newest: bool = False,
        trial: bool = False,
        is_unattended: bool = False,
    ) -> None:
        self.own = library_of(context, identity.public_key)
        self.replace = replace
        self.newest = newest
        self.trial = trial
        self.is_unattended = is_unattended
        self._command = command_of(context)
        self._earlier: Earlier | None = None
        self._looked_up: Mapping[int, bytes] = {}
        self._records: Sequence[Record] = ()
        self._closed: Record | None = None
        self._is_in_doubt = False
        self._is_warned = False

    def look_up(self, records: Sequence[Record]) -> Record | None:
        """The record with which the file with these `records` was answered; None if it was not.

        Raises WrongUse where it may not be answered at all after what was signed. Whoever agreed
        to that beforehand is warned by `allow_another`.
        """
        from pbem.library import Standing

        self._records = records
        self._earlier = earlier = self._read(records)
        if earlier is None:
            return None
        if earlier.standing is Standing.ANSWERED:
            if self._closed is not None and self._closed.hash != earlier.record.hash:
                # The close goes on from another answer.
                self._check_open()
            return earlier.record
        if not self.replace and not self.trial:
            self._check(earlier)
        return None

    def allow_another(self) -> None:
        """Raise WrongUse unless another record may be signed than the one that is remembered.

        That may not be after an own close; where one was signed before, or the player's part is not
        remembered, it may be where the player agrees. Whoever did is warned, once.
        """
        earlier = self._earlier
        if earlier is not None and not self.replace and not self.trial:
            self._check(earlier)
        self._check_open()
        if self._is_in_doubt:
            self._check_remembered()
        if earlier is not None and not self._is_warned:
            self._check(earlier)

    def when_signed(self, record: Record) -> str:
        """When a record was signed that is remembered: its date may be borrowed."""
        arrived = self.own.arrival(self._records[0].hash, record.hash)
        return min(record.time, arrived or record.time)

    def written(self) -> Path | None:
        """The file with the answer signed before; None where there is none."""
        earlier = self._earlier
        to = self._destination(earlier) if earlier else None
        return to.file if earlier and to and holds(to.file, earlier.record.hash) else None

    def may_overwrite(self, path: Path) -> set[bytes]:
        """The hashes of records: a file that ends with one of them may be replaced by the answer.

        That is the answer signed before, if the player agreed to replace it; and what that was to
        replace at this path, but did not, because the program was stopped.
        """
        from pbem.library import Standing

        earlier = self._earlier
        if earlier is None or earlier.standing is not Standing.ANSWERED:
            return set()
        found = {earlier.record.hash} if self.replace else set()
        to = self._destination(earlier)
        if to and to.instead_of and to.file == path.absolute():
            found.add(to.instead_of)
        return found

    def check_room(self, path: Path, draft: Draft | None) -> None:
        """Raise WrongUse where the answer cannot be written, or the draft that goes with it.

        Where the answer is there already and its draft is wanted, that may be all that is missing.
        """
        spared = self.may_overwrite(path)
        if draft is not None:
            draft.check_free(self._records[0].hash, len(self._records))
            if self._earlier is not None:
                spared.add(self._earlier.record.hash)
        check_writable(path, instead_of=spared)

    def check_shuffles(self, game: bytes, previous: bytes, taken: Sequence[Step]) -> None:
        """Raise WrongUse where these steps, behind `previous`, would show a whole draw pile.

        That is so with an opening that was signed before, and the player cannot agree to it.
        """
        from pbem.library import LibraryFailed, gives_away

        if not self.own.is_usable or not taken:
            return
        try:
            signed = gives_away(self.own.open(), game, previous, taken)
        except LibraryFailed as error:
            self._stop_unless_agreed(error)
            self.own.warn(error)
            return
        if signed is None:
            return
        from pbem.cli.records import instant

        sentence = Message(
            "With this your opponent would see your whole hand and draw pile: your record "
            "{number}, signed {time}, opened the same shuffle for another list.",
            number=signed.index,
            time=instant(signed.time),
        )
        if self.trial:
            console.warn(sentences(sentence, _only_a_trial()))
            return
        advice = Message("Go on from the file with that record: not even --replace signs this.")
        raise WrongUse(sentences(sentence, advice, _nothing_written()))

    def write(self, path: Path, data: bytes, match: Match, *, for_draft: bool = False) -> None:
        """Remember the last record of a match, which is new and own, and then write its file.

        If the program is stopped in between, the same command writes the same file. Where the file
        cannot be written, the record is forgotten again. Written only `for_draft`, it may be there.
        """
        earlier = self._earlier
        is_again = earlier is not None and earlier.record.hash == match.last.hash
        if for_draft and is_again and is_there(path, data):
            return
        if not is_again:
            self.allow_another()
        dropped = () if is_again or earlier is None else earlier.not_in_file
        with room_instead_of(path, data, self.may_overwrite(path)) as (file, end):
            signing = self._remember(match, dropped, path, end)
            try:
                file.appear()
            finally:
                # Whatever happened: what counts is whether the file came to be.
                if file.may_be_there:
                    note_written(path)
                elif signing:
                    self._take_back(signing)
        if signing:
            # It is noted.
            self.own.seen = None

    def _remember(
        self, match: Match, replacing: Collection[int], file: Path, instead_of: bytes | None
    ) -> Signing | None:
        """Remember a record; None where the library cannot be used, of which the player is told."""
        from pbem.library import Destination, LibraryFailed, Seen

        seen = (self.own.seen, Seen.of(match, self.own.key, file))
        try:
            return self.own.open().remember(
                match.id,
                match.last,
                looked_up=self._looked_up,
                replacing=replacing,
                destination=Destination(file.absolute(), instead_of),
                seen=[each for each in seen if each],
            )
        except LibraryFailed as error:
            self._stop_unless_agreed(error, answers=match.last.index > 0)
            self._warn_of_forgetting(error)
            return None

    def _take_back(self, signing: Signing) -> None:
        from pbem.library import LibraryFailed

        # What cannot be forgotten does no harm: the same command writes its file.
        with suppress(LibraryFailed):
            signing.take_back()

    def _read(self, records: Sequence[Record]) -> Earlier | None:
        from pbem.library import LibraryFailed, closing, earlier, own_part

        self._closed = closing(own_part(records, self.own.key))
        try:
            library, game = self.own.open(), records[0].hash
            self._looked_up = library.hashes(game)
            self._closed = self._closed or library.closing(game)
            self._is_in_doubt = self._doubts(library, records)
            found = earlier(library, records)
        except LibraryFailed as error:
            self._stop_unless_agreed(error)
            self.own.warn(error)
            return None
        self._check_keeps(library)
        return found

    def _check_keeps(self, library: Library) -> None:
        """Raise WrongUse where nothing can be kept: whoever has agreed to that is told by `write`.

        What can be looked up counts all the same.
        """
        from pbem.library import LibraryFailed

        if self.trial:
            return
        try:
            library.check_writable()
        except LibraryFailed as error:
            self._stop_unless_agreed(error)

    @property
    def _is_invitation(self) -> bool:
        """Whether what was looked up is to be joined."""
        return len(self._records) == 1

    def _doubts(self, library: Library, records: Sequence[Record]) -> bool:
        """Whether more may have been signed than is remembered that speaks against these records.

        Nobody is to be held to what is signed with a key that everybody has.
        """
        from pbem.keys.keyfile import is_published

        if is_published(self.own.key):
            return False
        may_have_joined = self._is_invitation and not library.knows_whether_joined(records[0])
        return may_have_joined or library.is_in_doubt(records)

    def _destination(self, earlier: Earlier) -> Destination | None:
        """Where the answer signed before was to be written; None where nobody remembers."""
        from pbem.library import LibraryFailed

        with suppress(LibraryFailed):
            return self.own.open().destination(self._records[0].hash, earlier.record)
        return None

    def _stop_unless_agreed(self, error: LibraryFailed, *, answers: bool = True) -> None:
        """Raise NotNow where the library can soon be used again: nothing is signed till then.

        Else raise NoMemory, unless the player has agreed to go without, or it `answers` nothing.
        """
        from pbem.library import LibraryBlocked

        if isinstance(error, LibraryBlocked) and not self.trial:
            stopped = sentences(self.own.not_now(error), error.remedy, _nothing_written())
            raise NotNow(stopped) from None
        is_agreed = self.newest and not self.is_unattended
        if is_agreed or self.trial or not answers:
            return
        told = [
            self.own.not_at_all(error),
            Message("Without it one file might be answered twice."),
        ]
        if not self.is_unattended:
            told.append(
                Message(
                    "Move it away, and {command} games add FOLDER makes a new one of your files. "
                    "Where it cannot be mended, {option} goes on without it: only if this file is "
                    "the newest of its game, and you have not answered it before.",
                    command=self._command,
                    option=OPTION,
                )
            )
        raise NoMemory(sentences(*told, _nothing_written())) from None

    def _warn_of_forgetting(self, error: LibraryFailed) -> None:
        console.warn(
            Message(
                "The library of what you signed, {file}, cannot be written: {reason}. Your file is "
                "not affected, but this computer will not remember it: it is up to you not to "
                "answer the same file twice.",
                file=self.own.path,
                reason=error,
            )
        )

    def _check_open(self) -> None:
        """Raise WrongUse where the player has closed the game; who only tries is warned, once."""
        from pbem.library import GameClosed

        if self._closed is None:
            return
        sentence = str(GameClosed(self._closed))
        if not self.trial:
            advice = Message("Send the file with that record: not even --replace signs another.")
            raise WrongUse(sentences(str(sentence), advice, _nothing_written()))
        console.warn(sentences(str(sentence), _only_a_trial()))
        self._closed = None

    def _check_remembered(self) -> None:
        """Raise WrongUse or Cancelled unless the player says, once, that the file is the newest."""
        if not self.newest:
            self._check_vouched()
        self._is_in_doubt = False
        if self._is_invitation and not self.trial:
            self._remember_from_now_on()

    def _check_vouched(self) -> None:
        from pbem.cli import newest

        # Whoever is told here need not be told once more when the command ends.
        seen, self.own.seen = self.own.seen, None
        if self.is_unattended:
            raise newest.Forgotten(newest.robot_forgot())
        doubt = (newest.of_invitation if self._is_invitation else newest.of_game)(self._command)
        if self.trial:
            console.warn(sentences(str(doubt.risk), _only_a_trial()))
            return
        doubt.check_vouched()
        self.own.seen = seen

    def _remember_from_now_on(self) -> None:
        """Have the library take later invitations for new; about older ones the player is asked."""
        from pbem.library import LibraryFailed

        with suppress(LibraryFailed):
            self.own.open().complete_from_now_on()

    def _check(self, earlier: Earlier) -> None:
        """Warn of what was signed before, and raise WrongUse or Cancelled unless it may be done."""
        from pbem.cli.answered_before import condition, explained
        from pbem.library import Standing

        when, to = self.when_signed(earlier.record), self._destination(earlier)
        sentence, advice = explained(earlier, self._records, when, to)
        self._is_warned = True
        if self.trial:
            console.warn(sentences(sentence, _only_a_trial()))
        elif not self.replace:
            refusal = Older if earlier.standing is Standing.OLDER else WrongUse
            raise refusal(sentences(sentence, advice, _nothing_written()))
        elif not console.is_terminal():
            console.warn(sentences(sentence, proof(), condition(earlier)))
        else:
            console.say(sentences(sentence, proof(), condition(earlier)))
            hint = mark("{yes} goes on to sign another, {no} stops here.")
            if not console.ask_yes(Message("Sign another?"), hint):
                raise console.Cancelled


def _nothing_written() -> Message:
    """What a refusal ends with."""
    return Message("Nothing was written.")


def _only_a_trial() -> Message:
    return Message("This is only a trial.")

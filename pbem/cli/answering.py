"""Answering a file, or closing its game: what every command that does so asks, signs and says."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from engine.message import Message
from pbem.cli import console
from pbem.cli.asking import Asking, beforehand, session_of
from pbem.cli.editor import edit_notes
from pbem.cli.file_argument import naming_newest, read_given, take, turn_command, who_answers
from pbem.cli.mail.at_once import How, Posting
from pbem.errors import WrongUse
from pbem.foreign import shown
from pbem.play.files import check_writable
from pbem.play.game_file import answer_path
from pbem.play.kept_turn import KeptTurn
from pbem.play.signing import Written
from pbem.play.store import Game, Listed
from pbem.play.turn import checked_notes
from pbem.sources import now
from pbem.text.dates import moment
from pbem.text.games.listing import game_called
from pbem.text.games.people import described
from pbem.text.history.standing import borrowed_told, travelling
from pbem.text.proof import turn_summary


class AnswerCommand:
    """A command that answers a file: it asks and prints what stands before the signature.

    Raises WrongUse, before anything is asked, where the file may not be answered, or there is no
    room for the answer.
    """

    def __init__(self, file: Path, how: How, *, resigns: bool = False) -> None:
        output, dry_run, replace = how.output, how.dry_run, how.replace
        checked_notes(how.note or "")
        self.posting = Posting(how)
        if output and not (dry_run or replace or how.mail):
            check_writable(output)
        given = take(file)
        game = read_given(given)
        session = session_of(who_answers(game, file))
        beside, match = given.path if given.is_file else None, game.match
        index = len(match.records)
        self.path = output or answer_path(session.store, match, index, beside, given.name)
        if resigns and match.is_over and match.next_side is not None:
            close = turn_command("apply", file)
            raise WrongUse("The game is already over. To close it: {command}", command=close)
        said = beforehand(replace=replace, newest=how.newest)
        self.asking = Asking(session, match.records, beforehand=said, is_trial=dry_run)
        with naming_newest(game, file):
            self.turn = self.asking.begin(game, resigns=resigns)
        self.asking.allow(self.turn, another=self.turn.signed is None)
        self.posting.make_room(self.path, match.id, index)
        if not dry_run:
            self.turn.background.check_room(
                self.path, replaces=self.asking.replaces, may_be_there=self.posting.has_draft
            )
        self.turn.new_notes = how.note
        if self.turn.notes.damage:
            console.warn(self.turn.notes.damage)

    @property
    def game(self) -> Message:
        """The name of the game that is answered."""
        match = self.turn.game.match
        game = Game.of(match, self.asking.store.key)
        assert game is not None
        return game_called(Listed(match.id, game, None, None, None))

    @cached_property
    def kept(self) -> KeptTurn:
        """The place where the turn is kept until it is signed."""
        return KeptTurn(self.asking.store, self.turn)

    def allow_another(self) -> None:
        """Raise WrongUse or Cancelled unless another answer may be signed than was before."""
        self.asking.allow(self.turn, another=True)

    def edit_notes(self) -> None:
        """Let the player edit the notes of the file; raises WrongUse if that fails."""
        # An answer that is refused is so before anything is typed.
        if self.turn.is_complete:
            self.asking.allow(self.turn)
        self.turn.new_notes = edit_notes(self.turn.notes.text)

    def end(self, *, told: bool = False, waits: bool = False) -> None:
        """Sign the answer, say what it does, write it, and say how to send it.

        `told` says that the player has just seen what it does; `waits` is as for
        `turn_summary.told`.
        """
        written = self.write(told=told, waits=waits)
        if written is not None:
            self.follow(written)

    def follow(self, written: Written) -> None:
        """Say where the answer is, and see that it is sent or say how."""
        console.say_below(Message("Written:"), shown(written.path))
        if sentence := borrowed_told(written.match, now()):
            console.say(sentence)
        other = described(written.match.entrants[self.turn.side.opponent])
        self.posting.follow(written, Message("Next: send it to {address}.", address=other))

    def write(self, *, told: bool = False, waits: bool = False) -> Written | None:
        """Sign and write the answer without a word about the file; None if it is only a trial."""
        turn = self.turn
        self.asking.check(turn)
        if turn.is_again:
            before = moment(turn.background.when)
            console.say(Message("You already signed this answer, on {date}.", date=before), "bold")
        if not told:
            console.say(turn_summary.heading(turn), style="bold")
            console.say_lines(turn_summary.told(turn, waits=waits))
            old = turn.notes.text
            console.say_lines(travelling(old, turn.notes_to_send))
        if self.asking.is_trial:
            console.say(Message("A trial only: nothing was written."), style="bold")
            return None
        return self.asking.signed(turn, self.path, may_be_there=self.posting.has_draft)

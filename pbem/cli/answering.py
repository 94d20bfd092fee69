"""Answering a file, or closing its game: what every command that does so asks, signs and says."""

from __future__ import annotations

from pathlib import Path

from engine.message import Message
from pbem.cli import console
from pbem.cli.asking import Asking, beforehand, session_of
from pbem.cli.editor import edit_notes
from pbem.cli.file_argument import read_given, take, turn_command, who_answers
from pbem.cli.mail.at_once import How, Posting
from pbem.errors import WrongUse
from pbem.foreign import shown
from pbem.play.answer import checked_notes
from pbem.play.clerk import Answering, OverAlready
from pbem.play.game_file import answer_path
from pbem.play.memory import Written, check_writable
from pbem.play.store import Game, Listed
from pbem.sources import now
from pbem.text.dates import moment
from pbem.text.games.listing import game_called
from pbem.text.history.standing import borrowed_told
from pbem.text.notes import travelling
from pbem.text.phrases import address
from pbem.text.proof import turn_summary


class AnswerCommand:
    """A command that answers a file: it asks and prints what the clerk puts to the player.

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
        beside, index = given.path if given.is_file else None, len(game.match.records)
        try:
            self.clerk = Answering(
                session,
                game,
                resigns=resigns,
                path=output or answer_path(session.library, game.match, index, beside, given.name),
                enclosure=self.posting,
                beforehand=beforehand(replace=replace, newest=how.newest),
                is_trial=dry_run,
                is_attended=console.is_terminal(),
            )
        except OverAlready:
            close = turn_command("apply", file)
            raise WrongUse(
                "The game is already over. To close it: {command}", command=close
            ) from None
        self.clerk.notes = how.note
        self.asking = Asking(session.library, self.clerk)
        self.turn = self.asking.settled(self.clerk.begin)
        if self.turn.notes.damage:
            console.warn(self.turn.notes.damage)

    @property
    def game(self) -> Message:
        """What the game is called that is answered."""
        match = self.turn.game.match
        game = Game.of(match, self.clerk.memory.own.key)
        assert game is not None
        return game_called(Listed(match.id, game, None, None, None))

    def allow_another(self) -> None:
        """Raise WrongUse or Cancelled unless another answer may be signed than was before."""
        self.asking.settled(self.clerk.allow_another)

    def edit_notes(self) -> None:
        """Let the player edit the notes of the file; raises WrongUse where that fails."""
        # An answer that is refused is so before anything is typed.
        self.asking.settled(self.clerk.allow)
        self.clerk.notes = edit_notes(self.turn.notes.text)

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
        other = address(written.match, self.turn.seat.side.opponent)
        self.posting.follow(written, Message("Next: send it to {address}.", address=other))

    def write(self, *, told: bool = False, waits: bool = False) -> Written | None:
        """The same, without a word about the file; None where it is only a trial."""
        turn, clerk = self.turn, self.clerk
        self.asking.settled(clerk.check)
        if turn.is_again and turn.signed:
            before = moment(turn.memory.when_signed(turn.signed))
            console.say(Message("You already signed this answer, on {date}.", date=before), "bold")
        if not told:
            console.say(turn_summary.heading(turn), style="bold")
            console.say_lines(turn_summary.told(turn, waits=waits))
            old = turn.notes.text
            new = old if clerk.notes is None else clerk.notes
            console.say_lines(travelling(old, new))
        if clerk.is_trial:
            console.say(Message("A trial only: nothing was written."), style="bold")
            return None
        return self.asking.signed(self._sign)

    def _sign(self) -> Written:
        # Nothing is signed for good that nobody could read.
        console.flush()
        return self.clerk.sign()

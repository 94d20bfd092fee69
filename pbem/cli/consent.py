"""Signing at the command line: the player is asked, or consents in advance with an option.

A command that answers a file reads it, begins the turn, asks questions, takes orders, signs and
writes the answer, and prints how to send it.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from engine.message import Message, Phrase, mark, sentences
from engine.sides import Side
from pbem.cli import console, prompts
from pbem.cli.app import current_app
from pbem.cli.editor import edit_notes
from pbem.cli.file_argument import (
    name_newest_file,
    open_incoming,
    read_incoming_game,
    say_armoured,
    session_to_answer,
    turn_command,
)
from pbem.cli.homes import say_recognised, warn_of_key, warn_of_library
from pbem.errors import UsageError
from pbem.foreign import display_path, shell_quote
from pbem.play import signing
from pbem.play.autosave import Autosave
from pbem.play.game_file import answer_path
from pbem.play.session import Consent, Manner, Session
from pbem.play.signing import PriorConsent, Question, Signable, SignedFile, check_writable
from pbem.play.store import Game, GameEntry
from pbem.play.turn import check_notes
from pbem.protocol.record import Record
from pbem.savefile.disk import TargetExistsError, is_folder, within
from pbem.sources import now
from pbem.text.games import contact, game_title
from pbem.text.history.standing import borrowed_date_notice, notes_notice
from pbem.text.phrases import moment
from pbem.text.proof import signature
from pbem.text.proof.finding import unsaved_notice
from pbem.text.proof.signature import Wording

# --- output options

_WORD_PROMPT = Message("A word to your opponent, or Enter for none: ")


class OutputOptions(NamedTuple):
    """The options of a command for the file that it writes, and for sending it.

    `mail` writes a draft next to the file, `send` sends it at once, `picture` and `word` add a
    picture and the player's own words to the message, and `armor` prints the file. If `dry_run` is
    true, nothing is written. If `offer_to_send` is true, the player is asked whether to send the
    file if there is an account, and for a word.
    """

    output: Path | None = None
    mail: bool = False
    send: bool = False
    picture: bool = False
    word: str = ""
    armor: bool = False
    replace: bool = False
    newest: bool = False
    note: str | None = None
    dry_run: bool = False
    offer_to_send: bool = False

    def check(self) -> None:
        """Raise UsageError or InputError, before any output, if the options cannot be met.

        The reasons are: no account to send from, parts of a message without one, a word that is too
        long, or an existing file.
        """
        for option, is_given in (("--picture", self.picture), ("--word", self.word)):
            if is_given and not (self.mail or self.send or self.dry_run):
                raise UsageError("{option} goes with --mail or --send.", option=option)
        if self.word:
            from pbem.text.history.email_text import read_word

            read_word(self.word)
        if self.send and not self.dry_run:
            from pbem.cli.mail_account import require_account

            require_account("smtp")
        is_given = self.output is not None and not is_folder(self.output)
        if self.output and is_given and not (self.dry_run or self.replace or self.mail):
            check_writable(self.output)

    @property
    def prior_consent(self) -> list[PriorConsent]:
        """The answers that the player gave in advance, with options."""
        answers = {PriorConsent.ANOTHER: self.replace, PriorConsent.NEWEST: self.newest}
        return [answer for answer, is_given in answers.items() if is_given]

    @property
    def has_draft(self) -> bool:
        """True if the command writes a draft next to the file."""
        return self.mail and not self.dry_run

    def check_draft_path(self, path: Path, game: bytes, index: int) -> None:
        """Raise UsageError if another file has the path of the draft for `path`.

        `game` and `index` identify the last record of the file.
        """
        if self.has_draft:
            from pbem.mail.draft import DraftFile

            draft = DraftFile.for_file(path)
            try:
                draft.check_free(game, index)
            except TargetExistsError:
                raise UsageError(
                    "There is already a file {file}, where the draft of your message would be: "
                    "move it away, or leave --mail out. Nothing was written.",
                    file=draft.path,
                ) from None

    def finish(self, written: SignedFile, hint: Phrase = "", *, has_recipient: bool = True) -> None:
        """Print, draft or send the file that was just written, or print how to send it.

        `hint` names the recipient, for a player who sends the file without this program.
        """
        file = written.path
        if self.armor:
            say_armoured(written.data)
        if self.mail:
            from pbem.cli.mail.send_command import write_draft_for

            write_draft_for(file, picture=self.picture, word=self.word)
        offers = self.offer_to_send and _can_send()
        if self.send or (offers and _ask_to_send(written)):
            from pbem.cli.mail.send_command import send_file

            word = prompts.ask(_WORD_PROMPT) if offers else self.word
            send_file(file, picture=self.picture, word=word)
        elif not self.mail:
            if hint:
                console.say(hint)
            if _can_send():
                send = f"{current_app().command} mail send {shell_quote(file)}"
                how_to_send = Message("To send it from your account: {command}", command=send)
                if not has_recipient:
                    how_to_send = Message(
                        "To send it from your account: {command} --to ADDRESS", command=send
                    )
                console.say_unwrapped(how_to_send)


def _ask_to_send(file: SignedFile) -> bool:
    """Ask the player whether to send the file, and return True for a yes."""
    to = contact(file.match.entrants[Side(file.match.last.side).opponent])
    question = Message("Send it to {address} now?", address=to)
    return prompts.ask_yes(question, mark("{yes} sends it from your account, {no} leaves it here."))


def _can_send() -> bool:
    """Return True if there is an account to send from."""
    settings = current_app().home.config_path
    if not os.path.exists(settings):  # noqa: PTH110 - which may raise
        return False
    from pbem.mail.account import can_send

    return can_send(settings)


# --- consent


OPTIONS = {
    PriorConsent.ANOTHER: "--replace",
    PriorConsent.NEWEST: "--newest",
    PriorConsent.WAIT: "--wait",
}
"""The options that answer questions in advance."""


class TerminalConsent(Consent):
    """The consent of a player at the command line, who answers questions before a signature.

    `records` are the records of the file that is answered, or empty for an invitation.
    """

    def __init__(
        self,
        session: Session,
        records: Sequence[Record] = (),
        *,
        consents: Collection[PriorConsent] = (),
        is_trial: bool = False,
    ) -> None:
        super().__init__(
            session, prior_consent=consents, is_trial=is_trial, is_attended=console.is_terminal()
        )
        self._wording = Wording(current_app().command, OPTIONS, records)

    def sign_file(self, draft: Signable, path: Path, *, may_exist: bool = False) -> SignedFile:
        """Sign and write a draft after its questions; warn if the library could not be used."""
        # If the output cannot be written, this fails before the signature.
        console.flush()
        written = self.sign(draft, path, may_exist=may_exist, note=console.note_file)
        if written.unremembered is not None:
            console.warn(unsaved_notice(written.unremembered.path, written.unremembered.reason))
        return written

    def put(self, question: Question, manner: Manner) -> bool:
        """Print a question or ask it. Raises UsageError for a question that forbids the signature.

        Raises CancelledError if the player does not agree.
        """
        match manner:
            case Manner.TOLD:
                self._say(question)
            case Manner.ASKED:
                self._ask(question)
            case Manner.REFUSED:
                self._clear_note(question)
                raise self._wording.refusal(question)
        console.flush()
        return True

    def _say(self, question: Question) -> None:
        match question:
            case signing.NewKey():
                say_recognised(question.recognised)
            case signing.OtherKey():
                warn_of_key(question.recognised)
            case signing.NoStore():
                if not question.is_readable:
                    warn_of_library(self.store)
            case _ if self.is_trial:
                self._clear_note(question)
                risk = self._wording.risk(question)
                console.warn(sentences(risk, Message("This is only a trial.")))
            case signing.SignedBefore():
                console.warn(self._wording.prompt(question).intro)

    def _ask(self, question: Question) -> None:
        """Ask the player a question at the terminal. Raises CancelledError for a no."""
        text, prompt, hint = self._wording.prompt(question)
        note = self.store.last_read
        self._clear_note(question)
        if isinstance(question, signing.OtherKey):
            say_recognised(question.recognised)
        else:
            console.say(text)
        if not prompts.ask_yes(prompt, hint):
            raise console.CancelledError
        self.store.last_read = note

    def _clear_note(self, question: Question) -> None:
        """Clear the note about a forgotten signature, which is shown at the end otherwise."""
        if isinstance(question, signing.NotRemembered):
            self.store.last_read = None


class AnswerCommand(TerminalConsent):
    """A command that answers a file, from reading the file to sending the answer.

    Raises UsageError, before any question, if the file may not be answered, or if there is already
    a file at the path of the answer.
    """

    def __init__(self, file: Path, delivery: OutputOptions, *, resign: bool = False) -> None:
        check_notes(delivery.note or "")
        delivery.check()
        self.delivery = delivery
        source = open_incoming(file)
        game = read_incoming_game(source)
        session, match = session_to_answer(game, file), game.match
        index, origin = len(match.records), source.path if source.is_file else None
        usual = answer_path(session.store, match, index, origin, source.name)
        self.path = within(delivery.output, usual)
        if resign and match.is_over and match.next_side is not None:
            close = turn_command("apply", file)
            raise UsageError("The game is already over. To close it: {command}", command=close)
        super().__init__(
            session, match.records, consents=delivery.prior_consent, is_trial=delivery.dry_run
        )
        with name_newest_file(game, file):
            self.turn = self.begin(game, resigns=resign)
        self.allow(self.turn, is_different=self.turn.signed is None)
        self.delivery.check_draft_path(self.path, match.id, index)
        if not delivery.dry_run:
            self.turn.history.check_room(
                self.path, replace=self.may_replace, may_exist=self.delivery.has_draft
            )
        self.turn.new_notes = delivery.note
        if self.turn.notes.damage:
            console.warn(self.turn.notes.damage)

    @property
    def game(self) -> Message:
        """The title of the game that is answered."""
        match = self.turn.game.match
        game = Game.of(match, self.store.key)
        assert game is not None
        return game_title(GameEntry(match.id, game, None, None, None))

    @cached_property
    def autosave(self) -> Autosave:
        """The copy of the turn in the library, which is deleted when the turn is signed."""
        return Autosave(self.store, self.turn)

    def edit_notes(self) -> None:
        """Open the notes in the player's editor. Raises UsageError if that fails."""
        # This refuses the answer before the player types notes.
        if self.turn.is_complete:
            self.allow(self.turn)
        self.turn.new_notes = edit_notes(self.turn.notes.text)

    def write(self, *, already_shown: bool = False, wait: bool = False) -> SignedFile | None:
        """Print the effects of the answer, sign and write it; return None in a dry run.

        If `already_shown` is true, the effects are not printed. `wait` is passed to `turn_summary`.
        """
        turn = self.turn
        self.check(turn)
        if turn.is_repeat:
            before = moment(turn.history.when)
            console.say("You already signed this answer, on {date}.", "bold", date=before)
        if not already_shown:
            console.say(signature.effects_heading(turn), style="bold")
            console.say_lines(signature.turn_summary(turn, is_waiting=wait))
            console.say_lines(notes_notice(turn.notes.text, turn.notes_to_send))
        if self.is_trial:
            console.say("A trial only: nothing was written.", style="bold")
            return None
        return self.sign_file(turn, self.path, may_exist=self.delivery.has_draft)

    def deliver(self, file: SignedFile) -> None:
        """Print the path of the answer, and send it or print how to send it."""
        console.say_below("Written:", display_path(file.path))
        if sentence := borrowed_date_notice(file.match, now()):
            console.say(sentence)
        other = contact(file.match.entrants[self.turn.side.opponent])
        self.delivery.finish(file, Message("Next: send it to {address}.", address=other))

    def end(self, *, already_shown: bool = False, wait: bool = False) -> None:
        """Write and deliver the answer; the parameters are those of `write`."""
        if written := self.write(already_shown=already_shown, wait=wait):
            self.deliver(written)

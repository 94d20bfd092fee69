"""The ways of a file that is written: `--armor`, `--mail`, `--send`, or how to send it.

Nothing of mail is imported for whoever wants neither.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from engine.message import Message, Said, mark
from engine.sides import Side
from pbem.cli import answers, console
from pbem.cli.app import current_app
from pbem.cli.file_argument import say_armoured
from pbem.errors import WrongUse
from pbem.foreign import quoted
from pbem.play.signing import Written
from pbem.savefile.disk import AlreadyThere
from pbem.text.games import described


@dataclass(frozen=True, slots=True)
class How:
    """How a file is written, by the options of every answer, and what becomes of it.

    With `mail` a letter is written beside it, with `send` it is sent at once; with `picture` the
    letter carries one; with `armor` the file is printed. Nothing of that happens in a `dry_run`.
    One that `offers` asks whether to send it, if it can be sent.
    """

    output: Path | None = None
    note: str | None = None
    dry_run: bool = False
    mail: bool = False
    send: bool = False
    picture: bool = False
    replace: bool = False
    newest: bool = False
    offers: bool = False
    armor: bool = False

    def check(self) -> None:
        """Raise WrongUse or Unreadable, before anything is written, if that cannot be done.

        That is if no account to send by is set up, or there is a picture and no letter.
        """
        if self.picture and not (self.mail or self.send or self.dry_run):
            raise WrongUse("--picture goes with --mail or --send.")
        if self.send and not self.dry_run:
            from pbem.cli.own_account import own_account

            own_account("smtp")

    @property
    def has_draft(self) -> bool:
        """True if a letter goes with the file."""
        return self.mail and not self.dry_run

    def make_room(self, path: Path, game: bytes, index: int) -> None:
        """Raise WrongUse if the letter cannot be written that goes with the file at that path.

        The file ends with the record of that game which has that index.
        """
        if self.has_draft:
            from pbem.mail.draft import DraftFile

            draft = DraftFile.beside(path)
            try:
                draft.check_free(game, index)
            except AlreadyThere:
                raise WrongUse(
                    "There is already a file {file}, where the draft of your message would be: "
                    "move it away, or leave --mail out. Nothing was written.",
                    file=draft.path,
                ) from None

    def follow(self, written: Written, told: Said = "", *, knows_whom: bool = True) -> None:
        """Do so with a file that was written just now; else say that it is written, and what to do.

        `told` says where to send it, to whoever has to do that.
        """
        file = written.path
        if self.armor:
            say_armoured(written.data)
        if self.mail:
            from pbem.cli.mail.send_command import write_beside

            write_beside(file, picture=self.picture)
        if self.send or (self.offers and _can_send() and _wants_it_sent(written)):
            from pbem.cli.mail.send_command import send_written

            send_written(file, picture=self.picture)
        elif not self.mail:
            if told:
                console.say(told)
            if _can_send():
                send = f"{current_app().command} mail send {quoted(file)}"
                how_to_send = Message("To send it from your account: {command}", command=send)
                if not knows_whom:
                    how_to_send = Message(
                        "To send it from your account: {command} --to ADDRESS", command=send
                    )
                console.say_whole(how_to_send)


def _wants_it_sent(written: Written) -> bool:
    """Ask the player, and return True for a yes."""
    own = Side(written.match.last.side)
    to = described(written.match.entrants[own.opponent])
    question = Message("Send it to {address} now?", address=to)
    return answers.ask_yes(question, mark("{yes} sends it from your account, {no} leaves it here."))


def _can_send() -> bool:
    """Return True if there is an account to send from."""
    settings = current_app().home.config_path
    if not os.path.exists(settings):  # noqa: PTH110 - which may raise
        return False
    from pbem.mail.account import can_send

    return can_send(settings)

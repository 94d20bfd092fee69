"""The ways of a file that is written: `--armor`, `--mail`, `--send`, or how to send it.

Nothing of mail is imported for whoever wants neither.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from engine.message import Message, Said, mark
from engine.sides import Side
from pbem.cli import answers, console
from pbem.cli.app import current_app
from pbem.cli.mail_options import say_armoured
from pbem.errors import WrongUse
from pbem.foreign import quoted
from pbem.play.signing import Written
from pbem.savefile.disk import AlreadyThere
from pbem.text.games.people import described

if TYPE_CHECKING:
    from pbem.mail.draft import DraftFile


class How(NamedTuple):
    """How a file is written, by the options of every answer.

    One that `offers` asks whether to send it, where it can be sent.
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


@dataclass
class Posting:
    """The way of a file: with `mail` a letter beside it, with `send` it is sent at once.

    With `picture` the letter carries one; with `armor` the file is printed. Nothing of that happens
    in a `dry_run`. Raises WrongUse or Unreadable, before anything is written, where no account to
    send by is set up, or there is a picture and no letter. `draft` is the letter, where one goes
    with the file.
    """

    how: How
    draft: DraftFile | None = None

    def __post_init__(self) -> None:
        if self.how.dry_run:
            self.how = How(offers=self.how.offers)
        if self.how.picture and not (self.how.mail or self.how.send):
            raise WrongUse("--picture goes with --mail or --send.")
        if self.how.send:
            from pbem.cli.own_account import own_account

            own_account("smtp")

    @property
    def has_draft(self) -> bool:
        """True if a letter goes with the file."""
        return self.draft is not None

    def make_room(self, path: Path, game: bytes, index: int) -> None:
        """Raise WrongUse if the letter cannot be written that goes with the file at that path.

        The file ends with the record of that game which has that index.
        """
        if self.how.mail:
            from pbem.mail.draft import DraftFile

            self.draft = DraftFile.beside(path)
            try:
                self.draft.check_free(game, index)
            except AlreadyThere:
                raise WrongUse(
                    "There is already a file {file}, where the draft of your message would be: "
                    "move it away, or leave --mail out. Nothing was written.",
                    file=self.draft.path,
                ) from None

    def follow(self, written: Written, told: Said = "", *, knows_whom: bool = True) -> None:
        """Do so with a file that was written just now; else say that it is written, and what to do.

        `told` says where to send it, to whoever has to do that.
        """
        if self.how.armor:
            say_armoured(written.data)
        if self.draft:
            from pbem.cli.mail.draft_command import write_beside

            write_beside(self.draft, written, picture=self.how.picture)
        if self.how.send or self._is_wanted(written):
            from pbem.cli.mail.send_command import send_written

            send_written(written.path, picture=self.how.picture)
        elif not self.draft:
            if told:
                console.say(told)
            self._say_how_to_send(written.path, knows_whom=knows_whom)

    def _is_wanted(self, written: Written) -> bool:
        """Return True if the player is offered to have it sent now, and wants that."""
        if not self.how.offers or not self._can_send():
            return False
        own = Side(written.match.last.side)
        to = described(written.match.entrants[own.opponent])
        question = Message("Send it to {address} now?", address=to)
        hint = mark("{yes} sends it from your account, {no} leaves it here.")
        return answers.ask_yes(question, hint)

    def _say_how_to_send(self, file: Path, *, knows_whom: bool) -> None:
        """Print the command that sends it; where no mail is set up, nothing is said of that."""
        if not self._can_send():
            return
        send = f"{current_app().command} mail send {quoted(file)}"
        console.say_whole(
            Message("To send it from your account: {command}", command=send)
            if knows_whom
            else Message("To send it from your account: {command} --to ADDRESS", command=send)
        )

    def _can_send(self) -> bool:
        """Return True if there is an account to send from."""
        settings = current_app().home.config_path
        if not os.path.exists(settings):  # noqa: PTH110 - which may raise
            return False
        from pbem.mail.account import can_send

        return can_send(settings)

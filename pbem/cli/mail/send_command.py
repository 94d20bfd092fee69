"""`acres mail send`: turns straight to the opponent, by SMTP, each once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message, labelled, mark, message_of, sentences
from pbem.cli import answers, console
from pbem.cli.app import current_app
from pbem.cli.file_argument import library_of_player, optional_file, own_file, read_game
from pbem.cli.homes import own_games, warn_of_library
from pbem.cli.mail_options import WAYS, Picture, To, drawing
from pbem.cli.own_account import login_at, own_account
from pbem.cli.own_inbox import own_file_meant
from pbem.errors import AcresError, WrongUse
from pbem.foreign import quoted, shown
from pbem.mail.account import check_address
from pbem.mail.password import Login
from pbem.mail.sending import (
    Follow,
    Parcel,
    Sender,
    Sent,
    WaysOut,
    file_called,
    note_by_hand,
    sent_already,
)
from pbem.mail.smtp import LetterTooLarge, MayHaveArrived
from pbem.play.files import check_own, unsent_files
from pbem.play.store import Sending
from pbem.sources import now


def send(
    file: Annotated[
        Path | None,
        optional_file(
            "The file that you have written; a number from acres games, or your opponent's "
            "name, stands for the last one of that game. Without one: all that you have not "
            "sent yet."
        ),
    ] = None,
    to: To = "",
    again: Annotated[
        bool, typer.Option("--again", help="Send it although it was sent, or may have been.")
    ] = False,
    picture: Picture = False,
    by_hand: Annotated[
        bool,
        typer.Option("--by-hand", help="Send nothing: remember that you have sent it yourself."),
    ] = False,
) -> None:
    """Send your file to your opponent from your mail account.

    Each turn is sent once: you are told what has already been sent, and it goes again only with
    --again.
    """
    if file is None and (to or again):
        raise WrongUse("--to and --again go with a FILE.")
    if by_hand and (to or again or picture):
        raise WrongUse("--by-hand sends nothing, so --to, --again and --picture do not go with it.")
    file = own_file_meant(file) if file is not None else None
    if by_hand:
        _note_sent(file)
    else:
        _send_given(file, to, again=again, picture=picture)


def _send_given(file: Path | None, to: str, *, again: bool, picture: bool) -> None:
    """Send a file that the player has given, or without one all that were not sent yet."""
    if to:
        check_address(to)
    with _sending(picture=picture) as sender:
        if file is not None:
            _send_one(sender, _parcel(sender, file, to), again=again)
            return
        parcels = list(_unsent(sender))
        if not parcels:
            console.say(
                Message("There is nothing to send: everything you have written has been sent.")
            )
            return
        if len(parcels) > 1:
            _agree(parcels)
        _send_all(sender, parcels)


def _note_sent(file: Path | None) -> None:
    """Note that a file was sent by the player, or all that were not sent; and say so of each."""
    with own_games() as own:
        if file is not None:
            match = read_game(file).match
            check_own(match, library_of_player(match), file, current_app().command)
            warn_of_library(own)
            sent = [(file, match.id, match.last.index, match.last.hash)]
        else:
            sent = [
                (path, listed.id, listed.game.records - 1, listed.game.last)
                for listed, path in unsent_files(own)
            ]
        for path, game, index, record in sent:
            note_by_hand(own, game, record, now())
            console.say(
                Message("Marked as sent by you: {file}.", file=file_called(path, game, index))
            )
        if not sent:
            console.say(Message("Nothing is left to send."))


def send_written(file: Path, *, picture: bool) -> None:
    """Send a file that was written just now, unless it was sent before; all that fails says so."""
    written = Message("Your file {file} is written.", file=file)
    try:
        with _sending(picture=picture) as sender:
            parcel = _parcel(sender, file)
            before = parcel.sent_before(sender.own)
            if before is not None and before.sending is Sending.SENT:
                console.say(sent_already(parcel.called, before))
                return
            _send_one(sender, parcel)
    except (MayHaveArrived, LetterTooLarge) as error:
        # They say how to send it.
        raise WrongUse(sentences(written, message_of(error))) from None
    except AcresError as error:
        how_to_send = Message(
            "To send it: {command}", command=f"{current_app().command} mail send {quoted(file)}"
        )
        raise WrongUse(sentences(written, message_of(error), how_to_send)) from None


@contextmanager
def _sending(*, picture: bool = False) -> Iterator[Sender]:
    """Yield the player as a sender from the account that is set up, with a `picture` or none.

    Raises WrongUse if there is none to send by, and as `own_games`.
    """
    account = own_account("smtp")
    with own_games() as own:
        language, ways = console.language().code, WaysOut(current_app().command, *WAYS)
        yield Sender(own, language, ways, account, drawing(wanted=picture), _following())


def _agree(parcels: list[Parcel]) -> None:
    """Let the player see at a terminal what is about to go; raises Cancelled."""
    if not console.is_terminal():
        return
    console.say(Message("Not yet sent from your account:"))
    for parcel in parcels:
        address = console.mailbox(parcel.to)
        console.item(Message("{file}, to {address}", file=parcel.called, address=address))
    hint = mark("{yes} sends them all, {no} sends none.")
    if not answers.ask_yes(Message("Send them all?"), hint):
        console.say(
            Message(
                "To leave out what you have sent another way: {command} FILE --by-hand",
                command=f"{current_app().command} mail send",
            )
        )
        raise console.Cancelled


def _send_one(sender: Sender, parcel: Parcel, *, again: bool = False) -> None:
    """Send this one and say so, unless it was sent; raises WrongUse for that, and MailFailed."""
    _say_sent(sender.send_one(parcel, partial(_login, sender), again=again))


def _send_all(sender: Sender, parcels: list[Parcel]) -> None:
    """Send these and say so of each; raises MailFailed if one is not sent, behind the others."""
    login = _login(sender)
    failures = []
    for sent in sender.send(login, parcels):
        if sent.failure is not None:
            failures.append(sent.failure)
        else:
            _say_sent(sent)
    for failure in failures[:-1]:
        console.warn(failure.said)
    if failures:
        raise failures[-1]


def _login(sender: Sender) -> Login | None:
    """Return what proves whose account it is; perhaps the player has to give it."""
    assert sender.account is not None
    found = login_at(sender.account.smtp)
    console.flush()
    return found


def _say_sent(sent: Sent) -> None:
    """Say that a file was sent."""
    if sent.warning:
        console.warn(sent.warning)
    console.say(sent.sentence)


def _following() -> Follow:
    """Return what remembers how far a file has come, in case the program is stopped."""
    written = console.settings.written

    def follow(parcel: Parcel, sending: Sending | None) -> None:
        nonlocal written
        file = parcel.file.name
        if sending is Sending.BEGUN:
            written = console.settings.written
            console.note_written(Message("{file} may have been sent.", file=file))
        elif sending is Sending.SENT:
            console.note_written(Message("{file} was sent.", file=file))
        else:
            console.note_written(written)

    return follow


# --- what there is to send


def _parcel(sender: Sender, file: Path, to: str = "") -> Parcel:
    """Return the parcel with a file; WrongUse if it is not the player's, or goes nowhere."""
    own, game, path = own_file(file)
    parcel = sender.parcel(game, file, path.name, to)
    warn_of_library(own)
    return parcel


def _unsent(sender: Sender) -> Iterator[Parcel]:
    """Yield parcels with the last files of all games that are the player's and not sent."""
    for _, file in unsent_files(sender.own):
        try:
            yield _parcel(sender, file)
        except AcresError as error:
            # One that was damaged since, or goes nowhere, keeps no other back.
            console.warn(
                error.said if isinstance(error, WrongUse) else labelled(shown(file), error.said)
            )

"""`acres mail send`: turns straight to the opponent, by SMTP, each once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer

from engine.message import Message, labelled, mark, message_of, sentences
from pbem.cli import console
from pbem.cli.home import command_of
from pbem.cli.mail.account import login_at, own_account, server_to
from pbem.cli.mail.drafting import drafted
from pbem.cli.mail.own_file import check_own, path_of
from pbem.cli.own_library import own_games, own_library
from pbem.cli.reading import read_game, read_given, take
from pbem.errors import AcresError, WrongUse
from pbem.foreign import quoted, shown
from pbem.library import Dispatch, DispatchedAlready, Listed, Sending
from pbem.mail.account import Account
from pbem.mail.address import check_address
from pbem.mail.login import Login
from pbem.mail.outbox import MayHaveArrived, Outgoing, outgoing
from pbem.mail.parcel import Parcel, called, note_by_hand
from pbem.mail.wire import MailFailed
from pbem.play.clocks import letter_time
from pbem.play.home import now
from pbem.play.memory import holds
from pbem.play.own_library import OwnLibrary
from pbem.words.dates import moment


def send_given(context: typer.Context, file: Path | None, to: str, *, again: bool) -> None:
    """Send a file that the player has given, or without one all that were not sent yet."""
    if to:
        check_address(to)
    account = own_account(context)
    server_to(context, account, "smtp")
    with own_games(context) as own:
        if file is not None:
            parcel = _parcel(context, account, file, to)
            _check_unsent(own, parcel, again=again)
            _send_all(context, own, account, [parcel], again=again)
            return
        parcels = list(unsent(context, own, account))
        if not parcels:
            console.say(Message("There is nothing to send: all that you have written was sent."))
            return
        if len(parcels) > 1:
            _agree(context, parcels)
        _send_all(context, own, account, parcels)


def note_sent(context: typer.Context, file: Path | None) -> None:
    """Note that a file was sent by the player, or all that were not sent; and say so of each."""
    with own_games(context) as own:
        if file is not None:
            match = read_game(context, file).match
            check_own(context, file, match)
            sent = [(file, match.id, match.last.index, match.last.hash)]
        else:
            sent = [
                (path, listed.id, listed.game.records - 1, listed.game.last)
                for listed, path in _unsent_files(own)
            ]
        for path, game, index, record in sent:
            note_by_hand(own.post(), game, record, now())
            console.say(Message("Sent by yourself: {file}.", file=called(path, game, index)))
        if not sent:
            console.say(Message("There is nothing that was not sent."))


def send_written(context: typer.Context, file: Path) -> None:
    """Send a file that was written just now, unless it was sent before; all that fails says so."""
    written = Message("Your file {file} is written.", file=file)
    try:
        account = own_account(context)
        with own_games(context) as own:
            parcel = _parcel(context, account, file, "")
            before = parcel.sent_before(own.post())
            if before is not None and before.sending is Sending.SENT:
                console.say(_sent_already(parcel, before))
                return
            _check_unsent(own, parcel, again=False)
            _send_all(context, own, account, [parcel])
    except MayHaveArrived as error:
        raise WrongUse(sentences(written, message_of(error))) from None
    except AcresError as error:
        how_to_send = Message(
            "To send it: {command}", command=f"{command_of(context)} mail send {quoted(file)}"
        )
        raise WrongUse(sentences(written, message_of(error), how_to_send)) from None


def _agree(context: typer.Context, parcels: list[Parcel]) -> None:
    """Let the player see at a terminal what is about to go; raises Cancelled."""
    if not console.is_terminal():
        return
    console.say(Message("You have not sent from your account yet:"))
    for parcel in parcels:
        address = console.mailbox(parcel.to)
        console.item(Message("{file}, to {address}", file=parcel.called, address=address))
    hint = mark("{yes} sends them all, {no} sends none.")
    if not console.ask_yes(Message("Send them all?"), hint):
        console.say(
            Message(
                "What you have sent in another way is left out from now on with: {command} FILE "
                "--by-hand",
                command=f"{command_of(context)} mail send",
            )
        )
        raise console.Cancelled


def _send_all(
    context: typer.Context,
    own: OwnLibrary,
    account: Account,
    parcels: list[Parcel],
    *,
    again: bool = False,
) -> None:
    """Send these and say so of each; raises MailFailed where one is not sent, behind the others."""
    login = login_at(context, server_to(context, account, "smtp"))
    sent = list(each_sent(context, own, account, login, parcels, again=again))
    failures = [failure for _, failure in sent if failure is not None]
    for failure in failures[:-1]:
        console.warn(failure.said)
    if failures:
        raise failures[-1]


def each_sent(
    context: typer.Context,
    own: OwnLibrary,
    account: Account,
    login: Login | None,
    parcels: list[Parcel],
    *,
    again: bool = False,
) -> Iterator[tuple[Parcel, MailFailed | None]]:
    """Send these, each when it is asked for, and say so; else each comes with why it is not sent.

    Raises MailFailed where there is no connection to send by.
    """
    console.flush()
    with outgoing(account, login) as connection:
        for parcel in parcels:
            try:
                _send(own, connection, parcel, again=again)
            except MailFailed as error:
                yield parcel, parcel.failed(error, f"{command_of(context)} mail send")
            else:
                address = console.mailbox(parcel.to)
                console.say(
                    Message("Sent to {address}: {file}.", address=address, file=parcel.called)
                )
                console.note_written(Message("{file} was sent.", file=parcel.file.name))
                yield parcel, None


def _send(own: OwnLibrary, connection: Outgoing, parcel: Parcel, *, again: bool) -> None:
    written = console.written()

    def may_have_left(it_may: bool) -> None:
        sent = Message("{file} may have been sent.", file=parcel.file.name)
        console.note_written(sent if it_may else written)

    try:
        not_noted = parcel.send(connection, own.post(), now(), may_have_left, again=again)
    except DispatchedAlready as error:
        # By another process, just now.
        raise MailFailed(_sent_already(parcel, error.dispatch)) from None
    if not_noted:
        console.warn(
            Message(
                "That {file} was sent could not be noted: {reason}. You will be told that it may "
                "have been sent.",
                file=parcel.called,
                reason=not_noted,
            )
        )


# --- what there is to send


def _parcel(context: typer.Context, account: Account, file: Path, to: str) -> Parcel:
    """What is to be sent of a file; raises WrongUse where it is not an own one, or goes nowhere."""
    given = take(context, file)
    game = read_given(context, given)
    check_own(context, file, game.match)
    name = path_of(context, file, given, game).name
    time = letter_time(own_library(context), game.match, now())
    # Mail servers take letters from the address of the account alone.
    letter = drafted(game.match, game.save.write(), name, to, account.address, time)
    if "To" not in letter:
        raise WrongUse(
            "The game has no address that mail takes for {file}. To send it to one: {command} "
            "--to ADDRESS",
            file=file,
            command=f"{command_of(context)} mail send {quoted(file)}",
        )
    return Parcel(file, game.match, letter)


def unsent(context: typer.Context, own: OwnLibrary, account: Account) -> Iterator[Parcel]:
    """What is to be sent of all own games: their last files, where these are own and not sent."""
    for _, file in _unsent_files(own):
        try:
            yield _parcel(context, account, file, "")
        except AcresError as error:
            # One that was damaged since, or goes nowhere, keeps no other back.
            console.warn(
                error.said if isinstance(error, WrongUse) else labelled(shown(file), error.said)
            )


def _unsent_files(own: OwnLibrary) -> Iterator[tuple[Listed, Path]]:
    for listed in own.open().games():
        file = listed.file_out
        if file is None or own.post().dispatch(listed.id, listed.game.last):
            continue
        if holds(file, listed.game.last):
            yield listed, file


def _check_unsent(own: OwnLibrary, parcel: Parcel, *, again: bool) -> None:
    """Raise WrongUse where a file was sent, or may have been."""
    before = parcel.sent_before(own.post())
    if before is not None and not again:
        how_to_repeat = Message("To send it again: {option}", option="--again")
        raise WrongUse(sentences(_sent_already(parcel, before), how_to_repeat))


def _sent_already(parcel: Parcel, dispatch: Dispatch) -> Message:
    return parcel.sent_already(dispatch, moment(dispatch.time))

"""`acres mail send`: turns straight to the opponent, by SMTP, each once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.message import Message, labelled, mark, message_of, sentences
from pbem.cli import console
from pbem.cli.clocks import letter_time
from pbem.cli.completion import saves
from pbem.cli.given import take
from pbem.cli.home import command_of
from pbem.cli.mail.by_hand import BY_HAND, called, note_by_hand, unsent_files
from pbem.cli.mail.draft_command import check_to
from pbem.cli.mail.own_account import login_at, own_account, server_to
from pbem.cli.mail.own_file import check_own, path_of
from pbem.cli.moment import now
from pbem.cli.own_library import OwnLibrary, own_games
from pbem.cli.paths import quoted, shown
from pbem.cli.reading import read_given
from pbem.errors import AcresError, WrongUse

if TYPE_CHECKING:
    from email.message import EmailMessage

    from pbem.library import Dispatch
    from pbem.mail.account import Account
    from pbem.mail.connecting import Login, MailFailed
    from pbem.mail.sending import Outgoing
    from pbem.protocol.match import Match


def send(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="The file that you have written; without one, all that you have not sent yet.",
            autocompletion=saves,
        ),
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Send it there, and not to the address given in the game."
        ),
    ] = "",
    again: Annotated[
        bool, typer.Option("--again", help="Send it although it was sent, or may have been.")
    ] = False,
    by_hand: Annotated[
        bool,
        typer.Option("--by-hand", help="Send nothing: remember that you have sent it yourself."),
    ] = False,
) -> None:
    """Send your file to your opponent from your mail account.

    Each turn is sent once: what was sent before is told, and goes again only with --again.
    """
    if file is None and (to or again):
        raise WrongUse(Message("--to and --again go with a FILE."))
    if by_hand:
        if to or again:
            raise WrongUse(
                Message("--by-hand sends nothing, so that --to and --again do not go with it.")
            )
        note_by_hand(context, file)
        return
    check_to(to)
    account = own_account(context)
    server_to(context, account, "smtp")
    with own_games(context) as own:
        if file is not None:
            parcel = _parcel(context, account, file, to)
            _check_unsent(own, parcel, again=again)
            send_all(context, own, account, [parcel], again=again)
            return
        parcels = list(unsent(context, own, account))
        if not parcels:
            console.say(Message("There is nothing to send: all that you have written was sent."))
            return
        if len(parcels) > 1:
            _agree(context, parcels)
        send_all(context, own, account, parcels)


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


@dataclass(frozen=True)
class Parcel:
    """A file that is to be sent: the match in it, and the letter with it."""

    file: Path
    match: Match
    letter: EmailMessage

    @property
    def to(self) -> str:
        """The address it goes to."""
        return str(self.letter["To"].addresses[0].addr_spec)

    @property
    def called(self) -> Message:
        """What it is to the player, such as `game-012.toml (record 12 of game 34de8b95)`."""
        return called(self.file, self.match.id, self.match.last.index)


def send_file(context: typer.Context, file: Path) -> None:
    """Send a file that was written just now, unless it was sent before, of which it is told.

    Raises AcresError where that fails.
    """
    from pbem.library import Sending

    account = own_account(context)
    with own_games(context) as own:
        parcel = _parcel(context, account, file, "")
        before = own.post().dispatch(parcel.match.id, parcel.match.last.hash)
        if before is not None and before.sending is Sending.SENT:
            console.say(_sent_already(parcel, before))
            return
        _check_unsent(own, parcel, again=False)
        send_all(context, own, account, [parcel])


def send_all(
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
        console.warn(str(failure))
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
    from pbem.mail.connecting import MailFailed
    from pbem.mail.sending import outgoing

    console.flush()
    with outgoing(account, login) as connection:
        for parcel in parcels:
            try:
                _send(own, connection, parcel, again=again)
            except MailFailed as error:
                told = _told(context, parcel, error)
                yield parcel, type(error)(told, may_pass=error.may_pass)
            else:
                address = console.mailbox(parcel.to)
                console.say(
                    Message("Sent to {address}: {file}.", address=address, file=parcel.called)
                )
                console.note_written(Message("{file} was sent.", file=parcel.file.name))
                yield parcel, None


def _send(own: OwnLibrary, connection: Outgoing, parcel: Parcel, *, again: bool) -> None:
    """Send one, and note it: before it may leave, and when it has."""
    from pbem.library import DispatchedAlready, LibraryFailed
    from pbem.mail.connecting import MailFailed
    from pbem.mail.sending import MayHaveArrived

    post, game, record = own.post(), parcel.match.id, parcel.match.last.hash
    written = console.written()
    before: Dispatch | None = None
    has_begun = False

    def begin() -> None:
        nonlocal before, has_begun
        try:
            before = post.begin(game, record, now(), parcel.to, again=again)
        except DispatchedAlready as error:
            # By another process, just now.
            raise MailFailed(_sent_already(parcel, error.dispatch)) from None
        has_begun = True
        console.note_written(Message("{file} may have been sent.", file=parcel.file.name))

    try:
        connection.send(parcel.letter, parcel.to, begin)
    except MayHaveArrived:
        raise
    except MailFailed:
        if has_begun:
            console.note_written(written)
            # What cannot be forgotten does no harm: it is told as perhaps sent.
            with suppress(LibraryFailed):
                post.take_back(game, record, before)
        raise
    try:
        post.end(game, record)
    except LibraryFailed as error:
        console.warn(
            Message(
                "That {file} was sent could not be noted: {reason}. You will be told that it may "
                "have been sent.",
                file=parcel.called,
                reason=error,
            )
        )


def _told(context: typer.Context, parcel: Parcel, error: AcresError) -> Message:
    """Of which file it is that something is wrong, and what to do, in sentences."""
    from pbem.mail.sending import MayHaveArrived

    if not isinstance(error, MayHaveArrived):
        return sentences(Message("{file} was not sent.", file=parcel.called), error.said)
    what_to_do = Message(
        "Ask your opponent; if it is not there, send it again with: {command}",
        command=f"{command_of(context)} mail send {quoted(parcel.file)} --again",
    )
    return labelled(parcel.called, sentences(message_of(error), what_to_do))


# --- what there is to send


def _parcel(context: typer.Context, account: Account, file: Path, to: str) -> Parcel:
    """What is to be sent of a file; raises WrongUse where it is not an own one, or goes nowhere."""
    from pbem.cli.mail.drafting import drafted

    given = take(context, file)
    game = read_given(context, given)
    check_own(context, file, game.match)
    name = path_of(context, file, given, game).name
    # Mail servers take letters from the address of the account alone.
    letter = drafted(
        game.match,
        game.save.write(),
        name,
        to,
        sent_from=account.address,
        time=letter_time(context, game.match),
    )
    if "To" not in letter:
        raise WrongUse(
            Message(
                "The game has no address that mail takes for {file}. To send it to one: {command} "
                "--to ADDRESS",
                file=file,
                command=f"{command_of(context)} mail send {quoted(file)}",
            )
        )
    return Parcel(file, game.match, letter)


def unsent(context: typer.Context, own: OwnLibrary, account: Account) -> Iterator[Parcel]:
    """What is to be sent of all own games: their last files, where these are own and not sent."""
    for _, file in unsent_files(own):
        try:
            yield _parcel(context, account, file, "")
        except AcresError as error:
            # One that was damaged since, or goes nowhere, keeps no other back.
            console.warn(
                message_of(error)
                if isinstance(error, WrongUse)
                else labelled(shown(file), message_of(error))
            )


def _check_unsent(own: OwnLibrary, parcel: Parcel, *, again: bool) -> None:
    """Raise WrongUse where a file was sent, or may have been."""
    before = own.post().dispatch(parcel.match.id, parcel.match.last.hash)
    if before is not None and not again:
        how_to_repeat = Message("To send it again: {option}", option="--again")
        raise WrongUse(sentences(_sent_already(parcel, before), how_to_repeat))


def _sent_already(parcel: Parcel, dispatch: Dispatch) -> Message:
    from pbem.cli.records import moment
    from pbem.library import Sending

    when, to = moment(dispatch.time), console.mailbox(dispatch.to)
    if dispatch.to == BY_HAND:
        return Message(
            "{file} was sent by yourself, as you said on {time}.", file=parcel.called, time=when
        )
    if dispatch.sending is Sending.SENT:
        return Message(
            "{file} was sent already, on {time} to {address}.",
            file=parcel.called,
            time=when,
            address=to,
        )
    return Message(
        "{file} may have been sent already, on {time} to {address}: the program was stopped, or "
        "the server did not say whether it took it. Ask your opponent.",
        file=parcel.called,
        time=when,
        address=to,
    )

"""`acres serve-robot`: a robot as an opponent, by folder or by mail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message
from engine.players import USUAL
from pbem.cli import completion, console
from pbem.cli.again import look_again
from pbem.cli.asking import NewestToServe, session_of
from pbem.cli.mail.send_command import note_leaving, unsent
from pbem.cli.mail_options import ways_of
from pbem.cli.numbers import number_for, number_up_to, seconds_for
from pbem.cli.own_account import login_at, own_account
from pbem.cli.own_games import own_games
from pbem.cli.own_home import home_of
from pbem.cli.robot.own_identity import begin_anew, go_home, robot_identity
from pbem.cli.robot.telling import answered, refusing, tell
from pbem.cli.strength_option import strength_option
from pbem.errors import NO_FOLDER, AcresError, WrongUse, reaching
from pbem.foreign import shown
from pbem.mail.address import is_address
from pbem.mail.robot import Folders, Postbox
from pbem.mail.sending import Sender
from pbem.mail.wire import MailFailed
from pbem.play.robot.answering import Correspondence
from pbem.play.robot.guests import Guests, NobodyMeant, Welcome
from pbem.play.robot.places import Places
from pbem.play.robot.player import Players, one_for_each_game
from pbem.play.robot.refusals import NotWritten
from pbem.protocol.steps import FEW_LISTS, MAX_LISTS
from pbem.savefile.disk import clear_away
from pbem.words.proof.recollection import NotNow

EVERY, EVERY_BY_MAIL = 10, 300
"""Seconds between two looks, usually."""
MOST_GAMES, MOST_WITH_ONE = 20, 3

Look = Callable[[], None]


def serve_robot(
    context: typer.Context,
    inbox: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder in which your files arrive.")
    ] = None,
    outbox: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder for its answers; it may be the same one."),
    ] = None,
    every: Annotated[
        int | None,
        typer.Option(
            metavar="TIME",
            parser=seconds_for("--every"),
            help="How often it looks, such as 30s or 5m. Default: 10s, and 5m by mail.",
        ),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Answer what is there, and stop.")] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="Play only with this address, or with this key, as acres key show gives it: "
            "anybody can fake an address, but nobody can fake a key. 16 of its digits will "
            "do; all 64 are safer. May be given several times.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=number_for("--games"),
            help="How many games it plays at once. Default: 20.",
        ),
    ] = None,
    each: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=number_for("--each"),
            help="How many of them with one player. Default: 3.",
        ),
    ] = None,
    lists: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=number_up_to(MAX_LISTS, "--lists"),
            help="How many lists a shuffle must have at least. Default: 256.",
            autocompletion=completion.numbers_of_lists,
        ),
    ] = None,
    strength: Annotated[
        int | None,
        strength_option(
            "How strong it is from now on, in all games; the stronger, the longer it thinks. "
            "Default: 2."
        ),
    ] = None,
    newest: NewestToServe = False,
) -> None:
    """Let a robot be your opponent, by folder or by mail.

    It joins the games it is invited to, answers every file that it has to answer, and closes
    games that are over, until Ctrl-C stops it. It plays with a key of its own, which it makes in
    the folder robot of your home, or in another --home, and sees its own cards only. Without
    --inbox and --outbox it plays by the mail account that is set up in that home.
    """
    _check_from_1_on("--games", games)
    _check_from_1_on("--each", each)
    if (inbox is None) != (outbox is None):
        raise WrongUse("--inbox and --outbox go together; without both, it plays by mail.")
    go_home(context)
    guests = Guests(
        _welcome(only or ()),
        Places(games or MOST_GAMES, each or MOST_WITH_ONE),
        lists or FEW_LISTS,
        more_lists="--lists 1024",
        by_mail=inbox is None,
        can_be_written_to=is_address,
    )
    players = one_for_each_game(strength or USUAL)
    if inbox and outbox:
        look = _by_folder(context, inbox, outbox, guests, players, is_last=once, newest=newest)
    else:
        look = _by_mail(context, guests, players, newest=newest)
    if once:
        look()
        return
    console.say(Message("To stop it, press Ctrl-C."))
    look_again(look, every or (EVERY if inbox else EVERY_BY_MAIL), _may_pass)


def _welcome(only: Sequence[str]) -> Welcome:
    try:
        return Welcome.to(only)
    except NobodyMeant as error:
        raise WrongUse(
            "--only takes an address, or the digits of a key as its player sees them with "
            "{command}: 16, or better all 64; not “{text}”.",
            command="acres key show",
            text=error.text,
        ) from None


def _check_from_1_on(option: str, number: int | None) -> None:
    if number is not None and number < 1:
        raise WrongUse(
            "{option} takes a number from 1 upwards, not {number}.", option=option, number=number
        )


def _by_folder(
    context: typer.Context,
    inbox: Path,
    outbox: Path,
    guests: Guests,
    players: Players,
    *,
    is_last: bool,
    newest: bool,
) -> Look:
    for folder in (inbox, outbox):
        with reaching(folder, NO_FOLDER):
            folder.mkdir(parents=True, exist_ok=True)
    clear_away(outbox)
    identity = robot_identity(context)
    robot = Correspondence(session_of(context, identity), guests, players, newest=newest)
    if newest:
        begin_anew(context, [inbox, outbox])
    if not is_last:
        name = console.named(identity.name)
        console.say(Message("{player} answers what arrives in this folder:", player=name))
        console.say_whole(f"  {shown(inbox)}")
    folders = Folders(
        robot,
        lambda incoming: answered(context, robot, incoming),
        console.language().code,
        inbox,
        outbox,
        is_last=is_last,
    )
    return lambda: tell(context, folders.look())


def _by_mail(context: typer.Context, guests: Guests, players: Players, *, newest: bool) -> Look:
    account = own_account(context, "imap", "smtp")
    # Its files lie in its home.
    folder = account.folder or home_of(context) / "games"
    account = replace(account, folder=folder)
    identity = robot_identity(context, account.address)
    robot = Correspondence(session_of(context, identity), guests, players, newest=newest)
    if newest:
        begin_anew(context, [folder])
    imap, smtp = login_at(context, account.imap), login_at(context, account.smtp)
    assert imap is not None
    language = console.language().code
    # Nobody reads its mailbox.
    sender = Sender(robot.session.library, language, ways_of(context), account, keeps=False)
    postbox = Postbox(
        robot,
        lambda incoming: answered(context, robot, incoming),
        sender,
        imap,
        smtp,
        lambda: unsent(context, sender),
        note_leaving(),
    )
    name, address = console.named(identity.name), console.mailbox(account.address)
    console.say(
        Message("{player} answers what arrives at {address}.", player=name, address=address)
    )

    def look() -> None:
        with refusing(context), own_games(context):
            tell(context, postbox.look())

    return look


def _may_pass(error: AcresError) -> bool:
    if isinstance(error, MailFailed):
        return error.may_pass
    return isinstance(error, NotNow | NotWritten)

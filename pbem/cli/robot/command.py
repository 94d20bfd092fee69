"""`acres serve-robot`: a practice player as an opponent, by folder or by mail."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from language import phrase
from pbem.cli import console
from pbem.cli.again import look_again
from pbem.cli.newest import NewestToServe
from pbem.cli.numbers import number_for, seconds_for
from pbem.cli.paths import NO_FOLDER, reaching, shown
from pbem.errors import AcresError, WrongUse

EVERY, EVERY_BY_MAIL = 10, 300
"""Seconds between two looks, usually."""
MOST_GAMES = 20

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
            help="How often it looks, such as 30s or 5m. Usual: 10s, and 5m by mail.",
        ),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Answer what is there, and stop.")] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="Play with this address alone; may be given several times.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=number_for("--games"),
            help="How many games it plays at once. Usual: 20.",
        ),
    ] = None,
    newest: NewestToServe = False,
) -> None:
    """Let a practice player be your opponent, by folder or by mail.

    It joins the games to which it is invited, answers every file that is its to answer, and closes
    games that are over, until Ctrl-C stops it. It plays with a key of its own, which it makes in
    the folder robot of your home, or in another --home, and sees its own cards only. Without
    --inbox and --outbox it plays by the mail account that is set up in that home.
    """
    if games is not None and games < 1:
        raise WrongUse(phrase("--games takes a number from 1 on, not {number}.", number=games))
    if (inbox is None) != (outbox is None):
        raise WrongUse(phrase("--inbox and --outbox go together; without both, it plays by mail."))
    from pbem.cli.robot.identity import go_home

    go_home(context)
    welcome, most = frozenset(map(str.casefold, only or ())), games or MOST_GAMES
    if inbox and outbox:
        look = _by_folder(context, inbox, outbox, welcome, most, is_last=once, newest=newest)
    else:
        look = _by_mail(context, welcome, most, newest=newest)
    if once:
        look()
        return
    console.say(phrase("To stop it, press Ctrl-C."))
    look_again(look, every or (EVERY if inbox else EVERY_BY_MAIL), _may_pass)


def _by_folder(
    context: typer.Context,
    inbox: Path,
    outbox: Path,
    welcome: frozenset[str],
    most: int,
    *,
    is_last: bool,
    newest: bool,
) -> Look:
    from pbem.cli.robot.answering import Correspondence
    from pbem.cli.robot.by_folder import Folders
    from pbem.cli.robot.guests import Guests
    from pbem.cli.robot.identity import robot_identity
    from pbem.unfinished import clear_away

    for folder in (inbox, outbox):
        with reaching(folder, NO_FOLDER):
            folder.mkdir(parents=True, exist_ok=True)
    clear_away(outbox)
    identity = robot_identity(context)
    robot = Correspondence(context, identity, Guests(welcome, most), newest=newest)
    if newest:
        robot.begin_anew([inbox, outbox])
    if not is_last:
        name = console.named(identity.name)
        console.say(phrase("{player} answers what arrives in this folder:", player=name))
        console.say_whole(f"  {shown(inbox)}")
    return Folders(robot, inbox, outbox, is_last=is_last).look


def _by_mail(context: typer.Context, welcome: frozenset[str], most: int, *, newest: bool) -> Look:
    from pbem.cli.robot.answering import Correspondence
    from pbem.cli.robot.by_mail import Postbox, robot_account
    from pbem.cli.robot.guests import Guests
    from pbem.cli.robot.identity import robot_identity

    account = robot_account(context)
    identity = robot_identity(context, account.address)
    robot = Correspondence(context, identity, Guests(welcome, most, by_mail=True), newest=newest)
    if newest:
        robot.begin_anew([account.folder] if account.folder else [])
    postbox = Postbox(context, account, robot)
    name, address = console.named(identity.name), console.mailbox(account.address)
    console.say(phrase("{player} answers what arrives at {address}.", player=name, address=address))
    return postbox.look


def _may_pass(error: AcresError) -> bool:
    from pbem.cli.own_library import NotNow
    from pbem.cli.robot.answering import NotWritten
    from pbem.mail.connecting import MailFailed

    if isinstance(error, MailFailed):
        return error.may_pass
    return isinstance(error, NotNow | NotWritten)

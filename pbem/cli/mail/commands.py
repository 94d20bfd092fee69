"""`acres mail`: its commands. What a command needs is imported when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli import console
from pbem.cli.completion import saves
from pbem.cli.help import Command, Group
from pbem.cli.numbers import number_up_to, seconds_for
from pbem.errors import WrongUse

LONGEST_DAYS = 3650
EVERY = 5 * 60
"""In seconds, how often to look, usually."""

app = typer.Typer(
    name="mail",
    cls=Group,
    help="Send your turns by e-mail, and fetch your opponent's.",
    rich_markup_mode=None,
)

To = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS", help="Send it there, and not to the address given in the game."
    ),
]


@app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        console.say_whole(context.get_help())


@app.command(cls=Command)
def draft(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="The file that you have written.", autocompletion=saves
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The draft to write; usual: beside FILE, as .eml."),
    ] = None,
    to: To = "",
) -> None:
    """Write the letter with your file, ready to be sent by your mail program.

    It tells what happened as everybody may see it, and how to answer; the file is attached. The
    letters of a game form a thread.
    """
    from pbem.cli.mail.drafts import draft_given

    draft_given(context, file, output, to)


@app.command(cls=Command)
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
    to: To = "",
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
        raise WrongUse("--to and --again go with a FILE.")
    if by_hand and (to or again):
        raise WrongUse("--by-hand sends nothing, so that --to and --again do not go with it.")
    from pbem.cli.mail import sending

    if by_hand:
        sending.note_sent(context, file)
    else:
        sending.send_given(context, file, to, again=again)


@app.command(cls=Command)
def fetch(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
    days: Annotated[
        int | None,
        typer.Option(
            metavar="DAYS",
            parser=number_up_to(LONGEST_DAYS, "--days"),
            help="Look through all that came in so many days, also what was looked through before.",
        ),
    ] = None,
) -> None:
    """Take the turns out of your mailbox: verify them, and put each with its game.

    Messages with turns are marked as read; nothing is ever deleted or moved. The first time this
    looks 30 days back, later at what is new.
    """
    from pbem.cli.mail.fetching import fetch_and_tell

    fetch_and_tell(context, json=json, days=days)


@app.command(cls=Command)
def watch(
    context: typer.Context,
    every: Annotated[
        int | None,
        typer.Option(
            metavar="TIME",
            parser=seconds_for("--every"),
            help="How often to look, such as 90s or 1h. Usual: 5m.",
        ),
    ] = None,
) -> None:
    """Look into your mailbox again and again, and tell what arrives, until Ctrl-C."""
    from pbem.cli.mail.fetching import watch_and_tell

    watch_and_tell(context, every or EVERY)


@app.command(cls=Command)
def setup(
    context: typer.Context,
    address: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The address of your mail account.")
    ] = None,
    smtp: Annotated[
        str | None,
        typer.Option(metavar="HOST[:PORT]", help="The server that you send by; - for none."),
    ] = None,
    imap: Annotated[
        str | None,
        typer.Option(metavar="HOST[:PORT]", help="The server with your mailbox; - for none."),
    ] = None,
    security: Annotated[
        str | None,
        typer.Option(
            "--security",
            metavar="HOW",
            help="tls, starttls, or none on this computer; usual: what belongs to the port.",
        ),
    ] = None,
    user: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The name you log in with; usual: your address."),
    ] = None,
    mailbox: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The folder of your mailbox to look into; usual: INBOX."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the files of new games go; usual: where you are."),
    ] = None,
    ca: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Certificates to trust, where the server is your own."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="In the place of an account that is set up already.")
    ] = False,
    untried: Annotated[
        bool, typer.Option("--untried", help="Do not try whether the logins work.")
    ] = False,
) -> None:
    """Set up your mail account, once: address, servers, password.

    What is not given is asked for. The password is kept in the keyring of your system, never in a
    file; it is tried whether the logins work before anything is kept.
    """
    from pbem.cli.mail.setup import Wanted, set_up

    wanted = Wanted(address, smtp, imap, security, user, mailbox, folder, ca)
    set_up(context, wanted, replace=replace, untried=untried)


@app.command(cls=Command)
def check(context: typer.Context) -> None:
    """Say which mail account is set up, and try whether its logins work."""
    from pbem.cli.mail.setup import say_and_try

    say_and_try(context)

"""`acres mail setup` and `acres mail check`: the mail account, asked for and tried."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.message import Message, Run, Said, mark, message_of, sentences, with_colon
from pbem.cli import console
from pbem.cli.home import command_of, config_path, has_identity, home_of, key_file
from pbem.cli.mail.draft_command import no_address
from pbem.cli.mail.own_account import (
    PASSWORD_VARIABLE,
    TOKEN_VARIABLE,
    NoKeyring,
    given_login,
    keep_password,
    login_at,
    own_account,
    settings,
)
from pbem.cli.paths import shown
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from pbem.mail.account import Account, Server
    from pbem.mail.connecting import Login
    from pbem.mail.providers import Provider

_PURPOSE = {"smtp": mark("To send:"), "imap": mark("To fetch:")}
FAILED = 2
"""How a check ends where a login does not work."""

Security = Annotated[
    str | None,
    typer.Option(
        "--security",
        metavar="HOW",
        help="tls, starttls, or none on this computer; usual: what belongs to the port.",
    ),
]


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
    security: Security = None,
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
    from dataclasses import replace as changed

    config = settings(context)
    if "mail" in config.tables and not replace:
        _agree_to_replace(config.path)
    account = _asked(context, address, smtp, imap, security, user)
    account = changed(
        account,
        mailbox=mailbox or account.mailbox,
        folder=folder and folder.expanduser().absolute(),
        ca=ca and ca.expanduser().absolute(),
    )
    _check(account)
    logins, typed = _logins(account)
    for server, login in logins.items() if not untried else ():
        _try(account, server, login)
        works = Message("The login at {host} works.", host=server.host)
        console.say(sentences(Message(_PURPOSE[server.kind]), works))
    config.replace("mail", account.table())
    console.note_written(Message("{file} was written.", file=config.path))
    console.say(Message("Your mail account is set up in:"))
    console.say_whole(f"  {shown(config.path)}")
    if typed:
        _keep(context, account, typed)
    elif not logins:
        console.say(
            Message(
                "There is no password yet: set {variable}, or run this at a terminal, which keeps "
                "it in the keyring.",
                variable=PASSWORD_VARIABLE,
            )
        )
    _warn_of_address(context, account)
    check_command = f"{command_of(context)} mail check"
    console.say_whole(Message("To try it: {command}", command=check_command))


def check(context: typer.Context) -> None:
    """Say which mail account is set up, and try whether its logins work."""
    from pbem.mail.connecting import MailFailed

    account = own_account(context)
    address = console.mailbox(account.address)
    console.say(Message("Your mail account, {address}, is set up in:", address=address))
    console.say_whole(f"  {shown(config_path(home_of(context)))}")
    works = True
    for kind, server in (("smtp", account.smtp), ("imap", account.imap)):
        purpose = Message(_PURPOSE[kind])
        if server is None:
            console.item(sentences(purpose, Message("No server is set up.")))
            continue
        console.item(sentences(purpose, _told(server)))
        console.flush()
        try:
            _try(account, server, login_at(context, server))
        except MailFailed as error:
            works = False
            console.item(message_of(error), indent=4)
        else:
            console.item(Message("The login works."), indent=4)
    _warn_of_address(context, account)
    if not works:
        raise typer.Exit(FAILED)


def _told(server: Server) -> Message:
    # Translators: {security} is tls, starttls or none, as in the settings.
    return Message(
        "{host}, port {port}, as {user}, encrypted by {security}.",
        host=server.host,
        port=str(server.port),
        user=server.user,
        security=server.security,
    )


def _try(account: Account, server: Server, login: Login | None) -> None:
    """Log in and leave; raises MailFailed where that fails."""
    if server.kind == "smtp":
        from pbem.mail.sending import outgoing

        with outgoing(account, login):
            return
    from pbem.mail.mailbox import opened

    assert login is not None
    with opened(account, login):
        return


# --- what is asked for


def _agree_to_replace(path: Path) -> None:
    sentence = Message("A mail account is set up already, in {file}.", file=path)
    if not console.is_terminal():
        how_to_replace = Message("To set up another in its place: {option}", option="--replace")
        raise WrongUse(sentences(sentence, how_to_replace))
    console.say(sentence)
    hint = mark("{yes} replaces it, {no} leaves it as it is.")
    if not console.ask_yes(Message("Set up another in its place?"), hint):
        raise console.Cancelled


def _asked(
    context: typer.Context,
    address: str | None,
    smtp: str | None,
    imap: str | None,
    security: str | None,
    user: str | None,
) -> Account:
    """The account as it was given with options, and asked for as far as it was not."""
    from pbem.mail.account import Account
    from pbem.mail.address import is_address
    from pbem.mail.providers import provider_of

    address = address or _line(Message("Your address"), _known_address(context), "--address")
    if not is_address(address):
        raise WrongUse(no_address(address))
    provider = provider_of(address)
    if provider is not None and not (smtp and imap):
        _say_provider(context, provider)
    usual = (provider.smtp, provider.imap) if provider else ("", "")
    asked_smtp = Message("The server that you send by (SMTP; - for none)")
    asked_imap = Message("The server with your mailbox (IMAP; - for none)")
    smtp = smtp or usual[0] or _line(asked_smtp, "", "--smtp")
    imap = imap or usual[1] or _line(asked_imap, "", "--imap")
    user = user or address
    return Account(
        address,
        smtp=_server("smtp", smtp, security, user),
        imap=_server("imap", imap, security, user),
    )


def _known_address(context: typer.Context) -> str:
    return key_file(context).email if has_identity(context) else ""


def _line(what: Said, usual: str, option: str) -> str:
    if not console.is_terminal():
        if usual:
            return usual
        raise WrongUse(
            # Translators: {what} is as “Your address”.
            Message(
                "{what}: give it with {option}, or run this at a terminal.",
                what=what,
                option=option,
            )
        )
    prompt = Run((with_colon(f"{what} [{usual}]" if usual else what), " "))
    while True:
        given = console.ask(prompt).strip() or usual
        if given:
            return given


def _say_provider(context: typer.Context, provider: Provider) -> None:
    from pbem.mail.providers import APP_PASSWORD, TOKEN

    name = provider.name
    console.say(Message("The servers of {provider} are known.", provider=name))
    if provider.login == APP_PASSWORD:
        console.say(
            Message(
                "{provider} wants a password that is made for programs (an app password), which "
                "you get in the settings of your account.",
                provider=name,
            )
        )
    if provider.login == TOKEN:
        console.say(
            Message(
                "{provider} takes no password from programs, but a token that another program has "
                "to get, in {variable}. It goes without: {command} FILE writes a letter for your "
                "mail program.",
                provider=name,
                variable=TOKEN_VARIABLE,
                command=f"{command_of(context)} mail draft",
            )
        )
    if provider.opened:
        console.say(
            Message(
                "{provider} lets programs in only after you have allowed IMAP in the settings of "
                "your account.",
                provider=name,
            )
        )


def _server(kind: str, text: str, security: str | None, user: str) -> Server | None:
    """The server that a text such as `mail.example.org:465` means; None for `-`."""
    from pbem.mail.account import PORTS, TLS, Server

    if text == "-":
        return None
    host, colon, port = text.rpartition(":")
    if not colon:
        host, port = text, ""
    ports = PORTS[kind]
    if port and not (port.isascii() and port.isdecimal() and 0 < int(port) < 2**16):
        raise WrongUse(
            Message(
                "The port of a server is a number, as in {example}; not “{port}”.",
                example=f"{host}:{ports[TLS]}",
                port=port,
            )
        )
    if security is None:
        # Of two that share a port, the one that encrypts comes first.
        by_port = {number: how for how, number in reversed(ports.items())}
        security = by_port.get(int(port), TLS) if port else TLS
    elif security not in ports:
        raise WrongUse(
            Message(
                "--security takes {values}; not “{value}”.",
                values=", ".join(ports),
                value=security,
            )
        )
    return Server(kind, host, int(port or ports[security]), security, user)


def _check(account: Account) -> None:
    """Raise WrongUse where the settings could not be read again."""
    from pbem.errors import Unreadable
    from pbem.mail.account import Account
    from pbem.play.config import Config

    servers = _servers(account)
    if not servers:
        raise WrongUse(Message("An account needs a server to send by, or one to fetch from."))
    try:
        # Translators: instead of the name of a file with settings that are wrong.
        given = Path(console.told(Message("What you gave")))
        Account.of(Config(given, {"mail": account.table()}))
    except Unreadable as error:
        raise WrongUse(message_of(error)) from None


def _servers(account: Account) -> list[Server]:
    return [server for server in (account.smtp, account.imap) if server]


# --- the password


def _logins(account: Account) -> tuple[dict[Server, Login], str]:
    """What the login at each server is tried with; and the password, if one was typed.

    What is nowhere to be had without a terminal is left out.
    """
    from pbem.mail.connecting import Login

    given = {server: given_login(server) for server in _servers(account)}
    logins = {server: login for server, login in given.items() if login is not None}
    missing = [server for server in given if server not in logins]
    if not missing or not console.is_terminal():
        return logins, ""
    asked = Message("Password of {user}", user=missing[0].user)
    typed = console.ask_secret(Run((with_colon(asked), " ")))
    if not typed:
        raise console.Cancelled
    return logins | dict.fromkeys(missing, Login(typed)), typed


def _keep(context: typer.Context, account: Account, password: str) -> None:
    try:
        keep_password(_servers(account)[0].user, password)
    except NoKeyring as error:
        asked = Message(
            "You are asked for it each time, unless {variable} has it.", variable=PASSWORD_VARIABLE
        )
        console.warn(sentences(message_of(error), asked))
    else:
        console.say(Message("The password is kept in the keyring of your system."))


def _warn_of_address(context: typer.Context, account: Account) -> None:
    """Say that opponents know of another address than the one that letters come from."""
    known = _known_address(context)
    if known and known.lower() != account.address.lower():
        console.warn(
            Message(
                "Your games name {known}, and your mail comes from {address}: your opponents are "
                "told of that. It does no harm.",
                known=console.mailbox(known),
                address=console.mailbox(account.address),
            )
        )

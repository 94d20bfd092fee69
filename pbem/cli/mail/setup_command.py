"""The commands `acres mail setup` and `acres mail check`, which set up and test the account."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.message import Concat, Message, Phrase, mark, message_of, sentences, with_colon
from pbem.cli import console, prompts
from pbem.cli.app import current_app
from pbem.cli.homes import key_file
from pbem.cli.mail_account import log_in, require_account
from pbem.cli.options import flag, option
from pbem.errors import InputError, UsageError
from pbem.foreign import display_path
from pbem.mail.account import INBOX, SECURITIES, Account, Server, check_address, parse_server
from pbem.mail.connection import MailError, UnknownAuthorityError
from pbem.mail.imap import TOKEN, find_provider, open_mailbox
from pbem.mail.login import (
    PASSWORD_VARIABLE,
    VARIABLES,
    KeyringUnusableError,
    Login,
    find_environment_login,
    find_login,
    save_password,
)
from pbem.mail.smtp import connect_smtp
from pbem.play.config import Config

_PURPOSE = {"smtp": mark("To send:"), "imap": mark("To fetch:")}
FAILED_STATUS = 2
"""The exit status of a check if a login fails."""


Smtp = Annotated[str | None, option("HOST[:PORT]", "Your outgoing mail server (SMTP); - for none.")]
Imap = Annotated[str | None, option("HOST[:PORT]", "Your incoming mail server (IMAP); - for none.")]
Security = Annotated[
    str | None,
    option("HOW", "tls, starttls, or none (only on this computer); default: what the port is for."),
]
User = Annotated[str | None, option("NAME", "The name you log in with; default: your address.")]
Ca = Annotated[Path | None, option("FILE", "Certificates to trust, where the server is your own.")]
ReplaceAccount = Annotated[bool, flag("--replace", "Replace an account that is already set up.")]


def setup(
    address: Annotated[str | None, option("ADDRESS", "The address of your mail account.")] = None,
    smtp: Smtp = None,
    imap: Imap = None,
    security: Security = None,
    user: User = None,
    mailbox: Annotated[
        str | None, option("NAME", "The folder of your mailbox to look in; default: INBOX.")
    ] = None,
    folder: Annotated[
        Path | None, option("DIR", "Where the files of new games go; default: where you are.")
    ] = None,
    ca: Ca = None,
    replace: ReplaceAccount = False,
    untried: Annotated[bool, flag("--untried", "Do not test the logins.")] = False,
) -> None:
    """Set up your mail account, once: address, servers, password.

    The servers of common providers are known; anything else that you do not give is asked for. The
    password is kept in the keyring of your system, never in a file; the logins are tested before
    anything is kept.

    $ acres mail setup  # asks for what it needs
    $ acres mail setup --address anna@example.org  # asks for less
    """
    config = Config.read(current_app().home.config_path)
    if security not in (None, *SECURITIES):
        raise UsageError(
            "--security takes {values}; not “{value}”.",
            values=", ".join(SECURITIES),
            value=security,
        )
    if "mail" in config.tables and not replace:
        _agree_to_replace(config.path)
    address = address or _ask_line(Message("Your address"), _known_address(), "--address")
    table: dict[str, Any] = {"address": address}
    for name, path in (("folder", folder), ("ca", ca)):
        if path:
            table[name] = str(path.absolute())
    for kind, text in _servers(address, smtp, imap).items():
        if server := parse_server(kind, text, security):
            table[kind] = server | ({"user": user} if user and user != address else {})
    if mailbox and mailbox != INBOX and "imap" in table:
        table["imap"]["folder"] = mailbox
    _set_up(config, table, test=not untried)


def _set_up(config: Config, table: Mapping[str, Any], *, test: bool) -> None:
    """Test the logins, then save the settings of an account and its passwords.

    Raises UsageError if the settings are not valid, and MailError if a login fails.
    """
    if not {"smtp", "imap"} & set(table):
        raise UsageError("An account needs an outgoing mail server, an incoming one, or both.")
    try:
        # Translators: used in place of the name of a file, in messages about wrong settings.
        account = Account.from_config(Config(Path(), {"mail": table}, Message("What you gave")))
    except InputError as error:
        raise UsageError(message_of(error)) from None
    assert account is not None
    logins, new_logins = _logins(account, current_app().command)
    if test:
        _try_all(account, logins)
    config.replace("mail", table)
    console.note_file(config.path)
    console.say_below("Your mail account is set up in:", display_path(config.path))
    if new_logins:
        _keep_passwords(new_logins)
    _say_untested_logins(account, logins)
    _warn_of_address(account)
    check = f"{current_app().command} mail check"
    console.say_unwrapped("To try it: {command}", command=check)


def check() -> None:
    """Show which mail account is set up, and test its logins."""
    account = require_account()
    address = console.display_address(account.address)
    console.say_below(
        "Your mail account, {address}, is set up in:",
        display_path(current_app().home.config_path),
        address=address,
    )
    is_working = True
    for kind, server in (("smtp", account.smtp), ("imap", account.imap)):
        text = server.description if server else Message("No server is set up.")
        console.item(sentences(Message(_PURPOSE[kind]), text))
        if server is None:
            continue
        console.flush()
        try:
            _try_login(account, server, log_in(server))
        except MailError as error:
            is_working = False
            console.item(message_of(error), indent=4)
        else:
            console.item("The login works.", indent=4)
    _warn_of_address(account)
    if not is_working:
        raise typer.Exit(FAILED_STATUS)


# --- prompts


def _agree_to_replace(path: Path) -> None:
    sentence = Message("A mail account is already set up, in {file}.", file=path)
    if not console.is_terminal():
        how_to_replace = Message("To set up another in its place: {option}", option="--replace")
        raise UsageError(sentences(sentence, how_to_replace))
    console.say(sentence)
    hint = mark("{yes} replaces it, {no} leaves it as it is.")
    if not prompts.ask_yes(Message("Set up another in its place?"), hint):
        raise console.CancelledError


def _servers(address: str, smtp: str | None, imap: str | None) -> dict[str, str]:
    """Return the servers of an address, from options, known providers or the player."""
    check_address(address)
    known_servers = ("", "") if smtp and imap else _known_servers(address)
    smtp_prompt = Message("Your outgoing mail server (SMTP; - for none)")
    imap_prompt = Message("Your incoming mail server (IMAP; - for none)")
    return {
        "smtp": smtp or known_servers[0] or _ask_line(smtp_prompt, "", "--smtp"),
        "imap": imap or known_servers[1] or _ask_line(imap_prompt, "", "--imap"),
    }


def _known_servers(address: str) -> tuple[str, str]:
    """Print notes about a known provider and return its servers, or else empty texts."""
    provider = find_provider(address)
    if provider is None:
        console.say(
            "The mail servers of {domain} are not known here: give those that your provider or "
            "your mail program names.",
            domain=address.rpartition("@")[2].lower(),
        )
        return "", ""
    for note in provider.notes(f"{current_app().command} mail draft"):
        console.say(note)
    return provider.smtp, provider.imap


def _known_address() -> str:
    return key_file().email if current_app().home.has_identity else ""


def _ask_line(label: Phrase, default: str, option: str) -> str:
    if not console.is_terminal():
        if default:
            return default
        raise UsageError(
            # Translators: {what} is, for example, “Your address”.
            "{what}: give it with {option}, or run this at a terminal.",
            what=label,
            option=option,
        )
    prompt = with_colon(Concat((label, f" [{default}]")) if default else label) + " "
    while True:
        value = prompts.ask(prompt).strip() or default
        if value:
            return value


# --- logins


def _logins(account: Account, command: str) -> tuple[dict[Server, Login], dict[Server, Login]]:
    """Return all logins, and those that the player typed, which have to be saved.

    Without a terminal, some logins may be missing.
    """
    find = find_environment_login if console.is_terminal() else find_login
    logins_by_server = {server: find(server, command) for server in account.servers}
    logins = {server: login for server, login in logins_by_server.items() if login is not None}
    missing = [server for server in logins_by_server if server not in logins]
    provider = find_provider(account.address)
    needs_token = provider is not None and provider.login == TOKEN
    if not missing or needs_token or not console.is_terminal():
        return logins, {}
    prompt = Message("Password for {user}", user=missing[0].user)
    secret = prompts.ask_secret(with_colon(prompt) + " ")
    if not secret:
        raise console.CancelledError
    new_logins = {server: Login(secret, command) for server in missing}
    return logins | new_logins, new_logins


def _try_all(account: Account, logins: Mapping[Server, Login]) -> None:
    """Test these logins and print the successes. Raises MailError at the first failure."""
    for server, login in logins.items():
        try:
            _try_login(account, server, login)
        except UnknownAuthorityError:
            raise MailError(
                "The certificate of {host} is not signed by anybody this computer trusts, so your "
                "password was not sent. If the server is your own, name its authority's "
                "certificate: {option}",
                host=server.host,
                option="--ca FILE",
            ) from None
        works = Message("The login at {host} works.", host=server.host)
        console.say(sentences(Message(_PURPOSE[server.kind]), works))


def _say_untested_logins(account: Account, logins: Mapping[Server, Login]) -> None:
    """Print the servers whose login was not tested because a password is missing."""
    if not logins:
        console.say(
            "There is no password, so nothing was tried: set {variable}, or run this at a "
            "terminal, which keeps it in the keyring.",
            variable=PASSWORD_VARIABLE,
        )
        return
    for server in account.servers:
        if server not in logins:
            untried_login = Message(
                "The login at {host} was not tried: there is no password for it. To give one, set "
                "{variable}.",
                host=server.host,
                variable=VARIABLES[server.kind],
            )
            console.say(sentences(Message(_PURPOSE[server.kind]), untried_login))


def _keep_passwords(logins: Mapping[Server, Login]) -> None:
    try:
        for server, login in logins.items():
            save_password(server, login.secret)
    except KeyringUnusableError as error:
        advice = Message(
            "You will be asked for it each time, unless {variable} holds it.",
            variable=PASSWORD_VARIABLE,
        )
        console.warn(sentences(message_of(error), advice))
    else:
        console.say("The password is kept in the keyring of your system.")


def _warn_of_address(account: Account) -> None:
    """Warn if the identity has another address than the account."""
    address = _known_address()
    if address and address.lower() != account.address.lower():
        console.warn(
            "Your games give the address {known}, but your mail comes from {address}: your "
            "opponents will be told so. It does no harm.",
            known=console.display_address(address),
            address=console.display_address(account.address),
        )


def _try_login(account: Account, server: Server, login: Login | None) -> None:
    """Log in at a server and leave. Raises MailError if that fails."""
    if server.kind == "smtp":
        with connect_smtp(account, login):
            return
    assert login is not None
    with open_mailbox(account, login):
        return

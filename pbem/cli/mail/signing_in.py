"""Signing in with a provider, at the terminal: the page to be opened, and what is kept of it."""

from __future__ import annotations

import os

from engine.message import Message, with_colon
from pbem.cli import answers, console
from pbem.errors import WrongUse
from pbem.mail.account import Account
from pbem.mail.oauth import Client, Tokens, sign_in
from pbem.mail.providers import endpoints_at

SECRET_VARIABLE = "ACRES_OAUTH_SECRET"


def signed_in(account: Account, client: str, command: str) -> Tokens:
    """The tokens of a player who signs in for that account, as the program with that id.

    Raises WrongUse where it is not known how that is done there, and MailFailed.
    """
    hosts = list(dict.fromkeys(server.host for server in account.servers))
    endpoints = endpoints_at(hosts)
    if endpoints is None:
        raise WrongUse(
            "How to sign in at {host} is not known here: leave {option} out, and give a password.",
            host=", ".join(hosts),
            option="--oauth-client",
        )
    known = Client(client, _secret())
    return sign_in(endpoints, known, _show_code, _show_page, command, account.timeout)


def _secret() -> str:
    """What a registered program has beside its id, if anything: Google gives it one."""
    given = os.environ.get(SECRET_VARIABLE)
    if given is not None or not console.is_terminal():
        return given or ""
    asked = Message("The secret of that program (leave empty if it has none)")
    return answers.ask_secret(with_colon(asked) + " ").strip()


def _show_code(page: str, code: str) -> None:
    console.say(Message("To sign in, open this page, in any browser, and type {code}:", code=code))
    console.say_whole(f"  {page}")
    console.flush()


def _show_page(page: str) -> None:
    console.say(Message("To sign in, open this page in a browser on this computer:"))
    console.say_whole(f"  {page}")
    console.flush()

"""`acres init`: making an identity."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from pbem.cli import console
from pbem.cli.home import PASSPHRASE_VARIABLE, home_of, identity_path
from pbem.errors import WrongUse


def init(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Option(help="Your name, as your opponents will see it.")
    ] = None,
    email: Annotated[
        str | None, typer.Option(help="The address your opponents send their files to.")
    ] = None,
    passphrase: Annotated[
        bool,
        typer.Option(
            "--passphrase",
            help=f"Seal the key under a passphrase: asked for, or from {PASSPHRASE_VARIABLE}.",
        ),
    ] = False,
) -> None:
    """Make your identity, once for all your games: name, address, key."""
    from pbem import keyfile
    from pbem.identity import Identity
    from pbem.schema import EMAIL, NAME

    home = home_of(context)
    path = identity_path(home)
    if path.exists():
        raise WrongUse(
            f"You have an identity already, in {path}; it was not touched. "
            "For a second one use another folder: acres --home DIR init"
        )
    if name is None:
        name = _asked("Your name, as opponents see it: ", "--name")
    name = _checked(name, NAME.read, "A name")
    if email is None:
        email = _asked("Your e-mail address (may stay empty): ", "--email", may_lack=True)
    email = _checked(email, EMAIL.read, "An e-mail address")
    secret = _new_passphrase(passphrase)
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        keyfile.save(Identity.generate(name, email), path, secret)
    except OSError as error:
        raise WrongUse(f"{path} cannot be written: {error.strerror}.") from None
    console.note_written(f"Your identity is in {path}.")
    console.say(f"Welcome, {console.clean(name)}. Your key is in:")
    console.say_whole(f"  {path}")
    console.say(
        "It is the one thing to back up: whoever has it can play as you and see your cards, and "
        "without it your games cannot go on."
    )
    if secret is not None:
        console.say("It is sealed: you will be asked for your passphrase.")
    console.say("Next: acres new --side british (or french, or any), or acres join FILE")


def _asked(prompt: str, option: str, *, may_lack: bool = False) -> str:
    if console.is_terminal():
        return console.ask(prompt).strip()
    if may_lack:
        return ""
    raise WrongUse(f"Say who you are: acres init {option} NAME")


def _checked(text: str, read: object, what: str) -> str:
    assert callable(read)
    try:
        return str(read(text))
    except ValueError as error:
        raise WrongUse(f"{what} {error}.") from None


def _new_passphrase(wanted: bool) -> str | None:
    """The passphrase for a new key; None where none is wanted."""
    given = os.environ.get(PASSPHRASE_VARIABLE)
    if given:
        return given
    if not wanted:
        return None
    if not console.is_terminal():
        raise WrongUse(f"To give a passphrase without a terminal, set {PASSPHRASE_VARIABLE}.")
    while True:
        first = console.ask_secret("A passphrase for your key: ")
        if not first:
            console.say("An empty passphrase protects nothing. Ctrl-C stops.")
            continue
        if console.ask_secret("Once more: ") == first:
            return first
        console.say("These two differ. Please try again.")

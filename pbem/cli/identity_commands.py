"""`acres init`: making an identity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from pbem.cli import console
from pbem.cli.home import command_of, has_library, home_of, identity_path, program
from pbem.cli.passphrases import PASSPHRASE_VARIABLE, for_new_key, refuse_words
from pbem.cli.paths import exists, reaching, shown
from pbem.errors import WrongUse


def init(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Your name, as your opponents will see it."),
    ] = None,
    email: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="The address your opponents send their files to."),
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
    refuse_words(context)
    from pbem import keyfile
    from pbem.cli.words import fingerprint
    from pbem.identity import Identity

    home = home_of(context)
    path = identity_path(home)
    if exists(path):
        raise WrongUse(
            f"You have an identity already, in {path}; it was not touched. "
            f"For a second one use another folder: {program()} --home DIR init"
        )
    command = command_of(context)
    name = given_name(context, name)
    email = given_email(email)
    secret = for_new_key(context, wanted=passphrase)
    identity = Identity.generate(name, email)
    with reaching(path, "cannot be written"):
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        keyfile.save(identity, path, secret)
    console.note_written(f"Your identity is in {path}.")
    console.say(f"Welcome, {console.named(name)}. Your key is in:")
    console.say_whole(f"  {shown(path)}")
    console.say(
        "It is the one thing to back up: whoever has it can play as you and see your cards, and "
        "without it your games cannot go on. To have it on paper:"
    )
    console.say_whole(f"  {command} key backup")
    console.say(f"What your opponents see of it: {fingerprint(identity.public_key)}")
    if secret is not None:
        console.say("It is sealed: you will be asked for your passphrase.")
    if has_library(context):
        console.warn(
            "Games were played from this folder with another key, which this one cannot go on "
            f"with. A recovery text brings that key back: {command} key restore --replace"
        )
    console.say_whole(f"Next: {command} new --side british (or french, or any)")
    console.say_whole(f"or, if you were invited: {command} join FILE")


def given_name(context: typer.Context, name: str | None) -> str:
    """The name that was given with an option, or else is asked for at a terminal."""
    from pbem.schema import NAME

    if name is None and not console.is_terminal():
        # Without the name of the program, which stands in `command_of`.
        words = context.command_path.partition(" ")[2]
        raise WrongUse(f"Say who you are: {command_of(context)} {words} --name NAME")
    return _given(name, "Your name, as opponents see it: ", NAME.read)


def given_email(email: str | None) -> str:
    """The address that was given with an option, or else is asked for at a terminal."""
    if email is None and not console.is_terminal():
        return ""
    return _given(email, "Your e-mail address (may stay empty): ", _read_email)


def _given(text: str | None, prompt: str, read: Callable[[str], str]) -> str:
    """What was given with an option, or what the player answers, once it can be read."""
    what = prompt.split("(")[0].split(",")[0].rstrip(": ")
    while True:
        try:
            return read(console.ask(prompt).strip() if text is None else text)
        except ValueError as error:
            if not console.is_terminal():
                raise WrongUse(f"{what} {error}.") from None
            console.say(f"{what} {error}.")
            text = None


def _read_email(text: str) -> str:
    """An e-mail address, or none; raises ValueError with the end of a sentence for what is none."""
    from pbem.schema import EMAIL

    if text and "@" not in text:
        raise ValueError("has to have an @ in it, such as name@example.org")
    return EMAIL.read(text)

"""`acres init`: making an identity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from engine.message import Message, Said, message_of
from pbem.cli import answers, console
from pbem.cli.own_home import at_home, own_command, program, warn_of_library
from pbem.cli.passphrases import PASSPHRASE_VARIABLE, for_new_key, refuse_words
from pbem.cli.running import current
from pbem.errors import WrongUse, exists
from pbem.foreign import shown
from pbem.play.session import Session
from pbem.protocol.identity import Identity
from pbem.savefile.disk import clear_away
from pbem.text.games.people import read_email, read_name
from pbem.text.phrases import fingerprint


def init(
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Your name, as your opponents will see it.")
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
    refuse_words()
    path = at_home().identity_path
    clear_away(path.parent)
    if exists(path):
        raise WrongUse(
            "You already have an identity, in {file}; it was not touched. For a second one, use "
            "another folder: {command} --home DIR init",
            file=path,
            command=program(),
        )
    command = own_command()
    name = given_name(name)
    email = given_email(email)
    secret = for_new_key(wanted=passphrase)
    session = made(name, email, secret)
    key = fingerprint(session.identity.public_key)
    console.say(Message("What your opponents see of it: {key}", key=key))
    if secret is not None:
        console.say(Message("It is sealed: you will be asked for your passphrase."))
    if session.store.failure is None and at_home().has_played:
        console.warn(
            Message(
                "Games were played from this folder with another key, and this one cannot go on "
                "with them. To bring that key back from a recovery text: {command} key restore "
                "--replace",
                command=command,
            )
        )
    console.say_whole(
        Message("Next: {command} new --side british (or french, or any)", command=command)
    )
    console.say_whole(Message("or, if you were invited: {command} join FILE", command=command))


def made(name: str, email: str = "", passphrase: str | None = None) -> Session:
    """Make the identity of a player, and say where it is, and that it is to be backed up.

    Raises WrongUse where there is one.
    """
    path, command = at_home().identity_path, own_command()
    identity = Identity.generate(name, email)
    session = Session.create(at_home(), identity, passphrase)
    warn_of_library(session.store)
    console.note_written(Message("Your identity is in {file}.", file=path))
    console.say(Message("Welcome, {player}. Your key is in:", player=console.named(identity.name)))
    console.say_whole(f"  {shown(path)}")
    console.say(
        Message(
            "It is the one thing to back up: whoever has it can play as you and see your cards, "
            "and without it your games cannot go on. To have it on paper:"
        )
    )
    backup = f"{command} key backup"
    console.say_whole(f"  {backup}")
    return session


def given_name(name: str | None) -> str:
    """The name that was given with an option, or else is asked for at a terminal."""
    if name is None and not console.is_terminal():
        # Without the name of the program, which stands in `own_command`.
        words = current().command_path.partition(" ")[2]
        command = f"{own_command()} {words}"
        raise WrongUse("Say who you are: {command} --name NAME", command=command)
    prompt = Message("Your name, as opponents see it: ")
    return _given(name, prompt, read_name)


def given_email(email: str | None) -> str:
    """The address that was given with an option, or else is asked for at a terminal."""
    if email is None and not console.is_terminal():
        return ""
    prompt = Message("Your e-mail address (may be left empty): ")
    return _given(email, prompt, read_email)


def _given(text: str | None, prompt: Said, read: Callable[[str], str]) -> str:
    """What was given with an option, or what the player answers, once it can be read."""
    while True:
        try:
            return read(answers.ask(prompt).strip() if text is None else text)
        except WrongUse as error:
            if not console.is_terminal():
                raise
            console.say(message_of(error))
            text = None

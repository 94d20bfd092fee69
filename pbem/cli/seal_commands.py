"""`acres key show` and `acres key passphrase`: looking at a key, and sealing it."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.message import Message, Run
from pbem.cli import console
from pbem.cli.own_home import command_of, key_file, open_key
from pbem.cli.passphrases import NewDescriptor, new_passphrase, refuse_words
from pbem.errors import WrongUse
from pbem.keys import keyfile
from pbem.words.phrases import fingerprint


def show(context: typer.Context) -> None:
    """Show which key you have, and where it is."""
    refuse_words(context)
    kept = key_file(context)
    address = Run((" <", console.mailbox(kept.email), ">")) if kept.email else ""
    console.say(Run((console.named(kept.name), address)))
    key = fingerprint(kept.public_key)
    console.item(Message("{key}: how your opponents see it", key=key))
    console.item(Message("the whole key:"))
    console.say_whole(f"    {kept.public_key.hex()}")
    if kept.is_published:
        console.item(Message("published as an example: everybody has it, so do not play with it"))
    elif kept.is_sealed:
        console.item(Message("sealed: it opens with your passphrase"))
    else:
        console.item(Message("not sealed: whoever gets the file has your key"))
    console.say(Message("It is in:"))
    console.say_whole(f"  {kept.path}")


def passphrase(
    context: typer.Context,
    remove: Annotated[
        bool, typer.Option("--remove", help="Unseal the key: it no longer needs a passphrase.")
    ] = False,
    new_passphrase_fd: NewDescriptor = None,
) -> None:
    """Seal your key under a passphrase; change it, remove it.

    Copies made before, on paper too, still open as they did.
    """
    refuse_words(context)
    kept = key_file(context)
    if remove and not kept.is_sealed:
        raise WrongUse("Your key has no passphrase: there is nothing to remove.")
    identity, _ = open_key(context, kept)
    secret = None if remove else new_passphrase(new_passphrase_fd)
    keyfile.replace(identity, kept.path, secret)
    console.note_file(kept.path)
    if secret is None:
        console.say(Message("Your key is no longer sealed: whoever gets the file has it."))
    elif kept.is_sealed:
        console.say(Message("Your key is sealed under the new passphrase."))
    else:
        console.say(Message("Your key is sealed: you will be asked for your passphrase."))
    if secret is not None:
        console.say(
            Message(
                "Nobody can open it without the passphrase. A recovery text on paper is the way "
                "back if you forget it:"
            )
        )
        command = f"{command_of(context)} key backup"
        console.say_whole(f"  {command}")

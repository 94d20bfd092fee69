"""The commands `acres init` and `acres key`: the player's identity and its recovery text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from engine.message import Concat, Message, Phrase, mark, message_of, sentences, with_colon
from pbem.cli import console, prompts
from pbem.cli.app import (
    PASSPHRASE_VARIABLE,
    bare_program,
    current_app,
    new_passphrase,
    open_with_passphrase,
    passphrase_for_new_key,
)
from pbem.cli.file_argument import read_text
from pbem.cli.help import MAY_GET_SECRETS, LazyCommand, make_app, too_many_words
from pbem.cli.homes import key_file, open_key, warn_of_library
from pbem.cli.options import NewDescriptor, argument, flag, option
from pbem.errors import UsageError, exists
from pbem.foreign import display_path
from pbem.play import keyfile, recovery, transfer
from pbem.play.incoming import STANDARD_INPUT
from pbem.play.recovery import DamagedLineError, LineReader, RecoveryText
from pbem.play.session import Session
from pbem.play.signing import check_new
from pbem.protocol.identity import Identity
from pbem.savefile.disk import is_file, read_file, remove_unfinished, within, write_new
from pbem.sources import now
from pbem.text.games import read_email, read_name
from pbem.text.phrases import fingerprint
from pbem.text.proof.finding import lost_memory_warning


def init(
    name: Annotated[str | None, option("NAME", "Your name, as your opponents will see it.")] = None,
    email: Annotated[
        str | None, option("ADDRESS", "The address your opponents send their files to.")
    ] = None,
    passphrase: Annotated[
        bool,
        flag(
            "--passphrase",
            f"Seal the key under a passphrase: asked for, or from {PASSPHRASE_VARIABLE}.",
        ),
    ] = False,
) -> None:
    """Make your identity, once for all your games: name, address, key.

    $ acres init  # asks for your name and address
    $ acres init --passphrase  # seals your key under a passphrase
    """
    path = current_app().home.identity_path
    remove_unfinished(path.parent)
    if exists(path):
        raise UsageError(
            "You already have an identity, in {file}; it was not touched. For a second one, use "
            "another folder: {command} --home DIR init",
            file=path,
            command=bare_program(),
        )
    command = current_app().command
    name = ask_name(name)
    email = ask_email(email)
    secret = passphrase_for_new_key(ask=passphrase)
    session = create_identity(name, email, secret)
    key = fingerprint(session.identity.public_key)
    console.say("What your opponents see of it: {key}", key=key)
    if secret is not None:
        console.say("It is sealed: you will be asked for your passphrase.")
    if session.store.failure is None and current_app().home.has_played:
        console.warn(
            "Games were played from this folder with another key, and this one cannot go on "
            "with them. To bring that key back from a recovery text: {command} key restore "
            "--replace",
            command=command,
        )
    console.say_unwrapped("Next: {command} new --side british (or french, or any)", command=command)
    console.say_unwrapped("or, if you were invited: {command} join FILE", command=command)


def create_identity(name: str, email: str = "", passphrase: str | None = None) -> Session:
    """Create the player's identity, and print its path and the advice to back it up.

    Raises UsageError if there is an identity already.
    """
    path, command = current_app().home.identity_path, current_app().command
    identity = Identity.generate(name, email)
    session = Session.create(current_app().home, identity, passphrase)
    warn_of_library(session.store)
    console.note_written("Your identity is in {file}.", file=path)
    player = console.display_name(identity.name)
    console.say_below("Welcome, {player}. Your key is in:", display_path(path), player=player)
    console.say_below(
        "It is the one thing to back up: whoever has it can play as you and see your cards, and "
        "without it your games cannot go on. To have it on paper:",
        f"{command} key backup",
    )
    return session


def ask_name(name: str | None) -> str:
    """Return the name from the option, or ask for it at a terminal."""
    if name is None and not console.is_terminal():
        command = current_app().subcommand
        raise UsageError("Say who you are: {command} --name NAME", command=command)
    prompt = with_colon(Message("Your name, as your opponents see it")) + " "
    return _read_or_ask(name, prompt, read_name)


def ask_email(email: str | None) -> str:
    """Return the address from the option, or ask for it at a terminal."""
    if email is None and not console.is_terminal():
        return ""
    prompt = Message("Your e-mail address (may be left empty): ")
    return _read_or_ask(email, prompt, read_email)


def _read_or_ask(text: str | None, prompt: Phrase, read: Callable[[str], str]) -> str:
    """Return the value of an option, or ask for it until it is valid."""
    while True:
        try:
            return read(prompts.ask(prompt).strip() if text is None else text)
        except UsageError as error:
            if not console.is_terminal():
                raise
            console.say(message_of(error))
            text = None


_NO_PROMPT = mark("This has a passphrase: run this at a terminal or set {variable}.")


# --- the key in its file


def show() -> None:
    """Show which key you have, and where it is."""
    file = key_file()
    address = Concat((" <", console.display_address(file.email), ">")) if file.email else ""
    console.say(Concat((console.display_name(file.name), address)))
    key = fingerprint(file.public_key)
    console.item("{key}: how your opponents see it", key=key)
    console.item("the whole key:")
    console.say_verbatim(f"    {file.public_key.hex()}")
    if file.is_example:
        console.item(keyfile.EXAMPLE)
    elif file.is_sealed:
        console.item("sealed: it opens with your passphrase")
    else:
        console.item("not sealed: whoever gets the file has your key")
    console.say_below("It is in:", file.path)


def passphrase(
    remove: Annotated[
        bool, flag("--remove", "Unseal the key: it no longer needs a passphrase.")
    ] = False,
    new_passphrase_fd: NewDescriptor = None,
) -> None:
    """Seal your key under a passphrase; change it, remove it.

    Copies made before, on paper too, still open as they did.

    $ acres key passphrase --remove  # without a passphrase from now on
    """
    file = key_file()
    if remove and not file.is_sealed:
        raise UsageError("Your key has no passphrase: there is nothing to remove.")
    identity, _ = open_key(file)
    secret = None if remove else new_passphrase(new_passphrase_fd)
    keyfile.replace(identity, file.path, secret)
    console.note_file(file.path)
    if secret is None:
        console.say("Your key is no longer sealed: whoever gets the file has it.")
    elif file.is_sealed:
        console.say("Your key is sealed under the new passphrase.")
    else:
        console.say("Your key is sealed: you will be asked for your passphrase.")
    if secret is not None:
        console.say_below(
            "Nobody can open it without the passphrase. A recovery text on paper is the way back "
            "if you forget it:",
            f"{current_app().command} key backup",
        )


# --- on paper


def backup(
    sealed: Annotated[
        bool | None,
        typer.Option(
            "--sealed/--unsealed",
            help="Whether the text opens only with a passphrase: that of your key, if it has one.",
            show_default=False,
        ),
    ] = None,
    to_file: Annotated[
        Path | None,
        option("FILE", "Write the text to a new file, for you alone to read.", "--output"),
    ] = None,
) -> None:
    """Print your key as a recovery text, to be kept on paper.

    $ acres key backup  # to be written down, or printed
    """
    output = None
    if to_file and str(to_file) != STANDARD_INPUT:
        output = within(to_file, Path("acres-recovery.txt"))
        check_new(output)
    identity, passphrase = open_key(key_file())
    if sealed is None:
        sealed = _ask_sealed()
    if not sealed:
        passphrase = None
    elif passphrase is None:
        passphrase = passphrase_for_new_key(ask=True)
    text = recovery.write(identity, now().partition("T")[0], passphrase, console.language())
    if output is None:
        console.say_verbatim(text.removesuffix("\n"))
        return
    write_new(output, text.encode(), private=True)
    console.note_file(output)
    console.say_below("Your recovery text is written:", output)
    console.say("Print it or copy it by hand, put the paper away, and remove the file.")


def _ask_sealed() -> bool:
    if not console.is_terminal():
        raise UsageError(
            "Say whether the recovery text should open only with a passphrase (--sealed), or for "
            "anybody who reads it (--unsealed)."
        )
    console.say(
        "Sealed, the text works only with a passphrase, and is lost to you if you forget that. "
        "Unsealed, whoever reads it has your key."
    )
    hint = mark("{yes} seals it, {no} leaves it open to whoever reads it.")
    return prompts.ask_yes(Message("Seal it?"), hint)


SEALED_HOME = "acres-home.sealed"


def export(
    file: Annotated[
        Path | None, argument("[FILE]", f"The new file. Default: {SEALED_HOME}, here.")
    ] = None,
    copy: Annotated[
        bool, flag("--copy", "Only keep a copy: you go on playing here, without questions.")
    ] = False,
) -> None:
    """Move to another device: write your key and your games to one sealed file.

    From then on you are asked here before you sign, since you may have signed more there.

    $ acres key export  # there: acres key restore acres-home.sealed
    """
    output = within(file, Path(SEALED_HOME))
    check_new(output)
    passphrase = open_key(key_file())[1] or passphrase_for_new_key(ask=True)
    assert passphrase is not None
    data = transfer.export_home(current_app().home, passphrase, moves=not copy)
    write_new(output, data, private=True)
    console.note_file(output)
    console.say_below("Your key and your games are written, sealed under your passphrase:", output)
    console.say("On the other device: {command} key restore FILE", command=current_app().command)


def restore(
    file: Annotated[
        Path | None,
        argument(
            "[FILE]",
            "A file with your recovery text, or your key and games in a sealed file; - for input. "
            "Without it, you type the text.",
        ),
    ] = None,
    name: Annotated[
        str | None, option("NAME", "Your name, if it differs from the one in the text.")
    ] = None,
    email: Annotated[
        str | None, option("ADDRESS", "Your address, if it differs from the one in the text.")
    ] = None,
    seal: Annotated[bool, flag("--seal", "Seal the key under a new passphrase.")] = False,
    replace: Annotated[
        bool, flag("--replace", "Replace the identity you have, which is kept beside it.")
    ] = False,
) -> None:
    """Bring your key back from its recovery text, or with your games from a sealed file."""
    path = current_app().home.identity_path
    if file is not None and is_file(file) and transfer.is_exported_home(file):
        if seal or replace or name is not None or email is not None:
            raise UsageError(
                "A sealed file brings your key and your name as they are: leave out --name, "
                "--email, --seal and --replace."
            )
        _import_home(read_file(file, 2 * transfer.MAX_SIZE))
        return
    if exists(path) and not replace:
        raise UsageError(_identity_exists_notice(path))
    text = _ask_text() if file is None else _read_text(file)
    prompt = Message("Passphrase for the recovery text: ")
    seed, passphrase = open_with_passphrase(text.seed, no_prompt=_NO_PROMPT, prompt=prompt)
    if email is None and text.name:
        email = text.email
    name, email = ask_name(name or text.name or None), ask_email(email)
    identity = Identity(name, email, seed)
    if seal or passphrase is None:
        passphrase = passphrase_for_new_key(ask=seal)
    copy = keyfile.restore(identity, path, passphrase)
    console.note_written("Your key is in {file}.", file=path)
    _warn_of_another_key(text, identity)
    _say_restored(path, identity, is_sealed=passphrase is not None, copy=copy)


def _import_home(data: bytes) -> None:
    home, prompt = current_app().home, Message("Passphrase of the sealed file: ")
    file, _ = open_with_passphrase(
        lambda ask: transfer.import_home(home, data, ask()), no_prompt=_NO_PROMPT, prompt=prompt
    )
    console.note_written("Your key is in {file}.", file=file.path)
    player = console.display_name(file.name)
    console.say_below(
        "Your key and your games are back, {player}. They are in:", home.folder, player=player
    )
    console.say(lost_memory_warning())


def _identity_exists_notice(path: Path) -> Message:
    own_key = current_app().home.own_key
    return Message(
        "There is already an identity in {file}; it was not touched. To have both, use another "
        "folder: {program} --home DIR key restore. To replace it with this one: {command} key "
        "restore --replace",
        file=Concat((str(path), " (", fingerprint(own_key), ")")) if own_key else path,
        program=bare_program(),
        command=current_app().command,
    )


def _read_text(file: Path) -> RecoveryText:
    """Return the recovery text in a file, or in the input for "-"."""
    if recovery.is_line(str(file)) and not exists(file):
        raise too_many_words(current_app().subcommand)
    too_long = mark("{file} is too long to be a recovery text.")
    text = read_text(file, recovery.MAX_SIZE, mark("{file} is not a text file."), too_long)
    return recovery.read(text)


def _ask_text() -> RecoveryText:
    """Return the recovery text that the player types; a wrong line is asked for again."""
    if not console.is_terminal():
        raise UsageError(
            "Name the file with your recovery text, or say - to read it from the input."
        )
    console.say(
        "Type the numbered lines of your recovery text, one after the other. Capitals and "
        "spaces do not matter; Ctrl-C stops."
    )
    lines = LineReader()
    while not lines.is_complete:
        number, last = lines.number, lines.count
        typed = prompts.ask(
            Message("Line {number} of {last}: ", number=number, last=last)
            if last
            else Message("Line {number}: ", number=number)
        )
        try:
            if typed.strip():
                lines.add(typed)
        except DamagedLineError as error:
            console.say(sentences(message_of(error), Message("Please type it again.")))
    return lines.text()


def _warn_of_another_key(text: RecoveryText, identity: Identity) -> None:
    fingerprint = "".join(text.fingerprint.lower().split())
    if fingerprint and fingerprint != identity.public_key[:8].hex():
        console.warn(
            "Above its lines the recovery text names a different key from the one that they "
            "give. The lines are correct in themselves; make sure that the key is the one you "
            "mean."
        )


def _say_restored(path: Path, identity: Identity, *, is_sealed: bool, copy: Path | None) -> None:
    name, key = console.display_name(identity.name), fingerprint(identity.public_key)
    console.say_below("Your key is back, {player}. It is in:", path, player=name)
    console.say("What your opponents see of it: {key}", key=key)
    if is_sealed:
        console.say("It is sealed: you will be asked for your passphrase.")
    if copy is not None:
        console.say_below("The identity that was there before is kept in:", copy)
    forgotten = Message("A recovery text does not bring back the memory of what you have signed.")
    console.say(sentences(forgotten, lost_memory_warning()))


app = make_app(
    name="key",
    help="Look after your key: seal it, and have a copy on paper.",
    commands={
        name: LazyCommand("key_commands", name, settings=MAY_GET_SECRETS)
        for name in ("show", "passphrase", "backup", "export", "restore")
    },
)

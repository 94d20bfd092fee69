"""The key and the library in the player's home, hints about other homes, and the opponent's key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

from engine.message import NOTHING, Message, Phrase, mark, message_of, sentences, with_colon
from pbem.cli import console
from pbem.cli.app import bare_program, command_for, current_app, open_with_passphrase
from pbem.errors import UsageError, report_os_errors, strict_exists
from pbem.foreign import shell_quote
from pbem.play import keyfile
from pbem.play.home import Home
from pbem.play.keyfile import KeyFile, WrongPassphraseError
from pbem.play.look import Spectator
from pbem.play.session import Session, spectator_reason
from pbem.play.store import Store, StoreError
from pbem.play.store.entries import Recognition, Trust
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.savefile.disk import remove_unfinished
from pbem.text.games import identity_warning, vouching_hint
from pbem.text.history.standing import not_a_player_notice
from pbem.text.phrases import fingerprint
from pbem.text.proof.finding import identity_hint, library_notice, passphrase_hint

# --- the player


_NO_PROMPT = mark("Your identity has a passphrase: run this at a terminal or set {variable}.")


def own_session() -> Session:
    """Return the player's session, which is opened once in a command.

    Raises UsageError if there is no identity, or if its passphrase cannot be asked for.
    """
    app = current_app()
    if app.session is None:
        identity, _ = open_key(key_file())
        app.session = Session(app.home, identity, app.store_of(identity.public_key))
    return app.session


def open_key(file: KeyFile) -> tuple[Identity, str | None]:
    """Return the identity in a key file and its passphrase, or None if the file is not sealed.

    Raises UsageError if the passphrase cannot be asked for.
    """
    try:
        return open_with_passphrase(
            file.open, no_prompt=_NO_PROMPT, prompt=with_colon(Message("Passphrase")) + " "
        )
    except WrongPassphraseError as error:
        forgotten = passphrase_hint(f"{current_app().command} key restore --replace")
        raise WrongPassphraseError(sentences(message_of(error), forgotten)) from None


def key_file() -> KeyFile:
    """Return the player's key file, still sealed. Raises UsageError if there is none.

    Warns if other users of this computer can read it.
    """
    path = current_app().home.identity_path
    # A killed process may have left an unfinished file with a key.
    remove_unfinished(path.parent)
    with report_os_errors(path):
        try:
            file = keyfile.read(path)
        except FileNotFoundError:
            raise no_identity_error() from None
    if keyfile.is_open_to_others(path) and not keyfile.is_published(file.public_key):
        console.warn(
            "Others on this computer may be able to read your key, and so your cards. To keep "
            "it to yourself: chmod 600 {file}",
            file=shell_quote(path),
        )
    return file


def no_identity_error() -> UsageError:
    """Return the error for a player without an identity, with advice."""
    app = current_app()
    if misspelt := misspelt_home_error():
        return misspelt
    init, restore = f"{app.command} init", f"{app.command} key restore"
    is_named, has_played = app.command != bare_program(), app.home.has_played
    if not is_named and not has_played and (home := next(find_homes(Path()), None)):
        return UsageError(
            "You have no identity in {folder} yet, but there is one here. To use it: {command}. To "
            "make a new one: {making}",
            folder=app.home.folder,
            command=command_for(home.folder),
            making=init,
        )
    return UsageError(identity_hint(app.home.folder, init, restore, has_played=has_played))


def check_is_player(match: Match, *folders: Path) -> None:
    """Raise UsageError if the player's key is missing, or does not play in the match.

    This needs no passphrase. The error names a player's home in the current folder or in `folders`,
    if there is one.
    """
    app = current_app()
    if reason := spectator_reason(app.home, match):
        if misspelt := misspelt_home_error():
            raise misspelt
        # A player whose key is lost already uses the right home.
        other: Phrase = "" if reason is Spectator.KEY_GONE else home_for_game(match, *folders)
        key = app.home.own_key if reason is Spectator.OTHER_KEY else None
        notice = not_a_player_notice(match, key, app.home.folder, app.command, "--home")
        raise UsageError(sentences(other, notice))


# --- the library


def warn_of_library(store: Store) -> None:
    """Warn that the library cannot be used, once in a command."""
    failure = store.take_failure()
    if failure is not None:
        console.warn(library_notice(store.path, failure, current_app().command))


@contextmanager
def open_store() -> Iterator[Store]:
    """Yield the player's library. Raises UsageError if it or the identity cannot be used."""
    app = current_app()
    store = app.store or app.store_of(key_file().public_key)
    try:
        yield store
    except StoreError as error:
        raise UsageError(library_notice(store.path, error, app.command)) from None


# --- other homes

MAX_FOLDERS = 500
"""The maximum number of entries of a folder that are searched for homes."""


def find_homes(folder: Path) -> Iterator[Home]:
    """Yield the homes with an identity in a folder, sorted by name; none if it is unreadable."""
    try:
        for entry in sorted(islice(folder.iterdir(), MAX_FOLDERS)):
            home = Home(entry)
            if home.identity_path.is_file():
                yield home
    except OSError:
        return


def misspelt_home_error() -> UsageError | None:
    """Return the error for a missing home if another has a similar name, else None."""
    folder = current_app().home.folder
    if strict_exists(folder):
        return None
    homes = {home.folder.name: home.folder for home in find_homes(folder.parent)}
    similar = get_close_matches(folder.name, homes, n=1)
    if not similar:
        return None
    return UsageError(
        "There is no folder {folder}. Did you mean {command}? To make a new identity: {making}",
        folder=folder,
        command=command_for(homes[similar[0]]),
        making=f"{current_app().command} init",
    )


def home_for_game(match: Match, *folders: Path) -> Message:
    """Return a hint to a home of a player of the match, in the current folder or in `folders`.

    The hint is for users who do not play in the match. It is empty if there is no such home.
    """
    keys = {entrant.key for entrant in match.entrants.values()}
    homes = (home for folder in dict.fromkeys((Path(), *folders)) for home in find_homes(folder))
    home = next((home for home in homes if home.own_key in keys), None)
    nearby = Message("The identity of a player of this game is nearby: to use it, say {command}.")
    return nearby.with_facts(command=command_for(home.folder)) if home else NOTHING


# --- the opponent


def say_opponent(records: Sequence[Record]) -> None:
    """Print a note about the opponent's key, for a user who only looks at the file.

    Without a library the key is not recorded, because looking at a file creates no library.
    """
    app = current_app()
    recognised = app.store.recognise(records) if app.store else None
    if recognised and (recognised.trust is not Trust.LEARNT or app.home.has_played):
        say_recognised(recognised)


def warn_of_opponent(records: Sequence[Record]) -> None:
    """Print a warning to standard error if the opponent's key is not the known one."""
    store = current_app().store
    recognised = store.recognise(records) if store else None
    if recognised and recognised.other:
        warn_of_key(recognised)


def say_recognised(recognised: Recognition) -> None:
    """Print the known facts about a player's key, if there are any."""
    text = console.translate(identity_warning(recognised))
    for person in filter(None, (recognised.person, recognised.other)):
        # The digits of a key stay on one line, for comparison.
        key = console.translate(fingerprint(person.key))
        text = text.replace(key, key.replace(" ", "\u00a0"))
    if text:
        console.say_hanging("", text, style="bold red" if recognised.is_doubted else "")
    if recognised.needs_vouching:
        console.say_unwrapped(vouching_hint(recognised.person.key, current_app().command))


def warn_of_key(recognised: Recognition) -> None:
    """Print the known facts about a player's key as a warning."""
    text = identity_warning(recognised)
    if recognised.needs_vouching:
        text = sentences(text, vouching_hint(recognised.person.key, current_app().command))
    console.warn(text)

"""The App of a command: its home, language, library and passphrase.

Passphrases come from a file descriptor, the environment, or the player at a terminal. They never
come from the command line, which other users of the computer can see.
"""

from __future__ import annotations

import os
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import cached_property
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, TypeVar

import typer

from engine.message import Message, Phrase, message_of, sentences
from pbem.cli import console, prompts
from pbem.errors import InputError, UsageError
from pbem.foreign import shell_quote
from pbem.play.home import HOME_VARIABLE, Home, default_home, expand
from pbem.sources import ENVIRONMENT, now
from pbem.text.language import NAMES, SOURCE, encodable_language, language_of, language_of_locale

if TYPE_CHECKING:
    from pbem.mail.login import Login
    from pbem.play.inbox import Inbox
    from pbem.play.session import Session
    from pbem.play.store import Store


# --- the app


LANGUAGE_VARIABLE = "ACRES_LANG"
LANGUAGE_SETTING = "lang"
ZIPAPP_SUFFIX = ".pyz"
"""The suffix of the program as a single file for Python."""

_current: ContextVar[App] = ContextVar("app")


def current_app() -> App:
    """Return the App of the running command, or of the line that is being completed."""
    return _current.get()


class App:
    """The context of a running command, with cached values that its functions share.

    `context` is the parser's context. `folder` is the home named on the command line or in the
    environment, and `passphrase_fd` is the file descriptor with the passphrase.
    """

    def __init__(
        self, context: typer.Context, folder: Path | None = None, passphrase_fd: int | None = None
    ) -> None:
        self.context = context
        self.folder = folder
        self.passphrase_fd = passphrase_fd
        self.passphrase: str | None = None
        self.session: Session | None = None
        self.inbox: Inbox | None = None
        self.printed_warnings: set[object] = set()
        self.logins: dict[tuple[str, str], Login] = {}
        self.mail_warning, self.is_mail_off = "", False
        self._key: bytes | None = None
        self._stores: dict[bytes, Store] = {}

    def __enter__(self) -> App:
        self._token = _current.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)

    @cached_property
    def home(self) -> Home:
        """The player's home, from the command line, the environment or the platform.

        Raises UsageError if none of them names a folder.
        """
        folder = self.folder or default_home()
        if folder is None:
            raise UsageError(
                "Your system does not know who you are: with --home, name the folder that keeps "
                "your identity."
            )
        return Home(folder, clock=now)

    @property
    def command(self) -> str:
        """The command that calls this program again with this home."""
        named = os.environ.get(HOME_VARIABLE)
        if self.folder is None or (named and self.folder == expand(named)):
            return bare_program()
        return command_for(self.folder)

    @property
    def subcommand(self) -> str:
        """The command that runs this command again with this home, without its arguments."""
        return command_of(self.context)

    @property
    def store(self) -> Store | None:
        """The player's library, or None if there is no identity."""
        # The key is read once, because no command that uses the library changes it.
        self._key = self._key or self.home.own_key
        return None if self._key is None else self.store_of(self._key)

    def store_of(self, key: bytes) -> Store:
        """Return the library of the player with the key `key`, open until the command ends."""
        if key not in self._stores:
            # Imported lazily: few commands need the library.
            from pbem.play.store import Store

            root, store = self.context.find_root(), Store(self.home.library_path, key, now)
            self._stores[key] = root.with_resource(store)
            # This is called before the library is closed.
            root.call_on_close(lambda: close_store(store))
        return self._stores[key]


def close_store(store: Store) -> None:
    """Write pending notes into a library, and warn if it learnt about earlier signatures."""
    if store.flush():
        from pbem.text.proof.finding import recovered_signatures_notice

        console.warn(recovered_signatures_notice())


# --- the program's command


def program() -> str:
    """Return the command that calls this program with the home that is in use."""
    return current_app().command


def bare_program() -> str:
    """Return the command that calls this program: `acres` if the shell finds it, else its path."""
    script = Path(sys.argv[0])
    if script.suffix == ZIPAPP_SUFFIX:
        python = Path(sys.executable)
        return f"{python.name if which(python.name) else shell_quote(python)} {shell_quote(script)}"
    return shell_quote(script) if script.name == "acres" and which("acres") is None else "acres"


def command_of(context: typer.Context) -> str:
    """Return the command that `context` belongs to, with the home that is in use."""
    # There is no App yet if the parser found no command.
    home, words = context.find_root().params.get("home"), context.command_path.partition(" ")[2]
    return f"{App(context, home and expand(home)).command} {words}".rstrip()


def command_for(home: Path) -> str:
    """Return the command that calls this program with a home."""
    return f"{bare_program()} --home {shell_quote(home)}"


# --- the language


def choose_language(arguments: Sequence[str]) -> None:
    """Set the language in which this command line is answered.

    The language is set before the command line is parsed, because the parser prints messages too.
    Output for other programs (--json) is always English. Unknown languages are ignored here: the
    parser rejects them, or a note reports them.
    """
    speak_if_installed(SOURCE if "--json" in arguments else _preferred_language(arguments))


def speak_if_installed(language: str) -> None:
    """Set a language, or English with a note if its translation is not installed."""
    try:
        console.set_language(language)
    except OSError:
        console.set_language(SOURCE)
        console.warn(
            "The translation into {language} is not installed; English is used instead.",
            language=NAMES[language],
        )


def _preferred_language(arguments: Sequence[str]) -> str:
    options = _leading_options(arguments)
    for value in (options.get("--lang", ""), os.environ.get(LANGUAGE_VARIABLE, "")):
        if language := language_of(value):
            return language
    home_name = options.get("--home") or os.environ.get(HOME_VARIABLE)
    home = expand(home_name) if home_name else default_home()
    language = (_language_in_settings(home) if home else "") or language_of_locale(os.environ)
    return encodable_language(language, console.encoding())


def _leading_options(arguments: Sequence[str]) -> dict[str, str]:
    """Return the options before the command, with their values.

    The last value of a repeated option counts, as it does for the parser.
    """
    words, options = list(arguments), dict[str, str]()
    while words and words[0].startswith("-"):
        name, equals, value = words.pop(0).partition("=")
        if name in ("--lang", "--home", "--passphrase-fd") and not equals and words:
            value = words.pop(0)
        options[name] = value
    return options


def _language_in_settings(home: Path) -> str:
    """Return the language in the settings, or an empty text if it cannot be read now."""
    path = home / "config.toml"
    # `Path.is_file` may raise an error, and reading a pipe would block.
    if not os.path.isfile(path):  # noqa: PTH113
        return ""
    # Imported lazily: most players have no settings.
    from pbem.play.config import Config

    try:
        language = Config.read(path).value(LANGUAGE_SETTING)
    except InputError:
        # A command that needs the settings reports the error.
        return ""
    if language and not language_of(language):
        # The warning is printed in the language of all later output.
        speak_if_installed(encodable_language(language_of_locale(os.environ), console.encoding()))
        console.warn(
            "{file} has {setting} = “{value}”, which is not one of {languages}.",
            file=path,
            setting=LANGUAGE_SETTING,
            value=console.clean(language)[:40],
            languages=", ".join(NAMES),
        )
        return ""
    return language_of(language)


# --- passphrases


PASSPHRASE_VARIABLE = "ACRES_PASSPHRASE"
DESCRIPTOR_VARIABLE = "ACRES_PASSPHRASE_FD"
NEW_VARIABLE = "ACRES_NEW_PASSPHRASE"
MAX_TRIES = 3
"""The maximum number of attempts to type a passphrase."""
MIN_PASSPHRASE_LENGTH = 12
"""The minimum length of a passphrase that gets no hint, in characters."""
MAX_PASSPHRASE_BYTES = 1024
"""The maximum length of a passphrase from a file descriptor, in bytes."""

T = TypeVar("T")


class NoPassphraseError(UsageError):
    """Raised if a key is sealed and there is no way to ask for its passphrase."""


def read_passphrase() -> str:
    """Return the passphrase from the file descriptor or the environment, or an empty text."""
    app = current_app()
    if app.passphrase_fd is None:
        return ENVIRONMENT.get(PASSPHRASE_VARIABLE, "")
    # A descriptor can be read only once.
    if app.passphrase is None:
        app.passphrase = _read_line(app.passphrase_fd)
    return app.passphrase


def open_with_passphrase(
    open_key: Callable[[Callable[[], str]], T], *, no_prompt: str, prompt: Phrase
) -> tuple[T, str | None]:
    """Call `open_key` with a function that returns the passphrase.

    Return the result of `open_key` and the passphrase, or None if no passphrase was needed. A
    player who types it has `MAX_TRIES` attempts. Raises WrongPassphraseError, and
    NoPassphraseError, with the marked message `no_prompt`, if it cannot be asked for; {variable} in
    the message is the variable to set.
    """
    from pbem.play.keyfile import WrongPassphraseError

    preset, passphrase_used = read_passphrase(), None

    def passphrase() -> str:
        nonlocal passphrase_used
        if not preset and not console.is_terminal():
            raise NoPassphraseError(Message(no_prompt, variable=PASSPHRASE_VARIABLE))
        passphrase_used = preset or prompts.ask_secret(prompt)
        return passphrase_used

    tries = MAX_TRIES if console.is_terminal() and not preset else 1
    while True:
        tries -= 1
        try:
            return open_key(passphrase), passphrase_used
        except WrongPassphraseError as error:
            if not tries:
                raise
            # Standard error is used, because standard output may be captured for a pager.
            console.say_stderr(sentences(message_of(error), Message("Please try again.")))


def passphrase_for_new_key(*, ask: bool) -> str | None:
    """Return a passphrase for a new key from the environment or the player, or None.

    If `ask` is true, the player is asked if the environment has none. Raises CancelledError after
    an empty answer.
    """
    return read_passphrase() or (_ask_new_passphrase(PASSPHRASE_VARIABLE) if ask else None)


def new_passphrase(descriptor: int | None) -> str:
    """Return the new passphrase for a key.

    Raises CancelledError if the player types an empty one.
    """
    if descriptor is not None:
        return _read_line(descriptor)
    return ENVIRONMENT.get(NEW_VARIABLE) or _ask_new_passphrase(NEW_VARIABLE)


def _ask_new_passphrase(variable: str) -> str:
    if not console.is_terminal():
        raise UsageError(
            "To give a new passphrase without a terminal, set {variable}.", variable=variable
        )
    console.say("What you type now is not shown. Type nothing to leave everything as it is.")
    while True:
        first = prompts.ask_secret(Message("A passphrase for your key: "))
        if not first:
            raise console.CancelledError
        if len(first) < MIN_PASSPHRASE_LENGTH:
            console.say("Four or five words in a row would be harder to guess, but it will do.")
        if prompts.ask_secret(Message("Once more: ")) == first:
            return first
        console.say("These two differ. Please try again.")


def _read_line(descriptor: int) -> str:
    """Return the first line from a file descriptor, and read no more.

    Raises UsageError if the line is empty.
    """
    line, text, longest = b"", "", MAX_PASSPHRASE_BYTES + 2
    try:
        # Bytes are read one by one, because another reader may need those after the line.
        while len(line) < longest and text[-1:] != "\n" and (byte := os.read(descriptor, 1)):
            line += byte
            is_utf_16 = line.startswith((BOM_UTF16_BE, BOM_UTF16_LE))
            text = line.decode("utf-16", "ignore") if is_utf_16 else os.fsdecode(line)
    except (OSError, OverflowError):
        sentence = Message("Nothing can be read from file descriptor {number}.", number=descriptor)
        raise UsageError(sentence) from None
    passphrase = text.rstrip("\r\n")
    if not passphrase:
        raise UsageError("There is no passphrase in file descriptor {number}.", number=descriptor)
    if len(line.rstrip(b"\r\n\0")) > MAX_PASSPHRASE_BYTES:
        raise UsageError(
            "The passphrase in file descriptor {number} is longer than {most} bytes.",
            number=descriptor,
            most=MAX_PASSPHRASE_BYTES,
        )
    return passphrase

"""Where passphrases come from: a file descriptor, the environment, or the player at a terminal.

They are never taken from the command line, which others on the computer can see.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Annotated, TypeVar

from engine.message import Message, Said, message_of, sentences
from pbem.cli import answers, console
from pbem.cli.app import current_app
from pbem.cli.numbers import number_option
from pbem.errors import WrongUse

PASSPHRASE_VARIABLE = "ACRES_PASSPHRASE"
DESCRIPTOR_VARIABLE = "ACRES_PASSPHRASE_FD"
NEW_VARIABLE = "ACRES_NEW_PASSPHRASE"
TRIES = 3
"""How often a passphrase may be typed."""
SHORT = 12
"""A passphrase of fewer characters deserves a hint."""
LONGEST = 1024
"""The longest passphrase that is taken from a file descriptor, in bytes."""

T = TypeVar("T")

Descriptor = Annotated[
    int | None,
    number_option(
        "--passphrase-fd",
        "Read your passphrase, one line, from this file descriptor.",
        may_be_secret=True,
        envvar=DESCRIPTOR_VARIABLE,
    ),
]
NewDescriptor = Annotated[
    int | None,
    number_option(
        "--new-passphrase-fd",
        f"Read the new one, one line, from this file descriptor; otherwise from {NEW_VARIABLE}.",
        may_be_secret=True,
    ),
]


class NoPassphrase(WrongUse):
    """A key is sealed and there is no way to ask for its passphrase."""


def given_passphrase() -> str:
    """Return the passphrase that a file descriptor or the environment gives; empty if none does."""
    app = current_app()
    if app.passphrase_fd is None:
        return os.environ.get(PASSPHRASE_VARIABLE, "")
    # It can be read but once.
    if app.passphrase is None:
        app.passphrase = _line_of(app.passphrase_fd)
    return app.passphrase


def opened(
    open_key: Callable[[Callable[[], str]], T], *, no_way: str, prompt: Said
) -> tuple[T, str | None]:
    """Call `open_key` with a way to the passphrase; return its result and that passphrase.

    It is None if there was no need of it. Whoever types it has some tries. Raises
    WrongPassphrase, and NoPassphrase if there is no way: it says `no_way`, a marked message in
    which {variable} is the one to set.
    """
    from pbem.play.keyfile import WrongPassphrase

    given, used = given_passphrase(), None

    def passphrase() -> str:
        nonlocal used
        if not given and not console.is_terminal():
            raise NoPassphrase(Message(no_way, variable=PASSPHRASE_VARIABLE))
        used = given or answers.ask_secret(prompt)
        return used

    left = TRIES if console.is_terminal() and not given else 1
    while True:
        left -= 1
        try:
            return open_key(passphrase), used
        except WrongPassphrase as error:
            if not left:
                raise
            # Aside, because what is to be read in a pager is kept back meanwhile.
            console.say_aside(sentences(message_of(error), Message("Please try again.")))


def for_new_key(*, wanted: bool) -> str | None:
    """Return the passphrase to seal a key with that had none: as given, or asked for if `wanted`.

    None if neither is so. Raises Cancelled for an empty one.
    """
    return given_passphrase() or (_asked(PASSPHRASE_VARIABLE) if wanted else None)


def new_passphrase(descriptor: int | None) -> str:
    """Return the passphrase that takes the place of another or of none.

    Raises Cancelled for an empty one that was typed.
    """
    if descriptor is not None:
        return _line_of(descriptor)
    return os.environ.get(NEW_VARIABLE, "") or _asked(NEW_VARIABLE)


def _asked(variable: str) -> str:
    if not console.is_terminal():
        raise WrongUse(
            "To give a new passphrase without a terminal, set {variable}.", variable=variable
        )
    console.say(
        Message("What you type now is not shown. Type nothing to leave everything as it is.")
    )
    while True:
        first = answers.ask_secret(Message("A passphrase for your key: "))
        if not first:
            raise console.Cancelled
        if len(first) < SHORT:
            console.say(
                Message("Four or five words in a row would be harder to guess, but it will do.")
            )
        if answers.ask_secret(Message("Once more: ")) == first:
            return first
        console.say(Message("These two differ. Please try again."))


def _line_of(descriptor: int) -> str:
    """Return a line from a file descriptor, and nothing behind it; WrongUse if there is none."""
    line = b""
    try:
        # Byte by byte: what follows may be for somebody else.
        while len(line) <= LONGEST and (byte := os.read(descriptor, 1)) not in (b"", b"\n"):
            line += byte
    except (OSError, OverflowError):
        sentence = Message("Nothing can be read from file descriptor {number}.", number=descriptor)
        raise WrongUse(sentence) from None
    passphrase = line.removesuffix(b"\r").decode(errors="surrogateescape")
    if not passphrase:
        raise WrongUse("There is no passphrase in file descriptor {number}.", number=descriptor)
    if len(line) > LONGEST:
        raise WrongUse(
            "The passphrase in file descriptor {number} is longer than {most} bytes.",
            number=descriptor,
            most=LONGEST,
        )
    return passphrase

"""Prompts at the terminal: for a line, a yes or no, a secret."""

from __future__ import annotations

import getpass
import warnings

from rich.cells import cell_len

from engine.message import Message, Phrase, sort_key
from pbem.cli.console import CancelledError, say, say_unwrapped, translate, width
from pbem.errors import UsageError
from pbem.foreign import strip_controls

_YES = (Message.within("typed", "y"), Message.within("typed", "yes"))
_NO = (Message.within("typed", "n"), Message.within("typed", "no"))
"""The words for yes and no, in English and in the player's language."""


def ask(prompt: Phrase) -> str:
    """Ask the player for a line. Raises CancelledError at the end of input."""
    try:
        return input(strip_controls(translate(prompt)))
    except EOFError:
        print()
        raise CancelledError from None


def yes_no_prompt(question: Phrase) -> str:
    """Return the prompt for a question; a question that is too long is printed first."""
    choice = f"[{translate(_YES[0])}/{translate(_NO[0])}] "
    prompt = f"{translate(question)} {choice}"
    if cell_len(prompt) < width():
        return prompt
    say_unwrapped(question)
    return choice


def parse_yes(text: str) -> bool | None:
    """Return True for a yes, False for a no, and None for a word that means neither or both."""
    # Accents are ignored too, so that “si” is “sì”.
    answer = sort_key(text.strip())
    is_yes, is_no = (
        answer in {*map(str, words), *(sort_key(translate(word)) for word in words)}
        for words in (_YES, _NO)
    )
    return None if is_yes == is_no else is_yes


def ask_yes(question: Phrase, hint: str) -> bool:
    """Ask the player a question; return True for a yes, False for a no.

    After any other answer, `hint` is printed, a marked message about {yes} and {no}.
    """
    prompt = yes_no_prompt(question)
    while (answer := parse_yes(ask(prompt))) is None:
        say(Message(hint, yes=translate(_YES[0]), no=translate(_NO[0])))
    return answer


def ask_secret(prompt: Phrase) -> str:
    """Ask for a line that is not shown. Raises CancelledError at the end of input.

    Raises UsageError if the terminal would show the line.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", getpass.GetPassWarning)
            return getpass.getpass(strip_controls(translate(prompt)))
    except EOFError:
        raise CancelledError from None
    except getpass.GetPassWarning:
        raise UsageError(
            "This terminal would show your passphrase, so it was not asked for."
        ) from None

"""Which language a command speaks: the command line says, the environment, settings, or the locale.

It has to be known before the command line is read, because the parser speaks as well.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from engine.message import Message
from pbem.cli import console
from pbem.errors import Unreadable
from pbem.play.home import HOME_VARIABLE
from pbem.text.language import NAMES, SOURCE, as_far_as_written, language_of, of_locale

VARIABLE = "ACRES_LANG"
SETTING = "lang"
OPTION, HOME_OPTION, JSON_OPTION = "--lang", "--home", "--json"


def choose_language(arguments: Sequence[str], usual_home: Path | None) -> None:
    """Speak the language that this command line is to be answered in.

    What other programs read (--json) is in English always. What cannot be spoken is passed over:
    the parser refuses it, or a note says so.
    """
    language = SOURCE
    if JSON_OPTION not in arguments:
        language = _wanted(arguments, usual_home)
    speak_if_installed(language)


def speak_if_installed(language: str) -> None:
    """Speak a language, or English with a note where its words were not installed."""
    try:
        console.speak(language)
    except OSError:
        console.speak(SOURCE)
        console.warn(
            Message(
                "The translation into {language} is not installed; English is used instead.",
                language=NAMES[language],
            )
        )


def _wanted(arguments: Sequence[str], usual_home: Path | None) -> str:
    for said in (*_given(arguments, OPTION), os.environ.get(VARIABLE, "")):
        if language := language_of(said):
            return language
    named = next(iter(_given(arguments, HOME_OPTION)), "") or os.environ.get(HOME_VARIABLE)
    home = Path(named) if named else usual_home
    language = (_set(home) if home else "") or of_locale(os.environ)
    return as_far_as_written(language, console.encoding())


def _given(arguments: Sequence[str], option: str) -> list[str]:
    """Return the values of an option of the program itself, which stands before the command.

    The last one first, which is what the parser takes.
    """
    rest, found = list(arguments), list[str]()
    while rest and rest[0].startswith("-"):
        name, equals, value = rest.pop(0).partition("=")
        takes_value = name in (OPTION, HOME_OPTION, "--passphrase-fd")
        if takes_value and not equals:
            value = rest.pop(0) if rest else ""
        if name == option:
            found.insert(0, value)
    return found


def _set(home: Path) -> str:
    """Return the language in the settings; empty if they name none, or cannot be read now."""
    path = home / "config.toml"
    # Not as `Path` does it, which may raise; and nobody waits here for what a pipe will bring.
    if not os.path.isfile(path):  # noqa: PTH113
        return ""
    # Imported here because most players have no settings.
    from pbem.play.config import Config

    try:
        language = Config.read(path).value(SETTING)
    except Unreadable:
        # Whoever needs the settings says what is wrong with them.
        return ""
    if language and not language_of(language):
        # Said in the language in which all the rest will be said.
        speak_if_installed(as_far_as_written(of_locale(os.environ), console.encoding()))
        console.warn(
            Message(
                "{file} has {setting} = “{value}”, which is not one of {languages}.",
                file=path,
                setting=SETTING,
                value=console.clean(language)[:40],
                languages=", ".join(NAMES),
            )
        )
        return ""
    return language_of(language)

"""Which language a command speaks: the command line says, the environment, settings, or the locale.

It has to be known before the command line is read, because the parser speaks as well.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.message import Message
from pbem.cli import console
from pbem.errors import Unreadable
from pbem.play.home import HOME_VARIABLE
from pbem.words.language import NAMES, SOURCE

VARIABLE = "ACRES_LANG"
SETTING = "lang"
OPTION, HOME_OPTION, JSON_OPTION = "--lang", "--home", "--json"
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""What says the locale, the first that is set.

LANGUAGE goes before them and may name several, the best first; but not before a locale that asks
for the words as they are.
"""
_NO_LOCALES = ("C", "POSIX")
_BEHIND_CODE = re.compile("[-_.@]")
"""What may follow the code of a language in the name of a locale begins so."""
_LETTERS = {"fr": "é", "it": "è", "ru": "яё"}
"""Letters that a terminal has to have for a language."""


def choose_language(arguments: Sequence[str], usual_home: Path) -> None:
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
                "The words for {language} are not installed; English has to do.",
                language=NAMES[language],
            )
        )


def _wanted(arguments: Sequence[str], usual_home: Path) -> str:
    for said in (*_given(arguments, OPTION), os.environ.get(VARIABLE, "")):
        if language := language_of(said):
            return language
    home = next(iter(_given(arguments, HOME_OPTION)), "") or os.environ.get(HOME_VARIABLE)
    language = _set(Path(home) if home else usual_home) or of_locale(os.environ)
    return _as_far_as_written(language)


def language_of(said: str) -> str:
    """The language that a code means, or the name of a locale; empty for none that is spoken here.

    >>> language_of("fr"), language_of(" FR"), language_of("ru_RU.UTF-8"), language_of("french")
    ('fr', 'fr', 'ru', '')
    """
    code = _BEHIND_CODE.split(said.strip().lower(), maxsplit=1)[0]
    return code if code in NAMES else ""


def not_spoken(said: str) -> Message:
    """That nobody here speaks what was said, but which languages, as a sentence."""
    return Message(
        "“{language}” is not spoken here, but {languages}.",
        language=console.clean(said),
        languages=", ".join(f"{code} ({name})" for code, name in NAMES.items()),
    )


def _given(arguments: Sequence[str], option: str) -> list[str]:
    """The values of an option of the program itself, which stands before the command.

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
    """The language in the settings; empty where they name none, or cannot be read now."""
    path = home / "config.toml"
    # Not as `Path` does it, which may raise; and nobody waits here for what a pipe will bring.
    if not os.path.isfile(path):  # noqa: PTH113
        return ""
    from pbem.play.config import Config

    try:
        language = Config.read(path).value(SETTING)
    except Unreadable:
        # Whoever needs the settings says what is wrong with them.
        return ""
    if language and not language_of(language):
        # Said in the language in which all the rest will be said.
        speak_if_installed(_as_far_as_written(of_locale(os.environ)))
        console.warn(
            Message(
                "{file} has {setting} = “{value}”, which is none of {languages}.",
                file=path,
                setting=SETTING,
                value=console.clean(language)[:40],
                languages=", ".join(NAMES),
            )
        )
        return ""
    return language_of(language)


def of_locale(variables: Mapping[str, str]) -> str:
    """The language of the locale; English for one that is not spoken here.

    >>> of_locale({"LANG": "fr_CA.UTF-8"}), of_locale({"LC_ALL": "C", "LANG": "ru_RU"})
    ('fr', 'en')
    """
    locale = next((variables[name] for name in LOCALE_VARIABLES if variables.get(name)), "")
    several = "" if locale in _NO_LOCALES else variables.get("LANGUAGE", "")
    said = several.split(":") if several.strip(":") else [locale]
    return next(filter(None, map(language_of, said)), SOURCE)


def _as_far_as_written(language: str) -> str:
    """That language, which nobody asked for with every command; English without its letters."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        _LETTERS.get(language, "").encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return SOURCE
    return language

"""Which language a command speaks: the command line says, the environment, settings, or the locale.

It has to be known before the command line is read, because the parser speaks as well.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from language import LANGUAGES, SOURCE, phrase, speak
from pbem.cli import console
from pbem.errors import Unreadable

VARIABLE = "ACRES_LANG"
SETTING = "lang"
OPTION, HOME_OPTION, JSON_OPTION = "--lang", "--home", "--json"
LOCALE_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""What says the locale, the first that is set; LANGUAGE may name several, the best first."""
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
        speak(language)
    except OSError:
        speak(SOURCE)
        console.warn(
            phrase(
                "The words for {language} are not installed; English has to do.",
                language=LANGUAGES[language],
            )
        )


def _wanted(arguments: Sequence[str], usual_home: Path) -> str:
    for said in (_given(arguments, OPTION), os.environ.get(VARIABLE, "")):
        if said in LANGUAGES:
            return said
    home = _given(arguments, HOME_OPTION) or os.environ.get("ACRES_HOME")
    language = _set(Path(home) if home else usual_home) or of_locale(os.environ)
    return language if _can_be_written(language) else SOURCE


def _given(arguments: Sequence[str], option: str) -> str:
    """The value of an option of the program itself, which stands before the command."""
    rest = list(arguments)
    while rest and rest[0].startswith("-"):
        name, equals, value = rest.pop(0).partition("=")
        takes_value = name in (OPTION, HOME_OPTION, "--passphrase-fd")
        if takes_value and not equals:
            value = rest.pop(0) if rest else ""
        if name == option:
            return value
    return ""


def _set(home: Path) -> str:
    """The language in the settings; empty where they name none, or cannot be read now."""
    path = home / "config.toml"
    if not os.path.exists(path):  # noqa: PTH110 - which may raise
        return ""
    from pbem.config import Config

    try:
        language = Config.read(path).value(SETTING)
    except Unreadable:
        # Whoever needs the settings says what is wrong with them.
        return ""
    if language and language not in LANGUAGES:
        console.warn(
            phrase(
                "{file} has {setting} = “{value}”, which is none of {languages}.",
                file=path,
                setting=SETTING,
                value=console.clean(language)[:40],
                languages=", ".join(LANGUAGES),
            )
        )
        return ""
    return language


def of_locale(variables: Mapping[str, str]) -> str:
    """The language of the locale; English for one that is not spoken here.

    >>> of_locale({"LANG": "fr_CA.UTF-8"}), of_locale({"LC_ALL": "C", "LANG": "ru_RU"})
    ('fr', 'en')
    """
    said = next((variables[name] for name in LOCALE_VARIABLES if variables.get(name)), "")
    for locale in said.split(":"):
        language = locale.replace("-", "_").partition(".")[0].partition("_")[0].lower()
        if language in LANGUAGES:
            return language
    return SOURCE


def _can_be_written(language: str) -> bool:
    """Whether the output has letters for a language that nobody asked for with every command."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        _LETTERS.get(language, "").encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True

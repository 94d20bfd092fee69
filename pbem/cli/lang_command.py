"""The command `acres lang`: the language of all commands."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Annotated

from engine.message import Concat, Message
from pbem.cli import completion, console
from pbem.cli.app import LANGUAGE_SETTING, LANGUAGE_VARIABLE, current_app, speak_if_installed
from pbem.cli.options import argument
from pbem.errors import UsageError
from pbem.play.config import Config
from pbem.text.language import NAMES, language_of, unknown_language_notice

SYSTEM = "system"
"""The value for the language of the system."""


def lang(
    language: Annotated[
        str | None,
        argument(
            "LANGUAGE",
            f"The code of a language; or {SYSTEM}, for your system's language.",
            completion.languages,
        ),
    ] = None,
) -> None:
    """Choose the language of all commands, or list the languages.

    Files, the orders in them and data for other programs are the same in every language, so your
    opponent may use another one.

    $ acres lang fr  # from now on in French
    $ acres lang  # lists them all
    """
    if language is None:
        for code, name in NAMES.items():
            remark = Message("(spoken now)") if code == console.language().code else ""
            console.say(Concat((f"  {code}  {name}", remark), " "))
        command = f"{current_app().command} lang fr"
        console.say_unwrapped("To choose one: {command}", command=command)
        return
    choice = language_of(language)
    is_system = language.strip().lower() == SYSTEM
    if not choice and not is_system:
        raise UsageError(unknown_language_notice(language))
    path = current_app().home.config_path
    config = Config.read(path)
    # Writing the file reports the same error.
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    config.replace(LANGUAGE_SETTING, choice)
    if is_system:
        console.say("From the next command on, the language is that of your system.")
        return
    speak_if_installed(choice)
    console.say("From now on every command speaks {language}.", language=NAMES[choice])
    variable_value = os.environ.get(LANGUAGE_VARIABLE, "")
    if language_of(variable_value) not in ("", choice):
        console.warn(
            "While {variable} is set, it chooses the language: {language}.",
            variable=LANGUAGE_VARIABLE,
            language=NAMES[language_of(variable_value)],
        )

"""The commands `acres lang` and `acres config`: the player's language and other settings."""

from __future__ import annotations

import os
from copy import deepcopy
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

from engine.message import Concat, Message, with_label
from pbem.cli import completion, console
from pbem.cli.app import LANGUAGE_SETTING, LANGUAGE_VARIABLE, current_app, speak_if_installed
from pbem.cli.homes import key_file
from pbem.cli.options import argument, flag
from pbem.errors import UsageError
from pbem.foreign import clean
from pbem.mail.account import SETTINGS, Account
from pbem.play.config import GAMES, MAIL, SITE, Config, change_texts
from pbem.play.home import expand
from pbem.protocol.schema import Integer
from pbem.text.games import read_email, read_name, read_site
from pbem.text.language import NAMES, language_of, unknown_language_notice
from pbem.text.naming import suggestions

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
    Config.read(current_app().home.config_path).replace(LANGUAGE_SETTING, choice)
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


PROFILE = {"name": read_name, "email": read_email}
"""The settings that are signed in each new game, with the functions that read them."""
MAX_DIGITS = 9
FOLDERS, PATHS = f"{GAMES}.folders", ("mail.folder", "mail.ca")
KEYS = (*PROFILE, LANGUAGE_SETTING, SITE, *SETTINGS, FOLDERS)


def config(
    words: Annotated[
        list[str] | None,
        argument("[SETTING] [VALUE]", "A setting, to show it; with a value, to change it."),
    ] = None,
    unset: Annotated[bool, flag("--unset", "Remove its value.")] = False,
) -> None:
    """Show or change your name, your address and your other settings.

    $ acres config  # all of them, with their values
    $ acres config email anna@example.org  # your address, from your next game on
    $ acres config site https://a.example  # where your messages can be answered
    """
    app, (key, *value) = current_app(), words or [""]
    settings, text = Config.read(app.home.config_path), "" if unset else " ".join(value).strip()
    if key and key not in KEYS:
        similar = suggestions(get_close_matches(key.lower(), KEYS, n=1))
        see = similar or " " + Message("See: {command}", command=f"{app.command} config")
        raise UsageError(Message("There is no setting “{name}”.", name=clean(key)) + see)
    if not key or not (value or unset):
        _show(settings, key)
    elif key == LANGUAGE_SETTING:
        lang(text or SYSTEM)
    elif key == FOLDERS:
        command = f"{app.command} games folders add FOLDER"
        raise UsageError("To change one: {command}", command=command)
    else:
        if key == SITE:
            text = read_site(text)
            settings.replace(SITE, text)
        elif key in PROFILE:
            text = PROFILE[key](text)
            change_texts(key_file().path, **{key: text})
        else:
            text = _change_mail(settings, key, text)
        console.note_file(key_file().path if key in PROFILE else settings.path)
        console.say_unwrapped(with_label(key, text or "–"))
        if key in PROFILE and app.home.has_played:
            console.say("Games already begun keep the old one: tell those opponents yourself.")


def _show(settings: Config, key: str) -> None:
    """Print the value of a setting, or all settings if the key is empty."""
    file = key_file() if key in ("", *PROFILE) else None
    for name in [key] if key else KEYS:
        value = getattr(file, name) if name in PROFILE else settings.look_up(name)
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
        if key or text or name in (*PROFILE, LANGUAGE_SETTING):
            console.say_unwrapped(text if key else with_label(name, text or "–"))
    if not key:
        command = f"{current_app().command} config email anna@example.org"
        console.say_unwrapped("To change one: {command}", command=command)


def _change_mail(settings: Config, key: str, text: str) -> str:
    """Change a setting of the mail account, and return its text as stored.

    Raises UsageError, or InputError for a bad value.
    """
    if not settings.look_up(MAIL) or not isinstance(settings.look_up(MAIL), dict):
        Account.load(settings.path, current_app().command)
    mail, (*names, last) = deepcopy(settings.tables[MAIL]), key.split(".")[1:]
    is_number = isinstance(SETTINGS[key], Integer) and text.isdecimal() and len(text) < MAX_DIGITS
    absolute = str(expand(text).absolute()) if key in PATHS and text else text
    if names and not isinstance(mail.get(names[0]), dict):
        mail[names[0]] = {}
    table = mail[names[0]] if names else mail
    table[last] = int(text) if is_number else absolute
    if not text:
        del table[last]
        if names and last == "host":
            del mail[names[0]]
    Account.from_config(Config(Path(), {MAIL: mail}, Message("What you gave")))
    settings.replace(MAIL, mail)
    return absolute

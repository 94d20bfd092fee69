"""Update of message catalogues: python -m tools.catalogues update|compile|open [LANGUAGE...].

`update` adds new messages to each catalogue and removes unused ones; `compile` writes the .mo files
that the program reads; `open` lists untranslated messages, which are shown in English, and exits
with 1 if there are any. docs/languages.md describes the work of a translator. Needs
babel.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from pbem.cli.console import use_language
from pbem.cli.help import help_texts
from pbem.cli.main import commands
from pbem.cli.position.map import sheet_data
from pbem.text.compiling import compile_catalogues
from pbem.text.language import NAMES, SOURCE
from tools import extraction


def all_commands(command: Any) -> Iterator[Any]:
    """Yield a command and all its subcommands."""
    yield command
    for name in getattr(command, "commands", ()):
        yield from all_commands(command.get_command(None, name))


def all_messages() -> Iterator[extraction.SourceMessage]:
    """Yield all messages of the program: from sources, commands, topics and data."""
    yield from extraction.source_messages()
    # Load the commands in the source language; they are translated when they are loaded.
    with use_language(SOURCE):
        for command in all_commands(commands(SOURCE)):
            for text in help_texts(command):
                yield extraction.SourceMessage(text.message, text.context, [])
            for example in getattr(command, "examples", ()):
                for line in example[0 if example.mark else 1 : 2]:
                    yield extraction.SourceMessage(line, None, [])
    for name in sheet_data()["forts"]:
        yield extraction.SourceMessage(name, "map", [])
    for name, comment in sheet_data()["waters"].items():
        yield extraction.SourceMessage(name, "map", [comment] if comment else [])


def list_open() -> bool:
    """Print the untranslated messages of every language. Return True if there are any."""
    catalogue, is_any_open = extraction.template(all_messages()), False
    for language in sorted(NAMES.keys() - {SOURCE}):
        lines = list(extraction.untranslated(language, catalogue))
        print(f"{NAMES[language]}: {len(lines)} open")
        for line in lines:
            print(f"  {line}")
        is_any_open = is_any_open or bool(lines)
    return is_any_open


def main(arguments: list[str]) -> int:
    """Update all catalogues or those of the given languages, compile all, or list open messages."""
    match arguments:
        case ["open"]:
            return int(list_open())
        case ["compile"]:
            compile_catalogues()
        case ["update", *languages] if set(languages) <= NAMES.keys() - {SOURCE}:
            catalogue = extraction.template(all_messages())
            for language in languages or NAMES.keys() - {SOURCE}:
                extraction.update(language, catalogue)
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

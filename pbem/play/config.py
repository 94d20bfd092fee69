"""The settings of a player: the file `config.toml` in the home, table by table.

The file has no secrets. See docs/mail.md.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.message import Message, message_of, or_list
from pbem.errors import InputError, UsageError, strict_exists
from pbem.protocol.schema import Codec, read_table
from pbem.savefile.disk import decode, read_error, read_file, replace_private
from pbem.savefile.document import describe_toml_error

MAIL, GAMES = "mail", "games"
TABLES = (MAIL, GAMES)
"""The tables that can be set; the reader of each one checks its contents."""
LANGUAGE = "lang"
CHOICES = {"theme": ("light", "dark"), "legend": ("open", "folded"), "sound": ("on", "off")}
"""The choices that pages remember, each with its values; without one the page decides."""
SITE = "site"
"""The address of a site on which an opponent can answer in a browser."""
VALUES = (LANGUAGE, SITE, *CHOICES)
"""The texts that can be set besides the tables."""
MAX_SIZE = 64 * 1024
"""The maximum size of the file, in bytes."""


@dataclass(frozen=True)
class Config:
    """The settings in the file at `path`, whose `tables` are plain data; empty if there is no file.

    `label` is the name of settings that have not been written yet, in messages. `text` is the
    content of the file.
    """

    path: Path
    tables: Mapping[str, Any] = field(default_factory=dict)
    label: Message | None = None
    text: str = ""

    @classmethod
    def read(cls, path: Path) -> Config:
        """Read the settings at `path`. Raises InputError with the line or the name of the mistake.

        A missing file has no settings.

        >>> Config.read(Path("nowhere.toml")).value("lang")
        ''
        """
        try:
            if not strict_exists(path):
                return cls(path)
        except OSError as error:
            raise read_error(path, error) from None
        text, tables = parse_settings(path, read_file(path, MAX_SIZE))
        for name in tables.keys() - {*TABLES, *VALUES}:
            raise InputError(
                "{file} has {name}, where only {tables} are allowed.",
                file=path,
                name=ascii(name[:40]),
                tables=or_list([*VALUES, *(f"[{section}]" for section in TABLES)]),
            )
        return cls(path, tables, text=text)

    @property
    def file(self) -> Path | Message:
        """The name of the settings in a message about them."""
        return self.label or self.path

    def value(self, name: str) -> str:
        """Return one of the `VALUES`; empty if it is missing or is not a text."""
        value = self.tables.get(name, "")
        return value if isinstance(value, str) else ""

    def look_up(self, path: str) -> Any:
        """Return the value at a path such as `mail.smtp.port`; None if it is missing."""
        values: Any = self.tables
        for part in path.split("."):
            values = values.get(part) if isinstance(values, dict) else None
        return values

    def table(
        self, name: str, codecs: Mapping[str, Codec], optional: frozenset[str] = frozenset()
    ) -> dict[str, Any] | None:
        """Return the values in a table, such as `mail` or `mail.smtp`; None if it is missing.

        `codecs` are the codecs of the allowed keys. Raises InputError for other keys or values.
        """
        values = self.look_up(name)
        if values is None:
            return None
        try:
            return read_table(values, codecs, optional)
        except ValueError as error:
            raise InputError(
                # Translators: [{table}] is part of a file; {reason} is, for example, “port is
                # missing”.
                "{file}, in [{table}]: {reason}.",
                file=self.file,
                table=name,
                reason=message_of(error),
            ) from None

    def replace(self, name: str, table: Mapping[str, Any] | str) -> Config:
        """Write the settings with a new value of the key `name` to the file, and return them.

        An empty value is removed. Comments and the order of the keys stay.

        Raises UsageError if the file cannot be written, or would be too long to be read again. At
        any moment either the old or the new file is there.
        """
        tables = {key: value for key, value in {**self.tables, name: table}.items() if value != ""}
        text = _dump(tables, self.text)
        changed, data = Config(self.path, tables, text=text), text.encode()
        if len(data) > MAX_SIZE:
            raise UsageError(
                "{file} cannot be longer than {size} KiB: it was not changed.",
                file=self.file,
                size=MAX_SIZE // 1024,
            )
        # Writing the file reports the same error.
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_private(self.path, data)
        return changed


def parse_settings(path: Path, data: bytes, limit: int = MAX_SIZE) -> tuple[str, dict[str, Any]]:
    """Return the text and the tables of a TOML file of at most `limit` bytes. Raises InputError."""
    if len(data) > limit:
        raise InputError(
            "{file} is longer than {size} KiB: that cannot be settings.",
            file=path,
            size=limit // 1024,
        )
    try:
        text = decode(data)
        for number, line in enumerate(text.splitlines(), 1):
            if any(map(_BACKSLASH.match, _STRINGS.findall(line))):
                raise InputError(
                    "{file}, line {line}: a backslash within double quotes has another meaning, "
                    "so put a path of Windows in 'single quotes'.",
                    file=path,
                    line=number,
                )
        return text, tomllib.loads(text)
    except UnicodeDecodeError:
        raise InputError("{file} is not a text file in UTF-8.", file=path) from None
    except RecursionError:
        raise InputError("{file} is nested too deeply.", file=path) from None
    except ValueError as error:
        reason = describe_toml_error(error)
        raise InputError(
            "{file} has a mistake in it: {reason}.", file=path, reason=reason
        ) from None


# --- changes to a file with comments

_STRINGS = re.compile(r"""\"(?:\\.|[^"\\])*"?|'[^']*'|\#.*""")
"""The strings of a line of TOML, the last perhaps unfinished, and its comment."""
_BACKSLASH = re.compile(
    r'"(?:[A-Za-z]:|\\\\[^\\"]*)\\(?!\\)|"(?:\\["\\btnfr]|[^"\\])*'
    r"\\(?:[^\"\\btnfruU]|u(?![\da-fA-F]{4})|U(?!000|0010))"
)
"""A path of Windows in double quotes, or an escape that TOML does not have."""


def change_texts(file: Path, **values: str) -> None:
    """Change texts in a TOML file, such as the name in an identity."""
    text, tables = parse_settings(file, read_file(file, MAX_SIZE))
    replace_private(file, _dump(tables | values, text).encode())


def _dump(tables: Mapping[str, Any], old_text: str) -> str:
    r"""Return settings as TOML, with the comments and the order of an old text.

    >>> _dump({"lang": "it"}, '# mine\nlang = "fr" # French')
    '# mine\nlang = "it" # French'
    """
    # Imported lazily: settings are rarely written.
    import tomlkit

    document = tomlkit.parse(old_text)
    _update(document, tables)
    text = tomlkit.dumps(document)
    # It misplaces a new table among keys with dots.
    with suppress(tomllib.TOMLDecodeError):
        if tomllib.loads(text) == tables:
            return text
    return tomlkit.dumps(tables)


def _update(old: MutableMapping[str, Any], new: Mapping[str, Any]) -> None:
    """Change only the values that differ, so that the comments beside the others stay."""
    for key in old.keys() - new.keys():
        del old[key]
    for key, value in new.items():
        if isinstance(value, Mapping) and isinstance(old.get(key), Mapping):
            _update(old[key], value)
        elif isinstance(value, list) and isinstance(old.get(key), list):
            for item in [item for item in old[key] if item not in value]:
                old[key].remove(item)
            old[key].extend(item for item in value if item not in old[key])
        elif old.get(key) != value:
            old[key] = value

"""How a save file is laid out: TOML in ASCII lines that survive a message body.

No line is longer than 76 characters. Long texts are folded where TOML allows a line to end and
drops the break again; a fold never comes before a space, which would be dropped with it.

docs/save-format.md, Lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from pbem.protocol.schema import Plain

WIDTH = 76
_INDENT = "  "
_PIECE = WIDTH - len(_INDENT) - len('""",')
"""The most characters of a folded text in one line."""

_SPECIAL = re.compile(r"[^ !#-\[\]-~]")
# A space that TOML, or a fold before it, would lose: at the beginning or after another space.
_FRAGILE = re.compile(r"^ |(?<= ) ")
# What a fold may not tear apart: an escape or another character, and the space after it.
_ATOM = re.compile(r"(?:\\u[0-9a-f]{4}|\\U[0-9a-f]{8}|\\.|[^\\ ]) ?")


def lay_out(document: Mapping[str, Plain]) -> str:
    """A TOML document, where the tables within a table come after its other keys."""
    return "".join(line + "\n" for line in _table(document, ""))


def _table(table: Mapping[str, Plain], path: str) -> Iterator[str]:
    nested = []
    for key, value in table.items():
        tables = _tables(value)
        if tables:
            nested.append((f"{path}{key}", isinstance(value, Mapping), tables))
        else:
            yield from _pair(key, value)
    for name, single, tables in nested:
        for item in tables:
            # A table of the document is set apart, the tables within it close together.
            if not path:
                yield ""
            yield f"[{name}]" if single else f"[[{name}]]"
            yield from _table(item, f"{name}.")


def _tables(value: Plain) -> list[Mapping[str, Plain]]:
    """The table or the tables that a value consists of; none if it is of another kind."""
    if isinstance(value, (str, int)):
        return []
    if isinstance(value, Mapping):
        return [value]
    # A list holds values of one kind.
    if not value or not isinstance(value[0], Mapping):
        return []
    return [item for item in value if isinstance(item, Mapping)]


def _pair(key: str, value: Plain) -> Iterator[str]:
    short = f"{key} = {_short(value)}"
    if len(short) <= WIDTH or isinstance(value, int):
        yield short
    elif isinstance(value, str):
        first, *more = _folded(value)
        yield from [f"{key} = {first}", *more]
    else:
        yield from [f"{key} = [", *_packed(value), "]"]


def _short(value: Plain) -> str:
    """A value on one line."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f'"{_escaped(value)}"'
    return f"[{', '.join(map(_short, value))}]"


def _packed(values: Iterable[Plain]) -> Iterator[str]:
    """The values of a list, as many to a line as fit."""
    line = ""
    for value in values:
        item = _short(value) + ","
        if line and len(line) + 1 + len(item) <= WIDTH:
            line += " " + item
            continue
        if line:
            yield line
        line = _INDENT + item
        if len(line) > WIDTH:
            *lines, last = _folded(str(value))
            yield from [_INDENT + lines[0], *lines[1:]]
            line = last + ","
    if line:
        yield line


def _folded(text: str) -> list[str]:
    """A text over several lines, each of which ends with a backslash but the last."""
    pieces = _pieces(_FRAGILE.sub(r"\\u0020", _escaped(text)))
    lines = [f"{_INDENT}{piece}\\" for piece in pieces]
    return ['"""\\', *lines[:-1], f'{_INDENT}{pieces[-1]}"""']


def _pieces(text: str) -> list[str]:
    if "\\" not in text and " " not in text:
        # Most long texts are bytes in base64url, in which every character is on its own.
        return [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
    pieces = [""]
    for atom in _ATOM.findall(text):
        if len(pieces[-1]) + len(atom) > _PIECE:
            pieces.append("")
        pieces[-1] += atom
    return pieces


def _escaped(text: str) -> str:
    return _SPECIAL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if character in '"\\':
        return "\\" + character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

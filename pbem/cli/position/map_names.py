"""What the map calls locations and waters in the player's language, in the room that there is."""

from __future__ import annotations

import re

from rich.cells import cell_len

from engine.message import Message
from pbem.cli import console
from pbem.cli.position.map_sheet import Drawn, Field, Line, Row, sheet_data

_WRITTEN = re.compile(r"[^\W\d_][\w.]*(?: [\w.]+)*")


def spoken_label(label: str) -> str:
    """The label of a field, as it is spoken."""
    return console.told(
        Message.within("map" if label in sheet_data()["forts"] else "location", label)
    )


def shortened(name: str, room: int) -> str:
    """A name in so many columns; a longer one ends in a full stop, as maps have it.

    >>> shortened("Michillimackinac", 16), shortened("Michillimackinac", 8)
    ('Michillimackinac', 'Michill.')
    """
    return name if cell_len(name) <= room else f"{name[: max(0, room - 1)].rstrip()}."


def with_waters(row: Row, width: int) -> Row:
    """A row of a sheet, `width` columns wide, with its waters called as they are spoken."""
    pieces = list(row)
    for number, piece in enumerate(row):
        if not isinstance(piece, Drawn) or not (found := _WRITTEN.search(piece.text)):
            continue
        name = console.told(Message.within("map", found[0]))
        if piece.kind == "lake":
            columns = len(piece.text)
            label = f" {shortened(name, columns - 4)} "
            pieces[number] = Drawn(piece.kind, label.center(columns, "≈"))
        else:
            beyond = width - sum(_width(each) for each in pieces)
            _write_on_sea(pieces, number, name, beyond)
    return tuple(pieces)


def _write_on_sea(pieces: list[Field | Line | Drawn], number: int, name: str, beyond: int) -> None:
    """Write a name over the piece of that number, and over the blanks beside it if it is longer.

    `beyond` is the room behind the last piece.
    """
    own = _width(pieces[number])
    left = _blanks(pieces, number - 1)
    right = _blanks(pieces, number + 1) if number + 1 < len(pieces) else beyond
    name = shortened(name, own + left + right)
    more = max(0, cell_len(name) - own)
    to_right = min(more, right)
    pieces[number] = Drawn("sea", name.ljust(own))
    for beside, taken in ((number + 1, to_right), (number - 1, more - to_right)):
        if taken and beside < len(pieces):
            pieces[beside] = Drawn("", " " * (_width(pieces[beside]) - taken))


def _blanks(pieces: list[Field | Line | Drawn], number: int) -> int:
    """How many columns of a piece can be written on: of a blank, all but one."""
    piece = pieces[number] if number >= 0 else None
    return len(piece.text) - 1 if isinstance(piece, Drawn) and not piece.kind else 0


def _width(piece: Field | Line | Drawn) -> int:
    return len(piece.text) if isinstance(piece, Drawn) else piece.width

"""Longer texts, line by line, to be printed, sent or laid out."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from engine.message import Said


class Tone(Enum):
    """How a line is meant."""

    PLAIN = "plain"
    HEAD = "head"
    GOOD = "good"
    FINE = "fine"
    BAD = "bad"


class Line(NamedTuple):
    """A paragraph, or an item indented by `indent` columns; one that `is_whole` is not broken.

    An empty one separates two that do not belong together. `label` comes before the text, whose
    further lines do not reach below it; labels that are `in_columns` all have the same width.
    """

    text: Said = ""
    tone: Tone = Tone.PLAIN
    indent: int = 0
    is_whole: bool = False
    label: Said = ""
    in_columns: bool = False


def item(text: Said, tone: Tone = Tone.PLAIN, indent: int = 2) -> Line:
    """Return a line of a list."""
    return Line(text, tone, indent)

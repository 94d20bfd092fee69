"""What is told at some length, line by line, for whoever prints it, sends it or lays it out."""

from __future__ import annotations

from enum import Enum

from engine.message import Said
from engine.value import Value


class Tone(Enum):
    """How a line is meant."""

    PLAIN = "plain"
    HEAD = "head"
    GOOD = "good"
    FINE = "fine"
    BAD = "bad"


class Line(Value):
    """A paragraph, or an item that stands `indent` columns in; one that `is_whole` is not broken.

    An empty one stands between two that do not belong together. `label` stands before the text,
    and no further line of it reaches below; those that are `in_columns` are all as wide.
    """

    text: Said = ""
    tone: Tone = Tone.PLAIN
    indent: int = 0
    is_whole: bool = False
    label: Said = ""
    in_columns: bool = False


def item(text: Said, tone: Tone = Tone.PLAIN, indent: int = 2) -> Line:
    """A line of a list."""
    return Line(text, tone, indent)

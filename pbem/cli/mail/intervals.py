"""Intervals as players give them: 90s, 5m, 1h."""

from __future__ import annotations

import re
from collections.abc import Callable

from pbem.cli.words import counted
from pbem.errors import WrongUse

_UNITS = {"s": 1, "m": 60, "h": 60 * 60}
_NAMES = {"h": "hour", "m": "minute", "s": "second"}
SHORTEST, LONGEST = 10, 24 * 60 * 60
"""In seconds."""


def interval_for(option: str) -> Callable[[str], int]:
    """A reader of intervals, which gives seconds; raises WrongUse for anything else."""

    def read(text: str) -> int:
        found = re.fullmatch(r"([0-9]{1,6})([smh])", text.strip().lower())
        seconds = int(found[1]) * _UNITS[found[2]] if found else 0
        if not SHORTEST <= seconds <= LONGEST:
            raise WrongUse(f"{option} takes a time from 10s to 24h, such as 5m; not “{text}”.")
        return seconds

    return read


def told(seconds: int) -> str:
    """An interval in words.

    >>> told(300), told(90)
    ('5 minutes', '90 seconds')
    """
    unit = next(unit for unit in _NAMES if seconds % _UNITS[unit] == 0)
    return counted(seconds // _UNITS[unit], _NAMES[unit])

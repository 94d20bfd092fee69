"""What of many like cases is tried in every run; the others wait for the long one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sample(values: Iterable[Any], *, first: int = 0, every: int = 0) -> list[Any]:
    """Parameters, of which the first `first`, and one in `every`, are in every run."""
    return [
        value
        if number < first or (every and number % every == 0)
        else pytest.param(value, marks=pytest.mark.long)
        for number, value in enumerate(values)
    ]

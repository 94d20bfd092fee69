"""What the tests of editions share."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import pytest

from engine.ruleset import DEFAULT_EDITION, Ruleset, editions

EDITIONS = list(editions())
FIRST, REVISED, SECOND = "first", "first-revised", DEFAULT_EDITION

PLAYED = ContextVar("PLAYED", default=DEFAULT_EDITION)
"""The edition of positions that name none: see `conftest.py`."""

in_every_edition = pytest.mark.parametrize("edition", EDITIONS)


def second_but(**flags: Any) -> Ruleset:
    """The second edition with one flag of another: what the flag alone does."""
    return Ruleset.of(SECOND)._replace(**flags)

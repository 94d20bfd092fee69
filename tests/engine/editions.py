"""The editions by name, and rulesets with other flags."""

from __future__ import annotations

from typing import Any

import pytest

from engine.ruleset import DEFAULT_EDITION, Ruleset, editions

EDITIONS = list(editions())
FIRST, REVISED, SECOND = "first", "first-revised", DEFAULT_EDITION

in_every_edition = pytest.mark.parametrize("edition", EDITIONS)


def second_with(**flags: Any) -> Ruleset:
    """Return the second edition with other `flags`."""
    return Ruleset.of(SECOND)._replace(**flags)

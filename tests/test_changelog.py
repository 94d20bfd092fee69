"""CHANGELOG.md names everything new since the last release."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engine.house_rules import house_rules
from engine.orders import ORDERS
from pbem import VERSION
from pbem.cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
KNOWN = tomllib.loads((ROOT / f"tests/old_files/{VERSION}/known.toml").read_text("utf-8"))
"""The features of the last release."""
NEW = [
    *(("house rule", id) for id in house_rules() if id not in KNOWN["house_rules"]),
    *(("order", verb) for verb in ORDERS if verb not in KNOWN["orders"]),
    *(("command", name) for name in COMMANDS if name not in KNOWN["commands"]),
]


@pytest.mark.parametrize(("kind", "name"), NEW)
def test_new_feature_is_in_the_changelog(kind: str, name: str) -> None:
    page = (ROOT / "CHANGELOG.md").read_text("utf-8")
    new = page.partition("## Unreleased")[2].partition("\n## ")[0]
    assert name in new, f"the {kind} {name} is not named in CHANGELOG.md, Unreleased"

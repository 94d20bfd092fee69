"""`acres stats`: a player's games taken together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.using import FILE, ROOT, do

pytestmark = pytest.mark.usefixtures("in_the_game")

BRITISH = Path("british")


def test_the_data_are_described(game: Path) -> None:
    do("turn", "resign", FILE, "--yes", home=BRITISH)
    facts = json.loads(do("stats", "--json", home=BRITISH).out)
    page = (ROOT / "docs" / "json.md").read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| `acres stats --json`"))
    keys = {*facts, *facts["in_all"], *facts["results"][0], *facts["turns"]}
    assert [key for key in sorted(keys) if f"`{key}`" not in row] == []

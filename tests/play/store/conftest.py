"""A match, and an empty library of one of its players."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pbem.play.store import Store
from pbem.protocol.match import Match
from tests.play.matches import any_order, begin, play
from tests.play.store.players import ANNA


@pytest.fixture(scope="session")
def match() -> Match:
    return play(begin(), any_order(Random(1)), turns=8)


@pytest.fixture(scope="session")
def long_match() -> Match:
    return play(begin(lists=2), any_order(Random(1)), turns=30)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "library.sqlite3"


@pytest.fixture
def library(path: Path) -> Store:
    return Store(path, ANNA.public_key)

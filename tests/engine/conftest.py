"""What shows a sentence of a rulebook is played in the edition of each rulebook that says it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.ruleset import DEFAULT_EDITION
from tests.engine.editions import PLAYED
from tests.engine.sentences import FAMILY, shown_in


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests of the families that know no edition; the others say themselves which they play."""
    file = metafunc.definition.path.stem
    test = (file.removeprefix(FAMILY), metafunc.function.__name__)
    if file.startswith(FAMILY) and test in shown_in():
        metafunc.parametrize("edition_played", sorted(shown_in()[test]), indirect=True)


@pytest.fixture(autouse=True)
def edition_played(request: pytest.FixtureRequest) -> Iterator[str]:
    """The edition of positions that name none."""
    edition: str = getattr(request, "param", DEFAULT_EDITION)
    before = PLAYED.set(edition)
    yield edition
    PLAYED.reset(before)

from pathlib import Path

import pytest

from tests.cli.using import do


@pytest.fixture
def here(here: Path) -> Path:
    """A folder of one's own, with Zoé's home in it."""
    do("init", "--name", "Zoé", "--email", "zoe@example.org", home="zoe")
    return here


@pytest.fixture
def played(game: Path, in_the_game: None) -> Path:
    """The folder of a game; both homes have signed in it."""
    return game

from pathlib import Path

import pytest

from tests.cli.commands import do


@pytest.fixture
def here(here: Path) -> Path:
    """An empty folder with Zoé's home, in which commands are run."""
    do("init", "--name", "Zoé", "--email", "zoe@example.org", home="zoe")
    return here


@pytest.fixture
def game_folder(game: Path, in_the_game: None) -> Path:
    """The folder of a game, in which both homes have signed."""
    return game

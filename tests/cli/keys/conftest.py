from pathlib import Path

import pytest

from tests.cli.commands import do


@pytest.fixture
def cwd(cwd: Path) -> Path:
    """The current folder, with Zoé's home."""
    do("init", "--name", "Zoé", "--email", "zoe@example.org", home="zoe")
    return cwd


@pytest.fixture
def game_folder(game: Path, in_game_folder: None) -> Path:
    """The folder of a game, in which both homes have signed."""
    return game

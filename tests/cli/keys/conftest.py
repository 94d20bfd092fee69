from pathlib import Path

import pytest

from tests.cli.using import do


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own, with Zoé's home in it."""
    monkeypatch.chdir(tmp_path)
    do("init", "--name", "Zoé", "--email", "zoe@example.org", home="zoe")
    return tmp_path


@pytest.fixture
def played(game: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a game; both homes have signed in it."""
    monkeypatch.chdir(game)
    return game

"""What is honest is accepted by both implementations."""

from __future__ import annotations

import pytest

from pbem.play.audit import audit
from tests.vectors import honest, naive_chain

FILES = {name: data for name, data in honest.files().items() if name.endswith(".toml")}


@pytest.mark.parametrize("name", FILES)
def test_both_accept_what_is_honest(name: str) -> None:
    report = audit(FILES[name])
    assert report.is_clean, report.finding
    assert naive_chain.verify(FILES[name])


def test_the_folder_is_as_it_is_made() -> None:
    there = {path.name: path.read_bytes() for path in honest.FOLDER.iterdir()}
    assert there == honest.files()


def test_games_that_were_played_are_closed() -> None:
    """So that every shuffle and every grant in them is proved, by any reader."""
    for game in honest.PLAYED:
        kinds = [
            step["kind"] for record in honest.kept(game.what).records for step in record["steps"]
        ]
        assert kinds.count("close") == 2, game.what

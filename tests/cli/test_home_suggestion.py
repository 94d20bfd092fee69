"""The message about a missing or mistyped home names a nearby home."""

from pathlib import Path

import pytest

from tests.cli.commands import FILE, PASSES, acres, do, snapshot

pytestmark = pytest.mark.usefixtures("in_game_folder")
APPLY = ("turn", "apply", FILE, *PASSES)


@pytest.mark.parametrize(
    ("home", "command"),
    [
        ("brittish", APPLY),
        ("brittish", ("games",)),
        ("brittish", ("mail", "draft", FILE)),
        ("british2", ("new", "--side", "any")),
        (None, APPLY),
        (None, ("games",)),
        ("zoe", APPLY),
    ],
)
def test_nearby_home_is_suggested(game: Path, home: str | None, command: tuple[str, ...]) -> None:
    acres("init", "--name", "Zoé", home="zoe")
    before = snapshot(game)
    assert "--home british" in acres(*command, home=home).fails().err
    assert snapshot(game) == before


def test_home_beside_the_file_is_suggested_from_another_folder(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "acres --home british" in do("turn", "show", FILE).err
    monkeypatch.chdir(tmp_path)
    refusal = acres("turn", "apply", game / FILE, *PASSES).fails()
    assert f"acres --home {game / 'british'}" in refusal.err
    (tmp_path / "empty").mkdir()
    assert "Did you mean" not in acres("games", home=tmp_path / "empty" / "nobody").fails().err

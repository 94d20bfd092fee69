"""`acres analyse`: the analysis of a finished game from its last file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from engine.sides import Side
from pbem.play import keyfile
from pbem.play.analysis import Analysis, analyse
from pbem.play.robot import home_of_robot
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from tests.cli.commands import acres, do, snapshot
from tests.cli.test_output import assert_plain
from tests.play.blunder_game import JUDGES, BlunderGame, play_blunder_game


@pytest.fixture(scope="module")
def game() -> BlunderGame:
    return play_blunder_game()


@pytest.fixture(scope="module")
def quick_analysis() -> Callable[..., Analysis]:
    """Cache a quick analysis of each game."""
    analyses: dict[tuple[bytes, int], Analysis] = {}

    def analyse_once(match: Match, known: Sequence[HiddenCards], **others: object) -> Analysis:
        key = (match.last.hash, len(known))
        if key not in analyses:
            analyses[key] = analyse(match, known, judges=JUDGES)
        return analyses[key]

    return analyse_once


@pytest.fixture
def folder(
    game: BlunderGame,
    quick_analysis: Callable[..., Analysis],
    cwd: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """A folder with two files of the game: one before its end, and the last."""
    monkeypatch.setattr("pbem.play.analysis.analyse", quick_analysis)
    (cwd / "before.toml").write_bytes(game.before.save.write())
    (cwd / "last.toml").write_bytes(game.last.save.write())
    return cwd


@pytest.mark.slow
def test_closed_game_is_analysed_without_a_home(game: BlunderGame, folder: Path) -> None:
    before = snapshot(folder)
    output = do("analyse", "last.toml", home="nobody").out
    assert_plain(output, draws=True)
    assert f"Turn {game.turn}: " in output and "withdraw Quebec" in output
    assert snapshot(folder) == before


def test_game_in_progress_is_not_analysed(folder: Path, game: BlunderGame) -> None:
    keyfile.save(game.pair.identities[Side.FRENCH], Path("emile", "identity.toml"))
    acres("analyse", "before.toml", home="emile").fails()
    # Émile's key in the place of the robot's key does not make this a game with the robot.
    copied = home_of_robot(Path("emile")) / "identity.toml"
    copied.parent.mkdir()
    copied.write_bytes(Path("emile", "identity.toml").read_bytes())
    for command in (["analyse"], ["board", "--analysis", "--with-my-cards", "--page", "page.html"]):
        assert acres(*command, "before.toml", home="emile").fails().out == ""
    # A spectator does not know the opponent's cards before the game is closed.
    assert acres("analyse", "before.toml", home="nobody").status == 2


@pytest.mark.slow
def test_game_with_the_players_robot_is_judged_for_that_player_alone(
    folder: Path, game: BlunderGame
) -> None:
    home, identities = Path("homes") / "emile", game.pair.identities
    keyfile.save(identities[Side.FRENCH], home / "identity.toml")
    keyfile.save(identities[Side.BRITISH], home_of_robot(home) / "identity.toml")
    facts = json.loads(do("analyse", "before.toml", "--json", home=home).out)
    assert facts["sides"] == ["french"]
    assert {mistake["side"] for mistake in facts["mistakes"]} <= {"french"}
    assert facts["winner"] is None
    (home / "identity.toml").unlink()
    assert acres("analyse", "before.toml", home=home).status == 2


# --- on a page


def test_page_without_a_hand_has_no_chances(game: BlunderGame, folder: Path) -> None:
    home, identities = Path("homes") / "emile", game.pair.identities
    keyfile.save(identities[Side.FRENCH], home / "identity.toml")
    keyfile.save(identities[Side.BRITISH], home_of_robot(home) / "identity.toml")
    for options, who in (
        (["--page", "page.html"], home),
        (["--page", "page.html", "--with-my-cards"], Path("nobody")),
        (["--svg", "page.svg"], home),
    ):
        acres("board", "before.toml", "--analysis", *options, home=who).fails()
        assert not [*folder.glob("page.*")]
    do("board", "before.toml", "--analysis", "--page", "page.html", "--with-my-cards", home=home)
    assert Path("page.html").exists()

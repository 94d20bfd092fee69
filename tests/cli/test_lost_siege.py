"""A siege that is lost at the end of a turn costs a card, which its loser chooses."""

from pathlib import Path

import pytest

from engine.actions.action import IllegalOrderError
from engine.orders import Lose
from pbem.play.game_file import GameFile
from pbem.play.turn import Turn
from pbem.text.language import Language
from pbem.text.ordering.reading import read
from tests.cli.commands import Result, acres, copy_practice_save, do, key_of
from tests.requirements import require

ENGLISH = Language("en")

SIEGE = 64
"""The number of records when the British siege of Louisbourg in the practice game is even."""


@pytest.fixture(scope="module")
def siege_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `lost.toml` for the British to answer, whose siege is lost."""
    folder = tmp_path_factory.mktemp("siege")
    even = copy_practice_save(SIEGE, folder)
    for file, side, orders in (
        (even, "british", ["pass", "pass"]),
        (folder / "game-064.toml", "french", ["reinforce louisbourg: quebec", "pass"]),
    ):
        do("turn", "apply", file, *orders, home=folder / side)
    (folder / "game-065.toml").rename(folder / "lost.toml")
    return folder


@pytest.fixture
def answer(siege_folder: Path) -> Turn:
    """The answer of the British, whose actions are used up."""
    game = GameFile.read((siege_folder / "lost.toml").read_bytes())
    answer = Turn.of(game, key_of("british"), "2026-12-01T00:00:00Z")
    for _ in range(2):
        answer.order(read(ENGLISH, "pass", answer.view()))
    return answer


def apply(folder: Path, *orders: str) -> Result:
    return acres(
        "turn", "apply", folder / "lost.toml", *orders, "--dry-run", home=folder / "british"
    )


@pytest.mark.parametrize("order", ["lose Louisbourg: Militia", "lose Boston: Rangers"])
def test_wrong_card_or_place_does_not_end_the_turn(
    siege_folder: Path, answer: Turn, order: str
) -> None:
    before = answer.match.state.key(), list(answer.orders)
    with pytest.raises(IllegalOrderError):
        answer.order(read(ENGLISH, order, answer.view()))
    assert (answer.match.state.key(), answer.orders) == before
    assert answer.is_turn_used_up
    apply(siege_folder, "pass", "pass", order).fails()
    apply(siege_folder, "pass", "pass").fails()
    apply(siege_folder, "pass", "pass", "lose Louisbourg: Rangers").succeeds()
    # The right one can still be given, and be taken back.
    answer.order(Lose("louisbourg", ("rangers",)))
    assert [order.verb for order in answer.orders] == ["pass", "pass", "end", "lose"]
    assert answer.undo() == Lose("louisbourg", ("rangers",))
    # With it goes the end of the turn, which was not ordered by itself.
    assert [order.verb for order in answer.orders] == ["pass", "pass"]
    assert answer.match.state.key() == before[0]


def test_undo_takes_back_the_end_of_a_turn_alone(answer: Turn) -> None:
    for text in ("end", "lose Louisbourg: Rangers"):
        answer.order(read(ENGLISH, text, answer.view()))
    assert [require(answer.undo()).verb for _ in range(3)] == ["lose", "end", "pass"]
    assert [order.verb for order in answer.orders] == ["pass"]

"""A siege that is lost at the end of a turn costs a card, which its loser chooses."""

from pathlib import Path

import pytest

from engine.actions.action import IllegalOrderError
from engine.orders import Lose
from pbem.play.game_file import GameFile
from pbem.play.turn import Turn
from pbem.text.language import Language
from pbem.text.ordering.reading import read
from tests.cli.commands import Result, acres, copy_practice_save, do, load_key
from tests.requirements import require

ENGLISH = Language("en")

SIEGE = 64
"""The number of records up to the even British siege of Louisbourg in the practice game."""


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
def open_turn(siege_folder: Path) -> Turn:
    """The British turn, without actions left."""
    game = GameFile.read((siege_folder / "lost.toml").read_bytes())
    open_turn = Turn.of(game, load_key("british"), "2026-12-01T00:00:00Z")
    for _ in range(2):
        open_turn.order(read(ENGLISH, "pass", open_turn.view()))
    return open_turn


def apply(folder: Path, *orders: str) -> Result:
    return acres(
        "turn", "apply", folder / "lost.toml", *orders, "--dry-run", home=folder / "british"
    )


@pytest.mark.parametrize("order", ["lose Louisbourg: Militia", "lose Boston: Rangers"])
def test_wrong_card_or_place_does_not_end_the_turn(
    siege_folder: Path, open_turn: Turn, order: str
) -> None:
    before = open_turn.match.state.key(), list(open_turn.orders)
    with pytest.raises(IllegalOrderError):
        open_turn.order(read(ENGLISH, order, open_turn.view()))
    assert (open_turn.match.state.key(), open_turn.orders) == before
    assert open_turn.is_turn_used_up
    apply(siege_folder, "pass", "pass", order).fails()
    apply(siege_folder, "pass", "pass").fails()
    apply(siege_folder, "pass", "pass", "lose Louisbourg: Rangers").succeeds()
    # A right card can still be chosen, and be taken back.
    open_turn.order(Lose("louisbourg", ("rangers",)))
    assert [order.verb for order in open_turn.orders] == ["pass", "pass", "end", "lose"]
    assert open_turn.undo() == Lose("louisbourg", ("rangers",))
    # Undo also takes back the automatic end of the turn.
    assert [order.verb for order in open_turn.orders] == ["pass", "pass"]
    assert open_turn.match.state.key() == before[0]


def test_undo_takes_back_the_end_of_a_turn_alone(open_turn: Turn) -> None:
    for text in ("end", "lose Louisbourg: Rangers"):
        open_turn.order(read(ENGLISH, text, open_turn.view()))
    assert [require(open_turn.undo()).verb for _ in range(3)] == ["lose", "end", "pass"]
    assert [order.verb for order in open_turn.orders] == ["pass"]

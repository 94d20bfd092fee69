"""A siege that stands lost at the end of a turn costs a card, which its loser chooses."""

from pathlib import Path

import pytest

from engine.actions.action import IllegalOrder
from engine.orders import Lose
from pbem.play.game_file import GameFile
from pbem.play.turn import Turn
from pbem.text.language import Language
from pbem.text.ordering.reading import read
from tests.cli.using import Result, acres, copy_practice_save, do, key_of, snapshot
from tests.present import present

ENGLISH = Language("en")

SIEGE = 64
"""When the British besiege Louisbourg in the practice game, and it stands even."""


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which `lost.toml` is for the British to answer, whose siege stands lost."""
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
def answer(lost: Path) -> Turn:
    """The answer of the British, whose actions are used up."""
    game = GameFile.read((lost / "lost.toml").read_bytes())
    answer = Turn.of(game, key_of("british"), "2026-12-01T00:00:00Z")
    for _ in range(2):
        answer.order(read(ENGLISH, "pass", answer.view()))
    return answer


def apply(folder: Path, *orders: str) -> Result:
    return acres(
        "turn", "apply", folder / "lost.toml", *orders, "--dry-run", home=folder / "british"
    )


def test_the_right_card_is_given_with_the_end_of_the_turn(lost: Path) -> None:
    said = apply(lost, "pass", "pass", "lose Louisbourg: Rangers").succeeds()
    lines = [line.strip() for line in said.out.splitlines()]
    end = lines.index("You ended your turn.")
    assert lines[end + 1].startswith("You chose Rangers to be lost with the siege of Louisbourg.")


def test_the_card_has_to_be_chosen(lost: Path) -> None:
    assert "choose the card that it costs" in apply(lost, "pass", "pass").fails().err


@pytest.mark.parametrize("order", ["lose Louisbourg: Militia", "lose Boston: Rangers"])
def test_a_wrong_card_or_place_ends_nothing(lost: Path, answer: Turn, order: str) -> None:
    before = answer.match.state.key(), list(answer.orders)
    with pytest.raises(IllegalOrder):
        answer.order(read(ENGLISH, order, answer.view()))
    assert (answer.match.state.key(), answer.orders) == before
    assert answer.is_turn_used_up
    assert apply(lost, "pass", "pass", order).fails().err.startswith("acres: Order 3")
    # The right one can still be given, and all of it be taken back.
    answer.order(Lose("louisbourg", ("rangers",)))
    assert [order.verb for order in answer.orders] == ["pass", "pass", "end", "lose"]
    assert answer.undo() == Lose("louisbourg", ("rangers",))
    # With it goes the end of the turn, which nobody asked for by itself.
    assert [order.verb for order in answer.orders] == ["pass", "pass"]
    assert answer.match.state.key() == before[0]


def test_an_end_that_was_asked_for_is_taken_back_by_itself(answer: Turn) -> None:
    for text in ("end", "lose Louisbourg: Rangers"):
        answer.order(read(ENGLISH, text, answer.view()))
    assert [present(answer.undo()).verb for _ in range(3)] == ["lose", "end", "pass"]
    assert [order.verb for order in answer.orders] == ["pass"]


def test_it_is_not_the_way_out_of_a_siege_that_is_not_lost(tmp_path: Path) -> None:
    file = copy_practice_save(SIEGE, tmp_path)
    before = snapshot(tmp_path)
    orders = ["pass", "pass", "lose Louisbourg: Rangers"]
    refused = acres("turn", "apply", file, *orders, home=tmp_path / "british").fails()
    assert "You have lost no siege" in refused.err
    assert snapshot(tmp_path) == before
    answer = Turn.of(GameFile.read(file.read_bytes()), key_of("british"), "2026-12-01T00:00:00Z")
    for text in orders[:2]:
        answer.order(read(ENGLISH, text, answer.view()))
    with pytest.raises(IllegalOrder):
        answer.order(read(ENGLISH, orders[2], answer.view()))
    assert [order.verb for order in answer.orders] == ["pass", "pass"]
    assert not answer.is_complete

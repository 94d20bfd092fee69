"""Orders that mail or a shell has broken in pieces, and such as lack all their cards."""

from pathlib import Path

import pytest

from tests.cli.using import acres, apply, is_one_sentence, snapshot

pytestmark = pytest.mark.usefixtures("in_the_game")

WHOLE = "settle Deerfield: New Haven, St. Mary's"


@pytest.mark.parametrize(
    "pieces",
    [
        ["settle Deerfield: New Haven,", "St. Mary's"],
        ["settle Deerfield:", "New Haven, St. Mary's", "pass"],
        ["settle", "Deerfield: New Haven, St. Mary's", "pass"],
        ["pass", "settle Deerfield: New Haven,", "St. Mary's"],
    ],
)
def test_an_order_in_pieces_is_told_as_what_it_may_be(pieces: list[str], game: Path) -> None:
    before = snapshot(game)
    (game / "orders.txt").write_text("\n".join(pieces))
    from_file = acres("turn", "apply", "game-017.toml", "--orders", "orders.txt", home="british")
    (game / "orders.txt").unlink()
    for done in (apply(*pieces), from_file):
        assert done.status == 2
        assert is_one_sentence(done.err), done.err
        assert f"“{WHOLE}”: write that on one line, or in quotes." in done.err
    assert snapshot(game) == before


def test_orders_that_are_wrong_by_themselves_are_not_put_together() -> None:
    for orders in (["pass", "flummery"], ["pass", "pass", "pass"], ["settle Canso", "pass"]):
        assert "one line" not in apply(*orders).fails().err


def test_a_verb_alone_is_told_what_it_takes_if_it_is_for_now() -> None:
    assert "“give” is not possible now. Turn 17: 2 actions to take." in apply("give").err
    assert "You can choose from " in apply("discard").fails().err

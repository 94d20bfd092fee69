"""An order that mail or a shell has broken in pieces is shown as a whole."""

from pathlib import Path

import pytest

from tests.cli.commands import acres, apply, snapshot

pytestmark = pytest.mark.usefixtures("in_game_folder")

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
def test_order_in_pieces_is_refused_with_the_whole_order(pieces: list[str], game: Path) -> None:
    before = snapshot(game)
    (game / "orders.txt").write_text("\n".join(pieces))
    from_file = acres("turn", "apply", "game-017.toml", "--orders", "orders.txt", home="british")
    (game / "orders.txt").unlink()
    for result in (apply(*pieces), from_file):
        assert f"“{WHOLE}”" in result.fails().err
    assert snapshot(game) == before


@pytest.mark.parametrize("text", ["draft rangers\npass", "draft rangers\r\n\n pass\n"])
def test_lines_in_one_word_are_orders(text: str) -> None:
    shown = (
        acres("turn", "apply", "game-017.toml", text, "--dry-run", home="british").succeeds().out
    )
    assert "You drafted Rangers" in shown and "You passed" in shown
    refused = acres("turn", "apply", "game-017.toml", f"{text}\nfly", home="british").fails().err
    assert "Order 3, “fly”" in refused

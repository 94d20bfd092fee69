"""The end of a game by the command line: resigning, closing, looking back.

docs/protocol.md, The close.
"""

import json
import re
from pathlib import Path
from random import Random

import pytest

from engine.position import score
from engine.sides import Side
from pbem.protocol.match import Match
from pbem.protocol.state_of_play import Due, pending_record
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import acres, do, snapshot
from tests.cli.table import Table, unwrap
from tests.play.matches import answer, any_order, begin, play
from tests.requirements import require


def play_to_the_middle(seed: int = 0, turns: int = 8) -> Match:
    """Return a match whose next record plays a turn and needs no list from the opponent."""
    match = play(begin(seed), any_order(Random(seed)), turns=turns, seed=seed)
    while (
        require(pending_record(match)).due is not Due.PLAY
        or match.decks[require(match.next_side).opponent].wants_list
    ):
        match = answer(match, any_order(Random(seed)), seed)
    return match


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "game", play_to_the_middle(), 0)


def test_turn_is_not_signed_beside_a_resignation(table: Table) -> None:
    assert table.turn("resign", "--yes").status == 0
    resigned = table.file
    before = table.folder / f"game-{table.match.last.index - 1:03}.toml"
    table.file = before
    table.turn("apply", "pass", "pass", "--output", table.folder / "other.toml").fails()
    table.file = before
    table.turn("resign", "--yes", "--output", table.folder / "again.toml").succeeds()
    assert (table.folder / "again.toml").read_bytes() == resigned.read_bytes()


def test_orders_after_the_end_are_refused(table: Table) -> None:
    table.turn("resign", "--yes")
    before = snapshot(table.folder)
    table.turn("apply", "pass").fails()
    home = table.folder / require(table.match.next_side).value
    refused = table.turn("resign", "--yes").fails()
    assert refused.err.endswith(f"acres --home {home} turn apply {table.file}\n")
    assert json.loads(table.turn("legal", "--json").out)["orders"] == []
    assert snapshot(table.folder) == before


def own_hand(text: str) -> str:
    """Return the lines about the viewer's hand in the output of `turn show`."""
    return require(re.search(r"^Your hand \(.*?(?=^\S)", text, re.M | re.S))[0]


def test_past_turn_of_a_closed_game_shows_the_hands_of_that_turn(table: Table) -> None:
    assert table.turn("resign", "--yes").status == 0
    table.apply()
    records = table.match.records
    hands = json.loads(acres("audit", table.file, "--hands", "--json").out)["hands"]
    for index in range(2, len(records), 5):
        then = Match.replay(records[: index + 1]).state
        names = then.ruleset.catalogue.names
        for side in Side:
            home = table.folder / side.value
            text = do("turn", "show", table.file, "--record", index, home=home).out
            assert f"{side.opponent.label!s} hand (" in text
            own = unwrap(own_hand(text))
            assert all(names[card] in own for card in hands[index][side.value]["cards"])
            for other in Side:
                player = then.players[other]
                counts = f"{other.label!s} {score(then, other).total} {player.money} "
                assert f"{counts}{player.hand_size} " in unwrap(text)
    public = unwrap(acres("turn", "show", table.file, "--record", 5).out)
    assert "British hand (" in public
    assert "French hand (" in public
    assert "Your hand" not in public


def test_past_turn_before_the_close_shows_the_viewers_hand_only(table: Table) -> None:
    index = table.match.last.index - 2
    file = table.folder / f"game-{index:03}.toml"
    records = table.match.records[: index + 1]
    file.write_bytes(SaveFile(tuple(records)).write())
    for side in Side:
        home = table.folder / side.value
        then = acres("turn", "show", file, home=home).out
        back = acres("turn", "show", table.file, "--record", index, home=home).out
        # The side that answers that record has been granted nothing new by then.
        if Match.replay(records).next_side is not side:
            assert own_hand(back) == own_hand(then)
        assert f"{side.opponent.label!s} hand (" not in back
    public = acres("turn", "show", table.file, "--record", index).out
    assert "Your hand" not in public
    assert " hand (" not in public

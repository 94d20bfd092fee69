"""A long summary never stops a game."""

from __future__ import annotations

from random import Random

from engine.orders import Discard
from pbem.play.game_file import GameFile, pack, summary
from pbem.protocol.table import Move
from pbem.savefile.save_file import SUMMARY_WIDTH
from tests.play.matches import any_order, begin, play


def test_long_order_is_cut_short_in_the_summary() -> None:
    match = play(begin(), any_order(Random(1)), turns=5)
    order = Discard(cards=("neutral-native-americans",) * 30)
    move = Move(match.last.index, 5, match.state.active, order, ())
    match.moves.append(move)
    assert max(map(len, summary(match))) == SUMMARY_WIDTH
    assert GameFile.read(pack(match, None, {}, "").write()).match.records == match.records

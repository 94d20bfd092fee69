"""A game scene by scene: which moment each is, and which way its raids went."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from engine.orders import Raid
from engine.players.practice import PracticePlayer
from engine.sides import Side
from pbem.play.look import Look
from pbem.protocol.hand import positions
from pbem.protocol.match import Match
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import Scene, scenes
from tests.board.games import CLOSED, RUNNING, practice_game
from tests.play.matches import answer, begin
from tests.protocol.test_hindsight import closed_match


def visible(match: Match) -> list[Scene]:
    return scenes(Chronicle(Look(match)))


def test_last_scene_is_the_current_position() -> None:
    match, choose = begin(3, lists=2), PracticePlayer(Random(3)).choose
    matches = set()
    for _ in range(16):
        match = answer(match, choose, 3)
        *earlier, last = visible(match)
        assert last.is_last and not any(scene.is_last for scene in earlier)
        assert last.is_under_way == (match.state.turn < last.number)
        assert not any(scene.is_under_way for scene in earlier)
        matches.add(last.is_under_way)
    assert matches == {True, False}
    assert not visible(closed_match(0))[-1].is_under_way


@pytest.mark.parametrize("game", [CLOSED, RUNNING])
def test_way_of_a_raid_begins_at_an_own_location_and_ends_at_the_target(game: str) -> None:
    match = practice_game(game)
    held: list[dict[Side, set[str]]] = []
    before: dict[Side, set[str]] = {}
    for move, state in positions(match):
        if isinstance(move.order, Raid):
            held.append(before)
        before = {
            side: {place for place, piece in state.board.items() if piece.owner is side}
            for side in Side
        }
    raids = [raid for scene in visible(match) for raid in scene.raids]
    ordered = [move for move in match.moves if isinstance(move.order, Raid)]
    assert raids
    paths = match.state.ruleset.catalogue.raid_paths
    for raid, move, holds in zip(raids, ordered, held, strict=True):
        assert isinstance(move.order, Raid)
        assert (raid.side, raid.path[-1]) == (move.side, move.order.target)
        assert len(raid.path) > 1
        assert raid.path[0] in holds[raid.side]
        assert all(there in paths[here] for here, there in pairwise(raid.path))
        assert not holds[raid.side] & {*raid.path[1:]}

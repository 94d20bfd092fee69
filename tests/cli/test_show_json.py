"""`turn show --json` prints the facts of the screen as data, without hidden ones."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from dataclasses import is_dataclass
from enum import Enum
from importlib import import_module
from inspect import getsource
from pathlib import Path
from random import Random
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from engine.message import Message
from engine.orders import from_notation
from engine.position import score
from engine.sides import Side
from engine.state import State
from pbem.play.analysis import Mistake
from pbem.play.game_file import GameFile
from pbem.protocol.match import Match
from pbem.text.facts.position_facts import PositionFacts, RaidFacts, position_facts
from tests.cli.commands import ROOT, acres
from tests.cli.conftest import PRACTICE_FILES
from tests.cli.table import Table
from tests.play.matches import answer, any_order, begin, identities
from tests.requirements import require
from tests.seats import Seat

WITH_FACTS = """facts.game_facts facts.position_facts games history.analysis
ordering.explanation proof.arrivals"""
PAGE = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")


def data_of(
    file: Path | str, *options: int | str, home: Path | str | None = None
) -> dict[str, Any]:
    text = acres("turn", "show", file, "--json", *options, home=home).succeeds_quietly()
    return dict(json.loads(text.out))


def has_shape(value: Any, shape: Any) -> bool:
    """True if plain data has the keys and types of `shape`."""
    if is_dataclass(shape) or hasattr(shape, "_fields"):
        hints = get_type_hints(shape)
        return list(value or ()) == [*hints] and all(map(has_shape, value.values(), hints.values()))
    origin, inner = get_origin(shape), get_args(shape)
    if origin is tuple:
        return isinstance(value, list) and all(has_shape(item, inner[0]) for item in value)
    if origin is dict:
        return all(has_shape(item, inner[1]) for item in value.values())
    if inner:
        return any(has_shape(value, kind) for kind in inner)
    if issubclass(shape, Enum):
        return value in [*shape]
    kinds = {float: (int, float), Message: (str,)}
    return type(value) in kinds.get(shape, (shape,))


def test_data_have_the_documented_shape(practice: Path) -> None:
    for number in range(0, PRACTICE_FILES, 11):
        for home in (None, practice / "british", practice / "french"):
            position = data_of(practice / f"game-{number:03}.toml", home=home)["position"]
            assert position is None if not number else has_shape(position, PositionFacts)


def test_every_key_is_in_json_md() -> None:
    modules = [import_module(f"pbem.text.{name}") for name in WITH_FACTS.split()]
    kinds_by_name = (kind for module in modules for kind in vars(module).items())
    # Only drawings use the facts of raids.
    kinds = [
        kind
        for name, kind in kinds_by_name
        if name.endswith("Facts") and isinstance(kind, type) and kind is not RaidFacts
    ]
    keys = {key for kind in (*kinds, Mistake) for key in get_type_hints(kind)}
    parts = (node for module in modules for node in ast.walk(ast.parse(getsource(module))))
    for function in (node for node in parts if isinstance(node, ast.FunctionDef)):
        if "Facts" in ast.unparse(function.returns or function.args):
            keys |= {*re.findall(r"'(\w+)': ", ast.unparse(function))}
    assert len(keys) > 100
    assert not {key for key in keys if f"`{key}`" not in PAGE}


def play_to_the_middle(seed: int) -> Match:
    """Return a match after some turns of random orders, with piles, reserves and sieges."""
    match, choose = begin(seed, lists=2), any_order(Random(seed))
    while match.state.turn < 14 and not match.is_over:
        match = answer(match, choose, seed)
    return match


def views(match: Match, seed: int) -> dict[Side | None, State]:
    seats = {seat.side: seat for seat in (Seat(match, who) for who in identities(seed))}
    return {None: match.state, **{side: seat.view() for side, seat in seats.items()}}


@pytest.mark.parametrize("seed", range(3))
def test_player_sees_no_more_of_the_other_than_a_stranger(seed: int) -> None:
    """A stranger has no secret, so equal facts cannot leak one."""
    views_by_side = views(play_to_the_middle(seed), seed)
    public = position_facts(views_by_side[None], None)
    hidden = 0
    for side in Side:
        own = position_facts(views_by_side[side], side)
        assert own.sides[side.opponent] == public.sides[side.opponent]
        assert own._replace(sides=public.sides, viewer=None) == public
        # Players see their own hand.
        cards = [card.card for card in own.sides[side].hand.cards]
        assert Counter(cards) == Counter(views_by_side[side].players[side].hand)
        known = [card.card for card in public.sides[side].hand.cards]
        hidden += len(cards) - len(known)
    assert hidden > 0


def test_counted_cards_agree_with_the_true_hands() -> None:
    for seed in range(3):
        match = play_to_the_middle(seed)
        views_by_side = views(match, seed)
        for side in Side:
            unseen = position_facts(views_by_side[side.opponent], side.opponent).sides[side].unseen
            hand = Counter(views_by_side[side].players[side].hand)
            face_down = hand - Counter(match.state.players[side].hand)
            assert Counter(unseen.surely_in_hand) <= face_down
            assert all(unseen.chances[card] > 0 for card in face_down)
            cards = [match.state.ruleset.card(side, card) for card in hand]
            for chance, blocks in (
                (unseen.blocks_raid, any(card.blocks_raid for card in cards)),
                (unseen.blocks_ambush, any(card.blocks_ambush for card in cards)),
            ):
                assert chance > 0 or not blocks
                assert chance < 1 or blocks


@pytest.mark.parametrize("seed", range(3))
def test_json_facts_match_the_position(seed: int) -> None:
    match = play_to_the_middle(seed)
    for viewer, state in views(match, seed).items():
        facts = position_facts(state, viewer)
        assert (facts.turn, facts.active) == (state.turn + 1, state.active)
        for side in Side:
            player, text = state.players[side], facts.sides[side]
            assert text.points.total == score(state, side).total
            assert text.points.captures == state.captured_points(side)
            assert text.money == player.money
            assert sorted(player.discard) == [*text.discard_pile]
            assert sorted(player.reserve) == [*text.reserve]
            stock = {kind.card: kind.copies for kind in text.available}
            assert stock == {card: n for card, n in player.empire.items() if n}
            assert (text.hand.size, text.draw_pile) == (player.hand_size, len(player.draw_pile))
            points = [p.points for p in facts.locations if p.owner is side]
            assert sum(points) == text.points.locations
        owners = {p.location: p.owner for p in facts.locations}
        catalogue = state.ruleset.catalogue.locations
        assert owners == {place: state.owner(place) for place in catalogue}
        assert [s.location for s in facts.sieges] == [
            siege.location for siege in state.sieges.values()
        ]


def test_json_moves_match_the_match(practice: Path) -> None:
    for number in range(4, PRACTICE_FILES, 5):
        file = practice / f"game-{number:03}.toml"
        match, facts = GameFile.read(file.read_bytes()).match, data_of(file)
        orders = [move["order"] for move in facts["last"] if move["record"] == number]
        assert orders == [
            move.order.notation() if move.order else None
            for move in match.moves
            if move.record == number
        ]
        for move in facts["last"]:
            assert move["cards_drawn"] is None
            if move["order"]:
                from_notation(move["order"])
        paid = sum(move["cost"] for move in facts["last"] if move["record"] == number)
        before = GameFile.read((practice / f"game-{number - 1:03}.toml").read_bytes()).match
        side = Side(match.last.side)
        got = sum(
            event["amount"] * (event["what"] == "received")
            for move in facts["last"]
            if move["record"] == number
            for event in move["events"]
            if event["side"] == side.value
        )
        money = match.state.players[side].money - before.state.players[side].money
        assert money == got - paid


def test_notes_are_shown_to_their_writer_only(tmp_path: Path) -> None:
    table = Table(tmp_path / "game", play_to_the_middle(2), 2)
    side = require(table.match.next_side)
    orders = ["--note", "hold Boston\nand wait"]
    assert data_of(table.file, home=table.folder / side.value)["notes"] == ""
    table.turn("resign", "--yes", *orders).succeeds()
    assert data_of(table.file, home=table.folder / side.value)["notes"] == "hold Boston\nand wait"
    assert data_of(table.file, home=table.folder / side.opponent.value)["notes"] == ""
    assert data_of(table.file)["notes"] is None

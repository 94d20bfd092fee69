"""A position as a page shows it, and the same position of the engine.

Both are plain data of one shape: the locations, both sides, sieges and stock.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from typing import Any

from playwright.sync_api import Page

from engine.position import card_strength, score, siege_strength
from engine.sides import Side
from engine.state import State
from tests.board.browser import script

Position = dict[str, Any]
Place = tuple[str | None, str | None, bool, str | None, int]
"""Owner, piece, True if it is fortified, besieger and points."""

READ = script("position")
"""The position that the page shows now."""

STEP = f"""
(turns) => JSON.stringify(turns.map((turn) => {{
  const slider = document.getElementById("slider");
  slider.value = turn;
  slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
  return ({READ})();
}}))
"""


def read(page: Page) -> Position:
    """Return the position that a page shows now."""
    return dict(page.evaluate(READ))


def step_through(page: Page, turns: Collection[int]) -> list[Position]:
    """Return the positions that a page shows after these turns."""
    # Return one text, because Playwright is slow with many values.
    return list(json.loads(page.evaluate(STEP, list(turns))))


def normalize(position: Position) -> Position:
    """Return a position of a page in the shape of `engine_position`, after consistency checks."""
    shape: Position = {
        "board": {},
        "sieges": {},
        "neutral": _stock(position["neutral"]),
        "discs": position["discs"],
    }
    for place in position["board"]:
        owner, _, piece = (place["piece"] or "").partition("-")
        shape["board"][place["id"]] = (
            owner or None,
            piece or None,
            place["fortified"],
            place["besieger"],
            place["points"],
        )
    markers = {
        place["id"]: place["marker"] for place in position["board"] if place["marker"] is not None
    }
    assert markers == {siege["location"]: siege["marker"] for siege in position["sieges"]}
    for siege in position["sieges"]:
        cards = {side: _siege_cards(siege["sides"][side]) for side in Side}
        shape["sieges"][siege["location"]] = (siege["marker"], cards)
    for side in Side:
        side_facts = position[side]
        piles = {key: _pile(side_facts[key]) for key in ("hand", "discard", "reserve", "locations")}
        assert side_facts["hand_count"] == piles["hand"].total() + side_facts["face_down"]
        assert side_facts["discard_count"] == piles["discard"].total()
        assert side_facts["reserve_count"] == piles["reserve"].total()
        numbers = ("money", "points", "villages", "towns", "captured", "draw", "face_down")
        shape[side] = {
            **{key: side_facts[key] for key in numbers},
            **piles,
            "draft": _stock(side_facts["draft"]),
        }
    return shape


def faces(position: Position) -> dict[str, tuple[str, str]]:
    """Return, for every visible card, its face and its name for screen readers."""
    piles = [position["neutral"]]
    for side in Side:
        piles += [
            position[side][key] for key in ("hand", "discard", "reserve", "draft", "locations")
        ]
    piles += [siege["sides"][side] for siege in position["sieges"] for side in Side]
    return {card["card"]: (card["face"], card["name"]) for pile in piles for card in pile}


def engine_position(state: State, open_hands: Collection[Side] = tuple(Side)) -> Position:
    """Return a position of the engine as seen by a viewer of these open hands."""
    catalogue, board = state.ruleset.catalogue, dict[str, Place]()
    points = {side: score(state, side).locations for side in Side}
    for place in catalogue.locations.values():
        settlement = state.board.get(place.id)
        if settlement is None:
            board[place.id] = (None, None, False, None, place.victory_points)
            continue
        owner = settlement.owner
        board[place.id] = (
            owner.value,
            "town" if settlement.town else "village",
            settlement.fortified,
            besieger.value if (besieger := state.besieger(place.id)) else None,
            points[owner][place.id],
        )
    return {
        "board": board,
        "sieges": {
            siege.location: (
                siege_strength(state, besieger),
                {
                    side: Counter(
                        (card, card_strength(state, side, card, siege.location))
                        for card in siege.cards[side]
                    )
                    for side in Side
                },
            )
            for besieger, siege in state.sieges.items()
        },
        "neutral": _draftable(state, Side.BRITISH, state.neutral),
        "discs": state.fortifications_left(),
        **{side: _side(state, side, side in open_hands) for side in Side},
    }


def _side(state: State, side: Side, is_open: bool) -> Position:
    player, points = state.players[side], score(state, side)
    assert not player.hidden
    return {
        "money": player.money,
        "points": points.total,
        "villages": state.villages_left(side),
        "towns": state.towns_left(side),
        "captured": points.captured_points,
        "draw": len(player.draw_pile),
        "face_down": 0 if is_open else len(player.hand),
        "hand": Counter(player.hand) if is_open else Counter(),
        "discard": Counter(player.discard),
        "reserve": Counter(player.reserve),
        "locations": Counter(player.locations),
        "draft": _draftable(state, side, player.empire),
    }


def _draftable(state: State, side: Side, stock: dict[str, int]) -> dict[str, tuple[int, int]]:
    return {card: (n, state.ruleset.card(side, card).cost) for card, n in stock.items() if n}


def _pile(cards: list[Position]) -> Counter[str]:
    pile: Counter[str] = Counter()
    for card in cards:
        pile[card["card"]] += card["copies"]
    return pile


def _siege_cards(cards: list[Position]) -> Counter[tuple[str, int]]:
    """Count the cards of a side at a siege, each with its strength."""
    return Counter({(card["card"], card["strength"]): card["copies"] for card in cards})


def _stock(cards: list[Position]) -> dict[str, tuple[int, int]]:
    return {card["card"]: (card["copies"], card["price"]) for card in cards}

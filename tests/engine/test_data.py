"""The facts of the box are read as their files have them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engine import catalogue
from engine.sides import Side
from tests.engine.editions import in_every_edition

DATA = sorted((Path(catalogue.__file__).parent / "data").glob("*.toml"))


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.name)
def test_parsed_data_equal_their_toml(path: Path) -> None:
    assert catalogue.read_data(path.name) == tomllib.loads(path.read_text("utf-8"))


@pytest.mark.parametrize(
    "line",
    [
        'what = "who plays side = neutral"',
        "cost = 3  # money",
        "cost = 1_000",
        "reaches.ship = 3",
        "[card.reaches]\nship = 3",
        "symbols = [\n  1,\n]",
        "name = 'Boston'",
    ],
)
def test_toml_beyond_rows_of_facts_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"[Ee]xpect|[Ii]llegal|[Ee]xtra"):
        catalogue._read_rows(f'# Cards.\n\n[[card]]\nid = "a"\n{line}\n')


def test_bateaux_on_cards_join_locations_without_water() -> None:
    """Bateaux on cards serve settling and sieges, but neither supply nor raids."""
    box = catalogue.load("second")
    printed = {place: set(box.bateaux_on_cards(place)) for place in box.locations}
    assert {place: ends for place, ends in printed.items() if ends} == {
        "quebec": {"fort-st-john", "tadoussac"},
        "fort-st-john": {"quebec"},
        "tadoussac": {"quebec"},
        "st-marys": {"baltimore", "richmond"},
        "baltimore": {"st-marys"},
        "richmond": {"st-marys"},
    }
    for place, ends in printed.items():
        assert not ends & (box.by_land[place] | box.raid_paths[place])


ON_THE_WAY = {"bateaux": {"river", "lake"}, "wagon": {"road"}, "ship": {"sea"}}


@in_every_edition
def test_transports_on_cards_match_the_connections_of_the_board(edition: str) -> None:
    """Bateaux need rivers or lakes, wagons roads, and ships the sea; Indian trails serve none."""
    box = catalogue.load(edition)
    ways: dict[tuple[str, str], set[str]] = {}
    for kind, *ends in box.connections:
        for one, other in (ends, reversed(ends)):
            ways.setdefault((one, other), set()).add(kind)
    for side in Side:
        for card in box.location_cards(side):
            for place, transports in card.ways.items():
                at_sea = box.locations[card.id].sea and box.locations[place].sea
                there = ways.get((card.id, place), set()) | ({"sea"} if at_sea else set())
                for transport in transports:
                    on_card_only = place in box.bateaux_on_cards(card.id)
                    assert there & ON_THE_WAY[transport] or (transport, on_card_only) == (
                        "bateaux",
                        True,
                    ), (card.id, place)


@in_every_edition
def test_location_card_bears_the_name_of_its_location(edition: str) -> None:
    """No empire card has the name of a location."""
    box = catalogue.load(edition)
    names = {place.id: place.name for place in box.locations.values()}
    for side in Side:
        for card in box.cards[side].values():
            assert (card.name in names.values()) == (card.location is not None)
            assert card.location in (None, card.id)
            assert not card.location or card.name == names[card.location]


@in_every_edition
def test_sides_have_different_location_cards(edition: str) -> None:
    """Cards of both sides for one location may differ in connections and symbols."""
    box = catalogue.load(edition)
    british, french = ({c.id: c for c in box.location_cards(side)} for side in Side)
    assert {"boston", "baltimore", "deerfield", "new-york"} <= british.keys() - french.keys()
    assert {"montreal", "quebec", "michillimackinac"} == french.keys() - british.keys()
    both = british.keys() & french.keys()
    assert {"albany", "halifax"} <= {id for id in both if british[id].ways == french[id].ways}
    assert {"pemaquid"} <= {id for id in both if british[id].ways != french[id].ways}
    assert {id for id in both if british[id].symbols != french[id].symbols}

"""The facts of the box are read as their files have them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engine import catalogue

DATA = sorted((Path(catalogue.__file__).parent / "data").glob("*.toml"))


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.name)
def test_data_are_what_their_toml_says(path: Path) -> None:
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
def test_what_is_more_than_rows_of_facts_is_left_to_a_reader_of_toml(line: str) -> None:
    with pytest.raises(ValueError, match=r"[Ee]xpect|[Ii]llegal|[Ee]xtra"):
        catalogue._read_rows(f'# Cards.\n\n[[card]]\nid = "a"\n{line}\n')


def test_bateaux_on_cards_join_what_no_water_does() -> None:
    """They serve to settle and to besiege; neither supply nor a raid goes by them."""
    box = catalogue.load("second")
    found = {place: set(box.bateaux_on_cards(place)) for place in box.locations}
    assert {place: ends for place, ends in found.items() if ends} == {
        "quebec": {"fort-st-john", "tadoussac"},
        "fort-st-john": {"quebec"},
        "tadoussac": {"quebec"},
        "st-marys": {"baltimore", "richmond"},
        "baltimore": {"st-marys"},
        "richmond": {"st-marys"},
    }
    for place, ends in found.items():
        assert not ends & (box.by_land[place] | box.raid_paths[place])

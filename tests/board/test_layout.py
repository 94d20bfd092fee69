"""The layout of the map: every element has a place, and none overlaps another."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.catalogue import Catalogue
from engine.ruleset import Ruleset, editions
from pbem.board.drawing import CARTOUCHE
from pbem.board.layout import Layout, load_layout
from pbem.board.typography import unicode_range
from pbem.text.board import legend_text
from pbem.text.language import NAMES, Language
from tests.board.boxes import (
    ITALIC,
    REGULAR,
    SEMIBOLD,
    Box,
    label_boxes,
    lettering_boxes,
    letters,
    piece_boxes,
    points_of,
    track_box,
    trench_box,
    width,
)

LEGEND = Box("legend", 466, 22, 1118, 380)
CARTOUCHE_BOX = Box("cartouche", 1134, 50, 1554, 286)
EDGE = 18
GAP = 6
"""The width of a space between names, in units of the map."""
ROW_OF_LEGEND, TITLE = 272, 370
"""The widths of a text in the legend and of a line of the title, in units of the map."""


def catalogue(edition: str = "second") -> Catalogue:
    return Ruleset.of(edition).catalogue


def sheet() -> Layout:
    return load_layout()


def labels(language: str, edition: str = "second") -> dict[str, list[Box]]:
    speaker = Language(language)
    return {
        printed.id: label_boxes(sheet().places[printed.id], printed, speaker.say(printed.label))
        for printed in catalogue(edition).locations.values()
    }


@pytest.mark.parametrize("edition", editions())
def test_every_location_and_connection_is_placed_once(edition: str) -> None:
    played = catalogue(edition)
    assert sheet().places.keys() == played.locations.keys()
    assert sorted(sheet().connections) == sorted(played.connections)


def test_way_joins_its_two_locations() -> None:
    for way in sheet().connections.values():
        drawn = points_of(way.path)
        assert [drawn[0], drawn[-1]] == [sheet().places[end].at for end in way.ends]


def test_way_avoids_other_locations() -> None:
    for way in sheet().connections.values():
        for place in sheet().places.values():
            if place.id not in way.ends:
                walls, *_ = piece_boxes(place)
                assert not walls.is_crossed_by(way), (way.ends, place.id)


@pytest.mark.parametrize("language", NAMES)
def test_names_signs_and_pieces_do_not_overlap(language: str) -> None:
    boxes = [
        (id, box)
        for id, own in labels(language).items()
        for box in (*own, *piece_boxes(sheet().places[id]))
    ]
    boxes += [("", LEGEND), ("", CARTOUCHE_BOX)]
    for (id, box), (other_id, other) in combinations(boxes, 2):
        # A bastion is part of its own piece.
        if id != other_id or "bastion" not in other.label:
            assert not box.overlaps(other), (box, other)


@pytest.mark.parametrize("edition", editions())
@pytest.mark.parametrize("language", NAMES)
def test_names_side_by_side_do_not_touch(language: str, edition: str) -> None:
    names = [own[0] for own in labels(language, edition).values()]
    for name, other in combinations(names, 2):
        wider = name._replace(left=name.left - GAP, right=name.right + GAP)
        assert not wider.overlaps(other), (name, other)


@pytest.mark.parametrize("language", NAMES)
def test_siege_track_hides_no_name_or_piece(language: str) -> None:
    boxes = [box for own in labels(language).values() for box in own]
    boxes += [next(piece_boxes(place)) for place in sheet().places.values()]
    for place in sheet().places.values():
        overlaps = [
            box for box in (*boxes, LEGEND, CARTOUCHE_BOX) if track_box(place).overlaps(box)
        ]
        assert not overlaps, (place.id, overlaps)


@pytest.mark.parametrize("language", NAMES)
def test_trenches_hide_no_name_beside_a_piece(language: str) -> None:
    for place in sheet().places.values():
        for id, own in labels(language).items():
            if sheet().places[id].label_side in "ew":
                assert not trench_box(place).overlaps(own[0]), (place.id, own[0])


@pytest.mark.parametrize("language", NAMES)
def test_map_lettering_overlaps_nothing(language: str) -> None:
    say = Language(language).say
    boxes = [box for own in labels(language).values() for box in own]
    boxes += [box for place in sheet().places.values() for box in piece_boxes(place)]
    boxes += [LEGEND, CARTOUCHE_BOX]
    right, bottom = sheet().size
    for written in sheet().map_labels:
        for box in lettering_boxes(written, say(written.label)):
            assert not [other for other in boxes if box.overlaps(other)], box
            assert box.left > EDGE and box.right < right - EDGE and box.bottom < bottom - EDGE, box


@pytest.mark.parametrize("language", NAMES)
def test_no_way_crosses_a_name(language: str) -> None:
    for id, boxes in labels(language).items():
        for way in sheet().connections.values():
            assert not any(box.is_crossed_by(way) for box in boxes), (id, way.ends)


@pytest.mark.parametrize("language", NAMES)
def test_everything_is_within_the_sheet(language: str) -> None:
    right, bottom = (length - EDGE for length in sheet().size)
    own = [box for boxes in labels(language).values() for box in boxes]
    for box in (*own, *map(track_box, sheet().places.values()), LEGEND, CARTOUCHE_BOX):
        assert box.left >= EDGE and box.right <= right, box
        assert box.top >= EDGE and box.bottom <= bottom, box


@pytest.mark.parametrize("language", NAMES)
def test_legend_and_title_fit(language: str) -> None:
    say = Language(language).say
    for key, meaning in legend_text().items():
        assert width(say(meaning), 19, REGULAR) <= ROW_OF_LEGEND, (key, say(meaning))
    for key, line in CARTOUCHE.items():
        size = 34 if key in ("first", "second") else 23
        text = say(line)
        spaced = 2 * len(text) if size == 34 else 0
        assert width(text, size, SEMIBOLD if size == 34 else ITALIC) + spaced <= TITLE, text


@pytest.mark.parametrize("language", NAMES)
def test_fonts_have_every_letter_of_the_sheet(language: str) -> None:
    say = Language(language).say
    names = [say(printed.label) for printed in catalogue().locations.values()]
    written = [*(say(ends.label) for ends in sheet().map_labels), *map(say, CARTOUCHE.values())]
    assert set("".join(names)) <= letters(SEMIBOLD)
    assert set("".join(written)) <= letters(ITALIC)
    assert set("".join(map(say, legend_text().values()))) <= letters(REGULAR)
    script = "cyrillic" if language == "ru" else "latin"
    assert set("".join(written)) <= in_range(unicode_range("italic", script))


def in_range(css: str) -> set[str]:
    """Return the letters of a range of CSS."""
    ends = [[int(end, 16) for end in part[2:].split("-")] for part in css.split(",")]
    return {chr(code) for item in ends for code in range(item[0], item[-1] + 1)}

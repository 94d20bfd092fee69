"""The map: its sheets agree with the board, and its drawings with the position."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, cycle
from random import Random

import pytest
from rich.cells import cell_len

from engine.catalogue import read_data
from engine.house_rules import house_rules
from engine.position import supplied_locations
from engine.ruleset import Ruleset, editions
from engine.sides import Side
from engine.state import Settlement, Siege, State
from pbem.cli import console
from pbem.cli.console import use_language
from pbem.cli.position.map import draw_map, sheet_data
from pbem.text.language import NAMES
from pbem.text.ordering.reading import read
from tests.cli.map_paper import Field, Paper
from tests.engine.positions import BRITISH, FRENCH, position

SHEETS = {int(width): text for width, text in sheet_data()["sheets"].items()}
CATALOGUE = Ruleset.of().catalogue
IDS = {place.name: place.id for place in CATALOGUE.locations.values()}
IDS |= {label: IDS[f"Fort {label}"] for label in sheet_data()["forts"]}
FAR = 150
"""The distance from which locations on the board (1500 by 1000) keep their order on a sheet."""


@pytest.fixture(params=SHEETS)
def width(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def paper(width: int) -> Paper:
    return Paper.of(SHEETS[width])


def settle_at_random(seed: int) -> State:
    """Return a position with random pieces, sieges and supply."""
    dice, state = Random(seed), position()
    state.board.clear()
    for place in CATALOGUE.locations:
        if dice.random() < 0.7:
            piece = Settlement(dice.choice(list(Side)), dice.random() < 0.5, dice.random() < 0.5)
            state.place(place, piece)
    for besieger in Side:
        enemy = [p for p in state.board if state.owner(p) is besieger.opponent]
        if dice.random() < 0.8:
            state.sieges[besieger] = Siege(dice.choice(enemy))
    return state


def longest_position(place: str, owner: Side, ruleset: Ruleset | None = None) -> State:
    """Return a position in which the text of a location is as long as possible."""
    state = position(ruleset=ruleset)
    state.place(place, Settlement(owner, town=True, fortified=True))
    state.sieges[owner.opponent] = Siege(place)
    # No location is in supply.
    state.supplied_locations = {side: frozenset() for side in Side}
    return state


def draw_rows(state: State, width: int) -> list[str]:
    return [row.plain.ljust(width) for row in draw_map(state, width)]


def text_in(rows: list[str], field: Field) -> str:
    return rows[field.row][field.start : field.end]


# --- the sheets against the board


def test_every_location_is_on_the_sheet_once(paper: Paper) -> None:
    assert Counter(IDS[field.label] for field in paper.fields) == Counter(list(CATALOGUE.locations))


def test_every_connection_is_drawn_from_location_to_location(paper: Paper) -> None:
    ways = [(way.kind, frozenset(IDS[label] for label in way.labels)) for way in paper.ways()]
    on_the_board = [(kind, frozenset(ends)) for kind, *ends in CATALOGUE.connections]
    assert Counter(ways) == Counter(way for way in on_the_board if way[0] != "lake")


def test_every_lake_touches_its_shore(paper: Paper) -> None:
    lakes = {name: {IDS[label] for label in labels} for name, labels in paper.lakes().items()}
    assert lakes == {lake["name"]: set(lake["shore"]) for lake in read_data("board.toml")["lake"]}


def test_locations_are_placed_as_on_the_board(paper: Paper) -> None:
    for one, other in combinations(paper.fields, 2):
        here, there = (CATALOGUE.locations[IDS[f.label]].position for f in (one, other))
        pairs = (
            (here[0], there[0], one.piece, other.piece),
            (here[1], there[1], one.row, other.row),
        )
        for on_board, other_on_board, on_sheet, other_on_sheet in pairs:
            if abs(on_board - other_on_board) > FAR:
                apart = (on_board - other_on_board) * (on_sheet - other_on_sheet)
                assert apart >= 0, f"{one.label} and {other.label} are the wrong way round"


def test_label_is_understood_in_orders(paper: Paper) -> None:
    state = position()
    for field in paper.fields:
        order = read(console.language(), f"settle {field.label}: Boston, New Haven", state)
        assert order.location == IDS[field.label]


def test_connections_end_at_the_words_of_a_field(paper: Paper, width: int) -> None:
    # No connection ends at the empty part of a field, even of the shortest text.
    state = position()
    state.board.clear()
    rows = draw_rows(state, width)
    for way in paper.ways():
        for (from_row, _), (row, column) in way.ends:
            if from_row != row:
                assert rows[row][column - 1 : column + 2].strip(), f"{way} ends beside its field"


# --- its size and its signs


@pytest.mark.parametrize(
    ("columns", "widest"),
    [(160, 100), (140, 100), (100, 100), (99, 80), (80, 80), (79, 0), (20, 0)],
)
def test_largest_fitting_sheet_is_used(columns: int, widest: int) -> None:
    rows = draw_map(settle_at_random(1), columns)
    assert len(rows) <= 28
    assert max((len(row) for row in rows), default=0) <= widest
    if widest:
        assert rows[0].plain.rstrip()
        assert any(len(row) > widest - 10 for row in rows)
    else:
        assert rows == []


def test_every_sign_takes_one_column_and_can_be_shown(width: int) -> None:
    for seed in range(5):
        for row in draw_rows(settle_at_random(seed), width):
            assert cell_len(row) == len(row)
            signs = {sign for sign in row if not (sign.isascii() or sign.isalpha())}
            assert signs <= set(console._DRAWING_CHARACTERS)


@pytest.mark.parametrize("owner", Side)
def test_texts_fit_their_fields(paper: Paper, width: int, owner: Side) -> None:
    for field in paper.fields:
        rows = draw_rows(longest_position(IDS[field.label], owner), width)
        text = text_in(rows, field)
        assert f"»{field.label}«" in text
        assert "[" in text and "!" in text
        assert is_untouched(rows, paper, width)


@pytest.mark.parametrize("edition", editions())
def test_texts_fit_their_fields_with_every_house_rule(width: int, edition: str) -> None:
    paper = Paper.of(SHEETS[width])
    changing = [
        r.id for r in house_rules().values() if any(c.kind == "location" for c in r.changes)
    ]
    assert changing
    for rule in changing:
        ruleset = Ruleset.of(edition, [rule])
        for place in (c.id for c in house_rules()[rule].changes if c.kind == "location"):
            assert is_untouched(
                draw_rows(longest_position(place, BRITISH, ruleset), width), paper, width
            )


def is_untouched(rows: list[str], paper: Paper, width: int) -> bool:
    """True if the rows equal the sheet outside of fields and legend."""
    for number, row in enumerate(paper.rows):
        fixed = [True] * width
        for match in re.finditer(r"\[[^)]+\)|\([^\]]+\]|\{ +\}", row):
            fixed[slice(*match.span())] = [False] * len(match[0])
        here, there = rows[number], row.ljust(width)
        if len(here) != width or any(
            k and h != t for k, h, t in zip(fixed, here, there, strict=True)
        ):
            return False
    return True


# --- in other languages


def test_every_sign_is_in_the_legend(width: int) -> None:
    # Longer words have no room.
    for code in NAMES:
        with use_language(code):
            rows = "\n".join(draw_rows(position(), width))
            for sign in ("⌂", "■", "[■]", "4", "~", "!", "─", "═", "•••"):
                assert re.search(rf"(?m)(^|  ){re.escape(sign)} [^\W\d]{{2}}", rows), (code, sign)


# --- the drawing against the position


def parse_field(text: str, label: str) -> tuple[object, ...]:
    """Return the facts in a field without colours."""
    before, after = text.split(label)
    mark = before if re.search("[⌂■○]", before) else after
    piece = re.search(r"(\[?)([BF])([⌂■])(\]?)|○", mark)
    assert piece, text
    walls = (piece[1] or "") + (piece[4] or "")
    assert walls in ("", "[]")
    text_after = after.replace(piece[0], "")
    besieged = (before.endswith("»"), after.startswith("«"))
    assert len(set(besieged)) == 1
    points = re.search(r"\d+", text_after)
    return (
        {"B": BRITISH, "F": FRENCH, None: None}[piece[2]],
        piece[3] == "■",
        walls == "[]",
        besieged[0],
        int(points[0]) if points else 0,
        "~" in text_after,
        "!" in text_after,
    )


@pytest.mark.parametrize("seed", range(4))
def test_map_without_colour_shows_the_whole_position(paper: Paper, width: int, seed: int) -> None:
    state = settle_at_random(seed)
    rows = draw_rows(state, width)
    for field in paper.fields:
        place = CATALOGUE.locations[IDS[field.label]]
        stands = state.board.get(place.id)
        assert parse_field(text_in(rows, field), field.label) == (
            stands.owner if stands else None,
            bool(stands and stands.town),
            bool(stands and stands.fortified),
            place.id in {siege.location for siege in state.sieges.values()},
            place.victory_points * (2 if stands and stands.town else 1),
            place.sea,
            bool(stands and place.id not in supplied_locations(state, stands.owner)),
        )
    assert is_untouched(rows, paper, width)


def test_change_in_the_catalogue_changes_the_map(paper: Paper, width: int) -> None:
    boston, canso = CATALOGUE.locations["boston"], CATALOGUE.locations["canso"]
    changed = {"boston": boston._replace(victory_points=3), "canso": canso._replace(sea=False)}
    catalogue = CATALOGUE._replace(locations={**CATALOGUE.locations, **changed})
    state = position(ruleset=Ruleset.of()._replace(catalogue=catalogue))
    fields = {field.label: field for field in paper.fields}
    rows = draw_rows(state, width)
    assert text_in(rows, fields["Boston"]).strip() == "B■ Boston 6~"
    assert text_in(rows, fields["Canso"]).strip() == "○ Canso 2"


def test_legend_names_each_siege(paper: Paper, width: int) -> None:
    for besieger, field in zip(cycle(Side), paper.fields, strict=False):
        place = IDS[field.label]
        state = position()
        state.place(place, Settlement(besieger.opponent))
        state.sieges[besieger] = Siege(place)
        state.place("boston", Settlement(BRITISH, town=True))
        rows = draw_rows(state, width)
        assert any(f"The {besieger.label!s} besiege »{field.label}«." in row for row in rows)

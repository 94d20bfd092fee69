"""The map: the sheets against the board, and what is drawn against the position."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from rich.cells import cell_len

from engine.catalogue import read_data
from engine.house_rules import house_rules
from engine.message import ENGLISH
from engine.position import supplied
from engine.ruleset import Ruleset, editions
from engine.sides import Side
from engine.state import Settlement, Siege, State
from pbem.cli import console
from pbem.cli.console import speaking
from pbem.cli.position.map import draw_map, sheet_data
from pbem.text.board import tell_map
from pbem.text.language import NAMES
from pbem.text.ordering.reading import read
from tests.cli.map_paper import Field, Paper
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.sample import sample
from tests.text.throwaway import CODE, longer, throwaway

SHEETS = {int(width): text for width, text in sheet_data()["sheets"].items()}
CATALOGUE = Ruleset.of().catalogue
IDS = {place.name: place.id for place in CATALOGUE.locations.values()}
IDS |= {label: IDS[f"Fort {label}"] for label in sheet_data()["forts"]}
FAR = 150
"""Locations so far apart on the board's 1500 by 1000 are in the same order on every sheet."""


@pytest.fixture(params=SHEETS)
def width(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def paper(width: int) -> Paper:
    return Paper.of(SHEETS[width])


def settled(seed: int) -> State:
    """A position in which anything may stand anywhere."""
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


def at_its_longest(place: str, owner: Side, ruleset: Ruleset | None = None) -> State:
    """A position in which all is true of a location that makes its field long."""
    state = position(ruleset=ruleset)
    state.place(place, Settlement(owner, town=True, fortified=True))
    state.sieges[owner.opponent] = Siege(place)
    # Nothing is in supply.
    state.supplied = {side: frozenset() for side in Side}
    return state


def drawn(state: State, width: int) -> list[str]:
    return [row.plain.ljust(width) for row in draw_map(state, width)]


def in_field(rows: list[str], field: Field) -> str:
    return rows[field.row][field.start : field.end]


# --- the sheets against the board


def test_every_location_is_on_the_sheet_once(paper: Paper) -> None:
    assert Counter(IDS[field.label] for field in paper.fields) == Counter(list(CATALOGUE.locations))


def test_the_large_sheet_has_the_names_in_full() -> None:
    fields = Paper.of(SHEETS[100]).fields
    assert {f.label for f in fields} == {p.name for p in CATALOGUE.locations.values()}


def test_every_connection_is_drawn_from_location_to_location(paper: Paper) -> None:
    ways = [(way.kind, frozenset(IDS[label] for label in way.labels)) for way in paper.ways()]
    on_the_board = [(kind, frozenset(ends)) for kind, *ends in CATALOGUE.connections]
    assert Counter(ways) == Counter(way for way in on_the_board if way[0] != "lake")


def test_every_lake_touches_its_shore(paper: Paper) -> None:
    lakes = {name: {IDS[label] for label in labels} for name, labels in paper.lakes().items()}
    assert lakes == {lake["name"]: set(lake["shore"]) for lake in read_data("board.toml")["lake"]}


def test_locations_lie_where_they_lie_on_the_board(paper: Paper) -> None:
    """What is clearly north or west of something on the board is so on the sheet."""
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


def test_a_label_is_understood_in_orders(paper: Paper) -> None:
    state = position()
    for field in paper.fields:
        order = read(console.language(), f"settle {field.label}: Boston, New Haven", state)
        assert order.location == IDS[field.label]


def test_connections_end_at_the_words_of_a_field(paper: Paper, width: int) -> None:
    """Not in what is left empty of it, even where a location has the least to show."""
    state = position()
    state.board.clear()
    rows = drawn(state, width)
    for way in paper.ways():
        for (from_row, _), (row, column) in way.ends:
            if from_row != row:
                assert rows[row][column - 1 : column + 2].strip(), f"{way} ends beside its field"


def test_a_river_runs_on_to_the_words_of_a_field(width: int) -> None:
    """Where it ends at the side of one."""
    (row,) = (row for row in drawn(position(), width) if "Montreal" in row)
    assert re.search(r"Frontenac 2 ─+ ?F⌂ Montreal", row)


# --- its size and its signs


@pytest.mark.parametrize(
    ("columns", "widest"),
    [(160, 100), (140, 100), (100, 100), (99, 80), (80, 80), (79, 0), (20, 0)],
)
def test_the_largest_sheet_that_fits_is_taken(columns: int, widest: int) -> None:
    rows = draw_map(settled(1), columns)
    assert len(rows) <= 28
    assert max((len(row) for row in rows), default=0) <= widest
    if widest:
        assert rows[0].plain.rstrip()
        assert any(len(row) > widest - 10 for row in rows)
    else:
        assert rows == []


def test_every_sign_takes_one_column_and_can_be_shown(width: int) -> None:
    for seed in range(5):
        for row in drawn(settled(seed), width):
            assert cell_len(row) == len(row)
            signs = {sign for sign in row if not (sign.isascii() or sign.isalpha())}
            assert signs <= set(console._DRAWN)


@pytest.mark.parametrize("owner", Side)
def test_nothing_is_longer_than_its_field(paper: Paper, width: int, owner: Side) -> None:
    for field in paper.fields:
        rows = drawn(at_its_longest(IDS[field.label], owner), width)
        text = in_field(rows, field)
        assert f"»{field.label}«" in text
        assert "[" in text
        assert "!" in text
        assert untouched(rows, paper, width)


@pytest.mark.parametrize("edition", editions())
def test_nothing_is_longer_than_its_field_with_any_house_rule(width: int, edition: str) -> None:
    paper = Paper.of(SHEETS[width])
    changing = [
        r.id for r in house_rules().values() if any(c.kind == "location" for c in r.changes)
    ]
    assert changing
    for rule in changing:
        ruleset = Ruleset.of(edition, [rule])
        for place in (c.id for c in house_rules()[rule].changes if c.kind == "location"):
            assert untouched(drawn(at_its_longest(place, BRITISH, ruleset), width), paper, width)


def untouched(rows: list[str], paper: Paper, width: int) -> bool:
    """Whether all that is not a field or the legend is where the sheet has it."""
    for number, row in enumerate(paper.rows):
        kept = [True] * width
        for found in re.finditer(r"\[[^)]+\)|\([^\]]+\]|\{ +\}", row):
            kept[slice(*found.span())] = [False] * len(found[0])
        here, there = rows[number], row.ljust(width)
        if len(here) != width or any(
            k and h != t for k, h, t in zip(kept, here, there, strict=True)
        ):
            return False
    return True


# --- in other languages


@pytest.fixture(params=[CODE, *NAMES])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each language, and one in which everything is two fifths longer."""
    with throwaway(longer), speaking(request.param):
        yield request.param


def lines_in(text: str) -> dict[int, str]:
    """What connects locations in a row of a sheet, beside its fields and its legend, by column."""
    outside = re.sub(r"\[[^)]+\)|\([^\]]+\]|\{ +\}", lambda found: " " * len(found[0]), text)
    return {column: sign for column, sign in enumerate(outside) if sign in "─│╭╮╰╯╱╲═║•"}


def test_long_names_leave_the_connections(paper: Paper, width: int, language: str) -> None:
    for state in (position(), settled(1), settled(2)):
        rows = drawn(state, width)
        for sheet, row in zip(paper.rows, rows, strict=True):
            assert cell_len(row) == width
            signs = lines_in(sheet)
            assert {column: row[column] for column in signs} == signs


@pytest.mark.parametrize("owner", sample(Side, first=1))
def test_a_long_name_is_cut(paper: Paper, width: int, language: str, owner: Side) -> None:
    for field in paper.fields:
        place = CATALOGUE.locations[IDS[field.label]]
        text = in_field(drawn(at_its_longest(place.id, owner), width), field)
        points = str(2 * place.victory_points or "")
        assert re.search(rf"»[^»«]{{5,}}«{points}{'~' * place.sea}!", text), text
        assert re.search(r"\[\w■\]", text), text


def test_the_sides_have_letters_of_their_own(language: str) -> None:
    assert len({console.translate(side.label)[0] for side in Side}) == 2


def test_every_sign_is_in_the_legend(width: int) -> None:
    """In every language that there is; one with longer words has no room for all."""
    for code in NAMES:
        with speaking(code):
            rows = "\n".join(drawn(position(), width))
            for sign in ("⌂", "■", "[■]", "4", "~", "!", "─", "═", "•••"):
                assert re.search(rf"(?m)(^|  ){re.escape(sign)} [^\W\d]{{2}}", rows), (code, sign)


# --- what is drawn against the position


def as_read(text: str, label: str) -> tuple[object, ...]:
    """What a reader without colours sees in a field."""
    before, after = text.split(label)
    mark = before if re.search("[⌂■○]", before) else after
    piece = re.search(r"(\[?)([BF])([⌂■])(\]?)|○", mark)
    assert piece, text
    walls = (piece[1] or "") + (piece[4] or "")
    assert walls in ("", "[]")
    said = after.replace(piece[0], "")
    besieged = (before.endswith("»"), after.startswith("«"))
    assert len(set(besieged)) == 1
    points = re.search(r"\d+", said)
    return (
        {"B": BRITISH, "F": FRENCH, None: None}[piece[2]],
        piece[3] == "■",
        walls == "[]",
        besieged[0],
        int(points[0]) if points else 0,
        "~" in said,
        "!" in said,
    )


@pytest.mark.parametrize("seed", range(12))
def test_all_is_read_from_the_map_without_colour(paper: Paper, width: int, seed: int) -> None:
    state = settled(seed)
    rows = drawn(state, width)
    for field in paper.fields:
        place = CATALOGUE.locations[IDS[field.label]]
        stands = state.board.get(place.id)
        assert as_read(in_field(rows, field), field.label) == (
            stands.owner if stands else None,
            bool(stands and stands.town),
            bool(stands and stands.fortified),
            place.id in {siege.location for siege in state.sieges.values()},
            place.victory_points * (2 if stands and stands.town else 1),
            place.sea,
            bool(stands and place.id not in supplied(state, stands.owner)),
        )
    assert untouched(rows, paper, width)


def test_the_map_shows_the_facts_that_are_played(paper: Paper, width: int) -> None:
    """Whatever changes a location in the catalogue changes it on the map."""
    boston, canso = CATALOGUE.locations["boston"], CATALOGUE.locations["canso"]
    changed = {"boston": boston._replace(victory_points=3), "canso": canso._replace(sea=False)}
    catalogue = CATALOGUE._replace(locations={**CATALOGUE.locations, **changed})
    state = position(ruleset=Ruleset.of()._replace(catalogue=catalogue))
    fields = {field.label: field for field in paper.fields}
    rows = drawn(state, width)
    assert in_field(rows, fields["Boston"]).strip() == "B■ Boston 6~"
    assert in_field(rows, fields["Canso"]).strip() == "○ Canso 2"
    told = [*map(str, tell_map(ENGLISH, state))]
    assert any(line.startswith("Boston: British town, 6 points, on the sea.") for line in told)
    assert any(line.startswith("Canso: neutral, 2 points. By") for line in told)


@pytest.mark.parametrize("besieger", Side)
def test_the_legend_names_who_besieges_what(paper: Paper, width: int, besieger: Side) -> None:
    for field in paper.fields:
        place = IDS[field.label]
        state = position()
        state.place(place, Settlement(besieger.opponent))
        state.sieges[besieger] = Siege(place)
        state.place("boston", Settlement(BRITISH, town=True))
        rows = drawn(state, width)
        assert any(f"The {besieger.label!s} besiege »{field.label}«." in row for row in rows)


def test_the_longest_sieges_fit_into_the_legend_together(width: int) -> None:
    state = settled(3)
    for besieger in Side:
        state.place("fort-william-henry", Settlement(besieger.opponent))
        state.sieges[besieger] = Siege("fort-william-henry")
    rows = drawn(state, width)
    assert sum("besiege »" in row for row in rows) == 2
    assert untouched(rows, Paper.of(SHEETS[width]), width)


def test_a_siege_strikes_the_eye(width: int) -> None:
    """Its name is in reverse, in the colour of who besieges it."""
    state = position(besieging={BRITISH: "louisbourg"})
    for row in draw_map(state, width):
        if "~F⌂" in row.plain.replace(" ", "") and "Louisbourg" in row.plain:
            styles = {row.plain[s.start : s.end]: str(s.style) for s in row.spans}
            assert "reverse" in styles["»Louisbourg«"]
            assert "red" in styles["»Louisbourg«"]
            return
    pytest.fail("Louisbourg is not on the map")


# --- in words


def test_every_location_is_told_with_all_that_is_true_of_it() -> None:
    state = position(
        Seat(villages="albany", fortified="boston"),
        Seat(villages="detroit", towns="montreal", captured=(1, 0)),
        besieging={FRENCH: "boston"},
    )
    told = [*map(str, tell_map(ENGLISH, state))]
    for line in (
        "Boston: British town, fortified, besieged by the French, 4 points, on the sea. "
        "By Indian trail to Deerfield.",
        "Albany: British village, 4 points. "
        "By river to Fort Stanwix, Fort William Henry, New York.",
        "Detroit: French village, without supply, 4 points. "
        "By river to Michillimackinac. By lake to Fort Niagara, Fort Presqu'île.",
        "St. Mary's: British village, 1 point, on the sea. By river to Cumberland.",
        "Cumberland: neutral, 1 point. By river to St. Mary's. By road to Fort Duquesne. "
        "By Indian trail to Baltimore, Philadelphia, Richmond.",
        "Louisbourg: French village, 4 points, on the sea.",
    ):
        assert line in told
    owners = [line.split(": ")[1].split()[0].strip(",") for line in told if ": " in line]
    assert owners == sorted(owners, key=["British", "French", "neutral"].index)
    assert len(owners) == len(CATALOGUE.locations)


def test_both_ends_of_every_connection_are_told() -> None:
    kinds = {"river": "river", "road": "road", "lake": "lake", "Indian trail": "indian-trail"}
    told = Counter[tuple[str, str, str]]()
    for line in map(str, tell_map(ENGLISH, position())):
        name, _, rest = line.partition(": ")
        for kind, others in re.findall(r"By ([\w ]+?) to (.*?)(?=\. By|\.$)", rest):
            told.update((kinds[kind], IDS[name], IDS[other]) for other in others.split(", "))
    ways = [(kind, a, b) for kind, a, b in CATALOGUE.connections]
    assert told == Counter(ways + [(kind, b, a) for kind, a, b in ways])


def test_what_is_told_needs_no_sign_beyond_ascii() -> None:
    told = " ".join(map(str, tell_map(ENGLISH, settled(2))))
    for name in IDS:
        told = told.replace(name, "")
    assert told.isascii()

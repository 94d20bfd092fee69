"""The drawing of the board, which shows every piece and every change of a turn."""

from __future__ import annotations

import re
from functools import cache
from math import dist

import pytest

from engine.ruleset import Ruleset, editions
from engine.sides import Side
from pbem.board.drawing import Drawing
from pbem.board.layout import load_layout
from pbem.board.templates import Templates, read_asset
from pbem.text.facts.position_facts import LocationFacts, RaidFacts, Scene
from pbem.text.language import NAMES, Language
from tests.board.boxes import points_of
from tests.board.games import CLOSED, RUNNING, public_scenes
from tests.board.markup import Element, read
from tests.sample import sample

GAMES = [CLOSED, RUNNING, *editions()]


def drawing(scene: Scene, language: str = "en") -> Drawing:
    return Drawing(Templates(Language(language)), scene.state.ruleset.catalogue)


@cache
def draw_scenes(game: str) -> list[tuple[Scene, dict[str, Element]]]:
    """Return each scene of a game with the parts of its drawing."""
    played = public_scenes(game)
    maker = drawing(played[0])
    return [(scene, _read(maker, scene)) for scene in played]


def _read(maker: Drawing, scene: Scene) -> dict[str, Element]:
    return {id: read(text) for id, text in maker.render_parts(scene).items()}


def shapes(part: Element) -> list[str]:
    """Return the ids of the shapes that a part uses."""
    return [node.attributes["href"] for node in part.find_all(href=None)]


def test_frame_has_every_location_and_connection_once() -> None:
    catalogue = Ruleset.of("first").catalogue
    frame = read(Drawing(Templates(Language("en")), catalogue).render_frame())
    names = [node.text for node in frame.find_all(**{"class": "place-name"})]
    assert sorted(names) == sorted(place.name for place in catalogue.locations.values())
    ways = [tuple(node.attributes["data-way"].split()) for node in frame.find_all(data_way=None)]
    assert sorted(ways) == sorted(catalogue.connections)


def test_locations_have_their_printed_signs() -> None:
    ruleset = Ruleset.of("second")
    frame = read(Drawing(Templates(Language("en")), ruleset.catalogue).render_frame())
    for place in ruleset.catalogue.locations.values():
        group = next(
            node for node in frame.find_all(**{"class": "place"}) if is_within(node, place.id)
        )
        signs = {
            "#sign-settler": place.settler,
            "#sign-harbour": place.sea,
            "#sign-ships": place.ships_in_siege,
            "#sign-defence": place.defence > 0,
        }
        assert sorted(shapes(group)) == sorted(sign for sign, is_so in signs.items() if is_so)


def is_within(group: Element, location: str) -> bool:
    return bool(group.find_all(id=f"at-{location}"))


@pytest.mark.slow
@pytest.mark.parametrize("game", sample(GAMES, every=2))
def test_drawn_pieces_match_the_facts(game: str) -> None:
    for scene, parts in draw_scenes(game):
        for place in scene.facts.locations:
            part = parts[f"at-{place.location}"]
            assert facts_of(part) == facts_drawn(place)
            pieces = list(part.find_all(**{"class": "piece"}))
            looks = [node.attributes["href"] for node in pieces]
            assert looks == ([f"#{place.owner}-{place.piece}"] if place.owner else [])
            assert len(part.find_all(**{"class": "fort"})) == place.fortified


def facts_of(part: Element) -> dict[str, str]:
    only = part.find_one(data_location=None)
    return {key: text for key, text in only.attributes.items() if key.startswith("data-")}


def facts_drawn(place: LocationFacts) -> dict[str, str]:
    return {
        "data-location": place.location,
        "data-owner": place.owner or "",
        "data-piece": place.piece or "",
        "data-fortified": str(place.fortified).lower(),
        "data-besieger": place.besieger or "",
        "data-supplied": str(place.supplied).lower(),
        "data-points": str(place.points),
    }


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_raid_is_an_arrow_along_its_way(game: str) -> None:
    for scene, parts in draw_scenes(game):
        arrows = parts["raids"].find_all(data_raid=None)
        raids = [
            (node.attributes["data-raid"].split(), node.attributes["data-blocked"] == "true")
            for node in arrows
        ]
        assert raids == [([*raid.path], raid.blocked) for raid in scene.raids]


def test_blocked_raid_ends_with_a_cross() -> None:
    scene = public_scenes(CLOSED)[0]
    way = ("montreal", "fort-st-john", "ticonderoga")
    for side in Side:
        for blocked, sign in ((True, "cross"), (False, "head")):
            raided = scene._replace(raids=(RaidFacts(side, way, blocked),))
            part = read(drawing(scene).render_parts(raided)["raids"])
            classes = [node.attributes.get("class") for node in part if node.tag == "path"]
            assert [name for name in classes if name in ("cross", "head")] == [sign]


@pytest.mark.slow
def test_raid_arrow_ends_between_its_locations() -> None:
    scene = public_scenes(CLOSED)[0]
    for way in load_layout().connections.values():
        for ends in (way.ends, way.ends[::-1]):
            for blocked in (True, False):
                raids = (RaidFacts(Side.FRENCH, ends, blocked),) * 2
                part = read(drawing(scene).render_parts(scene._replace(raids=raids))["raids"])
                shafts = [node.attributes["d"] for node in part.find_all(**{"class": "shaft"})]
                # Each shaft must be visible.
                assert len(set(shafts)) == 2
                start, end = (load_layout().places[place].at for place in ends)
                first, *_, last = points_of(shafts[0])
                assert 0 < dist(first, start) < dist(last, start)
                assert dist(last, end) < dist(first, end)
                assert dist(last, end) > (22 if blocked else 14)


@pytest.mark.parametrize("language", NAMES)
def test_every_location_has_a_title(language: str) -> None:
    scene = public_scenes(CLOSED)[60]
    say = Language(language).say
    for id, text in drawing(scene, language).render_parts(scene).items():
        if id != "raids":
            label = scene.state.ruleset.catalogue.locations[id.removeprefix("at-")].label
            part = read(text).find_one(role="img")
            (title,) = [node for node in part if node.tag == "title"]
            assert title.text.startswith(say(label)), title.text


def test_reused_shapes_are_styled_by_class_only() -> None:
    """CSS rules with selectors do not apply within reused shapes."""
    signs = read(str(Templates(Language("en")).render("signs.svg")))
    classes = {node.attributes["class"] for node in signs.find_all(**{"class": None})}
    selectors = re.findall(r"([^{}/*]+)\{", read_asset("board.css"))
    plain_styles = {style.strip() for selector in selectors for style in selector.split(",")}
    for name in classes:
        assert [style for style in plain_styles if name in style and style != f".{name}"] == [
            style for style in plain_styles if style.startswith(f".{name}-")
        ]
        assert f".{name}" in plain_styles

"""Pictures of a position: valid, of the requested size, in the player's language."""

from __future__ import annotations

import struct
from copy import copy
from xml.etree import ElementTree

import pytest
import resvg_py

from engine.ruleset import editions
from pbem.board.picture import render_png, render_svg
from pbem.board.typography import font_files
from pbem.protocol.match import Match
from pbem.text.facts.position_facts import Scene
from pbem.text.language import NAMES, Language
from tests.board.boxes import SEMIBOLD
from tests.board.boxes import width as letters_wide
from tests.board.games import CLOSED, RUNNING, edition_game, practice_game, public_scenes

_NAME = "{http://www.w3.org/2000/svg}"
SVG = 'xmlns="http://www.w3.org/2000/svg"'


def match_of(game: str) -> Match:
    return practice_game(game) if game.startswith("game") else edition_game(game)


@pytest.mark.slow
@pytest.mark.parametrize("game", [CLOSED, RUNNING, *editions()])
def test_picture_is_valid_and_has_every_piece(game: str) -> None:
    scene: Scene = public_scenes(game)[-1]
    root = ElementTree.fromstring(render_svg(scene, match_of(game), Language("en")))
    assert root.tag == f"{_NAME}svg"
    places = [node.attrib for node in root.iter() if "data-location" in node.attrib]
    pieces = {node["data-location"]: (node["data-owner"], node["data-piece"]) for node in places}
    assert pieces == {
        place.location: (place.owner or "", place.piece or "") for place in scene.facts.locations
    }


@pytest.mark.parametrize("language", NAMES)
def test_picture_names_players_and_points(language: str) -> None:
    match, scene = match_of(CLOSED), public_scenes(CLOSED)[48]
    text = text_of(match, scene, language)
    for side, entrant in match.entrants.items():
        assert entrant.name in text
        assert f" {scene.facts.sides[side].points.total} " in text
    assert "48" in text


def text_of(match: Match, scene: Scene, language: str = "en") -> str:
    """Return all text of a picture as a line."""
    root = ElementTree.fromstring(render_svg(scene, match, Language(language)))
    texts = ("".join(node.itertext()) for node in root.iter(f"{_NAME}text"))
    return " ".join(" ".join(texts).split())


def test_picture_needs_no_other_file() -> None:
    text = render_svg(public_scenes(CLOSED)[48], match_of(CLOSED), Language("en"))
    assert "var(" not in text
    for outside in ("http", "url("):
        rest = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
        rest = rest.replace("url(data:font/woff2", "")
        assert outside not in rest


@pytest.mark.parametrize("width", [300, 600, pytest.param(1600, marks=pytest.mark.long)])
def test_picture_has_the_requested_width(width: int) -> None:
    data = render_png(public_scenes(CLOSED)[48], match_of(CLOSED), Language("en"), width)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    across, down = struct.unpack(">II", data[16:24])
    assert across == width
    assert width * 0.7 < down < width


@pytest.mark.parametrize("times", [1, 8, 12, 40])
def test_long_name_fits_and_is_escaped(times: int) -> None:
    match, scene = match_of(CLOSED), public_scenes(CLOSED)[48]
    name = "<b>&amp; " + "Wilhelmina " * times
    side, entrant = next(iter(match.entrants.items()))
    renamed = copy(match)
    renamed.entrants = {**match.entrants, side: entrant._replace(name=name)}
    text = render_svg(scene, renamed, Language("en"))
    assert "<b>" not in text
    root = ElementTree.fromstring(text)
    right = float(root.attrib["viewBox"].split()[2])
    lines = [node for node in root.iter(f"{_NAME}text") if "Wilhelmina" in (node.text or "")]
    assert len(lines) == 2
    for line, end in zip(lines, (right, right / 2), strict=True):
        size = float(line.attrib["font-size"])
        measured_width = letters_wide(line.text or "", size, SEMIBOLD)
        assert float(line.attrib["x"]) + float(line.attrib.get("textLength", measured_width)) <= end


@pytest.mark.parametrize("face", ["", 'font-weight="600"', 'font-style="italic"'])
@pytest.mark.parametrize("name", ["日本太郎", "שלום", "Ω", "\N{ROCKET}", "\U0010fffd"])
def test_missing_letters_are_drawn_as_boxes(name: str, face: str) -> None:
    """Letters that the fonts of the board lack are drawn as boxes, without system fonts."""

    def drawn(fill: str) -> bytes:
        text = f'<text y="30" font-size="20" fill="{fill}" {face}>{name}</text>'
        sheet = f'<svg {SVG} width="200" height="40" font-family="EB Garamond">{text}</svg>'
        data = resvg_py.svg_to_bytes(sheet, font_files=font_files(), skip_system_fonts=True)
        return bytes(data)

    assert drawn("black") != drawn("none")

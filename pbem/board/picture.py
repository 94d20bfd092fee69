"""One position as a picture: the board, with what both sides have, as SVG or as PNG.

That for a letter shows the position of its file, as everybody may see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import resvg_py
from markupsafe import Markup

from engine.message import sentences
from engine.sides import Side
from pbem.board.chart import chart
from pbem.board.drawing import Drawing
from pbem.board.lettering import BOLD, face_css, face_files, fitted, width
from pbem.board.templates import Templates, asset, filled
from pbem.errors import WrongUse
from pbem.play.look import Look
from pbem.protocol.match import Match
from pbem.text.board import moment_text
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import Scene, scenes
from pbem.text.language import Language
from pbem.text.phrases import entry, names, player, versus
from pbem.text.position import counts, siege_heading, siege_standing
from pbem.text.rules.editions import game_line

WIDTH = 1600
"""How many pixels a picture is wide, unless somebody wants it otherwise."""
_PROPERTY = re.compile(r"(--[\w-]+):\s*([^;]+);")
_USED = re.compile(r"var\((--[\w-]+)\)")

_MARGIN = 16
_NAMES, _TOLD, _RULES = (32.0, 28.0, 24.0, 20.0), (23.0, 20.0), (20.0, 18.0)
"""The sizes that letters can have, in units of the sheet, the largest first."""
_LEADING = 1.25
"""The height of a line, in the size of its letters."""
_BESIDE = 60
"""So far from the edge begins the name of a player, behind the piece."""
_COUNTED = 104
"""The height of what is counted of a side, with the name above."""


class CaptionLine(NamedTuple):
    """A line of a picture: its foot, the size of its letters, and how narrow they are pressed."""

    kind: str
    text: str
    y: float
    size: float
    narrower: int | None


def svg(scene: Scene, match: Match, language: Language) -> str:
    """A position of a game as SVG that needs nothing else, in light colours."""
    return _drawn(scene, match, language, face_css(language))


def png(scene: Scene, match: Match, language: Language, width: int = WIDTH) -> bytes:
    """A position of a game as PNG, that many pixels wide."""
    drawn = _drawn(scene, match, language, "")
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, width=width, font_files=face_files()))


def _drawn(scene: Scene, match: Match, language: Language, faces: str) -> str:
    templates, say = Templates(language), language.say
    drawing = Drawing(templates, match.state.ruleset.catalogue)
    players = say(versus(*(player(match, side) for side in match.entrants)))
    across, down = chart().size
    room = across - 2 * _MARGIN
    head = _under(
        0,
        room,
        [
            ("players", players, _NAMES, 1),
            ("moment", say(moment_text(scene, match)), _TOLD, 2),
            ("rules", say(game_line(match)), _RULES, 3),
        ],
    )
    board_at = head[-1].y + _MARGIN
    sides_at = board_at + down + 2 * _MARGIN
    name = names(scene.state)
    sieges = (
        sentences(siege_heading(siege, name) + ".", siege_standing(siege))
        for siege in scene.facts.sieges
    )
    foot = _under(sides_at + _COUNTED, room, [("moment", say(siege), _TOLD, 2) for siege in sieges])
    height = (foot[-1].y if foot else sides_at + _COUNTED) + _MARGIN
    sheet = drawing.land()
    return str(
        templates.fill(
            "picture.svg",
            **sheet,
            frame=filled(templates.fill("board_inside.svg", **sheet), drawing.parts(scene)),
            style=Markup(faces + resolved(asset("board.css") + asset("picture.css"))),
            heading=f"{players}. {say(moment_text(scene, match))}",
            height=round(height),
            margin=_MARGIN,
            beside=_BESIDE,
            written=[*head, *foot],
            board_at=board_at,
            sides_at=sides_at,
            sides=[_has(scene, match, side, language) for side in Side],
        )
    )


def _under(
    top: float, room: float, texts: Iterable[tuple[str, str, tuple[float, ...], int]]
) -> list[CaptionLine]:
    """Texts one under the other, each of a kind, in one of some sizes and in at most some lines."""
    written: list[CaptionLine] = []
    for kind, text, sizes, most in texts:
        lines, size, narrower = fitted(text, sizes, room, most, BOLD if sizes is _NAMES else 1)
        for line in lines:
            top += size * _LEADING
            pressed = narrower if width(line, size) > room else None
            written.append(CaptionLine(kind, line, top, size, pressed))
    return written


def _has(
    scene: Scene, match: Match, side: Side, language: Language
) -> tuple[Side, CaptionLine, list[tuple[str, str]]]:
    """Return what is told of a side below the board: whose it is, and what is counted of it."""
    room = chart().size[0] / 2 - _BESIDE - 2 * _MARGIN
    name = language.say(player(match, side))
    written, *_ = _under(8 - _NAMES[1] * _LEADING, room, [("player", name, _NAMES[1:], 1)])
    counted = counts(scene.facts.sides[side]).items()
    told = [(language.say(entry("columns", key)), language.say(n)) for key, n in counted]
    return side, written, told


def resolved(css: str) -> str:
    """CSS with the light colours in place of the properties that name them.

    Whoever draws a picture may know no such properties.
    """
    properties = dict(_PROPERTY.findall(asset("colours.css").split("}")[0] + css))
    return _USED.sub(lambda used: properties[used[1]], css)


# --- for a letter


LETTER_WIDTH = 720
"""In pixels: every name can be read, and the picture has less than 300 kB."""


def picture_of(match: Match, language: Language) -> bytes:
    """The position at the end of a match as PNG; raises WrongUse for an invitation."""
    if not match.is_joined:
        raise WrongUse("This is an invitation: there will be a board once it is accepted.")
    scene = scenes(Chronicle(Look(match)))[-1]
    return png(scene, match, language, LETTER_WIDTH)

"""One position as a picture, SVG or PNG: the board, and the amounts of both sides.

The picture in a message shows the position of its file with public facts only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup

from engine.message import sentences
from engine.sides import Side
from pbem.board.drawing import Drawing
from pbem.board.layout import load_layout
from pbem.board.templates import Templates, fill_frame, read_asset
from pbem.board.typography import BOLD, fit, font_css, font_files, text_width
from pbem.errors import UsageError
from pbem.play.look import Look
from pbem.protocol.match import Match
from pbem.text.board import moment_text
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import Scene, scenes
from pbem.text.language import Language
from pbem.text.phrases import names, opponents_text, player, row_text
from pbem.text.position import counts, siege_heading, siege_standing
from pbem.text.rules.editions import game_line

DEFAULT_WIDTH = 1600
"""The default width of a PNG in pixels."""
_PROPERTY_PATTERN = re.compile(r"(--[\w-]+):\s*([^;]+);")
_VARIABLE_PATTERN = re.compile(r"var\((--[\w-]+)\)")

_MARGIN = 16
_NAMES, _BODY, _RULES = (32.0, 28.0, 24.0, 20.0), (23.0, 20.0), (20.0, 18.0)
"""The font sizes to try, in units of the map, largest first."""
_LEADING = 1.25
"""The height of a line, in em."""
_INDENT = 60
"""The distance of a player's name from the edge, with a piece between them."""
_AMOUNTS = 104
"""The height of the name and the amounts of a side."""


class CaptionLine(NamedTuple):
    """A line of text in a picture: its baseline, font size, and the width to fit, if any."""

    kind: str
    text: str
    y: float
    size: float
    text_length: int | None


def render_svg(scene: Scene, match: Match, language: Language) -> str:
    """Return a position of a game as a self-contained SVG, in light colours."""
    return _render(scene, match, language, font_css(language))


def render_png(scene: Scene, match: Match, language: Language, width: int = DEFAULT_WIDTH) -> bytes:
    """Return a position of a game as PNG, `width` pixels wide."""
    # Browsers have no such library: their pages draw the SVG on a canvas.
    import resvg_py

    drawing = _render(scene, match, language, "")
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=width, font_files=font_files()))


def _render(scene: Scene, match: Match, language: Language, fonts: str) -> str:
    templates, say = Templates(language), language.say
    drawing = Drawing(templates, match.state.ruleset.catalogue)
    players = say(opponents_text(*(player(match, side) for side in match.entrants)))
    board_width, length = load_layout().size
    width = board_width - 2 * _MARGIN
    head = _stack(
        0,
        width,
        [
            ("players", players, _NAMES, 1),
            ("moment", say(moment_text(scene, match)), _BODY, 2),
            ("rules", say(game_line(match)), _RULES, 3),
        ],
    )
    board_at = head[-1].y + _MARGIN
    sides_at = board_at + length + 2 * _MARGIN
    name = names(scene.state)
    sieges = (
        sentences(siege_heading(siege, name) + ".", siege_standing(siege))
        for siege in scene.facts.sieges
    )
    foot = _stack(sides_at + _AMOUNTS, width, [("moment", say(text), _BODY, 2) for text in sieges])
    height = (foot[-1].y if foot else sides_at + _AMOUNTS) + _MARGIN
    sheet, css = drawing.template_values(), read_asset("board.css") + read_asset("picture.css")
    board = fill_frame(templates.render("board_inside.svg", **sheet), drawing.render_parts(scene))
    return str(
        templates.render(
            "picture.svg",
            **sheet,
            frame=board,
            style=Markup(fonts + inline_colours(css)),
            heading=f"{players}. {say(moment_text(scene, match))}",
            height=round(height),
            margin=_MARGIN,
            beside=_INDENT,
            lines=[*head, *foot],
            board_at=board_at,
            sides_at=sides_at,
            sides=[_describe_side(scene, match, side, language) for side in Side],
        )
    )


def _stack(
    top: float, width: float, texts: Iterable[tuple[str, str, tuple[float, ...], int]]
) -> list[CaptionLine]:
    """Stack texts below `top`, each with a kind, font sizes to try, and a maximum of lines."""
    caption_lines: list[CaptionLine] = []
    for kind, text, sizes, limit in texts:
        lines, size, text_length = fit(text, sizes, width, limit, BOLD if sizes is _NAMES else 1)
        for line in lines:
            top += size * _LEADING
            max_width = text_length if text_width(line, size) > width else None
            caption_lines.append(CaptionLine(kind, line, top, size, max_width))
    return caption_lines


def _describe_side(
    scene: Scene, match: Match, side: Side, language: Language
) -> tuple[Side, CaptionLine, list[tuple[str, str]]]:
    """Return a side with the caption for its player, and its amounts with labels."""
    width = load_layout().size[0] / 2 - _INDENT - 2 * _MARGIN
    name = language.say(player(match, side))
    caption, *_ = _stack(8 - _NAMES[1] * _LEADING, width, [("player", name, _NAMES[1:], 1)])
    items = counts(scene.facts.sides[side]).items()
    amounts = [(language.say(row_text("columns", key)), language.say(n)) for key, n in items]
    return side, caption, amounts


def inline_colours(css: str) -> str:
    """Return CSS with each colour property replaced by its light colour.

    Renderers of pictures may not support custom properties.
    """
    properties = dict(_PROPERTY_PATTERN.findall(read_asset("colours.css").split("}")[0] + css))
    return _VARIABLE_PATTERN.sub(lambda match: properties[match[1]], css)


# --- the picture in a message


EMAIL_WIDTH = 720
"""The width of a picture in a message, in pixels.

Every name is readable, and the picture is smaller than 300 kB.
"""


def render_email_picture(match: Match, language: Language) -> bytes:
    """Return the position at the end of a match as PNG. Raises UsageError for an invitation."""
    if not match.is_joined:
        raise UsageError("This is an invitation: there will be a board once it is accepted.")
    scene = scenes(Chronicle(Look(match)))[-1]
    return render_png(scene, match, language, EMAIL_WIDTH)

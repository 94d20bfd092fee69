"""A whole game as one self-contained page, which can be opened from disk, mailed or hosted."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import NamedTuple

from markupsafe import Markup

from engine.message import Message
from pbem import VERSION
from pbem.board.drawing import Drawing
from pbem.board.graph import LABELS, LABELS_WITH_CHANCES, Graph, render_analysis
from pbem.board.tabletop import ScoreStrip, Tabletop
from pbem.board.templates import Parts, SceneView, Templates, fill_frame, pack_scenes, read_asset
from pbem.board.typography import font_css
from pbem.play.analysis import Analysis
from pbem.play.audit import AuditReport
from pbem.text.board import position_text
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import Scene
from pbem.text.history.log import Log
from pbem.text.language import Language, Line, Tone
from pbem.text.phrases import instant, names
from pbem.text.piles import open_hands_text
from pbem.text.proof.verdict import audit_text

_STYLES = ("colours.css", "board.css", "page.css", "table.css", "cards.css")
_MODULES = ("cards", "parts", "scenes", "time", "theme", "faces", "map", "page")
_SCRIPTS = tuple(f"{name}.js" for name in _MODULES)
"""The modules of the page, each after the modules that it imports."""
_IMPORT, _EXPORT = re.compile(r"^import .*;\n", re.M), re.compile(r"^export ", re.M)
_DEFERRED_IDS = ("faces-of-cards", "words-on-cards", "graph-table", "turns")
"""The ids of long constant parts, which a script unpacks from the compressed data."""


class DatedAudit(NamedTuple):
    """The audit of a file and the time when it was made."""

    report: AuditReport
    time: str


def render_page(
    chronicle: Chronicle,
    scenes: Sequence[Scene],
    language: Language,
    audit: DatedAudit,
    at: int,
    analysis: Analysis | None = None,
) -> str:
    """Return the page of a game for the viewer of a chronicle.

    `scenes` are the scenes of the chronicle, and `at` is the number of the scene shown first. With
    an `analysis`, the page has a section about it and a chart of the chances to win.
    """
    templates = Templates(language)
    catalogue = chronicle.match.state.ruleset.catalogue
    log = Log(chronicle)
    position = PositionText(templates, log, scenes)
    table = Tabletop(templates, catalogue, chronicle.viewer)
    views: dict[str, SceneView] = {
        "drawing": Drawing(templates, catalogue),
        "table": table,
        "strip": ScoreStrip(templates, chronicle.viewer),
        "graph": Graph(templates, scenes, analysis.chances if analysis else ()),
        "words": position,
    }
    by_view = [{name: view.render_parts(scene) for name, view in views.items()} for scene in scenes]
    by_scene = [dict(item for parts in row.values() for item in parts.items()) for row in by_view]
    initial = by_scene[at] | dict.fromkeys(_DEFERRED_IDS, Markup())
    initial["faces-of-cards"] = table.render_used_faces(initial)
    initial["words-on-cards"] = table.card_names
    style, script = font_css(language) + _join_assets(_STYLES), _bundle(_SCRIPTS)
    return templates.render(
        "page.html",
        lang=language.code,
        labels=LABELS_WITH_CHANCES if analysis else LABELS,
        title=log.title,
        players=log.players,
        warning=log.warning,
        frames={name: _fill(view, by_view[at][name], initial) for name, view in views.items()},
        turn=position.render_turn(scenes[at]),
        heading=position.heading(scenes[at]),
        deciding=render_analysis(templates, chronicle, analysis) if analysis else "",
        proved=render_proof(templates, audit.report, audit.time),
        at=at,
        last=len(scenes) - 1,
        data=pack_scenes(by_scene, _DEFERRED_IDS),
        style=style,
        script=script,
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; font-src data:; base-uri 'none'; form-action 'none'",
    )


def _fill(view: SceneView, ids: Iterable[str], initial: Parts) -> Markup:
    """Return the frame of a view with its parts before a script runs."""
    return fill_frame(view.render_frame(), {id: initial[id] for id in ids if initial[id]})


def _join_assets(names: Sequence[str]) -> str:
    return "\n".join(read_asset(name) for name in names)


def _bundle(modules: Sequence[str]) -> str:
    """Join modules to one script, because a page on disk cannot load modules."""
    joined = '"use strict";\n' + _join_assets(modules)
    return _EXPORT.sub("", _IMPORT.sub("", joined))


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def render_proof(templates: Templates, report: AuditReport, time: str) -> Markup:
    """Return the section with the result of an audit and its time."""
    match = report.match
    return templates.render(
        "proved.html",
        lines=[line for line in audit_text(report, time) if line.text],
        when=Message(
            "Checked by acres {version} on {time}, when this page was made.",
            version=VERSION,
            time=instant(time),
        ),
        how=Message(
            "The page itself proves nothing: anyone who has the file of the game can check it with"
        ),
        command="acres audit FILE",
        same=Message(
            "It must name the same game, keys and number of records; the full id of the game is"
        ),
        id=match.id.hex(),
    )


# --- the game in sentences


class PositionText:
    """The position in words, with lines for the longest text of any scene, and all turns."""

    def __init__(self, templates: Templates, log: Log, scenes: Sequence[Scene]) -> None:
        self._templates = templates
        self._lines: dict[tuple[str, Tone, bool], Markup] = {}
        self._sections = list(log.sections())
        self._blocks = {scene.number: list(self._in_words(scene)) for scene in scenes}
        sizes = zip_longest(*(map(len, blocks) for blocks in self._blocks.values()), fillvalue=0)
        self._room = [max(size) for size in sizes]
        self._turns = templates.render("turns.html", turns=enumerate(self._sections), latest=())

    def render_frame(self) -> Markup:
        """Return an empty element for each line, without the list of turns."""
        return self._templates.render("in_words.html", room=self._room)

    def render_parts(self, scene: Scene) -> Parts:
        """Return the lines of the position, as `--plain` prints them, and the list of turns."""
        parts = {"turns": self._turns}
        blocks = self._blocks[scene.number]
        for block, room in enumerate(self._room):
            lines = blocks[block] if block < len(blocks) else []
            for line_number in range(room):
                line = lines[line_number] if line_number < len(lines) else Line()
                parts[f"line-{block}-{line_number}"] = self._line(line)
        return parts

    def render_turn(self, scene: Scene) -> Markup:
        """Return the report of the turn that led to a scene."""
        section = self._sections[scene.number]
        return self._templates.render(
            "turn.html",
            heading=section.heading,
            sections=[(scene.number, section)],
            notices=(),
            steps=(),
            with_headings=False,
        )

    def heading(self, scene: Scene) -> str:
        """Return the heading of the turn that led to a scene."""
        return self._templates.language.say(self._sections[scene.number].heading)

    def _line(self, line: Line) -> Markup:
        if not line.text:
            return Markup()
        # Cache the lines, because most stay the same from turn to turn.
        key = self._templates.language.say(line.text), line.tone, bool(line.indent)
        if key not in self._lines:
            self._lines[key] = self._templates.render("line.html", line=line)
        return self._lines[key]

    def _in_words(self, scene: Scene) -> Iterator[list[Line]]:
        """Yield the position in words as blocks of lines."""
        language, name = self._templates.language, names(scene.state)
        yield from _blocks(position_text(language, scene.state, scene.facts, name))
        yield from _blocks(open_hands_text(language, scene.facts, name))


def _blocks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Split lines into blocks, which begin with a heading or after an empty line."""
    block: list[Line] = []
    for line in lines:
        if block and (line.tone is Tone.HEAD or not line.text):
            yield block
            block = []
        if line.text:
            block.append(line)
    if block:
        yield block
